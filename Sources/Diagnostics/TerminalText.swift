/// Text that a terminal shows and does not obey: control characters and invisible ones become visible.
///
/// `ESC` becomes `␛`, a right-to-left override `<U+202E>`. Line breaks and tabs are kept only where asked for.
package func sanitizedForTerminal(_ text: String, keepingLineBreaks: Bool = false) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var result = String.UnicodeScalarView()
  var previous: Unicode.Scalar?
  for scalar in text.unicodeScalars {
    if keepingLineBreaks, scalar == "\n" || scalar == "\t" {
      if scalar == "\n", previous == "\r" { result.removeLast() }
      result.append(scalar)
    } else if let visible = visibleForm(of: scalar) {
      result.append(contentsOf: visible.unicodeScalars)
    } else {
      result.append(scalar)
    }
    previous = scalar
  }
  return String(result)
}

/// What stands for a scalar that a terminal would act on or hide; nil for all others.
private func visibleForm(of scalar: Unicode.Scalar) -> String? {
  switch scalar.value {
  case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) }
  case 0x7F: return "␡"
  // C1 controls; bidirectional controls; invisible spaces, joiners of nothing, tags and line separators.
  case 0x80..<0xA0, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
    0xFFF9...0xFFFB, 0xE0000...0xE007F:
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "<U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + ">"
  default: return nil
  }
}
