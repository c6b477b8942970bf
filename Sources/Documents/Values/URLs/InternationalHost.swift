struct InternationalHostProblem: Error {
  let message: String
}

/// The ASCII form of a host name with non-ASCII labels.
///
/// This is lower-casing and Punycode, not all of UTS 46. Whatever that standard would map further (compatibility forms,
/// decomposed accents, invisible characters), forbids or allows only in context is rejected, so that every URL parser
/// gives an accepted name the same ASCII form.
func internationalHost(_ text: String) throws(InternationalHostProblem) -> String {
  var scalars: [Unicode.Scalar] = []
  for scalar in text.unicodeScalars {
    // The full stops of East Asian keyboards are label separators too (RFC 3490, section 3.1).
    if scalar == "\u{3002}" || scalar == "\u{FF0E}" || scalar == "\u{FF61}" {
      scalars.append(".")
    } else {
      scalars += scalar.properties.lowercaseMapping.unicodeScalars
    }
  }
  let labels = scalars.split(separator: ".", omittingEmptySubsequences: false).map(Array.init)
  let isBidirectional = labels.contains { $0.contains(where: isRightToLeft) }
  var result: [String] = []
  for label in labels {
    if isBidirectional { try checkDirection(label) }
    if label.allSatisfy(\.isASCII) {
      let name = String(String.UnicodeScalarView(label))
      guard !name.hasPrefix("xn--") else {
        throw InternationalHostProblem(message: "the host mixes labels in Punycode with labels in Unicode")
      }
      result.append(name)
    } else {
      try check(label)
      guard let encoded = punycode(label) else {
        throw InternationalHostProblem(message: "a label of the host is too long")
      }
      result.append("xn--" + encoded)
    }
  }
  return result.joined(separator: ".")
}

private func check(_ label: [Unicode.Scalar]) throws(InternationalHostProblem) {
  guard !label.starts(with: "xn--".unicodeScalars) else {
    throw InternationalHostProblem(message: "a label that begins with \"xn--\" can't contain non-ASCII characters")
  }
  var lastClass: UInt8 = 0
  for (index, scalar) in label.enumerated() where !scalar.isASCII {
    let properties = scalar.properties
    let combiningClass = properties.canonicalCombiningClass.rawValue
    defer { lastClass = combiningClass }
    // UTS 46 keeps ß and ς, which case folding would change.
    let isMapped = properties.changesWhenNFKCCaseFolded && scalar != "\u{DF}" && scalar != "\u{3C2}"
    let isOutOfOrder = combiningClass != 0 && combiningClass < lastClass
    if isMapped || isOutOfOrder || mayCompose(scalar) {
      throw InternationalHostProblem(
        message: "\(shown(scalar)) in the host has another form that name servers use; which one is not known here")
    }
    let isMark: Bool
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark: isMark = true
    case .lowercaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber: isMark = false
    default:
      guard properties.isEmoji else {
        throw InternationalHostProblem(message: "\(shown(scalar)) can't stand in a host name")
      }
      isMark = false
    }
    if properties.isDefaultIgnorableCodePoint || (index == 0 && isMark) {
      throw InternationalHostProblem(message: "\(shown(scalar)) can't stand there in a host name")
    }
  }
}

/// Returns whether a character may compose with the one before it: Unicode's NFC_Quick_Check=Maybe.
private func mayCompose(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x300...0x304, 0x306...0x30C, 0x30F, 0x311, 0x313, 0x314, 0x31B, 0x323...0x328, 0x32D, 0x32E, 0x330, 0x331,
    0x338, 0x342, 0x345, 0x653...0x655, 0x93C, 0x9BE, 0x9D7, 0xB3E, 0xB56, 0xB57, 0xBBE, 0xBD7, 0xC56, 0xCC2, 0xCD5,
    0xCD6, 0xD3E, 0xD57, 0xDCA, 0xDCF, 0xDDF, 0x102E, 0x1161...0x1175, 0x11A8...0x11C2, 0x1B35, 0x3099, 0x309A:
    true
  // The scripts above the basic plane whose marks compose (Kaithi, Chakma, Grantha, …) are rare: all their marks count.
  case 0x11000...0x11FFF, 0x16D00...0x16DFF: scalar.properties.generalCategory != .otherLetter
  default: false
  }
}

private func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
  default: false
  }
}

/// A slightly stricter form of the rule of RFC 5893, section 2.
private func checkDirection(_ label: [Unicode.Scalar]) throws(InternationalHostProblem) {
  guard let first = label.first, let last = label.last else { return }
  let isRight = label.contains(where: isRightToLeft)
  let hasDigits = label.contains { ("0"..."9").contains($0) }
  let hasArabicDigits = label.contains { (0x660...0x669).contains($0.value) }
  let isSound: Bool
  if isRight {
    isSound =
      isRightToLeft(first) && first.properties.generalCategory == .otherLetter && last != "-"
      && label.allSatisfy {
        isRightToLeft($0) || $0 == "-" || ("0"..."9").contains($0) || $0.properties.generalCategory == .nonspacingMark
      } && !(hasDigits && hasArabicDigits)
  } else {
    isSound = first.properties.isAlphabetic && last != "-"
  }
  guard isSound else {
    throw InternationalHostProblem(message: "a label of the host mixes writing directions")
  }
}
