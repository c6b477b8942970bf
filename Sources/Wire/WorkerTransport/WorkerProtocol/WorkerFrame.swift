import HTTPSemantics

/// The messages between `reqrun` and its URLSession worker. Each frame names its exchange by a number.
package enum WorkerFrame: Sendable {
  // From reqrun.

  /// Starts an exchange. The bytes of its body follow as `requestBody`, `bodyLength` in total; a file is named in the
  /// request.
  case request(UInt32, WireRequest, bodyLength: Int64)
  case requestBody(UInt32, [UInt8])
  case cancel(UInt32)

  // From the worker.

  /// The worker is ready.
  case ready
  /// A request whose method isn't safe is about to be sent: before this message, it certainly was not.
  case started(UInt32)
  /// The number of bytes of the request's body sent so far.
  case sent(UInt32, Int64)
  case informational(UInt32, ResponseHead)
  case head(UInt32, ResponseHead)
  case body(UInt32, [UInt8])
  case trailers(UInt32, HeaderFields)
  case done(UInt32, ExchangeSummary)
  case failed(UInt32, TransportError)
  /// The exchange ends before its task: its result follows, and `released` once the task has ended.
  case ending(UInt32)
  /// Nothing of the exchange is left; also the reply to `cancel`.
  case released(UInt32)

  fileprivate func encode(into encoder: inout FrameEncoder) {
    switch self {
    case .request(let id, let request, let bodyLength):
      encoder.begin(0, id)
      encoder.put(request)
      encoder.put(bodyLength)
    case .requestBody(let id, let bytes):
      encoder.begin(1, id)
      encoder.put(bytes)
    case .cancel(let id): encoder.begin(2, id)
    case .started(let id): encoder.begin(3, id)
    case .head(let id, let head):
      encoder.begin(4, id)
      encoder.put(head)
    case .body(let id, let bytes):
      encoder.begin(5, id)
      encoder.put(bytes)
    case .trailers(let id, let fields):
      encoder.begin(6, id)
      encoder.put(fields)
    case .done(let id, let summary):
      encoder.begin(7, id)
      encoder.put(summary)
    case .failed(let id, let error):
      encoder.begin(8, id)
      encoder.put(error)
    case .informational(let id, let head):
      encoder.begin(9, id)
      encoder.put(head)
    case .ready: encoder.begin(10, 0)
    case .ending(let id): encoder.begin(11, id)
    case .released(let id): encoder.begin(12, id)
    case .sent(let id, let count):
      encoder.begin(13, id)
      encoder.put(count)
    }
  }

  /// Nil if the bytes aren't a valid frame.
  init?(from decoder: inout FrameDecoder) {
    guard let kind = decoder.number(UInt8.self), let id = decoder.number(UInt32.self) else { return nil }
    switch kind {
    case 0:
      guard let request = decoder.request(), let length = decoder.number(Int64.self) else { return nil }
      self = .request(id, request, bodyLength: length)
    case 1:
      guard let bytes = decoder.byteString() else { return nil }
      self = .requestBody(id, bytes)
    case 2: self = .cancel(id)
    case 3: self = .started(id)
    case 4:
      guard let head = decoder.head() else { return nil }
      self = .head(id, head)
    case 5:
      guard let bytes = decoder.byteString() else { return nil }
      self = .body(id, bytes)
    case 6:
      guard let fields = decoder.headers() else { return nil }
      self = .trailers(id, fields)
    case 7:
      guard let summary = decoder.summary() else { return nil }
      self = .done(id, summary)
    case 8:
      guard let error = decoder.error() else { return nil }
      self = .failed(id, error)
    case 9:
      guard let head = decoder.head() else { return nil }
      self = .informational(id, head)
    case 10: self = .ready
    case 11: self = .ending(id)
    case 12: self = .released(id)
    case 13:
      guard let count = decoder.number(Int64.self) else { return nil }
      self = .sent(id, count)
    default: return nil
    }
  }
}

extension FrameEncoder {
  package mutating func append(_ frame: WorkerFrame) { self.frame { frame.encode(into: &$0) } }

  /// Appends ``WorkerFrame/requestBody(_:_:)`` without copying the bytes first.
  package mutating func append(requestBody bytes: UnsafeRawBufferPointer, of id: UInt32) {
    frame { encoder in
      encoder.begin(1, id)
      encoder.put(bytes)
    }
  }

  /// Appends ``WorkerFrame/body(_:_:)`` without copying the bytes first.
  package mutating func append(body bytes: UnsafeRawBufferPointer, of id: UInt32) {
    frame { encoder in
      encoder.begin(5, id)
      encoder.put(bytes)
    }
  }

  fileprivate mutating func begin(_ kind: UInt8, _ id: UInt32) {
    put(kind)
    put(id)
  }
}
