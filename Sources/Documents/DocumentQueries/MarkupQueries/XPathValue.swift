import Values

/// A value of XPath 1.0 while an expression is evaluated.
enum XPathValue {
  /// Nodes, each once, in document order.
  case nodes([XPathNode])
  case string(String)
  case number(Double)
  case boolean(Bool)
}

/// Returns whether a byte is white space of XML.
func isXMLSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

/// The number that a string contains; NaN if there is none (section 4.4).
func xpathNumber(_ text: String) -> Double {
  let number = Substring(text.utf8.trimming(while: isXMLSpace))
  var isEmpty = true
  var points = 0
  for byte in number.utf8.first == UInt8(ascii: "-") ? number.utf8.dropFirst() : number.utf8[...] {
    switch byte {
    case 0x30...0x39: isEmpty = false
    case UInt8(ascii: ".") where points == 0: points += 1
    default: return .nan
    }
  }
  guard !isEmpty else { return .nan }
  // Swift requires a digit on both sides of the point.
  let sign = number.hasPrefix("-") ? "-" : ""
  return Double("\(sign)0\(number.dropFirst(sign.count))\(points > 0 ? "0" : "")") ?? .nan
}

/// A number as `string()` writes it: never with an exponent (section 4.2).
func xpathString(_ number: Double) -> String {
  if number.isNaN { return "NaN" }
  if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
  if number == 0 { return "0" }
  let written = "\(number)"
  guard let mark = written.firstIndex(where: { $0 == "e" || $0 == "E" }) else {
    return written.hasSuffix(".0") ? String(written.dropLast(2)) : written
  }
  let exponent = Int(written[written.index(after: mark)...]) ?? 0
  var mantissa = written[..<mark]
  let sign = mantissa.hasPrefix("-") ? "-" : ""
  mantissa = mantissa.dropFirst(sign.count)
  let parts = mantissa.split(separator: ".")
  let whole = parts.first.map(String.init) ?? "0"
  let fraction = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
  let digits = whole + fraction
  let point = whole.count + exponent
  if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
  if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
  return sign + digits.prefix(point) + "." + digits.dropFirst(point)
}
