import Digests
import HTTPMessages

/// What of a body is worth keeping.
struct BodyInterest: Sendable {
  /// Whether an assertion, a capture or a report reads the body as a whole.
  var keepsBytes = false
  var digests: Set<DigestAlgorithm> = []
}

/// Takes an answer: counts and hashes its body, keeps a preview, and the whole only where something asks for it.
///
/// Up to 8 MiB stay in memory, more goes to a file without a name.
//
// Unchecked: a transport calls its sink one call after another, and the owner reads only once the exchange is over.
final class ResponseCollector: ResponseSink, @unchecked Sendable {
  static let memoryLimit = 8 << 20
  static let previewLimit = 64 << 10

  private let interest: BodyInterest
  private(set) var count: Int64 = 0
  private(set) var preview: [UInt8] = []
  private var bytes: [UInt8] = []
  private var spill: Int32 = -1
  private var storageFailed = false
  private var sha256: IncrementalDigest?
  private var md5: IncrementalDigest?

  init(_ interest: BodyInterest) {
    self.interest = interest
    if interest.digests.contains(.sha256) { sha256 = IncrementalDigest(.sha256) }
    if interest.digests.contains(.md5) { md5 = IncrementalDigest(.md5) }
  }

  deinit {
    if spill >= 0 { closeDescriptor(spill) }
  }

  func receive(head: ResponseHead) -> SinkDecision { .more }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    count += Int64(chunk.count)
    if preview.count < ResponseCollector.previewLimit {
      preview.append(contentsOf: chunk.prefix(ResponseCollector.previewLimit - preview.count))
    }
    sha256?.update(chunk)
    md5?.update(chunk)
    if interest.keepsBytes { store(chunk) }
    return .more
  }

  private func store(_ chunk: UnsafeRawBufferPointer) {
    if spill < 0, bytes.count + chunk.count <= ResponseCollector.memoryLimit {
      bytes.append(contentsOf: chunk)
      return
    }
    if spill < 0 {
      spill = openUnlinkedFile()
      storageFailed = spill < 0 || !bytes.withUnsafeBytes { writeAll($0, to: spill) }
      bytes = []
    }
    if !storageFailed, !writeAll(chunk, to: spill) { storageFailed = true }
  }

  /// The whole body; nil if it could not be stored.
  func wholeBody() -> [UInt8]? {
    if storageFailed { return nil }
    return spill >= 0 ? readAll(from: spill, count: Int(count)) : bytes
  }

  func digest(_ algorithm: DigestAlgorithm) -> [UInt8]? {
    algorithm == .md5 ? md5?.value : sha256?.value
  }
}
