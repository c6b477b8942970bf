import HTTPSemantics
import Values

/// A request's body with its secrets marked.
package enum ResolvedBody: Sendable {
  case none
  case text(Text)
  case data(Bytes)
  case file(ResolvedFile)
  case multipart([ResolvedPart], boundary: String)

  /// The form that is sent, unless it is compressed.
  package var plain: RequestBody {
    switch self {
    case .none: .none
    case .text(let text): .bytes(Array(text.string.utf8))
    case .data(let data): .bytes(data.bytes)
    case .file(let file): .pieces([.file(file.range)])
    case .multipart(let parts, let boundary): MultipartBody(parts: parts.map(\.plain), boundary: boundary).body
    }
  }
}

/// A file in its state when the request was made.
package struct ResolvedFile: Sendable {
  /// The absolute path.
  package let path: Text
  package let range: FileRange

  package init(path: Text, range: FileRange) {
    (self.path, self.range) = (path, range)
  }

  /// The last component of its path.
  package var name: Text {
    guard let slash = path.string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return path.dropping(first: path.string.utf8.distance(from: path.string.utf8.startIndex, to: slash) + 1)
  }

  /// The replacement of its content for display.
  package var shown: String { "(\(range.length) bytes of \(path.masked))" }
}

package struct ResolvedPart: Sendable {
  package enum Content: Sendable {
    case text(Text)
    case data(Bytes)
    case file(ResolvedFile)
  }

  package let name: Text
  package let content: Content
  package let filename: Text?
  package let type: Text?

  package init(name: Text, content: Content, filename: Text?, type: Text?) {
    (self.name, self.content, self.filename, self.type) = (name, content, filename, type)
  }

  /// The replacement of its content for display.
  package var shownContent: String {
    switch content {
    case .text(let text): text.string.utf8.contains(0) ? "(\(text.string.utf8.count) bytes)" : text.masked
    case .data(let data): "(\(data.bytes.count) bytes)"
    case .file(let file): file.shown
    }
  }

  package var isSecret: Bool {
    let own =
      switch content {
      case .text(let text): text.isSecret
      case .data(let data): data.isSecret
      case .file(let file): file.path.isSecret
      }
    return own || name.isSecret || filename?.isSecret ?? false || type?.isSecret ?? false
  }

  /// The form that is sent.
  package var plain: MultipartPart {
    let piece: BodyPiece =
      switch content {
      case .text(let text): .bytes(Array(text.string.utf8))
      case .data(let data): .bytes(data.bytes)
      case .file(let file): .file(file.range)
      }
    return MultipartPart(name: name.string, filename: filename?.string, contentType: type?.string, content: piece)
  }
}
