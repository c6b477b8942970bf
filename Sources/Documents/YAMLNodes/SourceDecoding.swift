struct CharacterProblem {
  let message: String
  let bytes: Range<Int>
  var help: String?
}

/// The file as UTF-8 without a byte order mark: UTF-16 is transcoded if it begins with one.
func decodedUTF8(_ bytes: [UInt8]) -> (utf8: [UInt8], problems: [CharacterProblem]) {
  if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (Array(bytes.dropFirst(3)), []) }
  if let kind = binaryKind(bytes) {
    let help = kind.hasPrefix("compressed") || kind.hasSuffix("archive") ? "unpack it" : "name a file of YAML or JSON"
    return ([], [CharacterProblem(message: "the file is \(kind), not text", bytes: 0..<0, help: help)])
  }
  let isLittleEndian = bytes.starts(with: [0xFF, 0xFE])
  guard isLittleEndian || bytes.starts(with: [0xFE, 0xFF]) else {
    // Each second byte of Latin letters is 0.
    guard bytes.count > 3, (bytes[0] == 0) != (bytes[1] == 0), (bytes[2] == 0) != (bytes[3] == 0) else {
      return (bytes, [])
    }
    return (
      [],
      [
        CharacterProblem(
          message: "the file is UTF-16 without a byte order mark", bytes: 0..<0, help: "save it as UTF-8")
      ]
    )
  }
  if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
    return ([], [CharacterProblem(message: "the file is UTF-32", bytes: 0..<0, help: "save it as UTF-8")])
  }
  var units: [UInt16] = []
  units.reserveCapacity(bytes.count / 2)
  for index in stride(from: 2, to: bytes.count - 1, by: 2) {
    let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
    units.append(isLittleEndian ? second << 8 | first : first << 8 | second)
  }
  var problems: [CharacterProblem] = []
  var utf8: [UInt8] = []
  utf8.reserveCapacity(units.count)
  var decoder = UTF16()
  var iterator = units.makeIterator()
  while true {
    switch decoder.decode(&iterator) {
    case .scalarValue(let scalar):
      utf8.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      continue
    case .error:
      problems.append(
        CharacterProblem(
          message: "invalid UTF-16: half of a surrogate pair", bytes: utf8.count..<utf8.count + 3,
          help: "save the file as UTF-8"))
      utf8.append(contentsOf: UTF8.encodedReplacementCharacter)
      if problems.count < problemLimit { continue }
    case .emptyInput:
      break
    }
    break
  }
  if bytes.count % 2 == 1, problems.isEmpty {
    problems.append(
      CharacterProblem(
        message: "invalid UTF-16: the file ends within a character", bytes: utf8.count..<utf8.count,
        help: "save the file as UTF-8"))
  }
  return (utf8, problems)
}

/// The kind of a file that is not text, by its first bytes.
private func binaryKind(_ bytes: [UInt8]) -> String? {
  if bytes.starts(with: [0x1F, 0x8B]) { return "compressed by gzip" }
  if bytes.starts(with: [0x50, 0x4B, 3, 4]) { return "a ZIP archive" }
  if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return "compressed by zstd" }
  if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "a PNG image" }
  return bytes.starts(with: "%PDF-".utf8) ? "a PDF document" : nil
}

private let problemLimit = 10

/// Invalid UTF-8 and characters that YAML doesn't allow, the first of each kind per line.
func characterProblems(_ utf8: [UInt8]) -> [CharacterProblem] {
  utf8.withUnsafeBufferPointer { bytes in
    var problems: [CharacterProblem] = []
    var index = 0
    while index < bytes.count, problems.count < problemLimit {
      let byte = bytes[index]
      if byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x0D || byte == 0x09 {
        index += 1
        continue
      }
      let length = scalarLength(bytes, at: index)
      guard length > 0 else {
        problems.append(
          CharacterProblem(
            message: "invalid UTF-8: the byte 0x\(hexadecimal(UInt32(byte), digits: 2)) stands in no character here",
            bytes: index..<index + 1, help: "save the file as UTF-8"))
        // One report for a run of bytes: a file in another encoding has thousands.
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
        continue
      }
      if let problem = characterProblem(bytes, at: index, length: length) { problems.append(problem) }
      index += length
    }
    return problems
  }
}

private func characterProblem(
  _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, length: Int
) -> CharacterProblem? {
  let range = index..<index + length
  let code: UInt32
  switch length {
  case 1: code = UInt32(bytes[index])
  case 2: code = UInt32(bytes[index] & 0x1F) << 6 | UInt32(bytes[index + 1] & 0x3F)
  case 3:
    code = UInt32(bytes[index] & 0x0F) << 12 | UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
  default: return nil
  }
  let name = "U+" + hexadecimal(code, digits: 4)
  let escape = code < 0x100 ? "\\x" + hexadecimal(code, digits: 2) : "\\u" + hexadecimal(code, digits: 4)
  switch code {
  case 0:
    return CharacterProblem(
      message: "a file must not hold the control character U+0000", bytes: range,
      help: "if this is UTF-16, save it as UTF-8; in double quotes the character is written `\\0`")
  case 0x01...0x1F, 0x7F, 0x80...0x84, 0x86...0x9F, 0xFFFE, 0xFFFF:
    return CharacterProblem(
      message: "YAML does not allow the control character \(name)", bytes: range,
      help: "in double quotes it is written `\(escape)`")
  case 0x85, 0x2028, 0x2029:
    // A line break in YAML 1.1 and libyaml, text in YAML 1.2: neither reading would be what was meant.
    return CharacterProblem(
      message: "the invisible line separator \(name) is not read alike by all YAML readers", bytes: range,
      help: "remove it; in double quotes it is written `\(escape)`")
  default: return nil
  }
}

/// The length of the well-formed UTF-8 sequence at an index (Unicode, table 3-7); 0 if there is none.
private func scalarLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
  func isContinuation(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
    index + offset < bytes.count && range.contains(bytes[index + offset])
  }
  switch bytes[index] {
  case 0x00...0x7F: return 1
  case 0xC2...0xDF: return isContinuation(1) ? 2 : 0
  case 0xE0: return isContinuation(1, 0xA0...0xBF) && isContinuation(2) ? 3 : 0
  case 0xED: return isContinuation(1, 0x80...0x9F) && isContinuation(2) ? 3 : 0
  case 0xE1...0xEF: return isContinuation(1) && isContinuation(2) ? 3 : 0
  case 0xF0: return isContinuation(1, 0x90...0xBF) && isContinuation(2) && isContinuation(3) ? 4 : 0
  case 0xF1...0xF3: return isContinuation(1) && isContinuation(2) && isContinuation(3) ? 4 : 0
  case 0xF4: return isContinuation(1, 0x80...0x8F) && isContinuation(2) && isContinuation(3) ? 4 : 0
  default: return 0
  }
}

/// Upper-case hexadecimal with leading zeros.
func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
