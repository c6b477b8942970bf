import JSONSchemas
import Templates
import Values
import YAMLNodes

/// The contract that `openapi:` of a file names.
package enum ContractChoice: Sendable {
  /// A file, or the URL of the running service's document.
  case document(Text, format: SchemaOptions.FormatMode)
  case none
}

/// The value of a request's `openapi:`.
package enum ContractUse: Sendable {
  /// The contract applies; an undeclared status or content type may be accepted.
  case checked(mayBeUndeclared: Bool)
  /// The request is outside of the contract.
  case outside
}

/// `openapi` of a file as a mapping, while it is read.
struct ContractDraft {
  /// Read before the document, whose decoder needs it.
  var format = SchemaOptions.FormatMode.assertion
  var choice: Field<ContractChoice>?

  static let keys = Keys<ContractDraft>(
    [
      Key(
        "document", "the file or the URL of an OpenAPI document", synonyms: "file url path",
        ValueDecoder<ContractChoice>.contract().shape.orTemplate
      ) { $2.choice = $0.field($1.value, .contract(format: $2.format)) },
      Key(
        "format", "whether `format` is checked", .words(SchemaOptions.FormatMode.allCases.map(\.rawValue))
      ) { _, _, _ in },
    ], shape: "{document: openapi.yaml, format: annotation}")

  static var shape: SchemaShape {
    keys.shape(needed: ["document"]).or(ValueDecoder<ContractChoice>.contract().shape.orTemplate).or(.null)
  }
}

/// `openapi` of a request as a mapping, while it is read.
struct ContractUseDraft {
  var mayBeUndeclared = false

  static let keys = Keys<ContractUseDraft>(
    [
      Key(
        "undeclared", "`true`: the response may have a status or a content type that the contract does not declare",
        .constant(.boolean)
      ) { $0.mayBeUndeclared = $1 ?? false }
    ], shape: "{undeclared: true}")
}

extension ValueDecoder where Output == ContractChoice {
  static func contract(format: SchemaOptions.FormatMode = .assertion) -> ValueDecoder {
    ValueDecoder("the file or the URL of an OpenAPI document, or none", .someText) { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      guard !text.isEmpty else {
        throw DecodingProblem(
          .emptyValue, "there is no document of an empty name", help: "write `none` for no contract")
      }
      return text.string == "none" ? ContractChoice.none : .document(text, format: format)
    }
  }
}

extension SpecReader {
  mutating func contract(_ node: YAMLNode) -> Setting<Field<ContractChoice>> {
    guard node.localTag == nil, let members = node.members else { return setting(node, .contract()) }
    var draft = ContractDraft()
    draft.format = members.first { $0.key == "format" }.flatMap { formatMode($0.value) } ?? .assertion
    visit(node, as: "`openapi`", keys: ContractDraft.keys, into: &draft)
    if !members.contains(where: { $0.key == "document" }) {
      report(
        .missingKey, "`openapi` names no document", at: node, help: "write {document: openapi.yaml, format: annotation}"
      )
    }
    return draft.choice.map { .given($0) } ?? .inherited
  }

  /// `openapi` of a request.
  mutating func contractUse(_ node: YAMLNode) -> ContractUse? {
    if node.plainText == "none" { return .outside }
    guard let members = node.members else {
      report(
        .wrongType, "`openapi` of a request is `none`, which excludes it from the contract, or {undeclared: true}",
        at: node,
        help: node.scalar == nil ? nil : "the document belongs to the file: write `openapi` beside `requests`")
      return nil
    }
    if members.isEmpty {
      report(.emptyValue, "an empty mapping says nothing", at: node, help: "write {undeclared: true}")
    }
    var draft = ContractUseDraft()
    visit(node, as: "`openapi` of a request", keys: ContractUseDraft.keys, into: &draft)
    return .checked(mayBeUndeclared: draft.mayBeUndeclared)
  }
}

extension YAMLNode {
  /// Indicates whether this is an OpenAPI document, not a file of reqrun.
  var isOpenAPIDocument: Bool {
    guard let keys = members.map({ Set($0.map(\.key)) }) else { return false }
    return !keys.isDisjoint(with: ["openapi", "swagger"]) && !keys.isDisjoint(with: ["info", "paths"])
      && keys.isDisjoint(with: ["requests", "url"])
  }
}
