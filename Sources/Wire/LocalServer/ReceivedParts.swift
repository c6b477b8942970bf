import HTTPSemantics

/// A part of `multipart/form-data` (RFC 7578).
package struct ReceivedPart {
  package let name: String
  package let filename: String?
  package let contentType: String
  package let content: [UInt8]
}

/// The parts of a multipart body; what is malformed is left out.
package func multipartParts(_ body: [UInt8], boundary: String) -> [ReceivedPart] {
  // The boundary is limited (RFC 2046, section 5.1.1), since it is searched for at every byte.
  guard boundary.utf8.count <= 70 else { return [] }
  let delimiter = Array("\r\n--\(boundary)".utf8)
  let blankLine = Array("\r\n\r\n".utf8)
  // The first delimiter may be at the very start.
  let bytes = Array("\r\n".utf8) + body
  var starts: [Int] = []
  var position = 0
  while let found = offset(of: delimiter, in: bytes, from: position) {
    starts.append(found)
    position = found + delimiter.count
  }
  return zip(starts, starts.dropFirst()).compactMap { start, end in
    let from = start + delimiter.count
    guard let blank = offset(of: blankLine, in: bytes, from: from), blank + 4 <= end else { return nil }
    var headers: [String: String] = [:]
    for line in String(decoding: bytes[from..<blank], as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    let disposition = headers["content-disposition"] ?? ""
    guard let name = headerParameter("name", of: disposition) else { return nil }
    return ReceivedPart(
      name: name, filename: headerParameter("filename", of: disposition),
      contentType: headers["content-type"] ?? "application/octet-stream", content: Array(bytes[blank + 4..<end]))
  }
}

private func offset(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
  var index = start
  let last = bytes.count - pattern.count
  while index <= last {
    if bytes[index] == pattern[0], bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
    index += 1
  }
  return nil
}
