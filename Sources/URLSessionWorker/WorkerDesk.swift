import HTTPMessages
import Synchronization
import URLSessionTransport
import WorkerProtocol

/// Takes requests from the channel and runs each in a task of its own.
final class WorkerDesk: Sendable {
  private let channel: FrameChannel
  private let transport = URLSessionTransport()
  private let tasks = Mutex<[UInt32: Task<Void, Never>]>([:])

  init(channel: FrameChannel) { self.channel = channel }

  /// Until the other side closes.
  func serve() {
    var unfinished: [UInt32: (request: WireRequest, body: [UInt8], length: Int)] = [:]
    while let frame = channel.receive() {
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
          entry.request.body = .bytes(entry.body)
          start(id, entry.request)
        }
      case .cancel(let id):
        unfinished[id] = nil
        tasks.withLock { $0[id] }?.cancel()
      case .started, .informational, .head, .body, .trailers, .done, .failed: return
      }
    }
  }

  private func start(_ id: UInt32, _ request: WireRequest) {
    tasks.withLock { tasks in
      tasks[id] = Task {
        // Not on the thread that reads: while both sides waited to send, neither would read.
        channel.send(.started(id))
        let answer: WorkerFrame
        do throws(TransportError) {
          answer = .done(id, try await transport.exchange(request, into: ChannelSink(id: id, channel: channel)))
        } catch {
          answer = .failed(id, error)
        }
        channel.send(answer)
        self.tasks.withLock { $0[id] = nil }
      }
    }
  }
}

/// Passes an answer on as it comes. Sending waits while `reqrun` takes nothing, so nothing piles up in between.
private struct ChannelSink: ResponseSink {
  let id: UInt32
  let channel: FrameChannel

  func receive(informational head: ResponseHead) {
    channel.send(.informational(id, head))
  }

  func receive(head: ResponseHead) -> SinkDecision {
    channel.send(.head(id, head)) ? .more : .stop
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    channel.send(.body(id, Array(chunk))) ? .more : .stop
  }

  func receive(trailers: HeaderFields) {
    channel.send(.trailers(id, trailers))
  }
}
