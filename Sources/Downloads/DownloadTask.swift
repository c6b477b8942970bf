import HTTPMessages
import HTTPSemantics
import Synchronization

/// What all exchanges of one download have in common.
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
  /// How long the body of an answer may be that is not the file.
  let refusedLimit: Int64?
  private let limit: DownloadLimit
  let meter: any DownloadMeter
  let examine: @Sendable (_ path: String, _ size: Int64, _ head: ResponseHead) -> Void
  let client: HTTPClient
  /// Without a note of where it goes.
  let pieceClient: HTTPClient
  private let note: URLNote
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
    // What is there of the file already has its room.
    limit = DownloadLimit(download.plan.limit, in: download.plan.target.directory, has: store.size)
    meter = download.meter
    examine = download.examine
    pieceClient = download.client
    note = URLNote(over: download.client.transport, first: download.request.url)
    client = HTTPClient(transport: note, jar: download.client.jar, authenticator: download.client.authenticator)
  }

  /// Of the exchange that was begun last: that of the answer, behind all redirects.
  var url: HTTPURL { note.url }

  /// Whether the file may have so many bytes, as a server claims or has sent.
  func check(size: Int64) throws(TransportError) { try limit.check(size) }

  /// Whether the transport undoes a content coding, so that places in the body say nothing of those on the server.
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
