import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

extension ResponseSubject {
  /// The reason why its text never equals another one, and the fix; nil if it may.
  fileprivate func reasonNever(_ text: String, written: String) -> (message: String, help: String)? {
    switch self {
    case .url:
      guard text.hasPrefix("/") else { return nil }
      return ("the URL of a response is absolute: this never equals it", "write {ends_with: \(written)}")
    case .address:
      if let port = splitHostAndPort(text)?.port {
        return (
          "the address has no port: this never equals it",
          "write the port under `remote_port` or `local_port`: \(port)"
        )
      }
      guard !isIPv4(text.utf8), !isIPv6(text.utf8) else { return nil }
      return ("the address is one in numbers: this never equals it", "write such as `127.0.0.1` or `::1`")
    case .httpVersion:
      let versions = ["1.0", "1.1", "2", "3"]
      if versions.contains(text) { return nil }
      let plain = text.uppercased().hasPrefix("HTTP/") ? String(text.dropFirst(5)) : text
      let number = plain.hasSuffix(".0") && plain != "1.0" ? String(plain.dropLast(2)) : plain
      return (
        "the version is 1.0, 1.1, 2 or 3: this never equals it",
        versions.contains(number) ? "write `\(number)`" : "write one of them"
      )
    case .cookie(_, .sameSite): return reasonNeverWord(text, ["strict", "lax", "none"])
    case .cache: return reasonNeverWord(text, CacheOutcome.Word.allCases.map(\.rawValue))
    default: return nil
    }
  }

  private func reasonNeverWord(_ text: String, _ words: [String]) -> (message: String, help: String)? {
    guard !words.contains(text) else { return nil }
    let near = words.first { $0 == text.lowercased() } ?? nearestWord(to: text, among: words)
    return ("it is one of \(words.joined(separator: ", ")): this never equals it", near.map { "write `\($0)`" } ?? "")
  }
}

extension SpecReader {
  /// Warns of texts that a subject never equals, among the operands of comparisons.
  mutating func warnOfImpossibleTexts(_ node: YAMLNode, of subject: ResponseSubject) {
    for operand in node.comparedOperands {
      guard let text = operand.scalar?.text, !text.isEmpty, !operand.isNull, !Template.isTemplate(text),
        let (message, help) = subject.reasonNever(text, written: operand.range.text)
      else { continue }
      warn(.alwaysFalse, message, at: operand, help: help.isEmpty ? nil : help)
    }
  }
}

extension YAMLNode {
  /// The scalars that a value or predicates compare with for equality.
  var comparedOperands: [YAMLNode] {
    guard localTag == nil else { return [] }
    switch content {
    case .scalar: return [self]
    case .sequence(let items): return items.flatMap(\.comparedOperands)
    case .mapping(let members):
      return members.flatMap { member in
        ["equals", "not_equals", "not", "one_of"].contains(member.key) ? member.value.comparedOperands : []
      }
    }
  }
}
