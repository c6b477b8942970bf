/// Lines for people without commands for CI runners: those that foreign text may contain are broken.
///
/// GitHub interprets `::set-output …` at the beginning of a line, after white space too; GitHub, Azure Pipelines and
/// TeamCity interpret `##[…`, `##vso[…` and `##teamcity[…` anywhere; GitLab has sections. The first character becomes
/// `<U+003A>`.
package func withoutWorkflowCommands(_ text: String) -> String {
  var text = text
  let places = text.withUTF8 { commandPlaces($0) }
  if places.isEmpty { return text }
  let utf8 = text.utf8
  var result = ""
  var position = utf8.startIndex
  for place in places {
    let index = utf8.index(utf8.startIndex, offsetBy: place)
    result += text[position..<index]
    result += codeForm(of: text.unicodeScalars[index])
    position = utf8.index(after: index)
  }
  return result + text[position...]
}

/// Returns whether a text begins with `##[`, `##vso[` and the like.
func beginsInlineCommand(_ text: Substring.UnicodeScalarView) -> Bool {
  guard text.starts(with: "##".unicodeScalars) else { return false }
  return text.dropFirst(2).first { !isLetter($0) } == "["
}

/// The offsets where commands begin, in order.
private func commandPlaces(_ utf8: UnsafeBufferPointer<UInt8>) -> [Int] {
  var places: [Int] = []
  var isLineStart = true
  var index = 0
  while index < utf8.count {
    let byte = utf8[index]
    if byte == 0x0A || byte == 0x0D {
      isLineStart = true
    } else if byte == 0x23 {
      isLineStart = false
      if beginsInlineCommand(utf8, at: index) { places.append(index) }
    } else if isLineStart {
      let blank = blankLength(utf8, at: index)
      if blank > 0 {
        index += blank
        continue
      }
      isLineStart = false
      if ["::", "section_start:", "section_end:"].contains(where: { utf8.has($0, at: index) }) {
        places.append(index)
      }
    }
    index += 1
  }
  return places
}

private func beginsInlineCommand(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
  guard utf8.has("##", at: index) else { return false }
  var end = index + 2
  while end < utf8.count, (0x61...0x7A).contains(utf8[end] | 0x20) { end += 1 }
  return end < utf8.count && utf8[end] == 0x5B
}

/// The length of the part at the beginning of a line that a runner skips, or a terminal doesn't show: white space, and
/// colours.
private func blankLength(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
  switch utf8[index] {
  case 0x20, 0x09, 0x0B, 0x0C: return 1
  case 0x1B where utf8.has("\u{1B}[", at: index):
    var end = index + 2
    while end < utf8.count, utf8[end] < 0x40 { end += 1 }
    return min(end + 1, utf8.count) - index
  case 0xC2, 0xE1...0xE3:
    let length = utf8[index] == 0xC2 ? 2 : 3
    guard index + length <= utf8.count else { return 0 }
    let scalar = String(decoding: utf8[index..<index + length], as: UTF8.self).unicodeScalars.first
    return scalar?.properties.isWhitespace == true ? length : 0
  default: return 0
  }
}
