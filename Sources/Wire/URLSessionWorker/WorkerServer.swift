import Dispatch
import HTTPSemantics
import Synchronization
import URLSessionTransport
import WorkerTransport

/// Receives requests from the channel and performs them.
final class WorkerServer: Sendable {
  private let channel: FrameChannel
  private let transport = SessionTransport()
  private let exchanges = Mutex<[UInt32: SessionExchange]>([:])

  init(channel: FrameChannel) { self.channel = channel }

  /// Serves until the other side closes the channel.
  func serve() {
    channel.send(.ready)
    var reader = FrameReader(channel)
    var unfinished: [UInt32: (request: WireRequest, body: [UInt8], length: Int)] = [:]
    while case .frame(let frame) = reader.next() {
      switch frame {
      case .request(let id, let request, let bodyLength):
        if bodyLength == 0 {
          start(id, request)
        } else {
          unfinished[id] = (request, [], Int(bodyLength))
        }
      case .requestBody(let id, let bytes):
        guard var entry = unfinished.removeValue(forKey: id) else { continue }
        entry.body += bytes
        if entry.body.count < entry.length {
          unfinished[id] = entry
        } else {
          entry.request.body.fill(with: entry.body)
          start(id, entry.request)
        }
      case .cancel(let id):
        unfinished[id] = nil
        if let exchange = exchanges.withLock({ $0[id] }) {
          exchange.cancel(.cancelled)
        } else {
          channel.send(.released(id))
        }
      case .ready, .started, .sent, .informational, .head, .body, .trailers, .done, .failed, .ending, .released: return
      }
    }
  }

  private func start(_ id: UInt32, _ request: WireRequest) {
    let relay = ResponseRelay(id: id, channel: channel, isHead: request.method == .head)
    let onTaskEnd: @Sendable () -> Void = { [self] in
      exchanges.withLock { $0[id] = nil }
      channel.send(.released(id))
    }
    let exchange = SessionExchange(request, into: relay, onTaskEnd: onTaskEnd) { [self] result, task in
      relay.finish(result, task)
      guard case .ended = task else { return }
      exchanges.withLock { $0[id] = nil }
    }
    exchanges.withLock { $0[id] = exchange }
    guard !request.method.isSafe || !request.body.isEmpty else { return transport.start(exchange) }
    // Not on the reading thread: sending may wait for the other side, and reading a file takes time.
    DispatchQueue.global().async { [self] in
      if !request.method.isSafe { channel.send(.started(id)) }
      transport.start(exchange)
    }
  }
}
