/// The values of a page that scripts and forms send: fields, `<meta>` and quoted values in scripts.
struct RecordedPage {
  struct Value {
    let value: String
    let name: String
    let source: ImportedValue
  }

  private(set) var values: [Value] = []
  private let bytes: [UInt8]
  /// The number of elements of each name so far.
  private var counts: [String: Int] = [:]
  /// The names before values in scripts so far.
  private var scriptNames: Set<String> = []

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func read() {
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "<") {
        place = readTag(place)
      } else if bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") {
        place = readQuoted(place)
      } else {
        place += 1
      }
    }
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Reads a tag of a field or of `<meta>`, and returns the place after it.
  private mutating func readTag(_ start: Int) -> Int {
    let place = start + 1
    let nameEnd = bytes[place...].firstIndex { !(isShellNameByte($0)) } ?? bytes.count
    guard nameEnd - place < 8 else { return place }
    let element = String(decoding: bytes[place..<nameEnd], as: UTF8.self).lowercased()
    guard element == "input" || element == "meta" else { return place }
    // A longer tag has no value that requests are known by.
    let rest = String(decoding: bytes[nameEnd..<min(nameEnd + 10_000, bytes.count)], as: UTF8.self)
    let tag = rest.prefixMatch(of: restOfTag)?.output ?? ""
    var attributes: [String: String] = [:]
    for match in tag.matches(of: attribute) {
      let (_, name, one, other, bare) = match.output
      if let value = one ?? other ?? bare { attributes[name.lowercased()] = String(value) }
    }
    addElement(element, attributes)
    return min(nameEnd + tag.utf8.count + 1, bytes.count)
  }

  private mutating func addElement(_ element: String, _ attributes: [String: String]) {
    let content = element == "input" ? "value" : "content"
    for key in ["name", "id", "property"] {
      guard let name = attributes[key], !name.isEmpty, !name.contains("'"), !name.contains("\"") else { continue }
      let path = "//\(element)[@\(key)='\(name)']"
      let count = counts[path, default: 0] + 1
      counts[path] = count
      guard let value = attributes[content] else { return }
      let chosen = count == 1 ? path : "(\(path))[\(count)]"
      values.append(
        Value(value: value, name: name, source: .mapping([("xpath", .text("string(\(chosen)/@\(content))"))])))
      return
    }
  }

  /// Reads a quoted value of a script such as `"token":"…"`, and returns the place after it.
  private mutating func readQuoted(_ start: Int) -> Int {
    let quote = bytes[start]
    var end = start + 1
    let limit = min(bytes.count, start + 8192)
    while end < limit, bytes[end] != quote, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    guard end < limit, bytes[end] == quote else { return start + 1 }
    guard end - start > 8, let name = scriptName(before: start) else { return end + 1 }
    guard scriptNames.insert(name).inserted else { return end + 1 }
    let value = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    guard isShellNameByte(bytes[start + 1]),
      value.utf8.allSatisfy({ isShellNameByte($0) || ".~+/=-".utf8.contains($0) })
    else { return end + 1 }
    let pattern = "\\b\(name)\\W+([\\w.~+/=-]+)"
    values.append(Value(value: value, name: name, source: .mapping([("regex", .text(pattern))])))
    return end + 1
  }

  /// The name before the colon or equals sign of a value.
  private func scriptName(before start: Int) -> String? {
    var place = start - 1
    func skipSpaces() { while place >= 0, isSpace(bytes[place]) { place -= 1 } }
    skipSpaces()
    guard place >= 0, bytes[place] == UInt8(ascii: ":") || bytes[place] == UInt8(ascii: "=") else { return nil }
    place -= 1
    skipSpaces()
    if place >= 0, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") { place -= 1 }
    let end = place + 1
    while place >= 0, end - place < 64, isShellNameByte(bytes[place]) { place -= 1 }
    let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
    return name.count > 2 && isShellName(name) ? name : nil
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let restOfTag = /(?:[^>"']++|"[^"]*+"?|'[^']*+'?)*+/
nonisolated(unsafe) private let attribute = /([^\s=\/]+)(?:=(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?/
