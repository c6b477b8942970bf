import Digests
import HTTPMessages
import OperatingSystem
import RequestSpecs

/// What of a body is worth keeping.
struct BodyInterest: Sendable {
  /// Whether an assertion or a capture reads the body as a whole.
  var keepsBytes = false
  var keepsPreview = false
  var digests: Set<DigestAlgorithm> = []

  init(_ settings: RequestSettings, _ trace: TraceOptions) {
    keepsPreview = trace.includesBodies
    for assertion in settings.expect.assertions {
      switch assertion.subject {
      case .json, .body: keepsBytes = true
      case .bytes(.sha256): digests.insert(.sha256)
      case .bytes(.md5): digests.insert(.md5)
      default: break
      }
    }
    for entry in settings.capture.entries {
      switch entry.value?.source {
      case .json, .body: keepsBytes = true
      default: break
      }
    }
  }
}

/// Takes an answer: counts and hashes its body, and keeps of it what something asks for.
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
  private var file: UnnamedFile?
  private var storageFailed = false
  private var sha256: IncrementalDigest?
  private var md5: IncrementalDigest?

  init(_ interest: BodyInterest) {
    self.interest = interest
    _ = restart()
  }

  func restart() -> Bool {
    count = 0
    preview = []
    bytes = []
    file = nil
    storageFailed = false
    sha256 = interest.digests.contains(.sha256) ? IncrementalDigest(.sha256) : nil
    md5 = interest.digests.contains(.md5) ? IncrementalDigest(.md5) : nil
    return true
  }

  func receive(head: ResponseHead) -> SinkDecision { .more }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    count += Int64(chunk.count)
    if interest.keepsPreview, preview.count < ResponseCollector.previewLimit {
      preview.append(contentsOf: chunk.prefix(ResponseCollector.previewLimit - preview.count))
    }
    sha256?.update(chunk)
    md5?.update(chunk)
    if interest.keepsBytes { store(chunk) }
    return .more
  }

  private func store(_ chunk: UnsafeRawBufferPointer) {
    guard !storageFailed else { return }
    if let file {
      storageFailed = !file.append(chunk)
      return
    }
    if bytes.count + chunk.count <= ResponseCollector.memoryLimit {
      bytes.append(contentsOf: chunk)
      return
    }
    file = UnnamedFile()
    storageFailed = file.map { !$0.append(bytes) || !$0.append(chunk) } ?? true
    bytes = []
  }

  /// The whole body; nil if it could not be stored.
  func wholeBody() -> [UInt8]? {
    if storageFailed { return nil }
    guard let file else { return bytes }
    var isRead = false
    let whole = [UInt8](unsafeUninitializedCapacity: Int(file.count)) { buffer, initialized in
      let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<Int(file.count)])
      isRead = file.read(into: target, at: 0)
      initialized = isRead ? target.count : 0
    }
    return isRead ? whole : nil
  }

  /// The whole body as UTF-8, read straight into the text; nil if it could not be stored.
  func wholeText() -> String? {
    if storageFailed { return nil }
    guard let file else { return String(decoding: bytes, as: UTF8.self) }
    var isRead = false
    let whole = String(unsafeUninitializedCapacity: Int(file.count)) { buffer in
      let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<Int(file.count)])
      isRead = file.read(into: target, at: 0)
      return isRead ? target.count : 0
    }
    return isRead ? whole : nil
  }

  func digest(_ algorithm: DigestAlgorithm) -> [UInt8]? {
    algorithm == .md5 ? md5?.value : sha256?.value
  }
}
