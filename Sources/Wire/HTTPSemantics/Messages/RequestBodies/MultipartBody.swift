import Values

package struct MultipartPart: Sendable, Hashable {
  package var name: String
  package var filename: String?
  package var contentType: String?
  package var content: BodyPiece

  package init(name: String, filename: String? = nil, contentType: String? = nil, content: BodyPiece) {
    self.name = name
    self.filename = filename
    self.contentType = contentType
    self.content = content
  }

  /// The header before the part's content.
  package var head: String {
    var lines = "Content-Disposition: form-data; name=\"\(escapedForDisposition(name))\""
    if let filename { lines += "; filename=\"\(escapedForDisposition(filename))\"" }
    lines += "\r\n"
    if let contentType { lines += "Content-Type: \(contentType)\r\n" }
    return lines + "\r\n"
  }
}

/// The body of `multipart/form-data` (RFC 7578): its parts in their order, with files read later.
package struct MultipartBody: Sendable {
  package let parts: [MultipartPart]
  package let boundary: String

  package init(parts: [MultipartPart], boundary: String) {
    self.parts = parts
    self.boundary = boundary
  }

  package var body: RequestBody {
    let pieces = pieces
    if pieces.count == 1, case .bytes(let bytes) = pieces[0] { return .bytes(bytes) }
    return .pieces(pieces)
  }

  package var pieces: [BodyPiece] {
    var pieces: [BodyPiece] = []
    var text: [UInt8] = []
    for (index, part) in parts.enumerated() {
      text += Array("\(index > 0 ? "\r\n" : "")--\(boundary)\r\n\(part.head)".utf8)
      switch part.content {
      case .bytes(let bytes): text += bytes
      case .file:
        pieces += [.bytes(text), part.content]
        text = []
      }
    }
    // Browsers end an empty form like this, too.
    text += Array("\(parts.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)
    return pieces + [.bytes(text)]
  }

  /// A boundary that doesn't occur in any part: checked for bytes in memory, and improbable in files by its 128 random
  /// bits.
  package static func boundary(for parts: [MultipartPart], random: () -> UInt64) -> String {
    while true {
      let boundary = "reqrun-" + hexadecimal(random(), digits: 16) + hexadecimal(random(), digits: 16)
      if !parts.contains(where: { $0.contains(boundary) }) { return boundary }
    }
  }

  /// Returns whether a user's boundary occurs in the bytes in memory.
  package static func boundaryOccurs(_ boundary: String, in parts: [MultipartPart]) -> Bool {
    parts.contains { $0.contains(boundary) }
  }
}

extension MultipartPart {
  fileprivate func contains(_ boundary: String) -> Bool {
    let pattern = Array("--\(boundary)".utf8)
    if occurs(pattern, in: Array(head.utf8)) { return true }
    if case .bytes(let bytes) = content { return occurs(pattern, in: bytes) }
    return false
  }
}

private func occurs(_ pattern: [UInt8], in bytes: [UInt8]) -> Bool {
  guard bytes.count >= pattern.count else { return false }
  return bytes.withUnsafeBufferPointer { bytes in
    pattern.withUnsafeBufferPointer { pattern in
      (0...bytes.count - pattern.count).contains { start in
        bytes[start] == pattern[0] && bytes[start + 2] == pattern[2]
          && (1..<pattern.count).allSatisfy { bytes[start + $0] == pattern[$0] }
      }
    }
  }
}

/// A name or file name as browsers write it between quotes: `"`, CR and LF percent-encoded, the rest unchanged.
package func escapedForDisposition(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x0D || $0 == 0x0A }) else { return text }
  var result: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case 0x22: result += Array("%22".utf8)
    case 0x0D: result += Array("%0D".utf8)
    case 0x0A: result += Array("%0A".utf8)
    default: result.append(byte)
    }
  }
  return String(decoding: result, as: UTF8.self)
}

/// Returns whether a text can be the boundary of a multipart body (RFC 2046, section 5.1.1).
package func isBoundary(_ text: String) -> Bool {
  (1...70).contains(text.utf8.count) && text.utf8.last != 0x20
    && text.utf8.allSatisfy { byte in
      isAlphanumeric(byte) || "'()+_,-./:=? ".utf8.contains(byte)
    }
}
