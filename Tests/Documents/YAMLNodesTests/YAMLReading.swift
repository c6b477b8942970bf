import Foundation
import Values
import YAMLNodes

/// What reading a text gave.
struct YAMLReading {
  let source: SourceText
  let root: YAMLNode?
  let diagnostics: [Diagnostic]

  init(_ text: String) { self.init(bytes: Array(text.utf8)) }

  init(bytes: [UInt8]) {
    var bag = DiagnosticBag()
    (source, root) = YAMLReader.read(bytes: bytes, name: "a.yaml", into: &bag)
    diagnostics = bag.diagnostics
    // Tests look at places in it when nothing holds it any more.
    _ = Unmanaged.passRetained(source)
  }

  var messages: [String] { diagnostics.map(\.message) }

  /// The root as JSON with sorted keys; nil after errors.
  var json: String? { diagnostics.isEmpty ? root.map(jsonText) : nil }
}

extension Diagnostic {
  /// `line:column`
  var place: String {
    guard let start = range?.start else { return "" }
    return "\(start.line):\(start.column)"
  }
}

/// A node as JSON, members in the order of the file; what JSON does not know is written with its tag.
func jsonText(_ node: YAMLNode) -> String {
  switch node.content {
  case .sequence(let items): return "[" + items.map(jsonText).joined(separator: ",") + "]"
  case .mapping(let members):
    return "{" + members.map { "\(jsonText($0.key)):\(jsonText($0.value))" }.joined(separator: ",") + "}"
  case .scalar(let scalar):
    switch scalar.meaning {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .number(let lexeme): return lexeme
    case .text(let text): return jsonText(text)
    case .timestamp(let text): return "timestamp(\(text))"
    case .binary(let bytes): return jsonText(Data(bytes).base64EncodedString())
    case .nonFinite(let word): return word
    }
  }
}

private func jsonText(_ string: String) -> String {
  let data = try? JSONSerialization.data(withJSONObject: [string], options: [.withoutEscapingSlashes])
  return data.map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) } ?? ""
}
