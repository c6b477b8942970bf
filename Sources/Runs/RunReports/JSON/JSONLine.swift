import Values

/// JSON in one line, which grows member by member: without characters that a terminal or a CI runner would obey.
struct JSONLine {
  private(set) var bytes: [UInt8] = []
  /// Indicates whether a comma precedes the next member or item.
  private var isContinued = false

  /// - Parameter isContinued: whether it continues an object or a list that has members or items.
  init(isContinued: Bool = false) { self.isContinued = isContinued }

  mutating func beginObject() { begin(UInt8(ascii: "{")) }
  mutating func endObject() { end(UInt8(ascii: "}")) }
  mutating func beginList() { begin(UInt8(ascii: "[")) }
  mutating func endList() { end(UInt8(ascii: "]")) }

  private mutating func begin(_ bracket: UInt8) {
    bytes.append(bracket)
    isContinued = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    isContinued = true
  }

  /// Begins a member, or an item of a list.
  ///
  /// - Parameter key: the name in quotes, with a colon after it; empty for an item.
  mutating func next(_ key: [UInt8] = []) {
    if isContinued { bytes.append(UInt8(ascii: ",")) }
    isContinued = true
    bytes += key
  }

  mutating func next(_ name: String) { next(Array("\"\(name)\":".utf8)) }

  /// Begins the next member in a line of its own.
  mutating func breakLine() {
    if isContinued { bytes.append(UInt8(ascii: ",")) }
    bytes.append(0x0A)
    isContinued = false
  }

  /// Appends a member or an item that is JSON already.
  mutating func append(_ json: [UInt8], as name: String? = nil) {
    if let name { next(name) } else { next() }
    bytes += json
  }

  mutating func append(_ number: Int, as name: String) { append(Array(String(number).utf8), as: name) }

  /// Appends a number, `true` or `false`.
  mutating func literal(_ text: String) { bytes += text.utf8 }

  mutating func text(_ text: String) {
    var text = text
    let isPlain = text.withUTF8 { utf8 in
      var previous: UInt8 = 0
      for byte in utf8 {
        guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
          byte != UInt8(ascii: "#") || previous != byte
        else { return false }
        previous = byte
      }
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: utf8)
      bytes.append(UInt8(ascii: "\""))
      return true
    }
    if !isPlain { bytes += sanitizedForTerminal("\"\(jsonEscaped(text))\"", as: .escape).utf8 }
  }

  /// A list of JSON texts.
  static func list(_ items: [[UInt8]]) -> [UInt8] {
    var line = JSONLine()
    line.beginList()
    for item in items { line.append(item) }
    line.endList()
    return line.bytes
  }

  /// Removes and returns what is there; what follows continues it.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

func quoted(_ text: String) -> String { reportText(.text(text)) }

/// JSON in one line, without characters that a terminal or a CI runner would obey.
func reportText(_ value: Value) -> String {
  sanitizedForTerminal(value.jsonText().string, as: .escape)
}
