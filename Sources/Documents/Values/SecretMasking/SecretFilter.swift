/// Finds known secrets in foreign text: raw, percent-encoded, escaped for JSON, HTML and the like, as base64 and
/// hexadecimal digits.
///
/// Each character may be raw or in any escaped form, in any mix. Line breaks are equal, and each longer line of a
/// secret is a secret too. Secrets of fewer than six bytes are not searched for: they would match by chance.
package struct SecretFilter: Sendable {
  /// The minimum length in bytes of a secret to search for.
  package static let shortestSecret = 6

  /// Each has fewer patterns than the one before it, so that adding a secret costs little.
  private var scanners: [SecretScanner] = []

  package init(secrets: some Sequence<String>) {
    add(secrets)
  }

  /// Indicates whether there is nothing to search for.
  package var isEmpty: Bool { scanners.isEmpty }

  /// Adds secrets. Beyond a few, each is moved to a larger scanner at most as often as their number can be halved.
  package mutating func add(_ secrets: some Sequence<String>) {
    var seen: Set<[UInt8]> = []
    var patterns: [SecretPattern] = []
    for secret in secrets {
      for form in SecretFilter.forms(of: Array(secret.utf8)) where seen.insert(form).inserted {
        patterns += SecretPattern.patterns(of: form)
      }
    }
    if patterns.isEmpty { return }
    while let last = scanners.last, last.patterns.count <= max(patterns.count, SecretFilter.fewPatterns) {
      patterns = last.patterns + patterns
      scanners.removeLast()
    }
    scanners.append(SecretScanner(patterns: patterns))
  }

  /// The number of patterns up to which rebuilding a scanner is better than another scan.
  private static let fewPatterns = 160

  /// Scans a text, or its part so far.
  func scan(_ text: UnsafeBufferPointer<UInt8>, isComplete: Bool) -> SecretScanner.Findings {
    var findings = SecretScanner.Findings(settled: text.count)
    for scanner in scanners {
      let found = scanner.scan(text, isComplete: isComplete)
      findings.ranges += found.ranges
      findings.settled = min(findings.settled, found.settled)
    }
    return findings
  }

  /// The same text with every secret in it marked; overlapping and adjacent secrets are marked as one.
  package func mask(_ text: String) -> Text {
    isEmpty ? Text(text) : Text(text, secretRanges: ranges(in: text))
  }

  /// The same text with every secret in it marked, in addition to the existing marks.
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

  /// The beginning of a text with its secrets marked, including a possible beginning of one at its end.
  package func mask(beginning text: String) -> Text {
    if isEmpty { return Text(text) }
    var text = text
    let findings = text.withUTF8 { scan($0, isComplete: false) }
    var settled = findings.settled
    text.withUTF8 { while settled > 0, settled < $0.count, $0[settled] & 0xC0 == 0x80 { settled -= 1 } }
    return Text(text, secretRanges: findings.ranges + [settled..<text.utf8.count])
  }

  private func ranges(in text: String) -> [Range<Int>] {
    var text = text
    return text.withUTF8 { scan($0, isComplete: true).ranges }
  }

  /// The forms of a secret to search for: the whole, and each of its lines if there are several.
  private static func forms(of secret: [UInt8]) -> [[UInt8]] {
    // White space around a secret, such as a file's last line break, is often removed on the way.
    let trimmed = secret.trimming(while: isSpace)
    var forms = [secret, Array(trimmed)]
    if secret.contains(where: isLineBreak) {
      let lines = trimmed.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map { $0.last == 0x0D ? $0.dropLast() : $0 }
      for lineBreak: [UInt8] in [[0x0A], [0x0D, 0x0A]] { forms.append(Array(lines.joined(separator: lineBreak))) }
      let whole = lines.map { Array($0.trimming(while: isSpace)) }
      forms += whole.filter { $0.count >= shortestLine && !isBoundary($0) }
    }
    return forms.filter { $0.count >= shortestSecret }
  }

  /// The minimum length in bytes of a line that counts as a secret.
  private static let shortestLine = 8

  /// Returns whether a line is PEM's `-----BEGIN PRIVATE KEY-----` or its counterpart, which isn't secret (RFC 7468).
  private static func isBoundary(_ line: [UInt8]) -> Bool {
    line.starts(with: "-----BEGIN ".utf8) || line.starts(with: "-----END ".utf8)
  }
}
