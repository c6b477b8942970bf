/// A message without the secrets of the lines that it is about: what quotes a value quotes a password, too.
func concealed(_ message: String, at range: SourceRange?) -> String {
  guard let range, !message.isEmpty else { return message }
  let secrets = range.secretTexts
  if secrets.isEmpty { return message }
  var result = message
  for secret in secrets {
    // All that we say ourselves is letters and spaces.
    let isWords = secret.utf8.allSatisfy { $0 == 0x20 || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) }
    if isWords || secret.utf8.count < 4 {
      for quote in ["\"", "`"] { result = result.replacing(quote + secret + quote, with: "\(quote)***\(quote)") }
    } else {
      result = result.replacing(secret, with: "***")
    }
  }
  return concealedQuotations(result, secrets.map(bare))
}

/// Masks what stands in quotes and has a part of a secret, or is one, however it was cut or escaped.
private func concealedQuotations(_ message: String, _ secrets: [String]) -> String {
  var result = message[..<message.startIndex]
  var rest = message[...]
  while let open = rest.firstIndex(where: { $0 == "\"" || $0 == "`" }) {
    let inside = rest.index(after: open)
    guard
      let close = rest[inside...].lastIndex(of: rest[open]).flatMap({ last in
        // The nearest quote that ends a word.
        rest[inside...last].indices.first { index in
          guard rest[index] == rest[open] else { return false }
          let next = rest.index(after: index)
          return next == rest.endIndex || !(rest[next].isLetter || rest[next].isNumber)
        }
      })
    else { break }
    let quoted = bare(String(rest[inside..<close]))
    let isSecret = secrets.contains { secret in
      secret.utf8.count >= 3 && quoted.utf8.count >= 3 && (quoted.contains(secret) || secret.contains(quoted))
    }
    result += rest[..<inside]
    result += isSecret ? "***" : rest[inside..<close]
    result.append(rest[close])
    rest = rest[rest.index(after: close)...]
  }
  return String(result + rest)
}

/// A text without what quoting adds to it and cutting leaves of it.
private func bare(_ text: String) -> String {
  text.filter { !"\\…\"'".contains($0) }.lowercased()
}

extension SourceRange {
  /// The secrets in the lines of a range, the longest first.
  fileprivate var secretTexts: [String] {
    let first = source.lineBytes(source.lineIndex(at: bytes.lowerBound))
    let last = source.lineBytes(source.lineIndex(at: max(bytes.lowerBound, bytes.upperBound - 1)))
    let lines = first.lowerBound..<max(first.upperBound, min(last.upperBound, first.lowerBound + 65_536))
    let texts = source.secretRanges(within: lines).prefix(100).map { source.text(in: $0.prefix(4096)) }
    var words = texts
    for text in texts {
      words += text.split { " ,;\t\"'[]{}*&!".contains($0) }.map(String.init)
      for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) where word.utf8.count >= 4 {
        words.append(String(word))
      }
    }
    let schemes: Set<String> = ["bearer", "basic", "digest", "token"]
    return Set(words.filter { !$0.isEmpty && !schemes.contains($0.lowercased()) }).sorted {
      ($0.utf8.count, $0) > ($1.utf8.count, $1)
    }
  }
}

extension Range<Int> {
  fileprivate func prefix(_ count: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + count)
  }
}
