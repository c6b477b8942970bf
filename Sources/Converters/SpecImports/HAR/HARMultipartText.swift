import DocumentQueries
import HTTPSemantics
import Values

/// The parts of a multipart body in text (RFC 7578).
enum HARMultipartText {
  /// Nil for anything but a complete form.
  static func parts(of body: String, type: String) -> [ImportedRequest.Part]? {
    guard let start = type.firstRange(of: "boundary=")?.upperBound else { return nil }
    let boundary = type[start...].prefix { $0 != ";" }.filter { $0 != "\"" }
    guard !boundary.isEmpty else { return nil }
    var parts: [ImportedRequest.Part] = []
    let lineBreak = body.contains("\r\n") ? "\r\n" : "\n"
    let pieces = body.split(separator: "--\(boundary)", omittingEmptySubsequences: false)
    for piece in pieces.dropFirst() {
      if piece.hasPrefix("--") { return parts }
      guard let headEnd = piece.firstRange(of: lineBreak + lineBreak) else { return nil }
      let head = piece[..<headEnd.lowerBound]
      guard let name = parameter("name", of: head) else { return nil }
      let content = piece[headEnd.upperBound...]
      var part = ImportedRequest.Part(
        name: ImportedText(name),
        content: .text(ImportedText(String(content.hasSuffix(lineBreak) ? content.dropLast() : content))))
      let line = head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("content-type:") }
      part.type = line.map { ImportedText(String($0.dropFirst("content-type:".count)).trimmed) }
      if let filename = parameter("filename", of: head) {
        part.filename = ImportedText(filename)
        // Browsers leave out the contents of files.
        if content.allSatisfy(\.isWhitespace), !filename.isEmpty {
          part.content = .file(ImportedText(filename))
          part.filename = nil
        }
      }
      parts.append(part)
    }
    return nil
  }

  private static func parameter(_ name: String, of head: Substring) -> String? {
    guard let start = head.firstRange(of: "; \(name)=\"") else { return nil }
    return String(head[start.upperBound...].prefix { $0 != "\"" }).replacing("%22", with: "\"")
  }
}
