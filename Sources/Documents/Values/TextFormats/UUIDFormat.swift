/// Eight, four, four, four and twelve hexadecimal digits (RFC 9562, section 4).
package func isUUID(_ text: String.UTF8View) -> Bool {
  guard text.count == 36 else { return false }
  for (index, byte) in text.enumerated() {
    let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
    guard isHyphen ? byte == UInt8(ascii: "-") : isHexDigit(byte) else { return false }
  }
  return true
}
