/// The code point of a character, as `U+00A0`.
package func codePoint(_ value: UInt32) -> String { "U+" + hexadecimal(value, digits: 4).uppercased() }

/// A character that looks like another one, as `U+00A0 (no-break space)`.
package func characterName(_ scalar: Unicode.Scalar) -> String {
  let code = codePoint(scalar.value)
  let controls: [Unicode.Scalar: String] = ["\t": "tab", "\n": "line feed", "\r": "carriage return"]
  guard let name = controls[scalar] ?? scalar.properties.name ?? scalar.properties.nameAlias else { return code }
  return "\(code) (\(name.lowercased()))"
}

/// The first character of a word that is invisible, or only looks like a Latin letter.
package func misleadingCharacter(in word: String) -> (scalar: Unicode.Scalar, lookalike: String?)? {
  for scalar in word.unicodeScalars where scalar.value > 0x7F {
    if isInvisible(scalar) { return (scalar, nil) }
    if let letter = lookalikes[scalar] { return (scalar, letter) }
  }
  return nil
}

/// A word with look-alikes replaced by Latin letters, and without invisible characters.
package func plainLooking(_ word: String) -> String {
  var result = ""
  for scalar in word.unicodeScalars where scalar.value <= 0x7F || !isInvisible(scalar) {
    if let letter = lookalikes[scalar] { result += letter } else { result.unicodeScalars.append(scalar) }
  }
  return result
}

/// Cyrillic and Greek letters, full-width letters, dashes and colons that look like those of ASCII.
private let lookalikes: [Unicode.Scalar: String] = {
  var letters: [Unicode.Scalar: String] = [:]
  let pairs: [(String, String)] = [
    ("авсԁеһіјӏорԛѕԝхуАВСЕНІЈКМОРЅТХҮ", "abcdehijlopqswxyABCEHIJKMOPSTXY"),
    ("αονικρυγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aovikpuyABEZHIKMNOPTYX"), ("ıɡ", "ig"), ("‐‑‒–—−", "------"), ("：", ":"), ("＿", "_"),
  ]
  for (foreign, latin) in pairs {
    for (from, to) in zip(foreign.unicodeScalars, latin) { letters[from] = String(to) }
  }
  for value in UInt32(0xFF21)...0xFF5A {
    guard let scalar = Unicode.Scalar(value), let ascii = Unicode.Scalar(value - 0xFEE0) else { continue }
    letters[scalar] = String(Character(ascii))
  }
  return letters
}()
