import Digests
import HTTPMessages
import Synchronization

/// What of a body is worth keeping.
struct BodyInterest: Sendable {
  /// Whether an assertion, a capture or a report reads the body as a whole.
  var keepsBytes = false
  var digests: Set<DigestAlgorithm> = []
}

/// Takes an answer: counts and hashes its body, keeps a preview, and the whole only where something asks for it.
///
/// Up to 8 MiB stay in memory, more goes to a file without a name.
final class ResponseCollector: ResponseSink {
  private struct State: ~Copyable {
    var head: ResponseHead?
    var count: Int64 = 0
    var preview: [UInt8] = []
    var bytes: [UInt8] = []
    var spill: Int32 = -1
    var sha256: IncrementalDigest?
    var md5: IncrementalDigest?
    var storageFailed = false
  }

  static let memoryLimit = 8 << 20
  static let previewLimit = 64 << 10

  private let interest: BodyInterest
  private let state: Mutex<State>

  init(_ interest: BodyInterest) {
    self.interest = interest
    var state = State()
    if interest.digests.contains(.sha256) { state.sha256 = IncrementalDigest(.sha256) }
    if interest.digests.contains(.md5) { state.md5 = IncrementalDigest(.md5) }
    self.state = Mutex(state)
  }

  deinit {
    let descriptor = state.withLock { $0.spill }
    if descriptor >= 0 { closeDescriptor(descriptor) }
  }

  func receive(head: ResponseHead) -> SinkDecision {
    state.withLock { state in
      state.head = head
      state.count = 0
      state.preview = []
      state.bytes = []
    }
    return .more
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    state.withLock { state in
      state.count += Int64(chunk.count)
      if state.preview.count < ResponseCollector.previewLimit {
        state.preview.append(contentsOf: chunk.prefix(ResponseCollector.previewLimit - state.preview.count))
      }
      state.sha256?.update(chunk)
      state.md5?.update(chunk)
      if interest.keepsBytes { store(chunk, &state) }
    }
    return .more
  }

  private func store(_ chunk: UnsafeRawBufferPointer, _ state: inout State) {
    if state.spill < 0, state.bytes.count + chunk.count <= ResponseCollector.memoryLimit {
      state.bytes.append(contentsOf: chunk)
      return
    }
    if state.spill < 0 {
      state.spill = openUnlinkedFile()
      state.storageFailed = state.spill < 0 || !state.bytes.withUnsafeBytes { writeAll($0, to: state.spill) }
      state.bytes = []
    }
    if !state.storageFailed, !writeAll(chunk, to: state.spill) { state.storageFailed = true }
  }

  var count: Int64 { state.withLock { $0.count } }
  var preview: [UInt8] { state.withLock { $0.preview } }

  /// The whole body; nil if it could not be stored.
  func wholeBody() -> [UInt8]? {
    state.withLock { state in
      if state.storageFailed { return nil }
      if state.spill >= 0 { return readAll(from: state.spill, count: Int(state.count)) }
      return state.bytes
    }
  }

  func digest(_ algorithm: DigestAlgorithm) -> [UInt8]? {
    state.withLock { state in
      switch algorithm {
      case .sha256: state.sha256?.value
      case .md5: state.md5?.value
      default: nil
      }
    }
  }
}
