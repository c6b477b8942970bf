package import Values

/// Finds known secrets in foreign text: raw, percent-encoded, JSON- or HTML-escaped, as base64 and hexadecimal digits.
///
/// Each character may stand raw or in any escaped form, in any mix. Secrets of fewer than six bytes are not searched
/// for: they would be found where they are not meant.
package struct SecretFilter: Sendable {
  /// The fewest bytes of UTF-8 that a secret is searched for with.
  package static let shortestSecret = 6

  let scanner: SecretScanner
  /// Whether there is nothing to search for.
  package let isEmpty: Bool

  package init(secrets: some Sequence<String>) {
    var wanted: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    for secret in secrets {
      let bytes = Array(secret.utf8)
      // White space around a secret, such as a file's last line break, is often lost on the way.
      for form in [bytes, SecretFilter.trimmed(bytes)]
      where form.count >= SecretFilter.shortestSecret && seen.insert(form).inserted { wanted.append(form) }
    }
    isEmpty = wanted.isEmpty
    scanner = SecretScanner(patterns: wanted.flatMap(SecretPattern.patterns))
  }

  /// The same text with every secret in it marked; secrets that overlap or touch are marked as one.
  package func mask(_ text: String) -> Text {
    isEmpty ? Text(text) : Text(text, secretRanges: ranges(in: text))
  }

  /// The same text with every secret in it marked, beside what is marked already.
  package func mask(_ text: Text) -> Text {
    isEmpty ? text : Text(text.string, secretRanges: text.secretRanges + ranges(in: text.string))
  }

  /// The same bytes with every secret in them replaced by ``Text/mask``.
  package func masked(_ bytes: [UInt8]) -> [UInt8] {
    var stream = stream()
    return stream.push(bytes) + stream.finish()
  }

  /// A filter for bytes that come in pieces.
  package func stream() -> SecretFilterStream { SecretFilterStream(filter: self) }

  private func ranges(in text: String) -> [Range<Int>] {
    var text = text
    return text.withUTF8 { scanner.scan($0, isComplete: true).ranges }
  }

  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var part = bytes.drop(while: isSpace)
    while let last = part.last, isSpace(last) { part.removeLast() }
    return Array(part)
  }
}
