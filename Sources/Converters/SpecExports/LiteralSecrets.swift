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

  /// A text in JSON: the values of members that are texts or numbers.
  package func json(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var (result, done, position) = ([UInt8](), 0, 0)
    while let quote = bytes[position...].firstIndex(of: UInt8(ascii: "\"")) {
      let end = LiteralSecrets.end(ofStringAt: quote + 1, bytes)
      position = min(end + 1, bytes.count)
      guard let value = LiteralSecrets.value(after: position, bytes), !value.isEmpty else { continue }
      let isQuoted = value.upperBound < bytes.count && bytes[value.upperBound] == UInt8(ascii: "\"")
      position = value.upperBound + (isQuoted ? 1 : 0)
      let name = String(decoding: bytes[(quote + 1)..<end], as: UTF8.self)
      guard isSecretName(name) else { continue }
      let secret = String(decoding: bytes[value], as: UTF8.self)
      if hasWord(secret[...]) { continue }
      result += bytes[done..<value.lowerBound] + Array(word(secret, name).utf8)
      done = value.upperBound
    }
    return done == 0 ? text : String(decoding: result + bytes[done...], as: UTF8.self)
  }

  /// The end of a JSON text whose opening quote stands before a position.
  private static func end(ofStringAt start: Int, _ bytes: [UInt8]) -> Int {
    var position = start
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position, bytes.count)
  }

  /// The text, without quotes, or the number of a member whose name ends at a position; nil for another value.
  private static func value(after name: Int, _ bytes: [UInt8]) -> Range<Int>? {
    func isNumber(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || ".eE+-".utf8.contains(byte) }
    guard let colon = bytes[name...].firstIndex(where: { $0 > 0x20 }), bytes[colon] == UInt8(ascii: ":"),
      let start = bytes[(colon + 1)...].firstIndex(where: { $0 > 0x20 })
    else { return nil }
    if bytes[start] == UInt8(ascii: "\"") { return (start + 1)..<end(ofStringAt: start + 1, bytes) }
    guard bytes[start] == UInt8(ascii: "-") || (0x30...0x39).contains(bytes[start]) else { return nil }
    return start..<(bytes[start...].firstIndex { !isNumber($0) } ?? bytes.endIndex)
  }

  /// The parts of a form in `multipart/form-data`.
  package func multipart(_ text: String) -> String {
    text.replacing(/( name="([^"\r\n]*)"(?:[^\r\n]*\r\n)+\r\n)([^\r\n]+)\r\n/) { match in
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
