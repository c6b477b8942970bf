import Values

/// Puts words for environment variables in place of secrets that stand in specs, by the names that they have there.
package struct LiteralSecrets {
  /// Returns whether a secret part of a text has a word already.
  private let hasWord: (Substring) -> Bool
  /// Makes the word for a secret with its name.
  private let makeWord: (_ secret: String, _ name: String) -> String

  package init(
    hasWord: @escaping (Substring) -> Bool, makeWord: @escaping (_ secret: String, _ name: String) -> String
  ) {
    (self.hasWord, self.makeWord) = (hasWord, makeWord)
  }

  /// The value of a header.
  package func header(_ name: String, _ value: String) -> String {
    if name.lowercased() == "cookie" { return cookies(value) }
    guard isMaskedHeader(name) || isSecretName(name), !hasWord(value[...]) else { return value }
    // The scheme of credentials is none.
    let scheme = value.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    let secret = value[scheme.endIndex...].drop { $0 == " " }
    if isMaskedHeader(name), scheme.first?.isLetter == true, !secret.isEmpty, secret.startIndex > scheme.endIndex {
      return "\(scheme) \(word(String(secret), name))"
    }
    return word(value, name)
  }

  /// The value of a `Cookie` header.
  package func cookies(_ value: String) -> String {
    value.split(separator: "; ", omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.firstIndex(of: "="), !hasWord(pair) else { return String(pair) }
      let name = String(pair[..<equals])
      return "\(name)=\(word(String(pair[pair.index(after: equals)...]), "cookie \(name)"))"
    }.joined(separator: "; ")
  }

  /// A query or the body of a form.
  package func parameters(_ text: String) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
      let name = percentDecoded(String(pair[..<equals]))
      guard isSecretName(name), !hasWord(pair[equals...]) else { return String(pair) }
      let value = percentDecoded(pair[pair.index(after: equals)...].replacing("+", with: " "))
      return "\(pair[..<equals])=\(word(value, name))"
    }.joined(separator: "&")
  }

  /// The URL with its query.
  package func url(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    let end = url[mark...].firstIndex(of: "#") ?? url.endIndex
    return url[...mark] + parameters(String(url[url.index(after: mark)..<end])) + url[end...]
  }

  /// A text in JSON, or nearly so: the values of members that are texts or numbers.
  package func json(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var (result, done, position) = ([UInt8](), 0, 0)
    // Any quote may begin a name, also behind an error.
    while let quote = bytes[position...].firstIndex(of: UInt8(ascii: "\"")) {
      position = quote + 1
      // A name of secrets is short.
      let end = LiteralSecrets.end(ofTextAt: position, bytes.prefix(position + 256))
      guard let start = LiteralSecrets.value(after: end, bytes) else { continue }
      let name = String(decoding: bytes[position..<end], as: UTF8.self)
      guard isSecretName(name) else { continue }
      let value = LiteralSecrets.range(ofValueAt: start, bytes)
      position = value.upperBound
      let secret = String(decoding: bytes[value], as: UTF8.self)
      if hasWord(secret[...]) { continue }
      result += bytes[done..<value.lowerBound] + Array(word(secret, name).utf8)
      done = value.upperBound
    }
    return done == 0 ? text : String(decoding: result + bytes[done...], as: UTF8.self)
  }

  /// The quote at the end of a JSON text, or the end of the bytes.
  private static func end(ofTextAt start: Int, _ bytes: ArraySlice<UInt8>) -> Int {
    var position = start
    while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position, bytes.endIndex)
  }

  /// The beginning of a text or a number behind a name that ends at a quote; nil for anything else.
  private static func value(after quote: Int, _ bytes: [UInt8]) -> Int? {
    guard quote < bytes.count, bytes[quote] == UInt8(ascii: "\""),
      let colon = bytes[(quote + 1)...].firstIndex(where: { $0 > 0x20 }), bytes[colon] == UInt8(ascii: ":"),
      let start = bytes[(colon + 1)...].firstIndex(where: { $0 > 0x20 })
    else { return nil }
    return "\"-0123456789".utf8.contains(bytes[start]) ? start : nil
  }

  /// The range of a text, without its quotes, or of a number.
  private static func range(ofValueAt start: Int, _ bytes: [UInt8]) -> Range<Int> {
    if bytes[start] == UInt8(ascii: "\"") { return start + 1..<end(ofTextAt: start + 1, bytes[...]) }
    return start..<(bytes[start...].firstIndex { !"-0123456789.eE+".utf8.contains($0) } ?? bytes.endIndex)
  }

  /// The parts of a form in `multipart/form-data`.
  package func multipart(_ text: String) -> String {
    text.replacing(partOfOneLine) { match in
      let (name, value) = (String(match.output.2), match.output.3)
      guard isSecretName(name), !hasWord(value) else { return String(match.output.0) }
      return "\(match.output.1)\(word(String(value), name))\r\n"
    }
  }

  /// The word for a secret; nothing for nothing.
  private func word(_ secret: String, _ name: String) -> String {
    secret.isEmpty ? "" : makeWord(secret, name)
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let partOfOneLine = /( name="([^"\r\n]*)"(?:[^\r\n]*\r\n)+\r\n)([^\r\n]+)\r\n/
