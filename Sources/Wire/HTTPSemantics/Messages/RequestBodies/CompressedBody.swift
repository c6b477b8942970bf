import OperatingSystem

/// The content codings for a request's body (RFC 9110, section 8.4.1).
package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
  case gzip, deflate

  var format: CompressionFormat {
    switch self {
    case .gzip: .gzip
    // In HTTP this means the zlib format.
    case .deflate: .zlib
    }
  }
}

/// A body that is compressed while it is sent.
package struct CompressedBody: BodySource {
  package let body: RequestBody
  package let coding: ContentCoding

  package init(_ body: RequestBody, _ coding: ContentCoding) {
    self.body = body
    self.coding = coding
  }

  package func produce(_ take: (UnsafeRawBufferPointer) -> Bool) throws(TransportError) {
    var reader = try RequestBodyReader(body)
    var compressor = Compressor(coding.format)
    var goesOn = true
    try reader.readAll { piece in
      goesOn = compressor.compress(piece, take)
      return goesOn
    }
    if goesOn { _ = compressor.finish(take) }
  }
}

extension RequestBody {
  /// The body in that coding: bytes are compressed now, files while they are sent.
  package func coded(_ coding: ContentCoding) -> RequestBody {
    switch self {
    case .none: .none
    case .bytes(let bytes): .bytes(compressed(bytes, coding.format))
    case .pieces, .stream, .upgrade: .stream(CompressedBody(self, coding))
    }
  }
}
