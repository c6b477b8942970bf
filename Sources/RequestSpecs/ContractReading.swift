import Diagnostics
import Templates
import Values
import YAMLNodes

/// What `openapi:` of a file names.
package enum ContractChoice: Sendable {
  /// A file, or the URL of the running service's document.
  case document(Text)
  case none
}

extension ValueDecoder where Output == ContractChoice {
  static var contract: ValueDecoder {
    ValueDecoder("the file or the URL of an OpenAPI document, or none") { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      guard !text.isEmpty else {
        throw DecodingProblem("there is no document of an empty name", help: "write `none` for no contract")
      }
      return text.string == "none" ? ContractChoice.none : .document(text)
    }
  }
}

extension SpecReader {
  mutating func contract(_ node: YAMLNode) -> Setting<Field<ContractChoice>> {
    setting(node, .contract)
  }

  /// `openapi: none` of a request.
  mutating func contractExemption(_ node: YAMLNode) -> Setting<Bool> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    if node.plainText == "none" { return .given(true) }
    bag.error(
      "`openapi` of a request is `none`, which takes it out of the contract", at: node.range, notes: useNote(node),
      help: node.scalar == nil ? nil : "the document belongs to the file: write `openapi` beside `requests`")
    return .inherited
  }
}

extension YAMLNode {
  /// Whether this is an OpenAPI document and no file of reqrun's.
  var isOpenAPIDocument: Bool {
    guard let keys = members.map({ Set($0.map(\.key)) }) else { return false }
    return !keys.isDisjoint(with: ["openapi", "swagger"]) && !keys.isDisjoint(with: ["info", "paths"])
      && keys.isDisjoint(with: ["requests", "url"])
  }
}
