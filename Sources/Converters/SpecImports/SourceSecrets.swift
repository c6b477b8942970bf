import Values

/// The secrets that were found in sources.
struct KnownSecrets {
  private let filter: SecretFilter
  /// Those that a filter would find by chance.
  private let short: [String]

  init(_ secrets: [(name: String, value: String)]) {
    // A type in place of a value, such as `<string>`, is none.
    let values = secrets.map(\.value).filter { !($0.hasPrefix("<") && $0.hasSuffix(">")) }
    filter = SecretFilter(secrets: values)
    short = values.filter { (4..<SecretFilter.shortestSecret).contains($0.utf8.count) }
  }

  /// A part of a source for comments, with `***` in place of all that may be a secret.
  func masked(_ source: String) -> String {
    short.reduce(filter.mask(concealed(source)).masked) { Self.masked($1, in: $0) }
  }

  /// The text without a short secret; one that is a word of letters is a secret only behind a sign.
  private static func masked(_ secret: String, in text: String) -> String {
    guard secret.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return text.replacing(secret, with: Text.mask)
    }
    var result = ""
    var rest = text[...]
    while let found = rest.firstRange(of: secret) {
      let isBehindSign = rest[..<found.lowerBound].last.map { "\"'`=:@/&>".contains($0) } ?? false
      result += rest[..<found.lowerBound] + (isBehindSign ? Text.mask : secret)
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}

/// A part of a source, with `***` in place of what may be a secret.
package func concealed(_ source: String) -> String {
  Text(source, secretRanges: secretRanges(inSource: Array(source.utf8))).masked
}

/// The places of secrets in a part of a source in any language: what names itself a secret, and what stands in a line
/// behind the name of one.
func secretRanges(inSource utf8: [UInt8]) -> [Range<Int>] {
  var lines = SourceLines(utf8: utf8)
  lines.scan()
  return (secretPlaces(in: utf8).secrets + lines.ranges).filter { !isCode(utf8, $0) }
}

/// Returns whether a text is a call's function, a member before a colon, or the name of an algorithm.
private func isCode(_ utf8: [UInt8], _ range: Range<Int>) -> Bool {
  let text = utf8[range]
  let next = range.upperBound < utf8.count ? utf8[range.upperBound] : 0
  let isName = text.allSatisfy { isAlphanumeric($0) || "_.$".utf8.contains($0) } && !isDigit(text.first ?? 0x30)
  if next == UInt8(ascii: "("), isName, text.contains(UInt8(ascii: ".")) { return true }
  return text.count == 5 && text.dropFirst(2).allSatisfy(isDigit)
    && ["HS", "RS", "PS", "ES"].contains(String(decoding: text.prefix(2), as: UTF8.self))
}

/// Finds secrets by the names before them in their line: `--password S`, `set("token", "S")`, `token == S`.
private struct SourceLines {
  let utf8: [UInt8]
  private(set) var ranges: [Range<Int>] = []

  init(utf8: [UInt8]) {
    self.utf8 = utf8
  }

  mutating func scan() {
    var isNamed = false
    // The lines of credentials in Hurl need no name.
    var isAccount = false
    for line in utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let range = line.startIndex..<line.endIndex
      let start = line.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? line.endIndex
      let content = line[start...]
      if isAccount, content.first != UInt8(ascii: "[") {
        let word = content.prefix { $0 != 0x20 && $0 != UInt8(ascii: ":") }
        add(word.endIndex..<range.upperBound)
      }
      isAccount = content.starts(with: "[BasicAuth]".utf8)
      // A pair may have its name in the line before: `"key": "token",`.
      isNamed = isNamed && content.drop { $0 == 0x22 }.starts(with: "value".utf8)
      isNamed = scan(range, isNamed: isNamed, depth: 0)
    }
  }

  private mutating func add(_ range: Range<Int>) {
    if !range.isEmpty { ranges.append(range) }
  }

