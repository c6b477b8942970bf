import Values
import YAMLNodes

/// A spec file that another one runs.
package struct ReusedFile: Sendable {
  /// The path as written, without the name behind `#`.
  package let path: Located<String>
  /// The name of its only request to run; nil for all requests.
  package let request: String?
  /// The values of its variables: `with`.
  package let arguments: KeyedSettings<ValueTemplate>
  /// Nil if the file says nothing about cookies.
  package let sharesCookies: Bool?

  init(
    _ reference: Located<String>, _ arguments: KeyedSettings<ValueTemplate> = KeyedSettings(),
    sharesCookies: Bool? = nil
  ) {
    self.arguments = arguments
    self.sharesCookies = sharesCookies
    let parts = reference.value.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    path = Located(parts[0], at: reference.range)
    request = parts.count > 1 ? parts[1] : nil
  }

  /// The path and the name as written.
  package var text: String { path.value + (request.map { "#\($0)" } ?? "") }
}

/// An entry of `needs`: a file that runs once per run, before those that need it.
package struct NeedSpec: Sendable {
  /// The name that its captures are members of; nil if each has its own name.
  package let name: Located<String>?
  package let file: ReusedFile
}

/// An entry of `needs` as a mapping, while it is read.
private struct NeedDraft {
  var reference: Located<String>?
  var arguments = KeyedSettings<ValueTemplate>()
  var sharesCookies: Bool?

  static let keys = Keys<NeedDraft>(
    [
      Key("use", "the path of the file", synonyms: "file path run", .text) { $2.reference = $0.reusedFile($1) },
      Key("with", "values of its variables", synonyms: "variables vars args params parameters", argumentsShape) {
        $2.arguments = $0.arguments($1.value)
      },
      Key(
        "share_cookies", "`true`: the file begins with a copy of the cookies that the other one has at the end",
        .constant(.boolean)
      ) { $0.sharesCookies = $1 },
    ], shape: "{use: login.yaml, with: {user: root}}")

  static let shape = SchemaShape.text.or(keys.shape(needed: ["use"]))
}

let needsShape = NeedDraft.shape.or(.list(of: NeedDraft.shape, atLeast: 1)).or(.names(of: NeedDraft.shape))

let argumentsShape = SchemaShape.names(of: .anything)

extension SpecReader {
  /// The path of a spec file, with the name of a request or without.
  mutating func reusedFile(_ member: YAMLMember) -> Located<String>? {
    reusedFile(member.value, as: member.key)
  }

  private mutating func reusedFile(_ node: YAMLNode, as what: String) -> Located<String>? {
    if node.items != nil {
      return reject(.wrongType, "`\(what)` is one path, found a list", at: node)
    }
    guard let reference = stringList(node, as: what).first else { return nil }
    let parts = reference.value.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.first?.isEmpty != false || parts.count > 1 && parts[1].isEmpty {
      return reject(
        .wrongType, "`\(what)` is the path of a spec file, found \"\(jsonEscaped(reference.value))\"",
        at: reference.range, help: "write `\(what): login.yaml`, or `\(what): \"login.yaml#name of a request\"`")
    }
    return reference
  }

  /// Values of a file's variables.
  mutating func arguments(_ node: YAMLNode) -> KeyedSettings<ValueTemplate> {
    if isUsable(node), node.isNull {
      report(.wrongType, "`with` is a mapping, found null", at: node, help: "write values: `with: {user: ann}`")
      return KeyedSettings()
    }
    return keyed(node, as: "with", nullRemoves: false, takesTemplate: false) { reader, member in
      reader.checkForeignTemplate(member.value, shells: false)
      return reader.valueTemplate(member.value)
    }
  }

  mutating func needs(_ node: YAMLNode) -> [NeedSpec] {
    let errorsBefore = bag.errorCount
    defer { if bag.errorCount > errorsBefore || isIncomplete(node) { missedNames = .any } }
    guard isUsable(node) else { return [] }
    if let items = node.items { return items.compactMap { need($0, name: nil) } }
    guard let members = node.members else { return [need(node, name: nil)].compactMap(\.self) }
    if members.contains(where: { $0.key == "use" }) {
      bag.error(
        .wrongType, "`needs` with `use` in it is a list", at: node.range.firstLine, notes: useNote(node),
        help: "write `needs: [{use: …}]`, or give it a name: `needs: {login: {use: …}}`")
      return []
    }
    return members.compactMap { member in
      guard checkName(member.key, at: member.keyRange, of: "a need") else { return nil }
      return need(member.value, name: Located(member.key, at: member.keyRange))
    }
  }

  private mutating func need(_ node: YAMLNode, name: Located<String>?) -> NeedSpec? {
    guard isUsable(node) else { return nil }
    guard node.members != nil else {
      return reusedFile(node, as: "needs").map { NeedSpec(name: name, file: ReusedFile($0)) }
    }
    var draft = NeedDraft()
    let isSound = visit(node, as: "a need", keys: NeedDraft.keys, into: &draft)
    guard let reference = draft.reference else {
      if isSound, node.members?.contains(where: { $0.key == "use" }) == false {
        bag.error(
          .missingKey, "a need has no file", at: node.range.firstLine, help: "add `use: …` with the path of a spec file"
        )
      }
      return nil
    }
    return NeedSpec(
      name: name, file: ReusedFile(reference, draft.arguments, sharesCookies: draft.sharesCookies))
  }
}
