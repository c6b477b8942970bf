import HTTPSemantics
import Values

extension ResolvedBody {
  /// The body as it is sent, without the secrets that are known to be in it; nil if it has files and is larger than
  /// ``BodyReference/wholeLimit``, or can't be read.
  var reportedBytes: [UInt8]? {
    let body: RequestBody
    switch self {
    case .none: return nil
    case .text(let text): return Array(text.masked.utf8)
    case .data(let data): return data.isSecret ? Array(Text.mask.utf8) : data.bytes
    case .file(let file): body = .pieces([.file(file.range)])
    case .multipart(let parts, let boundary):
      body = MultipartBody(parts: parts.map(\.reported), boundary: boundary).body
    }
    guard let length = body.length, length <= BodyReference.wholeLimit else { return nil }
    var bytes: [UInt8] = []
    do throws(TransportError) {
      var reader = try RequestBodyReader(body)
      try reader.readAll {
        bytes += $0
        return true
      }
    } catch {
      return nil
    }
    return bytes
  }
}

extension ResolvedPart {
  fileprivate var reported: MultipartPart {
    let piece: BodyPiece =
      switch content {
      case .text(let text): .bytes(Array(text.masked.utf8))
      case .data(let data): .bytes(data.isSecret ? Array(Text.mask.utf8) : data.bytes)
      case .file(let file): .file(file.range)
      }
    return MultipartPart(
      name: name.masked, filename: filename?.masked, contentType: type?.masked, content: piece)
  }
}
