extension SecretPlaces {
  // MARK: Concealing

  /// Conceals a value except for its templates; text quoted in them is part of the value.
  mutating func conceal(_ range: Range<Int>, _ scope: SecretScope) {
    let start = min(afterBlanks(range.lowerBound), range.upperBound)
    let end = utf8[start..<range.upperBound].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
    var value = start..<end
    if let comment = find(" #", value) { value = value.lowerBound..<comment }
    if scope.shows(text(value)) {
      if value.upperBound < end { scanText(value.upperBound..<end) }
      return
    }
    if isReference(value) { return templates.append(value) }
    var position = start
    while let template = find("${{", position..<end) {
      concealLiteral(position..<template)
      let isEscaped = template > start && utf8[template - 1] == UInt8(ascii: "$")
      guard !isEscaped, let close = find("}}", template..<end), !hasColonBesideMapping(template + 3..<close)
      else {
        // It isn't a template, or its end is unknown.
        add(template..<end)
        return
      }
      concealQuoted(template..<close)
      templates.append(template..<close + 2)
      position = close + 2
    }
    concealLiteral(position..<end)
  }

  /// Returns whether a colon stands in an expression that is not within the braces of a mapping.
  private func hasColonBesideMapping(_ range: Range<Int>) -> Bool {
    var depth = 0
    for byte in utf8[range] {
      switch byte {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ":") where depth <= 0: return true
      default: break
      }
    }
    return false
  }

  /// Returns whether a value is only a misspelt template of names alone: `{{ token }}`, `${{ token | upper }`.
  private func isReference(_ range: Range<Int>) -> Bool {
    var value = utf8[range]
    if let quote = value.first, "\"'".utf8.contains(quote) {
      value = value.dropFirst()
      if value.last == quote { value = value.dropLast() }
    }
    if value.first == UInt8(ascii: "$") { value = value.dropFirst() }
    guard value.count < 100, value.starts(with: "{{".utf8), value.last == UInt8(ascii: "}") else { return false }
    let names = value.dropFirst(2).reversed().drop { $0 == UInt8(ascii: "}") || isBlank($0) }.reversed()
    return names.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "|") }
      .allSatisfy { part in
        let name = part.drop(while: isBlank).reversed().drop(while: isBlank)
        // A word that begins with a digit is not a name.
        return !name.isEmpty && name.allSatisfy { $0 < 0x80 && isWordByte($0) && $0 != UInt8(ascii: "$") }
          && (name.last.map(isDigit) != true || name.allSatisfy(isDigit))
      }
  }

  /// Conceals the text beside templates; `Bearer ` before one may be shown.
  private mutating func concealLiteral(_ range: Range<Int>) {
    let word = String(decoding: utf8[range], as: UTF8.self).lowercased()
    if ["", "\"", "'", "bearer ", "basic ", "token "].contains(word.filter { $0 != "\"" && $0 != "'" }) { return }
    add(range)
  }

  /// Conceals the quoted texts in a template, except for the names of variables and files, and words that are neither
  /// names nor numbers.
  private mutating func concealQuoted(_ range: Range<Int>) {
    for word in utf8[range].split(whereSeparator: { !isAlphanumeric($0) }) {
      if word.first.map(isDigit) == true, !word.allSatisfy(isDigit) { add(word.startIndex..<word.endIndex) }
    }
    var position = range.lowerBound
    while let open = utf8[position..<range.upperBound].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }) {
      let end = utf8[open + 1..<range.upperBound].firstIndex(of: utf8[open])
      let close = end ?? range.upperBound
      let before = String(decoding: utf8[max(range.lowerBound, open - 8)..<open], as: UTF8.self)
        .filter { $0 != " " && $0 != "\\" }
      if end == nil || !before.hasSuffix("env(") && !before.hasSuffix("file(") { add(open + 1..<close) }
      position = min(close + 1, range.upperBound)
    }
  }

  // MARK: Text

  private static let longestName = 64

  /// Finds text that looks like a secret in text of any kind: URLs, forms, JSON, XML, headers, keys in PEM.
  mutating func scanText(_ range: Range<Int>) {
    var position = range.lowerBound
    while position < range.upperBound {
      switch utf8[position] {
      case UInt8(ascii: ":"), UInt8(ascii: "="): position = scanSign(position, range)
      case UInt8(ascii: "@"):
        scanUserinfo(position, range)
        position += 1
      case UInt8(ascii: ">"):
        scanElement(position, range)
        position += 1
      case UInt8(ascii: " "):
        scanScheme(position, range)
        position += 1
      case UInt8(ascii: "-") where begins("-----BEGIN ", position, range): position = scanPEM(position, range)
      default: position += 1
      }
    }
  }

  /// Scans `name=value`, `name: value`, `"name": "value"`; returns the position to continue from.
  private mutating func scanSign(_ sign: Int, _ range: Range<Int>) -> Int {
    if utf8[sign] == UInt8(ascii: ":"), begins("://", sign, range) { return sign + 3 }
    // Comparisons name no value.
    if begins("==", sign, range) || begins("=~", sign, range) { return sign + 2 }
    if sign > range.lowerBound, utf8[sign] == UInt8(ascii: "="), "!<>=".utf8.contains(utf8[sign - 1]) {
      return sign + 1
    }
    var end = sign
    while end > range.lowerBound, " \\\"'".utf8.contains(utf8[end - 1]) { end -= 1 }
    var start = end
    let least = max(range.lowerBound, end - SecretPlaces.longestName)
    while start > least, isWordByte(utf8[start - 1]) || "%[]".utf8.contains(utf8[start - 1]) { start -= 1 }
    guard start < end else { return sign + 1 }
    // The name of `keys[]` and `keys%5B%5D`.
    let name = String(decoding: utf8[start..<end].split { "%[]".utf8.contains($0) }.first ?? [], as: UTF8.self)
    let isParameter = utf8[sign] == UInt8(ascii: "=") && start > 0 && "?&".utf8.contains(utf8[start - 1])
    guard isSecretName(name) else { return sign + 1 }
    var value = sign + 1
    while value < range.upperBound, isBlank(utf8[value]) { value += 1 }
    var isEscaped = false
    if value + 1 < range.upperBound, utf8[value] == UInt8(ascii: "\\") {
      isEscaped = true
      value += 1
    }
    guard value < range.upperBound else { return range.upperBound }
    let quote = utf8[value]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let close = textQuote(value, isEscaped: isEscaped, range.upperBound)
      conceal(value + 1..<close, .secret)
      return max(close, sign + 1)
    }
    // A header's value contains blanks, and a cookie's semicolons.
    let isHeader = isMaskedHeader(name) || utf8[sign] == UInt8(ascii: ":")
    let stop = isHeader && !isParameter ? "\"\n\r{}<" : "& ;,\"'\t\n\r{}()<>#"
    var last = value
    while last < range.upperBound, !stop.utf8.contains(utf8[last]) {
      guard begins("${{", last, range) else {
        last += 1
        continue
      }
      last = find("}}", last..<range.upperBound).map { $0 + 2 } ?? range.upperBound
    }
    conceal(value..<last, .secret)
    return max(last, sign + 1)
  }

  private func textQuote(_ open: Int, isEscaped: Bool, _ end: Int) -> Int {
    var position = open + 1
    while position < end {
      let isBackslash = utf8[position] == UInt8(ascii: "\\")
      if utf8[position] == utf8[open] { return position }
      if isBackslash, isEscaped, position + 1 < end, utf8[position + 1] == utf8[open] { return position }
      position += isBackslash ? 2 : 1
    }
    return end
  }

  /// The userinfo before an `@`: `user:password` anywhere, a name alone only after a scheme.
  private mutating func scanUserinfo(_ at: Int, _ range: Range<Int>) {
    var start = at
    var colon: Int?
    let least = max(range.lowerBound, at - 512)
    while start > least, !" \t\n\r\"'<>,{}[]()".utf8.contains(utf8[start - 1]) {
      start -= 1
      if utf8[start] == UInt8(ascii: ":") { colon = start }
      if utf8[start] == UInt8(ascii: ":"), begins("://", start, range) {
        // After `/`, `?` and `#` it isn't userinfo, unless the text before it isn't a host with a port.
        let authority = utf8[start + 3..<at].prefix { !"/?#".utf8.contains($0) }
        let port = authority.lastIndex(of: UInt8(ascii: ":")).map { authority[($0 + 1)...] } ?? []
        let isHost = authority.endIndex < at && port.allSatisfy(isDigit)
        if !isHost { conceal(start + 3..<at, .secret) }
        return
      }
    }
    guard let colon, start < colon, isWordByte(utf8[start]), at + 1 < range.upperBound, isWordByte(utf8[at + 1])
    else { return }
    conceal(start..<at, .secret)
  }

  /// The text of an element of XML behind its `>`: `<password>`, `<ns:Password Type="Text">`.
  private mutating func scanElement(_ end: Int, _ range: Range<Int>) {
    let tag = utf8[max(range.lowerBound, end - 256)..<end]
    guard let open = tag.lastIndex(of: UInt8(ascii: "<")) else { return }
    let name = tag[(open + 1)...].prefix { isWordByte($0) || $0 == UInt8(ascii: ":") }
    guard !name.isEmpty, isSecretName(String(decoding: name, as: UTF8.self)) else { return }
    let start = begins("<![CDATA[", end + 1, range) ? end + 10 : end + 1
    let close = find(start > end + 1 ? "]]>" : "<", start..<range.upperBound)
    if let close { conceal(start..<close, .secret) }
  }

  /// `Bearer TOKEN` and `Basic TOKEN`.
  private mutating func scanScheme(_ blank: Int, _ range: Range<Int>) {
    var start = blank
    while start > range.lowerBound, blank - start < 7, isLetter(utf8[start - 1]) { start -= 1 }
    guard ["bearer", "basic"].contains(String(decoding: utf8[start..<blank], as: UTF8.self).lowercased()) else {
      return
    }
    let token = utf8[blank + 1..<range.upperBound].prefix { isWordByte($0) || "~+/=".utf8.contains($0) }
    if token.count >= 8 { add(token.startIndex..<token.endIndex) }
  }

  /// Scans a private key in PEM, also with escaped line breaks.
  private mutating func scanPEM(_ start: Int, _ range: Range<Int>) -> Int {
    let header = find("-----", start + 11..<range.upperBound) ?? range.upperBound
    guard contains("PRIVATE KEY", start..<header) else { return start + 11 }
    let end = find("-----END", header..<range.upperBound) ?? range.upperBound
    if header + 5 < end { add(header + 5..<end) }
    return max(end, start + 11)
  }

  private func begins(_ text: StaticString, _ position: Int, _ range: Range<Int>) -> Bool {
    position + text.utf8CodeUnitCount <= range.upperBound && utf8.has(text, at: position)
  }

  func isWordByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte >= 0x80 || "_-.$".utf8.contains(byte)
  }
}

