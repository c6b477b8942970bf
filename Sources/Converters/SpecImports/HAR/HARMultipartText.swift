import DocumentQueries
import HTTPSemantics
import Values

/// The parts of a multipart body in text (RFC 7578).
enum HARMultipartText {
  /// Nil for anything but a complete form.
  static func parts(of body: String, type: String) -> [ImportedRequest.Part]? {
    let boundary = ContentDisposition(parsing: type)["boundary"] ?? ""
    guard !boundary.isEmpty else { return nil }
    var parts: [ImportedRequest.Part] = []
    let lineBreak = body.contains("\r\n") ? "\r\n" : "\n"
    let pieces = body.split(separator: "--\(boundary)", omittingEmptySubsequences: false)
    for piece in pieces.dropFirst() {
      if piece.hasPrefix("--") { return parts }
      guard let headEnd = piece.firstRange(of: lineBreak + lineBreak) else { return nil }
      func header(_ name: String) -> String? {
        piece[..<headEnd.lowerBound].split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix(name) }
          .map { String($0.dropFirst(name.count)).trimmed }
      }
      let disposition = ContentDisposition(parsing: header("content-disposition:") ?? "")
      guard let name = disposition["name"]?.replacing("%22", with: "\"") else { return nil }
      let content = piece[headEnd.upperBound...]
      var part = ImportedRequest.Part(
        name: ImportedText(name),
        content: .text(ImportedText(String(content.hasSuffix(lineBreak) ? content.dropLast() : content))))
      part.type = header("content-type:").map { ImportedText($0) }
      if let filename = disposition["filename"]?.replacing("%22", with: "\"") {
        part.filename = ImportedText(filename)
        // Browsers leave out the contents of files.
        if content.allSatisfy(\.isWhitespace) {
          part.content = .file(ImportedText(filename))
          part.filename = nil
        }
      }
      parts.append(part)
    }
    return nil
  }

  /// The parts of a body that isn't all text, with the bytes of those that are none.
  static func parts(of bytes: [UInt8], type: String) -> [(part: ImportedRequest.Part, content: [UInt8]?)]? {
    // A character for each byte.
    let body = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    func original(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
    func decoded(_ text: ImportedText) -> ImportedText {
      ImportedText(String(decoding: original(text.literal ?? ""), as: UTF8.self))
    }
    return parts(of: body, type: type)?.map { part in
      var part = part
      part.name = decoded(part.name)
      part.filename = part.filename.map(decoded)
      guard case .text(let text) = part.content else { return (part, nil) }
      let content = original(text.literal ?? "")
      if String(validating: content, as: UTF8.self) == nil { return (part, content) }
      part.content = .text(decoded(text))
      return (part, nil)
    }
  }
}
