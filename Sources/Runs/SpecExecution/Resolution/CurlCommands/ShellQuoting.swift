import Values

/// A word for a POSIX shell, always on one line; if it contains characters that a terminal or a CI runner would
/// interpret or hide, for a shell that supports `$'…'`.
package func quotedForShell(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || "-_./:=@%+,".utf8.contains(byte)
  }
  if isPlain, !text.isEmpty { return text }
  if text.unicodeScalars.contains(where: needsEscape) || text.contains("##") { return "$'" + escaped(text) + "'" }
  return "'" + text.replacing("'", with: "'\\''") + "'"
}

private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
  isInvisible(scalar) && scalar.properties.generalCategory != .spaceSeparator
}

private func escaped(_ text: String) -> String {
  var result = ""
  var previous: Unicode.Scalar?
  for scalar in text.unicodeScalars {
    defer { previous = scalar }
    switch scalar {
    case "'": result += "\\'"
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _ where needsEscape(scalar) || (scalar == "#" && previous == "#"):
      for byte in String(scalar).utf8 {
        let code = String(byte, radix: 16)
        result += "\\x" + (code.utf8.count < 2 ? "0" + code : code)
      }
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
