/// The visible form of a character that a terminal would obey or hide.
package enum VisibleForm: Sendable {
  /// `␛` and `<U+202E>`, in text for people.
  case symbol
  /// `\u001b` and `\u202e`, in text with JSON's escapes; characters that look like a plain space are escaped, too.
  case escape
}

/// Foreign text in a form for people, which neither a terminal nor a CI runner interprets.
///
/// Control characters, bidirectional controls, invisible characters and stacked combining marks become visible, and
/// `##[` and the like are broken, which runners search for anywhere in a line. Line breaks and tabs are kept only on
/// request.
package func sanitizedForTerminal(
  _ text: String, as form: VisibleForm = .symbol, keepingLineBreaks: Bool = false
) -> String {
  if isPlain(text) { return text }
  var result = String.UnicodeScalarView()
  var previous: Unicode.Scalar = "\""
  var marks = 4
  var rest = text.unicodeScalars[...]
  while let scalar = rest.first {
    marks = isMark(scalar) ? marks + 1 : 0
    if keepingLineBreaks, scalar == "\n" || scalar == "\t" {
      if scalar == "\n", previous == "\r", form == .symbol { result.removeLast() }
      result.append(scalar)
    } else if marks > 4 || isHidden(scalar, after: previous, as: form) {
      result.append(contentsOf: visibleForm(of: scalar, as: form).unicodeScalars)
    } else if scalar == "#", beginsInlineCommand(rest) {
      result.append(contentsOf: codeForm(of: scalar, as: form).unicodeScalars)
    } else {
      result.append(scalar)
    }
    previous = scalar
    rest.removeFirst()
  }
  return String(result)
}

/// Printable ASCII without `##`: nearly all text.
private func isPlain(_ text: String) -> Bool {
  var previous: UInt8 = 0
  for byte in text.utf8 {
    if byte < 0x20 || byte >= 0x7F || (byte == 0x23 && previous == 0x23) { return false }
    previous = byte
  }
  return true
}

private func isHidden(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar, as form: VisibleForm) -> Bool {
  if scalar.value < 0x300 {
    return isInvisible(scalar) && (form == .escape || scalar.value != 0xA0)
  }
  switch scalar.value {
  // Joiners hold emoji together, and affect the letters of many scripts; a selector chooses the form of the character
  // before it.
  case 0x200C, 0x200D:
    return previous.value <= 0x7F
      || !(previous.properties.isEmoji || isMark(previous) || previous.properties.isAlphabetic)
  case 0xFE00...0xFE0F, 0xE0100...0xE01EF: return previous.value <= 0x7F && !previous.properties.isEmoji
  default: break
  }
  guard isInvisible(scalar) else { return false }
  return form == .escape || scalar.properties.generalCategory != .spaceSeparator
}

private func visibleForm(of scalar: Unicode.Scalar, as form: VisibleForm) -> String {
  if form == .symbol {
    if scalar.value == 0x7F { return "␡" }
    if scalar.value < 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) { return String(Character(picture)) }
  }
  return codeForm(of: scalar, as: form)
}

/// `<U+202E>`, or `\u202e` with a surrogate pair for JSON.
func codeForm(of scalar: Unicode.Scalar, as form: VisibleForm = .symbol) -> String {
  switch form {
  case .symbol: "<\(codePoint(scalar.value))>"
  case .escape: String(scalar).utf16.map { "\\u" + hexadecimal($0, digits: 4) }.joined()
  }
}

/// Returns whether a scalar combines with the one before it.
package func isMark(_ scalar: Unicode.Scalar) -> Bool {
  guard scalar.value >= 0x300 else { return false }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .spacingMark: return true
  default: return false
  }
}

/// Returns whether a scalar is invisible, or looks like a plain space.
package func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  guard scalar.value > 0x7F else { return scalar.value < 0x20 || scalar.value == 0x7F }
  switch scalar.value {
  // A joiner without effect, fillers, vowels and selectors that aren't drawn, and the blank of Braille.
  case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x2065, 0x2800, 0x3164, 0xFFA0, 0xFFF0...0xFFFB,
    0xE0000...0xE00FF, 0xE01F0...0xE0FFF:
    return true
  // Arabic, Syriac and Kaithi number signs are visible format characters.
  case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: return false
  default: break
  }
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator, .format: return true
  default: return false
  }
}
