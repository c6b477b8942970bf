/// A word for a POSIX shell; with characters that a terminal would obey or hide, for one that knows `$'…'`.
package func quotedForShell(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || "-_./:=@%+,".utf8.contains(byte)
  }
  if isPlain, !text.isEmpty { return text }
  if text.unicodeScalars.contains(where: needsEscape) { return "$'" + escaped(text) + "'" }
  return "'" + text.replacing("'", with: "'\\''") + "'"
}

private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
  if scalar == "\n" || scalar == "\t" { return false }
  if scalar.value < 0x20 || (scalar.value >= 0x7F && scalar.value < 0xA0) { return true }
  guard scalar.value > 0x7F else { return false }
  switch scalar.properties.generalCategory {
  case .format, .lineSeparator, .paragraphSeparator: return true
  default: return false
  }
}

private func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "'": result += "\\'"
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _ where needsEscape(scalar):
      for byte in String(scalar).utf8 {
        let code = String(byte, radix: 16)
        result += "\\x" + (code.utf8.count < 2 ? "0" + code : code)
      }
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
