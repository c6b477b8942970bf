import Values

/// A parsed `Content-Disposition` (RFC 6266).
///
/// As lenient as browsers: unreadable parts are left out.
package struct ContentDisposition: Sendable {
  /// The type in lower case, such as `attachment`; empty if there is none.
  package private(set) var type = ""
  /// Parameters with names in lower case, quotes removed. The first of duplicates counts.
  package private(set) var parameters: [(name: String, value: String)] = []

  /// The file name that the server suggests: `filename*` if it is readable, else `filename`. It may be any text.
  package var fileName: String? {
    self["filename*"].flatMap(extendedValue) ?? self["filename"]
  }

  package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  package init(parsing text: String) {
    // Byte by byte: a delimiter may be the base of a character with combining marks.
    var rest = Array(text.utf8)[...]
    var isFirst = true
    while !rest.isEmpty {
      let name = trimmedText(rest.prefix { $0 != equals && $0 != semicolon }).lowercased()
      rest = rest.drop { $0 != equals && $0 != semicolon }
      if rest.first == equals {
        rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        let value = rest.first == quote ? quotedValue(&rest) : trimmedText(rest.prefix { $0 != semicolon })
        if !name.isEmpty, !value.isEmpty, self[name] == nil { parameters.append((name, value)) }
      } else if isFirst {
        type = name
      }
      isFirst = false
      rest = rest.drop { $0 != semicolon }.dropFirst()
    }
  }
}

private let equals = UInt8(ascii: "=")
private let semicolon = UInt8(ascii: ";")
private let quote = UInt8(ascii: "\"")

private func trimmedText(_ bytes: ArraySlice<UInt8>) -> String {
  trimmingBlanks(String(decoding: bytes, as: UTF8.self)[...])
}

/// Reads a quoted string without its quotes and backslashes (RFC 9110, section 5.6.4); an unterminated one goes to the
/// end.
private func quotedValue(_ rest: inout ArraySlice<UInt8>) -> String {
  var value: [UInt8] = []
  rest = rest.dropFirst()
  while let byte = rest.popFirst(), byte != quote {
    if byte != UInt8(ascii: "\\") {
      value.append(byte)
    } else if let escaped = rest.popFirst() {
      value.append(escaped)
    }
  }
  return String(decoding: value, as: UTF8.self)
}

/// The decoded value of a text like `UTF-8''na%C3%AFve` (RFC 8187); nil for other charsets and forms.
private func extendedValue(_ text: String) -> String? {
  let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
  guard parts.count == 3 else { return nil }
  let encoded = Array(parts[2].utf8)
  for (index, byte) in encoded.enumerated() where byte == UInt8(ascii: "%") {
    guard index + 2 < encoded.count, hexDigitValue(encoded[index + 1]) != nil, hexDigitValue(encoded[index + 2]) != nil
    else { return nil }
  }
  let bytes = percentDecodedBytes(encoded)
  switch parts[0].lowercased() {
  case "utf-8", "utf8": return String(decoding: bytes, as: UTF8.self)
  case "iso-8859-1":
    // The control characters from 0x80 on aren't text.
    return String(
      String.UnicodeScalarView(bytes.map { (0x80..<0xA0).contains($0) ? Unicode.Scalar(0x3F) : Unicode.Scalar($0) }))
  default: return nil
  }
}
