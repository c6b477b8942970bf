import Cryptography
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Values

/// Collects a response: counts and hashes its body, and keeps the parts that are needed.
///
/// Up to 8 MiB stay in memory as long as the run's budget allows, more goes to a temporary file.
// Unchecked: a transport calls its sink serially, and the owner reads only after the exchange.
package final class ResponseCollector: ResponseSink, @unchecked Sendable {
  package static let memoryLimit = 8 << 20
  package static let previewLimit = BodyExcerpt.limit
  package static let errorLimit = 8192

  private let interest: BodyInterest
  private let share: StorageBudget.Share
  private var budget: StorageBudget { share.budget }
  package private(set) var count: Int64 = 0
  package private(set) var preview: [UInt8] = []
  /// The beginning of an error's body.
  package private(set) var errorBeginning: [UInt8] = []
  /// The path of the file with the body, if it was stored there.
  package var downloadedPath: Text?
  /// The messages of a WebSocket for reports.
  var messages: MessageLog?
  private var isError = false
  private var buffer = SpillBuffer()
  /// The reason why the body isn't kept.
  package private(set) var storageProblem: String?
  private var isStoring = true
  private var sha256: IncrementalDigest?
  private var md5: IncrementalDigest?

  package init(_ interest: BodyInterest, budget: StorageBudget) {
    self.interest = interest
    share = StorageBudget.Share(of: budget)
    _ = restart()
  }

  package func restart() -> Bool {
    count = 0
    share.giveBack()
    preview = []
    errorBeginning = []
    buffer = SpillBuffer()
    storageProblem = nil
    sha256 = interest.digests.contains(.sha256) ? IncrementalDigest(.sha256) : nil
    md5 = interest.digests.contains(.md5) ? IncrementalDigest(.md5) : nil
    return true
  }

  package func receive(head: ResponseHead) -> SinkDecision {
    isError = head.status >= 400
    return .more
  }

  package func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    count += Int64(chunk.count)
    if interest.keepsPreview, preview.count < ResponseCollector.previewLimit {
      preview.append(contentsOf: chunk.prefix(ResponseCollector.previewLimit - preview.count))
    }
    if isError, errorBeginning.count < ResponseCollector.errorLimit {
      errorBeginning.append(contentsOf: chunk.prefix(ResponseCollector.errorLimit - errorBeginning.count))
    }
    sha256?.update(chunk)
    md5?.update(chunk)
    if interest.keepsBytes, isStoring { store(chunk) }
    return .more
  }

  /// Only counts further bytes.
  package func stopStoring() { isStoring = false }

  /// Discards the body.
  package func giveUp(_ problem: String) {
    storageProblem = problem
    buffer = SpillBuffer()
    share.giveBack()
  }

  /// Sets the count for a part of the body that is in a file.
  package func skip(to count: Int64) { self.count = count }

  /// Notes that there is no body to evaluate.
  package func leaveOut(because reason: String) { storageProblem = reason }

  private func store(_ chunk: UnsafeRawBufferPointer) {
    guard storageProblem == nil else { return }
    let count = buffer.memoryCount + chunk.count
    if !buffer.isSpilled, count <= ResponseCollector.memoryLimit, share.takeBody(chunk.count) {
      buffer.append(chunk)
      return
    }
    guard share.takeDisk(count) else {
      return giveUp(
        "the bodies that the run keeps take more than \(budget.diskLimit >> 20) MiB together; fewer --jobs keep fewer")
    }
    buffer.spill()
    buffer.append(chunk)
    guard buffer.spill() else { return giveUp("there is no room for it in the temporary directory") }
    share.giveBackBody()
  }

  /// Indicates whether the body is read into memory only on demand.
  package var isOnDisk: Bool { buffer.isSpilled }

  /// The whole body; nil if it could not be stored.
  package func wholeBody() -> [UInt8]? {
    storageProblem == nil ? buffer.prefix() : nil
  }

  /// Reads the whole body piece by piece; false if it could not be stored.
  package func read(_ take: ([UInt8]) -> Void) -> Bool {
    guard storageProblem == nil, Int64(buffer.count) == count else { return false }
    var rest = buffer
    while let piece = rest.next() { take(piece) }
    return !rest.isIncomplete
  }

  /// The first bytes of the body; none if it could not be stored.
  package func beginning(_ count: Int) -> [UInt8] {
    storageProblem == nil ? buffer.prefix(count) ?? [] : []
  }

  /// The whole body as UTF-8, read straight into the text; nil if it could not be stored.
  ///
  /// - Parameter ifValid: true for nil if a large body isn't UTF-8, since its text is larger still.
  package func wholeText(ifValid: Bool) -> String? {
    if storageProblem != nil { return nil }
    guard isOnDisk else { return wholeBody().map { String(decoding: $0, as: UTF8.self) } }
    var isRead = false
    let count = buffer.count
    let whole = String(unsafeUninitializedCapacity: count) { target in
      let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[..<count])
      isRead = buffer.read(into: target) && (!ifValid || isUTF8(UnsafeRawBufferPointer(target)))
      return isRead ? count : 0
    }
    return isRead ? whole : nil
  }

  package func digest(_ algorithm: DigestAlgorithm) -> [UInt8]? {
    algorithm == .md5 ? md5?.value : sha256?.value
  }
}

/// Returns whether bytes are UTF-8 (Unicode, table 3-7).
private func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var index = 0
  while index < bytes.count {
    if index + 8 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
      continue
    }
    let lead = bytes[index]
    if lead < 0x80 {
      index += 1
      continue
    }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard (0xC2...0xF4).contains(lead), index + length <= bytes.count else { return false }
    let second: ClosedRange<UInt8> =
      switch lead {
      case 0xE0: 0xA0...0xBF
      case 0xED: 0x80...0x9F
      case 0xF0: 0x90...0xBF
      case 0xF4: 0x80...0x8F
      default: 0x80...0xBF
      }
    guard second.contains(bytes[index + 1]) else { return false }
    for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return false }
    index += length
  }
  return true
}
