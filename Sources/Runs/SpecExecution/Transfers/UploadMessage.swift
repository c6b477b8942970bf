import HTTPSemantics
import RequestSpecs
import Transfers

/// Makes the requests that carry a file.
struct UploadMessage: Sendable {
  let upload: ResolvedUpload
  let file: UploadedFile
  /// Their common request.
  let request: OutgoingRequest
  /// The ID of the upload for the server, if segments contain it.
  var uploadID = ""
  /// The size of all segments but the last; nil if they differ.
  var segmentSize: Int64?

  /// The file in one piece.
  var whole: OutgoingRequest {
    let range = 0..<file.size
    return upload.style == .multipart ? form([], range) : plain(range)
  }

  func segment(_ range: Range<Int64>) -> OutgoingRequest {
    var result = upload.style == .multipart ? form(texts(range), range) : plain(range)
    // No range can express an empty file.
    let hasRange = upload.style == .contentRange || upload.fields.isEmpty
    if hasRange, file.size > 0 {
      result.headers.append(
        "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)")
    }
    return result
  }

  private func plain(_ range: Range<Int64>) -> OutgoingRequest {
    var result = request
    result.body = .pieces([file.body(range)])
    return result
  }

  private func texts(_ range: Range<Int64>) -> [(name: String, value: String)] {
    let size = max(1, segmentSize ?? file.size)
    return upload.fields.map { field in
      let value =
        switch field.content {
        case .id: uploadID
        case .name: upload.name
        case .index: String(range.lowerBound / size)
        case .number: String(range.lowerBound / size + 1)
        case .count: String(max(1, (file.size - 1) / size + 1))
        case .offset: String(range.lowerBound)
        case .length: String(range.count)
        case .segmentSize: String(size)
        case .total: String(file.size)
        }
      return (field.name, value)
    }
  }

  private func form(_ texts: [(name: String, value: String)], _ range: Range<Int64>) -> OutgoingRequest {
    var parts = texts.map { MultipartPart(name: $0.name, content: .bytes(Array($0.value.utf8))) }
    parts.append(
      MultipartPart(
        name: upload.field, filename: upload.name, contentType: unknownMediaType, content: file.body(range)))
    var generator = SystemRandomNumberGenerator()
    let boundary = MultipartBody.boundary(for: parts) { generator.next() }
    var result = request
    result.headers.append("Content-Type", "multipart/form-data; boundary=\(boundary)")
    result.body = MultipartBody(parts: parts, boundary: boundary).body
    return result
  }
}
