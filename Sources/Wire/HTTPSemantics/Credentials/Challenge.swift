import Values

/// A challenge in `WWW-Authenticate` (RFC 9110, section 11.6.1).
package struct Challenge: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    /// The name in lower case.
    package var name: String
    /// The value without quotes and backslashes.
    package var value: String
  }

  /// The scheme as written.
  package var scheme: String
  package var token68: String?
  package var parameters: [Parameter] = []

  /// The first parameter of that name.
  package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
}

/// The challenges of all lines of a header, in order. Anything else is skipped.
package func parseChallenges(_ lines: [String]) -> [Challenge] {
  lines.flatMap { line in
    var parser = ChallengeParser(line)
    return parser.challenges()
  }
}

/// Reads one line. Challenges and their parameters are both separated by commas, so each element is classified by its
/// form.
private struct ChallengeParser {
  private let bytes: [UInt8]
  private var position = 0

  init(_ line: String) { bytes = Array(line.utf8) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func challenges() -> [Challenge] {
    var result: [Challenge] = []
    while true {
      skip { $0 == UInt8(ascii: ",") || isBlank($0) }
      guard next != nil else { return result }
      let name = take(isTokenByte)
      let hasSpace = next.map(isBlank) ?? false
      if name.isEmpty {
        skipElement()
      } else if let value = parameterValue() {
        if !result.isEmpty { result[result.count - 1].add(name, value) }
      } else if hasSpace || next == nil || next == UInt8(ascii: ",") {
        var challenge = Challenge(scheme: name)
        challenge.token68 = token68()
        result.append(challenge)
      } else {
        skipElement()
      }
    }
  }

  /// The value after `=`; nil, with nothing consumed, if no `=` follows the name.
  private mutating func parameterValue() -> String? {
    let start = position
    skip(isBlank)
    guard next == UInt8(ascii: "=") else {
      position = start
      return nil
    }
    position += 1
    skip(isBlank)
    if next == UInt8(ascii: "\"") { return quotedString() }
    // More than a token allows: some servers forget the quotes.
    let value = take { $0 != UInt8(ascii: ",") && !isBlank($0) }
    return value
  }

  /// Reads a quoted string; an unterminated one ends with the line.
  private mutating func quotedString() -> String {
    var value: [UInt8] = []
    position += 1
    while let byte = next, byte != UInt8(ascii: "\"") {
      position += 1
      if byte == UInt8(ascii: "\\"), let escaped = next {
        value.append(escaped)
        position += 1
      } else {
        value.append(byte)
      }
    }
    position += 1
    return String(decoding: value, as: UTF8.self)
  }

  /// The credentials of schemes without parameters; nil, with only blanks consumed, if parameters or another challenge
  /// follow.
  private mutating func token68() -> String? {
    skip(isBlank)
    let start = position
    var token = take { isTokenByte($0) || $0 == UInt8(ascii: "/") }
    guard !token.isEmpty else { return nil }
    token += take { $0 == UInt8(ascii: "=") }
    skip(isBlank)
    if next == nil || next == UInt8(ascii: ",") { return token }
    position = start
    return nil
  }

  /// Advances to the next comma outside quotes.
  private mutating func skipElement() {
    while let byte = next, byte != UInt8(ascii: ",") {
      if byte == UInt8(ascii: "\"") { _ = quotedString() } else { position += 1 }
    }
  }

  private mutating func skip(_ isIncluded: (UInt8) -> Bool) {
    while let byte = next, isIncluded(byte) { position += 1 }
  }

  private mutating func take(_ isIncluded: (UInt8) -> Bool) -> String {
    let start = position
    skip(isIncluded)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }
}

extension Challenge {
  fileprivate mutating func add(_ name: String, _ value: String) {
    parameters.append(Parameter(name: name.lowercased(), value: value))
  }
}
