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
    case .bytes(.sha256): return reasonNeverDigest(text, count: 64)
    case .bytes(.md5): return reasonNeverDigest(text, count: 32)
    case .cookie(_, .sameSite): return reasonNeverWord(text, ["strict", "lax", "none"])
    case .cache: return reasonNeverWord(text, CacheOutcome.Word.allCases.map(\.rawValue))
    default: return nil
    }
  }

  private func reasonNeverDigest(_ text: String, count: Int) -> (message: String, help: String)? {
    let isHex = text.utf8.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20) }
    guard isHex, text.utf8.count == count else {
      return ("the digest has \(count) hexadecimal digits: this never equals it", "write all of them")
    }
    return text == text.lowercased()
      ? nil : ("the digest is in lower case: this never equals it", "write \(text.lowercased())")
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
    guard node.localTag == nil else { return }
    if let members = node.members {
      for member in members {
        switch member.key {
        case "equals", "not_equals", "not", "one_of": warnOfImpossibleTexts(member.value, of: subject)
        default: break
        }
      }
    } else if let items = node.items {
      for item in items { warnOfImpossibleTexts(item, of: subject) }
    } else if let text = node.scalar?.text, !text.isEmpty, !node.isNull, !Template.isTemplate(text),
      let (message, help) = subject.reasonNever(text, written: node.range.text)
    {
      warn(message, at: node, help: help.isEmpty ? nil : help)
    }
  }
}
