import Matching
import Values
import YAMLNodes

/// Expectations of the server's certificate, and of the body's bytes.
extension SpecReader {
  mutating func certificateAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    if member.key.hasPrefix("x-") { return }
    let label = "certificate \(member.key)"
    guard let attribute: CertificateAttribute = word(ofKey: member) else { return }
    if member.value.isNull {
      result.take(label, away: member.value)
      return
    }
    if attribute == .fingerprint { checkHash(member.value, digits: 64) }
    check(.certificate(attribute), label, member.value, &result)
  }

  mutating func bytesAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let label = "bytes \(member.key)"
    if member.key.hasPrefix("x-") { return }
    guard bytesKeys.contains(member.key) else {
      bag.error(
        .unknownKey, "`bytes` has no `\(jsonEscaped(member.key))`", at: member.keyRange,
        help: suggestion(member.key, among: bytesKeys) ?? "write \(bytesHelp)")
      return
    }
    if member.value.isNull {
      result.take(label, away: member.value)
    } else if member.key.hasSuffix("count") {
      guard let spec = predicate(.count, member.value, unit: .size) else { return }
      add(.bytes(member.key == "count" ? .content : .wire), label, .predicates([spec]), member.value, &result)
    } else {
      let aspect: BytesAspect = member.key == "md5" ? .md5 : .sha256
      checkHash(member.value, digits: aspect == .md5 ? 32 : 64)
      check(.bytes(aspect), label, member.value, &result)
    }
  }

  /// A hash is compared as lower-case hex.
  private mutating func checkHash(_ node: YAMLNode, digits: Int) {
    for operand in node.comparedOperands {
      guard let text = operand.plainText else { continue }
      let isHex = text.utf8.allSatisfy { isHexDigit($0) && lowercasedASCII($0) == $0 }
      if text.utf8.count == digits, isHex { continue }
      report(
        .invalidValue, "a hash of this kind is \(digits) lower-case hexadecimal digits", at: operand,
        help: text.lowercased() != text && text.utf8.count == digits ? "write \(text.lowercased())" : nil)
    }
  }
}

private let bytesKeys = ["count", "wire_count", "sha256", "md5"]

let bytesHelp = "{count: …}, {wire_count: …}, {sha256: …} or {md5: …}; `body` looks at the text"
