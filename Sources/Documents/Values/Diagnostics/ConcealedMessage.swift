/// A message without the secrets in the lines that it is about: a quoted value may be a password.
func concealed(_ message: String, at range: SourceRange?) -> String {
  guard let range, !message.isEmpty else { return message }
  let secrets = range.lineSecrets
  if secrets.texts.isEmpty { return message }
  var result = message
  for secret in secrets.texts where !isWords(secret) && secret.utf8.count >= 4 && !ownWords.contains(secret) {
    result = result.replacing(secret, with: "***")
  }
  return concealedQuotations(result, secrets)
}

/// Returns whether a text is letters and blanks, as our own words are: such a secret is searched for in quotes alone.
private func isWords(_ text: String) -> Bool {
  text.utf8.allSatisfy { $0 == 0x20 || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) }
}

/// Masks quotes that are or contain a secret, however it was cut or escaped.
private func concealedQuotations(_ message: String, _ secrets: LineSecrets) -> String {
  var result = message[..<message.startIndex]
  var rest = message[...]
  while let open = rest.firstIndex(where: { $0 == "\"" || $0 == "`" }) {
    let inside = rest.index(after: open)
    guard let close = closingQuote(rest, open) else { break }
    let quoted = bare(String(rest[inside..<close]))
    let isCut = rest[inside..<close].contains("…")
    // Values stand in double quotes.
    let isOwn = rest[open] == "`" && ownWords.contains(String(rest[inside..<close]))
    let isSecret =
      !isOwn
      && secrets.bare.contains { secret in
        guard secret.utf8.count >= 3, quoted != secret else { return secret == quoted }
        return !isWords(secret) && quoted.contains(secret) || isCut && quoted.utf8.count >= 3 && secret.contains(quoted)
      }
    result += rest[..<inside]
    result += isSecret ? "***" : concealedWords(rest[inside..<close], secrets.words)
    result.append(rest[close])
    rest = rest[rest.index(after: close)...]
  }
  return String(result + rest)
}

/// The nearest quote that ends a word.
private func closingQuote(_ text: Substring, _ open: String.Index) -> String.Index? {
  var index = text.index(after: open)
  while index < text.endIndex {
    let next = text.index(after: index)
    if text[index] == text[open], next == text.endIndex || !(text[next].isLetter || text[next].isNumber) {
      return index
    }
    index = next
  }
  return nil
}

/// Masks the words of a text that are secrets.
private func concealedWords(_ text: Substring, _ secrets: Set<String>) -> Substring {
  var result = text[..<text.startIndex]
  var rest = text
  while let first = rest.first {
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    if word.isEmpty {
      result.append(first)
      rest.removeFirst()
    } else {
      result += secrets.contains(String(word)) ? "***" : word
      rest = rest[word.endIndex...]
    }
  }
  return result
}

/// The words about credentials that messages have in quotes.
private let ownWords: Set<String> = [
  "access_key", "assertion", "audience", "authorization_code", "authorization_url", "aws_sigv4", "basic", "bearer",
  "client_auth", "client_credentials", "client_id", "client_secret", "device_authorization_url", "device_code",
  "digest", "false", "grant_type", "issuer", "jwt_bearer", "key", "kind", "name", "negotiate", "netrc", "none", "ntlm",
  "null", "oauth2", "parameters", "password", "private_key_jwt", "redirect_uri", "refresh_token", "region", "scope",
  "secret_key", "service", "session_token", "token", "token_cache", "token_url", "true", "type", "user", "username",
]

/// A text without the characters that quoting and cutting add.
private func bare(_ text: String) -> String {
  text.filter { !"\\…\"'".contains($0) }.lowercased()
}

extension SourceRange {
  /// The secrets of its lines, found once for all errors there.
  fileprivate var lineSecrets: LineSecrets {
    let first = source.lineBytes(source.lineIndex(at: bytes.lowerBound))
    let last = source.lineBytes(source.lineIndex(at: max(bytes.lowerBound, bytes.upperBound - 1)))
    let lines = first.lowerBound..<max(first.upperBound, min(last.upperBound, first.lowerBound + 65_536))
    if let known = source.lastSecrets.withLock({ $0 }), known.lines == lines { return known }
    let found = LineSecrets(lines, secretTexts(in: lines))
    source.lastSecrets.withLock { $0 = found }
    return found
  }

  private func secretTexts(in lines: Range<Int>) -> [String] {
    let texts = source.secretRanges(within: lines).prefix(100).map { source.text(in: $0.prefix(4096)) }
    var words = texts
    for text in texts {
      for word in text.split(whereSeparator: { " ,;\t\"'[]{}*&!".contains($0) }) {
        words.append(String(word))
        if ownWords.contains(String(word)) { continue }
        for part in word.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) where part.utf8.count >= 4 {
          words.append(String(part))
        }
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

/// The secrets in lines of a source, and their forms in messages.
struct LineSecrets: Sendable {
  let lines: Range<Int>
  fileprivate let texts: [String]
  fileprivate let bare: [String]
  fileprivate let words: Set<String>

  fileprivate init(_ lines: Range<Int>, _ texts: [String]) {
    self.lines = lines
    self.texts = texts
    bare = texts.map { Values.bare($0) }
    words = Set(texts.filter { !isSecretName($0) && !ownWords.contains($0) })
  }
}
