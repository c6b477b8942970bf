import HTTPSemantics

/// The bytes of a body follow its request in frames of their own; files are named in the request.
extension RequestBody {
  /// All bytes outside files, one after another.
  package var heldBytes: [UInt8] {
    switch self {
    case .bytes(let bytes): bytes
    case .pieces(let pieces):
      pieces.flatMap { piece -> [UInt8] in if case .bytes(let bytes) = piece { bytes } else { [] } }
    case .none, .stream, .upgrade: []
    }
  }

  /// Fills in the bytes of a decoded request.
  package mutating func fill(with bytes: [UInt8]) {
    guard case .pieces(let pieces) = self else {
      self = .bytes(bytes)
      return
    }
    var rest = bytes[...]
    self = .pieces(
      pieces.map { piece in
        guard case .bytes(let places) = piece else { return piece }
        defer { rest = rest.dropFirst(places.count) }
        return .bytes(Array(rest.prefix(places.count)))
      })
  }
}
