/// Reads a script of Windows' cmd, whose command lines are split as the C runtime does it.
enum CmdReader {
  static func read(_ text: String) -> ShellScript {
    var script = ShellScript()
    for line in lines(of: Array(text.utf8)) {
      var command = ShellCommand()
      command.words = words(of: line)
      if let first = command.words.first?.literal?.lowercased(), first == "rem" || first.hasPrefix("::") { continue }
      command.source = String(decoding: line, as: UTF8.self)
      if !command.words.isEmpty { script.commands.append(command) }
    }
    return script
  }

  /// The lines after `^` was applied, which escapes a character and joins lines, but not in quotes.
  private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    let newline = UInt8(ascii: "\n")
    var lines: [[UInt8]] = []
    var line: [UInt8] = []
    var isQuoted = false
    var place = 0
    func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }
    /// The place after a line break; nil where there is none.
    func lineBreak(_ place: Int) -> Int? {
      if byte(place) == newline { return place + 1 }
      return byte(place) == UInt8(ascii: "\r") && byte(place + 1) == newline ? place + 2 : nil
    }
    while let current = byte(place) {
      if let next = lineBreak(place) {
        lines.append(line)
        (line, isQuoted, place) = ([], false, next)
      } else if current == UInt8(ascii: "^"), !isQuoted {
        place += 1
        if let next = lineBreak(place) {
          place = next
          // The first character of the next line is escaped: an empty line is a line break.
          if let next = lineBreak(place) {
            line.append(newline)
            place = next
          }
        } else if let escaped = byte(place) {
          line.append(escaped)
          place += 1
        }
      } else {
        if current == UInt8(ascii: "\"") { isQuoted.toggle() }
        line.append(current)
        place += 1
      }
    }
    lines.append(line)
    return lines
  }

  private static func words(of line: [UInt8]) -> [ImportedText] {
    var words: [ImportedText] = []
    var word: [UInt8] = []
    var isOpen = false
    var isQuoted = false
    var backslashes = 0
    var place = 0
    func flush() {
      word += repeatElement(UInt8(ascii: "\\"), count: backslashes)
      backslashes = 0
    }
    while place < line.count {
      let byte = line[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\\"):
        backslashes += 1
        isOpen = true
      case UInt8(ascii: "\""):
        let isEscaped = backslashes % 2 == 1
        backslashes /= 2
        flush()
        isOpen = true
        if isEscaped {
          word.append(byte)
        } else if isQuoted, place < line.count, line[place] == byte {
          word.append(byte)
          place += 1
        } else {
          isQuoted.toggle()
        }
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        flush()
        if isQuoted {
          word.append(byte)
        } else if isOpen {
          words.append(withVariables(word))
          (word, isOpen) = ([], false)
        }
      default:
        flush()
        word.append(byte)
        isOpen = true
      }
    }
    flush()
    if isOpen { words.append(withVariables(word)) }
    return words
  }

  /// The text with `%NAME%` as a variable. A percent-encoded octet is none.
  private static func withVariables(_ word: [UInt8]) -> ImportedText {
    let percent = UInt8(ascii: "%")
    var result = ImportedText()
    var text: [UInt8] = []
    var place = 0
    while place < word.count {
      let isPercent = word[place] == percent
      let name = word[(place + 1)...].prefix { isPercent && isShellNameByte($0) && !(0x61...0x7A).contains($0) }
      let end = name.endIndex
      if isPercent, name.count > 2, isShellName(String(decoding: name, as: UTF8.self)), end < word.count,
        word[end] == percent
      {
        result.append(String(decoding: text, as: UTF8.self))
        result.append(.variable(String(decoding: name, as: UTF8.self)))
        text = []
        place = end + 1
      } else {
        text.append(word[place])
        place += 1
      }
    }
    result.append(String(decoding: text, as: UTF8.self))
    return result
  }
}