/// A text without secrets that it identifies itself: userinfo and secret parameters of URLs, `password=…`.
package func concealingSecrets(in text: String) -> String {
  // Nearly all URLs contain no secrets, and these can't.
  guard text.utf8.contains(where: { $0 == 0x3D || $0 == 0x40 }) else { return text }
  let utf8 = Array(text.utf8)
  var result = ""
  var position = 0
  for range in SecretPlaces.find(inText: utf8).secrets {
    result += String(decoding: utf8[position..<range.lowerBound], as: UTF8.self) + "***"
    position = range.upperBound
  }
  return position == 0 ? text : result + String(decoding: utf8[position...], as: UTF8.self)
}

/// The secrets that a text identifies itself, and the templates that stand in place of some.
package func secretPlaces(in utf8: [UInt8]) -> (secrets: [Range<Int>], templates: [Range<Int>]) {
  let found = SecretPlaces.find(inText: utf8)
  // A word behind `Basic` may be that of a sentence.
  let secrets = found.secrets.filter { range in
    let before = utf8[..<range.lowerBound].suffix(2)
    return before.last != 0x20 || !before.allSatisfy { $0 == 0x20 || isLetter($0) }
      || !utf8[range].dropFirst().allSatisfy { (0x61...0x7A).contains($0) }
  }
  return (secrets, found.templates)
}

/// The bytes of a text that are secrets by the names before them.
///
/// - Parameter name: that of an option or a variable whose value it is, in JSON or YAML; nil for any other text.
package func secretRanges(in text: String, named name: String?) -> [Range<Int>] {
  let utf8 = Array(text.utf8)
  return name.map { SecretPlaces.find(in: utf8, name: "--\($0)") } ?? SecretPlaces.find(inText: utf8).secrets
}
