import HTTPSemantics
import Synchronization
import Values

/// State that all exchanges of one download share.
final class DownloadTask: Sendable {
  private struct Notes {
    var resumedBytes: Int64 = 0
    var restartReason: String?
  }

  let request: OutgoingRequest
  let plan: DownloadPlan
  let store: PartStore
  let partPath: String
  let place: DownloadPlace
  let accepts: @Sendable (ResponseHead) -> Bool
  let refused: any ResponseSink
  /// The maximum size of the body of a response that isn't the file.
  let refusedLimit: Int64?
  private let limit: DownloadLimit
  let meter: any DownloadMeter
  let examine: @Sendable (_ path: String, _ size: Int64, _ head: ResponseHead) -> Void
  let client: HTTPClient
  /// The client without URL recording.
  let pieceClient: HTTPClient
  private let note: URLRecordingTransport
  private let notes = Mutex(Notes())

  init(_ download: Download, _ store: PartStore, partPath: String, place: DownloadPlace) {
    request = download.request
    plan = download.plan
    self.store = store
    self.partPath = partPath
    self.place = place
    accepts = download.accepts
    refused = download.refused
    refusedLimit = download.refusedLimit
    // The stored part of the file already has its space.
    limit = DownloadLimit(download.plan.limit, in: download.plan.target.directory, has: store.size)
    meter = download.meter
    examine = download.examine
    pieceClient = download.client
    note = URLRecordingTransport(over: download.client.transport, first: download.request.url)
    var client = download.client
    client.transport = note
    self.client = client
  }

  /// The URL of the latest exchange, after all redirects.
  var url: HTTPURL { note.url }

  /// Throws if the file may not have that many bytes, whether announced or received.
  func check(size: Int64) throws(TransportError) { try limit.check(size) }

  /// Returns whether the transport decodes a content coding, so that offsets in the body differ from those on the
  /// server.
  func isDecoded(_ head: ResponseHead) -> Bool {
    request.options.decompresses
      && head.headers.values("Content-Encoding").contains { !equalsIgnoringCase($0, "identity") }
  }

  func note(resumed count: Int64) { notes.withLock { $0.resumedBytes = count } }

  func note(restart reason: String) {
    notes.withLock { notes in
      notes.resumedBytes = 0
      if notes.restartReason == nil { notes.restartReason = reason }
    }
  }

  var resumedBytes: Int64 { notes.withLock { $0.resumedBytes } }
  var restartReason: String? { notes.withLock { $0.restartReason } }
}
