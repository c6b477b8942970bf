/// Matches a host name (RFC 1123, section 2.1) whose Punycode labels are valid (RFC 5891).
package func isHostname(_ text: String) -> Bool {
  text.utf8.allSatisfy { $0 < 0x80 } && isHost(text)
}

/// Matches a host name with labels in any script (RFC 5890); the full stops of East Asian keyboards separate labels
/// too.
package func isInternationalHostname(_ text: String) -> Bool {
  isHost(String(text.map { ["\u{3002}", "\u{FF0E}", "\u{FF61}"].contains($0) ? "." : $0 }))
}

private func isHost(_ text: String) -> Bool {
  var length = -1
  var labels: [[Unicode.Scalar]] = []
  for label in text.split(separator: ".", omittingEmptySubsequences: false) {
    guard let (scalars, count) = checkedLabel(label) else { return false }
    labels.append(scalars)
    length += count + 1
  }
  guard length <= 253 else { return false }
  // One label written from right to left makes all of them subject to the rule.
  return !labels.contains { $0.contains { [.right, .arabicNumber].contains(Direction($0)) } }
    || labels.allSatisfy(isBidirectionallySound)
}

/// A label's characters, decoded, and the length of its ASCII form; nil if it is invalid.
private func checkedLabel(_ label: Substring) -> (scalars: [Unicode.Scalar], count: Int)? {
  guard !label.isEmpty, label.first != "-", label.last != "-" else { return nil }
  let scalars = Array(label.unicodeScalars)
  guard scalars.allSatisfy(\.isASCII) else {
    guard isUnicodeLabel(scalars), let encoded = punycode(scalars), encoded.utf8.count <= 59 else { return nil }
    return (scalars, encoded.utf8.count + 4)
  }
  let bytes = label.utf8
  guard bytes.count <= 63, bytes.allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: "-") }) else {
    return nil
  }
  guard label.lowercased().hasPrefix("xn--") else { return (scalars, bytes.count) }
  let encoded = label.dropFirst(4).lowercased()
  guard let decoded = punycodeDecoded(encoded), decoded.contains(where: { !$0.isASCII }), punycode(decoded) == encoded,
    decoded.last != "-", decoded.first != "-", isUnicodeLabel(decoded)
  else { return nil }
  return (decoded, bytes.count)
}

/// Matches a label with characters beyond ASCII (RFC 5891, section 5.4), without checking its normalization.
private func isUnicodeLabel(_ label: [Unicode.Scalar]) -> Bool {
  if label.count > 3, label[2] == "-", label[3] == "-" { return false }
  guard let first = label.first else { return false }
  switch first.properties.generalCategory {
  case .nonspacingMark, .spacingMark, .enclosingMark: return false
  default: break
  }
  return label.indices.allSatisfy { isAllowed(label[$0], at: $0, in: label) }
}

/// Returns whether a character is allowed at its position (RFC 5892, section 3 and appendix A).
private func isAllowed(_ scalar: Unicode.Scalar, at index: Int, in label: [Unicode.Scalar]) -> Bool {
  let previous = index > 0 ? label[index - 1] : nil
  let next = index + 1 < label.count ? label[index + 1] : nil
  switch scalar.value {
  // Exceptions.
  case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
  case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
  // Allowed in context only.
  case 0xB7: return previous == "l" && next == "l"
  case 0x375: return next.map { (0x370...0x3FF).contains($0.value) || (0x1F00...0x1FFF).contains($0.value) } ?? false
  case 0x5F3, 0x5F4:
    return previous.map { (0x591...0x5F4).contains($0.value) || (0xFB1D...0xFB4F).contains($0.value) } ?? false
  case 0x30FB: return label.contains(where: isJapanese)
  case 0x660...0x669: return !label.contains { (0x6F0...0x6F9).contains($0.value) }
  case 0x6F0...0x6F9: return !label.contains { (0x660...0x669).contains($0.value) }
  case 0x200C: return isVirama(previous) || joins(across: index, in: label)
  case 0x200D: return isVirama(previous)
  case 0x2D, 0x30...0x39, 0x61...0x7A: return true
  // Blocks of combining marks for symbols and music, and old Hangul.
  case 0x20D0...0x20FF, 0x1D100...0x1D1FF, 0x1D200...0x1D24F, 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF:
    return false
  default: break
  }
  let properties = scalar.properties
  if properties.changesWhenNFKCCaseFolded || properties.isDefaultIgnorableCodePoint || properties.isWhitespace {
    return false
  }
  switch properties.generalCategory {
  case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark,
    .spacingMark:
    return true
  default: return false
  }
}

private func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
  scalar?.properties.canonicalCombiningClass == .virama
}

/// Hiragana, Katakana or Han.
private func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D,
    0x2E80...0x2FD5, 0x3005, 0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xF900...0xFAD9, 0x20000...0x323AF:
    true
  default: false
  }
}

/// Returns whether a non-joiner is between letters of Arabic script that would join there (RFC 5892, appendix A.1).
private func joins(across index: Int, in label: [Unicode.Scalar]) -> Bool {
  let before = label[..<index].last { $0.properties.generalCategory != .nonspacingMark }
  let after = label[(index + 1)...].first { $0.properties.generalCategory != .nonspacingMark }
  guard let before, let after, isArabicLetter(before), isArabicLetter(after) else { return false }
  return !joinsOnlyBackwards(before)
}

/// Matches a letter that joins at least with the one before it.
private func isArabicLetter(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x621, 0x674, 0x6D5: scalar.value == 0x6D5
  case 0x620...0x64A, 0x66E...0x6D3, 0x6EE, 0x6EF, 0x6FA...0x6FC, 0x6FF, 0x750...0x77F, 0x8A0...0x8B4: true
  default: false
  }
}

private func joinsOnlyBackwards(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x622...0x625, 0x627, 0x629, 0x62F...0x632, 0x648, 0x671...0x673, 0x675...0x677, 0x688...0x699, 0x6C0,
    0x6C3...0x6CB, 0x6CD, 0x6CF, 0x6D2, 0x6D3, 0x6D5, 0x6EE, 0x6EF, 0x759...0x75B, 0x76B, 0x76C, 0x771, 0x773, 0x774,
    0x778, 0x779, 0x8AA...0x8AC, 0x8AE, 0x8B1, 0x8B2:
    true
  default: false
  }
}

/// A character's bidirectional class (UAX 9), as far as labels need it.
private enum Direction {
  case left, right, europeanNumber, arabicNumber, mark, neutral

  init(_ scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      self = .mark
      return
    default: break
    }
    self =
      switch scalar.value {
      case 0x30...0x39, 0x6F0...0x6F9: .europeanNumber
      case 0x600...0x605, 0x660...0x669, 0x66B, 0x66C, 0x6DD, 0x10E60...0x10E7E: .arabicNumber
      case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: .right
      case 0x2D, 0xB7, 0x375, 0x200C, 0x200D, 0x30FB: .neutral
      default: .left
      }
  }
}

/// The rule of RFC 5893, section 2.
private func isBidirectionallySound(_ label: [Unicode.Scalar]) -> Bool {
  let directions = label.map(Direction.init)
  guard let first = directions.first, let last = directions.last(where: { $0 != .mark }) else { return false }
  switch first {
  case .right:
    return !directions.contains(.left) && [.right, .europeanNumber, .arabicNumber].contains(last)
      && !(directions.contains(.europeanNumber) && directions.contains(.arabicNumber))
  case .left:
    return !directions.contains(.right) && !directions.contains(.arabicNumber)
      && [.left, .europeanNumber].contains(last)
  default: return false
  }
}
