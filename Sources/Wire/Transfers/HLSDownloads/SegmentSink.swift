import Cryptography
import HTTPSemantics
import OperatingSystem
import Values

/// Receives a segment, possibly as a part of a resource, and writes it, decrypted, to a file.
// Unchecked: a transport calls its sink serially, and the owner reads only after the exchange.
final class SegmentSink: ResponseSink, @unchecked Sendable {
  private let range: ByteRange?
  private let limit: DownloadLimit
  /// The size of the segments before.
  private let others: Int64
  private let onBytes: @Sendable (Int) -> Void
  private var file: NewFile?
  private var cipher: AES128CBC?
  /// The number of bytes skipped before the wanted part of a resource that was sent as a whole.
  private var skipped: Int64 = 0
  /// The number of bytes received, before decryption.
  private(set) var received: Int64 = 0
  private(set) var written: Int64 = 0
  private var failure: AttemptFailure?

  init(
    range: ByteRange?, file: consuming NewFile, cipher: consuming AES128CBC?, limit: DownloadLimit, has others: Int64,
    onBytes: @escaping @Sendable (Int) -> Void
  ) {
    self.range = range
    self.limit = limit
    self.others = others
    self.file = consume file
    self.cipher = consume cipher
    self.onBytes = onBytes
  }

  func receive(head: ResponseHead) -> SinkDecision {
    switch head.status {
    case 200: skipped = range?.offset ?? 0
    case 206:
      if range == nil {
        failure = AttemptFailure(
          .unusable(expected: "the whole resource", actual: "status 206, without being asked for a part"))
      } else {
        checkContentRange(head)
      }
    default: failure = AttemptFailure(status: head.status, expected: range == nil ? "status 200" : "status 206")
    }
    return failure == nil ? .more : .stop
  }

  private func checkContentRange(_ head: ResponseHead) {
    guard let range else { return }
    let text = head.headers.first("Content-Range")
    if let text, let found = ContentRange(parsing: text), found.bytes == range.offset..<range.end { return }
    failure = AttemptFailure(
      .unusable(
        expected: "Content-Range: bytes \(range.offset)-\(range.end - 1)",
        actual: text.map { "\"\(Excerpt($0, limit: 80))\"" } ?? "no Content-Range"))
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    var rest = chunk
    if skipped > 0 {
      let count = Int(min(skipped, Int64(rest.count)))
      skipped -= Int64(count)
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    if let range {
      let count = Int(min(range.length - received, Int64(rest.count)))
      rest = UnsafeRawBufferPointer(rebasing: rest[..<count])
    }
    do throws(TransportError) {
      try limit.check(others + received + Int64(rest.count))
    } catch {
      failure = AttemptFailure(error)
      return .stop
    }
    received += Int64(rest.count)
    if !rest.isEmpty { store(rest) }
    if failure != nil { return .stop }
    return range.map { received == $0.length } ?? false ? .stop : .more
  }

  private func store(_ bytes: UnsafeRawBufferPointer) {
    if cipher == nil {
      write(bytes)
    } else if let plain = cipher?.update(bytes) {
      plain.withUnsafeBytes { write($0) }
    }
    onBytes(bytes.count)
  }

  private func write(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil, !bytes.isEmpty else { return }
    do throws(SystemProblem) {
      try file?.write(bytes)
      written += Int64(bytes.count)
    } catch {
      failure = AttemptFailure(HLSFailure(error, writing: "its file"))
    }
  }

  /// Bytes that were written cannot be undone here; a new attempt starts with a new file.
  func restart() -> Bool { received == 0 && failure == nil }

  /// Writes the rest after the exchange has ended without an error.
  func finish() throws(AttemptFailure) {
    if let failure { throw failure }
    if let range, received < range.length {
      throw AttemptFailure(
        .unusable(
          expected: "\(range.length) bytes from \(range.offset) on",
          actual: "a resource that ends after \(received) of them"))
    }
    if cipher != nil {
      guard let rest = cipher?.finish() else {
        throw AttemptFailure(
          .unusable(
            expected: "bytes that AES-128 decrypts", actual: "\(received) bytes whose padding is wrong",
            help: "the key or the initialization vector is another one, or the bytes are cut or not encrypted"))
      }
      rest.withUnsafeBytes { write($0) }
    }
    if let failure { throw failure }
    do throws(SystemProblem) {
      try file.take()?.finish()
    } catch {
      throw AttemptFailure(HLSFailure(error, writing: "its file"))
    }
  }
}
