import LocalServer
import RequestSpecs

extension ServerResponse {
  /// The response with something that goes wrong.
  func with(_ fault: MockSpec.Fault) -> ServerResponse {
    var result = self
    switch fault {
    case .empty: result.fault = .close
    case .reset: result.fault = .reset
    case .truncated:
      let bytes = bodyBytes
      let half = Array(bytes.prefix(bytes.count / 2))
      result.body = .live(length: max(1, bytes.count)) { isFirst in
        isFirst && !half.isEmpty ? .bytes(half) : .end
      }
    case .slow:
      let pieces = SlowBody(bodyBytes)
      result.body = .live { _ in pieces.next() }
    }
    return result
  }

  private var bodyBytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }
}

/// A body in pieces, over some seconds.
// Read by its connection's thread alone.
private final class SlowBody: @unchecked Sendable {
  private var rest: ArraySlice<UInt8>
  private let size: Int

  private static let count = 20

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
    size = max(1, (bytes.count + SlowBody.count - 1) / SlowBody.count)
  }

  func next() -> LivePiece {
    if rest.isEmpty { return .end }
    defer { rest = rest.dropFirst(size) }
    return .bytesAfter(.milliseconds(5_000 / SlowBody.count), Array(rest.prefix(size)))
  }
}
