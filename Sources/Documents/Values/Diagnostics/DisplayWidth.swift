/// The columns of a text in a terminal: two for East Asian wide characters and emoji, none for combining marks.
package func displayWidth(of text: String) -> Int {
  // Nearly all text is ASCII.
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
  return text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// The columns of one character, all its scalars together.
package func displayWidth(of character: Character) -> Int {
  var width = 0
  for scalar in character.unicodeScalars {
    // An emoji and everything joined to it is one picture.
    if scalar.properties.isEmojiPresentation || scalar == "\u{FE0F}" { return 2 }
    width += displayWidth(of: scalar)
  }
  return width
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
  switch scalar.value {
  case 0x20..<0x7F: return 1
  case 0..<0x20, 0x7F..<0xA0: return 0
  case 0xAD: return 1
  // The vowels and finals of decomposed Hangul.
  case 0x1160...0x11FF: return 0
  default: break
  }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
  default: break
  }
  // Wide and fullwidth (UAX #11), in blocks.
  switch scalar.value {
  case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18D8F, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
    return 2
  default: return 1
  }
}

/// The words of a text in lines of that many columns, at least one; a longer word continues in the next line.
package func wrappedLines(_ text: String, width: Int) -> [String] {
  if text.utf8.count <= width { return [text] }
  var lines: [String] = []
  var line = ""
  var used = 0
  for word in text.split(separator: " ", omittingEmptySubsequences: false) {
    let columns = displayWidth(ofPainted: word)
    if used > 0, used + 1 + columns > width {
      lines.append(line)
      (line, used) = ("", 0)
    } else if !line.isEmpty || used > 0 {
      line += " "
      used += 1
    }
    if used + columns > width {
      let parts = brokenLines(line + word, width: width)
      lines += parts.dropLast()
      line = parts[parts.count - 1]
      used = displayWidth(ofPainted: line[...])
    } else {
      line += word
      used += columns
    }
  }
  return lines + [line]
}

/// A text in lines of exactly that many columns, the last one shorter; at least one. Colours take no columns.
///
/// - Parameter keepsWords: whether a line may end earlier, behind a blank, so that a short word is not broken.
package func brokenLines(_ text: String, width: Int, keepsWords: Bool = false) -> [String] {
  if text.utf8.count <= width { return [text] }
  var lines: [String] = []
  var line = ""
  var used = 0
  var isColor = false
  for character in text {
    isColor = isColor || character == "\u{1B}"
    let columns = isColor ? 0 : displayWidth(of: character)
    if isColor, character == "m" { isColor = false }
    if used + columns > width, used > 0 {
      let rest = keepsWords && character != " " ? lastWord(of: line, width: width) : ""
      lines.append(String(line.dropLast(rest.count)))
      (line, used) = (rest, displayWidth(ofPainted: rest[...]))
    }
    line.append(character)
    used += columns
  }
  return lines + [line]
}

/// The word at the end of a line, if it is short enough to begin the next one; empty otherwise.
private func lastWord(of line: String, width: Int) -> String {
  guard let blank = line.lastIndex(of: " "), !line.utf8.contains(0x1B) else { return "" }
  let word = line[line.index(after: blank)...]
  return word.utf8.count * 4 <= width ? String(word) : ""
}

/// The columns of a word without its colours.
private func displayWidth(ofPainted word: Substring) -> Int {
  guard word.utf8.contains(0x1B) else { return displayWidth(of: String(word)) }
  var width = 0
  for (index, part) in word.parts(separatedBy: "\u{1B}[").enumerated() {
    width += displayWidth(of: String(index == 0 ? part : part.drop { $0 != "m" }.dropFirst()))
  }
  return width
}