  /// Scans a line, or a quoted part of it, and returns whether it has the name of a secret.
  private mutating func scan(_ range: Range<Int>, isNamed: Bool, depth: Int) -> Bool {
    var isNamed = isNamed
    var position = range.lowerBound
    // Quotes that nothing closes are not looked for again.
    var unclosed: Set<UInt8> = []
    while position < range.upperBound {
      let byte = utf8[position]
      let isQuote = "\"'`".utf8.contains(byte) && !unclosed.contains(byte)
      if isQuote, let close = closingQuote(position, range.upperBound) {
        let inner = position + 1..<close
        if isNamed, position == range.lowerBound || utf8[position - 1] != UInt8(ascii: "["), !isName(inner) {
          add(inner)
        } else if depth < 3, scan(inner, isNamed: false, depth: depth + 1) {
          isNamed = true
        }
        position = close + 1
      } else if isNamed, byte == UInt8(ascii: "="), position > 0, "=!".utf8.contains(utf8[position - 1]) {
        position = afterBlanks(position + 1, range.upperBound)
        if position < range.upperBound, !"\"'`=".utf8.contains(utf8[position]) {
          let value = word(position..<range.upperBound)
          add(value)
          position = value.upperBound
        }
      } else if isWordByte(byte) {
        let end = utf8[position..<range.upperBound].firstIndex { !isWordByte($0) } ?? range.upperBound
        position = scanWord(position..<end, before: range.upperBound, &isNamed)
      } else {
        if isQuote { unclosed.insert(byte) }
        position += 1
      }
    }
    return isNamed
  }

  /// Scans a word, and the value behind it if it is an option; returns the position to continue from.
  private mutating func scanWord(_ range: Range<Int>, before end: Int, _ isNamed: inout Bool) -> Int {
    let text = String(decoding: utf8[range], as: UTF8.self)
    let isSecret = isSecretName(text)
    isNamed = isNamed || isSecret
    let isAccount = accountOptions.contains(text) || accountOptions.contains(String(text.prefix(2)))
    guard isAccount || isSecret && text.hasPrefix("-") else { return range.upperBound }
    var start = afterBlanks(range.upperBound, end)
    let hasSign = start < end && ":=".utf8.contains(utf8[start])
    if hasSign { start = afterBlanks(start + 1, end) }
    let value = word(start..<end)
    if accountOptions.contains(text), hasSign || text.hasPrefix("-") {
      if let colon = utf8[value].firstIndex(of: UInt8(ascii: ":")) { add(colon + 1..<value.upperBound) }
    } else if isAccount ? hasSign : !hasSign && (text != "--cookie" || utf8[value].contains(UInt8(ascii: "="))) {
      // `-uann:S` or `--password S`; a cookie without a sign is the name of a file.
      add(value)
    } else {
      return range.upperBound
    }
    return value.upperBound
  }

  /// The word of a command line at the start of a range.
  private func word(_ range: Range<Int>) -> Range<Int> {
    guard let first = utf8[range].first else { return range }
    if "\"'".utf8.contains(first), let close = closingQuote(range.lowerBound, range.upperBound) {
      return range.lowerBound + 1..<close
    }
    return range.lowerBound..<(utf8[range].firstIndex { $0 == 0x20 || $0 == 0x09 } ?? range.upperBound)
  }

  private func afterBlanks(_ position: Int, _ end: Int) -> Int {
    utf8[min(position, end)..<end].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? end
  }

  private func closingQuote(_ open: Int, _ end: Int) -> Int? {
    var position = open + 1
    while position < end {
      if utf8[position] == utf8[open] { return position }
      position += utf8[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// Returns whether a text in quotes is a key, or the name of a secret, itself.
  private func isName(_ range: Range<Int>) -> Bool {
    let isFirst = utf8[..<(range.lowerBound - 1)].last { $0 != 0x20 }.map("{,".utf8.contains) ?? false
    if isFirst, utf8[(range.upperBound + 1)...].first(where: { $0 != 0x20 }) == UInt8(ascii: ":") { return true }
    return utf8[range].allSatisfy { isLetter($0) || "_- ".utf8.contains($0) }
      && (range.count < 3 || isSecretName(String(decoding: utf8[range], as: UTF8.self)))
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte >= 0x80 || "_-.$".utf8.contains(byte)
  }
}

/// The options of curl and Hurl with a name and a password.
private let accountOptions: Set<String> = [
  "-E", "-U", "-u", "--cert", "--proxy-cert", "--proxy-user", "--user", "cert", "user",
]
