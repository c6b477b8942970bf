import Templates
import Values
import YAMLNodes

/// Names that come from the rows of `each`.
package let rowNames: Set<String> = ["row", "row_index", "row_count"]

/// All names that can't be declared.
private let reservedNames = Template.reservedNames.union(rowNames).union(["environment", "poll_round"])

/// The reason why a declared name can't be used in templates; nil if it can.
package func unusableName(_ name: String, of what: String) -> DecodingProblem? {
  if reservedNames.contains(name) {
    return DecodingProblem(
      .invalidName, "`\(name)` cannot be the name of \(what): in templates it has a meaning of its own")
  }
  if let character = misleadingCharacter(in: name) {
    return DecodingProblem(
      .invalidName,
      "`\(jsonEscaped(name))` has the character \(characterName(character.scalar))"
        + (character.lookalike.map { ", which only looks like `\($0)`" } ?? ", which is not seen"),
      help: "write `\(plainLooking(name))`")
  }
  if Template.isName(name) { return nil }
  return DecodingProblem(
    .invalidName, "\"\(jsonEscaped(name))\" is not a name that a template can read",
    help: "use letters, digits and `_`, beginning with a letter")
}

/// Variables and secrets.
extension SpecReader {
  mutating func variables(_ node: YAMLNode) -> KeyedSettings<ValueTemplate> {
    checkSwallowedKeys(node, as: "variables", fate: "one of the")
    return keyed(node, as: "variables", nullRemoves: false, takesTemplate: false) { reader, member in
      reader.checkName(member.key, at: member.keyRange, of: "a variable")
      // A name that might be meant is not reported as unknown.
      if misleadingCharacter(in: member.key) != nil { reader.missedNames = .any }
      reader.checkForeignTemplate(member.value, shells: false)
      if member.value.plainText?.hasPrefix("env.") == true { reader.checkEnvironmentName(member) }
      return reader.valueTemplate(member.value)
    }
  }

  /// Checks that templates can use a declared name.
  @discardableResult
  mutating func checkName(_ name: String, at range: SourceRange, of what: String) -> Bool {
    if Template.isTemplate(name) {
      bag.error(.templateNotAllowed, "the name of \(what) takes no template", at: range)
      return false
    }
    guard let problem = unusableName(name, of: what) else { return true }
    bag.error(problem.code, problem.message, at: range, help: problem.help)
    return false
  }

  mutating func secrets(_ node: YAMLNode) -> [SecretDeclaration] {
    let errorsBefore = bag.errorCount
    defer { if bag.errorCount > errorsBefore { missedNames.add(node, under: "secrets") } }
    guard isUsable(node) else { return [] }
    guard let members = node.members else {
      return secretNames(node)
    }
    return members.compactMap { member in
      checkName(member.key, at: member.keyRange, of: "a secret")
      if member.value.scalar == nil || member.value.isNull, !member.value.hasError {
        return reject(
          .wrongType, "a secret is text, found \(member.value.kindPhrase)", at: member.value.range,
          help: "write the name alone, as in `secrets: [\(member.key)]`, to take it from the environment")
      }
      checkEnvironmentName(member)
      return valueTemplate(member.value).map {
        SecretDeclaration(name: member.key, range: member.keyRange, value: $0)
      }
    }
  }

  /// Warns of `env.NAME`, `$NAME`, or the name itself in capitals: a text, and not what the environment has.
  private mutating func checkEnvironmentName(_ member: YAMLMember) {
    guard let text = member.value.plainText else { return }
    let name =
      text.hasPrefix("env.") ? String(text.dropFirst(4)) : text.hasPrefix("$") ? String(text.dropFirst()) : text
    guard Template.isName(name), name == name.uppercased(), name.utf8.count > 2,
      name != text || name == member.key.uppercased()
    else { return }
    warn(
      .missingTemplate, "this is text, and not the value of a variable of the environment", at: member.value,
      help: "write `${{ env.… }}` with its name; `secrets: [\(jsonEscaped(member.key))]` takes the one of this name")
  }

  private mutating func secretNames(_ node: YAMLNode) -> [SecretDeclaration] {
    var result: [SecretDeclaration] = []
    var places: [String: SourceRange] = [:]
    for name in stringList(node, as: "secrets") where checkName(name.value, at: name.range, of: "a secret") {
      if let first = places.updateValue(name.range, forKey: name.value) {
        bag.error(
          .conflictingNames, "the secret `\(name.value)` is declared twice", at: name.range,
          notes: [Diagnostic.Note("first here", at: first)])
      } else {
        result.append(SecretDeclaration(name: name.value, range: name.range, value: nil))
      }
    }
    return result
  }
}
