import Diagnostics
import Templates
import Values
import YAMLNodes

extension LoadedFile {
  /// Reads a file's bytes into what it is; everything wrong with it goes to the bag.
  package static func read(
    bytes: [UInt8], path: String, asProject: Bool, into bag: inout DiagnosticBag
  ) -> LoadedFile? {
    let (source, root) = YAMLReader.read(bytes: bytes, name: path, into: &bag)
    guard let root else { return nil }
    var reader = SpecReader()
    defer { bag.add(contentsOf: reader.bag.diagnostics) }
    if asProject { return .project(reader.projectFile(root, source: source, path: path)) }
    return reader.specFile(root, source: source, path: path)
  }
}

private let fileKeys = KeyTable(
  known: [
    "name", "description", "tags", "extends", "variables", "secrets", "defaults", "setup", "requests", "teardown",
  ],
  later: ["openapi", "needs"],
  misplaced: [
    "request": "did you mean `requests`?", "vars": "did you mean `variables`?",
    "tests": "write the requests as a list under `requests`",
    "environments": "environments belong in the project file `reqrun.yaml`",
  ])

private let projectKeys = KeyTable(
  known: ["name", "description", "variables", "secrets", "defaults", "demo"],
  later: ["environments", "openapi"])

extension SpecReader {
  mutating func specFile(_ root: YAMLNode, source: SourceText, path: String) -> LoadedFile {
    guard let members = root.members else {
      bag.error(
        "a spec file is a mapping with `requests` or `url`, found \(root.kindPhrase)", at: root.range,
        help: root.items == nil ? nil : "write the list under `requests:`")
      return .other
    }
    let names = Set(members.map(\.key))
    let isSingle = names.contains("url")
    var file = SpecFile(source: source, path: path)
    guard isSingle || names.contains("requests") else {
      // A helper such as common.yaml has only shared parts; a near miss is an error.
      for member in members where suggestion(member.key, among: ["requests", "url"]) != nil || member.key == "request" {
        unknownKey(member, of: "a spec file", keys: fileKeys)
        return .other
      }
      let shared = Set(["variables", "secrets", "defaults", "extends"])
      guard !names.isDisjoint(with: shared) else { return .other }
      visit(root, as: "a spec file", keys: fileKeys) { reader, member in reader.fileKey(member, &file) }
      return .spec(file)
    }
    if isSingle {
      var single = RequestSpec(range: root.range)
      // `name`, `description` and `tags` at the top name the file, and so its one request.
      let keys = KeyTable(
        known: Array(Set(fileKeys.known + requestKeys.known).subtracting(["requests"])).sorted(),
        later: fileKeys.later + requestKeys.later, misplaced: requestKeys.misplaced)
      visit(root, as: "a spec file with `url` at the top", keys: keys) { reader, member in
        if fileKeys.known.contains(member.key) {
          reader.fileKey(member, &file)
          if member.key == "name" { single.name = reader.field(member.value, .scalarText) }
        } else {
          reader.requestKey(member, &single)
        }
      }
      if names.contains("requests") {
        let range = members.first { $0.key == "requests" }?.keyRange
        bag.error("a file has either `url` at the top or `requests`, not both", at: range)
      }
      checkRequest(single, members: members)
      file.requests = [single]
    } else {
      visit(root, as: "a spec file", keys: fileKeys) { reader, member in reader.fileKey(member, &file) }
    }
    return .spec(file)
  }

  mutating func projectFile(_ root: YAMLNode, source: SourceText, path: String) -> ProjectFile {
    var project = ProjectFile(source: source, path: path)
    visit(root, as: "the project file", keys: projectKeys) { reader, member in
      switch member.key {
      case "variables": project.variables = reader.variables(member.value)
      case "secrets": project.secrets = reader.secrets(member.value)
      case "defaults": project.defaults = reader.defaults(member.value)
      case "demo":
        if let value = reader.field(member.value, .boolean)?.literal { project.runsDemo = value }
      default: break
      }
    }
    return project
  }

  private mutating func fileKey(_ member: YAMLMember, _ file: inout SpecFile) {
    let node = member.value
    switch member.key {
    case "name": file.name = plainText(node, as: "name")
    case "description": file.description = plainText(node, as: "description")
    case "tags": file.tags = stringList(node, as: "tags").map(\.value)
    case "extends": file.extends = stringList(node, as: "extends")
    case "variables": file.variables = variables(node)
    case "secrets": file.secrets = secrets(node)
    case "defaults": file.defaults = defaults(node)
    case "setup": file.setup = requests(node, key: "setup")
    case "requests": file.requests = requests(node, key: "requests")
    case "teardown": file.teardown = requests(node, key: "teardown")
    default: break
    }
  }

  private mutating func variables(_ node: YAMLNode) -> KeyedSettings<ValueTemplate> {
    let result = keyed(node, as: "variables", nullRemoves: false) { reader, member in
      reader.checkName(member, what: "a variable")
      return reader.valueTemplate(member.value)
    }
    return result
  }

  private mutating func checkName(_ member: YAMLMember, what: String) {
    guard !isVariableName(member.key) else {
      if reservedNames.contains(member.key) {
        bag.error("`\(member.key)` cannot be \(what)'s name: templates read it themselves", at: member.keyRange)
      }
      return
    }
    bag.error(
      "\"\(jsonEscaped(member.key))\" is not a name that a template can read", at: member.keyRange,
      help: "use letters, digits and `_`, beginning with a letter")
  }

  private mutating func secrets(_ node: YAMLNode) -> [SecretDeclaration] {
    if let members = node.members {
      return members.compactMap { member in
        checkName(member, what: "a secret")
        return valueTemplate(member.value).map {
          SecretDeclaration(name: member.key, range: member.keyRange, value: $0)
        }
      }
    }
    return stringList(node, as: "secrets").map { SecretDeclaration(name: $0.value, range: $0.range, value: nil) }
  }

  private mutating func defaults(_ node: YAMLNode) -> RequestSettings {
    var shared = RequestSpec(range: node.range)
    visit(node, as: "`defaults`", keys: defaultsKeys) { reader, member in reader.requestKey(member, &shared) }
    checkBodies(node.members ?? [])
    return shared.settings
  }

  private mutating func requests(_ node: YAMLNode, key: String) -> [RequestSpec] {
    guard let items = node.items else {
      bag.error(
        "`\(key)` is a list of requests, found \(node.kindPhrase)", at: node.range,
        help: "begin each request with `- `")
      return []
    }
    return items.compactMap { item in
      guard let members = item.members else {
        bag.error("a request is a mapping, found \(item.kindPhrase)", at: item.range)
        return nil
      }
      var request = RequestSpec(range: item.range)
      visit(item, as: "a request", keys: requestKeys) { reader, member in reader.requestKey(member, &request) }
      checkRequest(request, members: members)
      return request
    }
  }
}

/// Names that templates read themselves.
let reservedNames: Set<String> = ["env", "row", "row_index", "true", "false", "null", "and", "or", "not"]

/// Whether a template can look the name up as it stands.
func isVariableName(_ name: String) -> Bool {
  guard let first = name.utf8.first, first == 0x5F || (first | 0x20 >= 0x61 && first | 0x20 <= 0x7A) else {
    return false
  }
  return name.utf8.allSatisfy { byte in
    byte == 0x5F || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
  }
}
