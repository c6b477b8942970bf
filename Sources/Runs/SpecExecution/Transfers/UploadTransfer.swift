import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Transfers
import Values

/// Sends a file, in segments if requested.
struct UploadTransfer: Transfer {
  let upload: ResolvedUpload

  func run(_ exchange: TransferExchange) async -> TransferOutcome {
    let file: UploadedFile
    do throws(TransportError) {
      file = try UploadedFile(upload.path.string)
    } catch {
      return TransferOutcome(.failure(ExchangeFailure(error)))
    }
    exchange.meter.expect(total: file.size)
    defer { exchange.meter.finish() }
    if let segments = upload.segments {
      var segmented = SegmentedUpload(upload: upload, segments: segments, file: file, exchange: exchange)
      return await segmented.run()
    }
    let message = UploadMessage(upload: upload, file: file, request: exchange.resolved.outgoing)
    let part = exchange.meter.part(length: file.size)
    var outcome = TransferOutcome(
      await exchange.client.result(of: message.whole, into: exchange.collector.metered(by: part, exchange.meter)))
    if case .success = outcome.result {
      part.accept(file.size)
      outcome.report = TransferReport(summary: byteCountText(file.size))
    }
    return outcome
  }
}

/// The file of an upload in its state at the beginning.
struct UploadedFile: Sendable {
  let path: String
  let version: FileVersion
  /// The beginning of the file, which distinguishes it from another one in its place.
  let start: [UInt8]

  var size: Int64 { version.size }

  init(_ path: String) throws(TransportError) {
    self.path = path
    do throws(SystemProblem) {
      version = try ReadableFile(path: path).version
      var start: [UInt8] = []
      try readFile(path, offset: 0, length: min(64 << 10, version.size)) { piece in
        start += piece
        return true
      }
      self.start = start
    } catch {
      throw .unreadableBody(path, error)
    }
  }

  var isUnchanged: Bool {
    guard let file = try? ReadableFile(path: path) else { return false }
    return file.version == version
  }

  func body(_ range: Range<Int64>) -> BodyPiece {
    .file(FileRange(path: path, offset: range.lowerBound, length: Int64(range.count), version: version))
  }
}
