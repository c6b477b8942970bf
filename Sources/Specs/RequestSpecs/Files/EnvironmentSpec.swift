import Templates
import Values
import YAMLNodes

/// An environment: settings over those of the project.
package struct EnvironmentSpec: Sendable {
  package let source: SourceText
  package var variables = KeyedSettings<ValueTemplate>()
  package var secrets: [SecretDeclaration] = []
  package var defaults: RequestSettings?
  /// The names that unreadable keys would have declared.
  package var missedNames = MissedNames()
  package var hasErrors = false

  /// The names that it declares.
  package var names: Set<String> { Set(variables.entries.map(\.key.text)).union(secrets.map(\.name)) }
}

/// An environment in a project file: in place, or in a file of its own.
package struct EnvironmentEntry: Sendable {
  package enum Content: Sendable {
    case inPlace(EnvironmentSpec)
    /// A path relative to the project file.
    case file(Located<String>)
  }

  package let name: Located<String>
  package let content: Content
}

let environmentKeys: Keys<EnvironmentSpec> = Keys(
  [
    Key("description", "for people", .text) { reader, member, _ in
      _ = reader.plainText(member.value, as: "description")
    },
    Key(
      "variables", "a mapping, above the variables of the project", synonyms: "vars var variable env values",
      variablesShape
    ) { $2.variables = $0.variables($1.value) },
    Key(
      "secrets", "a list of names, read from the environment of the process; or a mapping of names to values",
      synonyms: "secret", secretsShape
    ) { $2.secrets = $0.secrets($1.value) },
    Key("defaults", "request keys, merged over the project's", synonyms: "default", defaultsKeys.shape()) {
      $2.defaults = $0.sharedRequest($1.value).settings
    },
  ],
  advice: Dictionary(
    requestKeys.names.known.map { ($0, "write it under `defaults:`") }
      + ["setup", "requests", "teardown", "url", "flows"].map { ($0, "an environment has no requests of its own") }
      + [
        ("name", "its name is its key under `environments`"), ("extends", "write what it shares in the project file"),
      ],
    uniquingKeysWith: { $1 }),
  shape: "{variables: {host: example.com}}")

private let environmentShape = SchemaShape.any([.text, environmentKeys.shape()])

/// The shape of `environments`.
let environmentsShape = SchemaShape.names(of: environmentShape)

extension EnvironmentSpec {
  /// Reads the file of an environment; all problems are added to the bag.
  package static func read(bytes: [UInt8], path: String, into bag: inout DiagnosticBag) -> EnvironmentSpec? {
    let errorsBefore = bag.errorCount
    let (source, root, missing) = YAMLReader.readPieces(bytes: bytes, name: path, mayBeEmpty: true, into: &bag)
    defer { withExtendedLifetime(source) {} }
    var spec = EnvironmentSpec(source: source)
    guard let root else { return bag.errorCount > errorsBefore ? nil : spec }
    var reader = SpecReader()
    reader.isPrivate = isPrivateName(path)
    reader.note(missing)
    reader.environment(root, into: &spec)
    bag.add(contentsOf: reader.diagnostics)
    spec.missedNames = reader.missedNames
    spec.hasErrors = bag.errorCount > errorsBefore
    return spec
  }
}

extension SpecReader {
  mutating func environments(_ node: YAMLNode, of source: SourceText) -> [EnvironmentEntry] {
    guard isUsable(node) else { return [] }
    guard let members = node.members else {
      miss("environments", node)
      report(
        .wrongType, "`environments` is a mapping, found \(node.kindPhrase)", at: node,
        help: "write {local: {variables: {…}}, production: env/production.yaml}")
      return []
    }
    return members.compactMap { environment($0, of: source) }
  }

  private mutating func environment(_ member: YAMLMember, of source: SourceText) -> EnvironmentEntry? {
    let name = Located(member.key, at: member.keyRange)
    if Template.isTemplate(member.key) {
      return reject(.templateNotAllowed, "the name of an environment takes no template", at: member.keyRange)
    }
    if let problem = problem(ofEnvironmentName: member.key) {
      return reject(
        .invalidName, "\"\(jsonEscaped(member.key))\" cannot be the name of an environment: \(problem)",
        at: member.keyRange, help: "use letters, digits, `-` and `_`")
    }
    guard isUsable(member.value) else { return nil }
    if let scalar = member.value.scalar, case .text = scalar.meaning {
      return stringList(member.value, as: "environments").first.map { EnvironmentEntry(name: name, content: .file($0)) }
    }
    var spec = EnvironmentSpec(source: source)
    environment(member.value, into: &spec)
    return EnvironmentEntry(name: name, content: .inPlace(spec))
  }

  private func problem(ofEnvironmentName name: String) -> String? {
    if name.isEmpty { return "it is empty" }
    if name.hasPrefix("-") || name.hasPrefix(".") { return "it begins with `\(name.prefix(1))`" }
    if name.unicodeScalars.contains(where: { $0 == "/" || isInvisible($0) }) {
      return "it has a character that file names don't"
    }
    return nil
  }

  fileprivate mutating func environment(_ node: YAMLNode, into spec: inout EnvironmentSpec) {
    if reportPlainValues(node) { return }
    visit(node, as: "an environment", keys: environmentKeys, into: &spec)
  }

  /// Reports values that don't stand under `variables`, as they would in other tools' files.
  private mutating func reportPlainValues(_ node: YAMLNode) -> Bool {
    if let text = node.plainText, text.contains("=") {
      missedNames = .any
      bag.error(
        .wrongType, "an environment is a mapping, found lines as in a dotenv file", at: node.range.firstLine,
        notes: useNote(node), help: "write `variables: {NAME: value}`; a dotenv file is given with --env-file")
      return true
    }
    let words = environmentKeys.names
    let members = (node.members ?? []).filter { !$0.key.hasPrefix("x-") }
    guard !members.isEmpty,
      !members.contains(where: { member in
        words.contains(member.key) || words.synonyms[member.key] != nil || words.advice[member.key] != nil
          || nearestWord(to: member.key, among: words.known) != nil
      })
    else { return false }
    missedNames = .any
    bag.error(
      .unknownKey, "unknown key `\(jsonEscaped(members[0].key))` in an environment", at: members[0].keyRange,
      help: "its values stand under `variables:`")
    return true
  }
}
