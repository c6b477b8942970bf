import Values

extension SecretRegistry {
  /// A diagnostic of a foreign document: its message masked, and no secret shown in the document's lines.
  package func concealing(_ diagnostic: Diagnostic) -> Diagnostic {
    for range in [diagnostic.range] + diagnostic.notes.map(\.range) {
      guard let source = range?.source else { continue }
      source.conceal(secretRanges(of: source))
    }
    func shown(_ message: String) -> String {
      masked(message: diagnostic.range.map { withoutParts(message, of: $0.source) } ?? message)
    }
    return Diagnostic(
      diagnostic.severity, diagnostic.code, shown(diagnostic.message), at: diagnostic.range,
      notes: diagnostic.notes.map { Diagnostic.Note(shown($0.message), at: $0.range) },
      help: diagnostic.help.map(shown))
  }

  private func secretRanges(of source: SourceText) -> [Range<Int>] {
    let text = filtered(String(decoding: source.utf8, as: UTF8.self))
    guard text.isSecret else { return [] }
    // For invalid UTF-8, the ranges are those of another text.
    return text.string.utf8.count == source.utf8.count ? text.secretRanges : [0..<source.utf8.count]
  }

  /// A message without quotes, between backticks, of a secret or a part of one.
  private func withoutParts(_ message: String, of source: SourceText) -> String {
    let secrets = secretRanges(of: source)
    if secrets.isEmpty { return message }
    var pieces = message.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    for index in stride(from: 1, to: pieces.count, by: 2) {
      let quoted = pieces[index].hasSuffix("…") ? String(pieces[index].dropLast()) : pieces[index]
      // A suggestion may contain an additional space.
      let wanted = quoted.filter { !$0.isWhitespace }
      if wanted.isEmpty { continue }
      let reach = quoted.utf8.count - 1
      let isPart = secrets.contains { secret in
        source.text(in: secret.lowerBound - reach..<secret.upperBound + reach).filter { !$0.isWhitespace }
          .contains(wanted)
      }
      if isPart { pieces[index] = Text.mask }
    }
    return pieces.joined(separator: "`")
  }
}

/// The maximum length in bytes of a word that a message of the JSON parser quotes.
package let longestQuotedWord = 24

/// A message of the JSON parser without the quoted word, which may be a part of a secret.
package func withoutQuotedWord(_ message: String) -> String {
  message.firstRange(of: ", found `").map { message[..<$0.lowerBound] + ", found \(Text.mask)" } ?? message
}
