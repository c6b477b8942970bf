/// JSON with a line for each member and item; nil for anything but a valid list or object.
package func indentedJSON(_ text: String) -> String? {
  var result: [UInt8] = []
  var open: [UInt8] = []
  var isInString = false
  var isEscaped = false
  var isComplete = false
  var last: UInt8 = 0
  func lineBreak() { result += [0x0A] + [UInt8](repeating: 0x20, count: 2 * open.count) }
  for byte in text.utf8 {
    if isInString {
      result.append(byte)
      isInString = isEscaped || byte != UInt8(ascii: "\"")
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      continue
    }
    if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { continue }
    if isComplete { return nil }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < 512 else { return nil }
      if last == UInt8(ascii: "{") || last == UInt8(ascii: "[") { lineBreak() }
      result.append(byte)
      open.append(byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard open.popLast() == byte else { return nil }
      if last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { lineBreak() }
      result.append(byte)
      isComplete = open.isEmpty
    case UInt8(ascii: ","):
      guard !open.isEmpty else { return nil }
      result.append(byte)
      lineBreak()
    case UInt8(ascii: ":"): result += [byte, 0x20]
    default:
      guard !open.isEmpty else { return nil }
      if last == UInt8(ascii: "{") || last == UInt8(ascii: "[") { lineBreak() }
      result.append(byte)
      isInString = byte == UInt8(ascii: "\"")
    }
    last = byte
  }
  return isComplete ? String(decoding: result, as: UTF8.self) : nil
}
