import Diagnostics
import Values

extension SecretRegistry {
  /// A diagnostic of a document that others wrote: its message masked, and no secret drawn of the document's lines.
  func concealing(_ diagnostic: Diagnostic) -> Diagnostic {
    for range in [diagnostic.range] + diagnostic.notes.map(\.range) {
      if let range { conceal(in: range.source) }
    }
    return Diagnostic(
      diagnostic.severity, masked(quoting: diagnostic), at: diagnostic.range,
      notes: diagnostic.notes.map { Diagnostic.Note(masked(message: $0.message), at: $0.range) },
      help: diagnostic.help.map(masked(message:)))
  }

  private func conceal(in source: SourceText) {
    for range in secretRanges(of: source) { SourceRange(source, range).conceal() }
  }

  private func secretRanges(of source: SourceText) -> [Range<Int>] {
    let text = filtered(String(decoding: source.utf8, as: UTF8.self))
    guard text.isSecret else { return [] }
    // Where bytes are no UTF-8 the ranges are those of another text.
    return text.string.utf8.count == source.utf8.count ? text.secretRanges : [0..<source.utf8.count]
  }

  /// The message, without the word that it quotes from the middle of a secret.
  private func masked(quoting diagnostic: Diagnostic) -> String {
    guard let range = diagnostic.range,
      secretRanges(of: range.source).contains(where: {
        $0.overlaps(range.bytes.lowerBound..<max(range.bytes.upperBound, range.bytes.lowerBound + longestQuotedWord))
      })
    else { return masked(message: diagnostic.message) }
    return masked(message: withoutQuotedWord(diagnostic.message))
  }
}

/// Of the words that a message of the JSON parser quotes, in bytes.
let longestQuotedWord = 24

/// A message of the JSON parser without the word that it found, which may be a part of a secret.
func withoutQuotedWord(_ message: String) -> String {
  message.firstRange(of: ", found `").map { message[..<$0.lowerBound] + ", found \(Text.mask)" } ?? message
}
