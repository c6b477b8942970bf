import CLibCurl
import HTTPSemantics
import Synchronization
import Values

/// The peer of an exchange, for limits on connections.
struct HostKey: Hashable {
  let host: String
  let port: Int
}

/// One exchange inside libcurl.
///
/// `@unchecked`: made by the caller, and after ``CurlLoop/begin(_:_:)`` accessed on the loop's thread alone, except for
/// `isCancelled`.
final class CurlTransfer: @unchecked Sendable {
  typealias Outcome = Result<ExchangeSummary, TransportError>

  let request: WireRequest
  let sink: any ResponseSink
  let hostKey: HostKey
  let isCancelled = Atomic(false)
  /// The addresses of the loop's connections.
  private let addresses: ConnectionAddresses
  var continuation: CurlLoop.Continuation?
  private var handle: EasyHandle?

  private let trust: CertificateTrust
  /// The certificate checks; nil without TLS.
  private let certificates: CertificateRecord?
  var certificateChain: [String]?
  var body: RequestBodyReader
  var heads: ResponseHeadReader
  var stream = StreamRecord()
  /// Indicates whether the body has no length: only the end of its stream or connection ends it.
  var isOpenEnded = false
  /// A head that libcurl may respond to by itself: it is the final one only if no other follows.
  var heldHead: ResponseHead?
  var receivedBodyBytes: Int64 = 0
  var sentBodyBytes: Int64 = 0
  /// Indicates whether libcurl decodes the body, so that its bytes differ from those received.
  var isDecoded = false
  var sentHead: [UInt8] = []
  var trailerBytes = 0
  /// The same limit as libcurl's for headers.
  static let maxTrailersSize = 300 * 1024
  /// The error for which a callback made libcurl abort.
  var failure: TransportError?
  var isStopped = false
  var clock: ExchangeClock
  var receiveRate: ReceiveRate?
  /// The time at which to look whether the server of an upgrade is still there: libcurl waits as long as there may be
  /// something to send.
  var nextLook: ContinuousClock.Instant?
  /// The time at which a paused body may continue.
  var pauseEnd: ContinuousClock.Instant?
  var expectation: Expectation
  /// Notifies the loop, from any thread, that the request's body can be read on.
  var onReadableBody: (@Sendable () -> Void)? {
    didSet { body.onReadable = onReadableBody }
  }

  /// The state of `Expect: 100-continue` before the request's body is sent (RFC 9110, section 10.1.1), or of `Upgrade`.
  enum Expectation {
    case none, asked
    /// Waiting for the server's 100 (Continue), which may never arrive.
    case waiting(until: ContinuousClock.Instant)
    /// Waiting for the response to a request for another protocol: with any but 101, nothing more is sent.
    case upgrade, refused
  }

  /// The maximum wait, the same as curl's.
  static let longestExpectation = Duration.seconds(1)

  init(
    request: WireRequest, sink: any ResponseSink, trust: CertificateTrust, addresses: ConnectionAddresses
  ) throws(TransportError) {
    // First: if this throws, nothing is allocated yet.
    body = try RequestBodyReader(request.body)
    self.request = request
    clock = ExchangeClock(request.limits)
    expectation = request.body.isUpgrade ? .upgrade : request.expectsContinue ? .asked : .none
    self.sink = sink
    self.trust = trust
    self.addresses = addresses
    let speaksTLS = request.url.isSecure || request.options.proxy?.kind == .https
    certificates = speaksTLS ? CertificateRecord() : nil
    heads = ResponseHeadReader(mayUpgrade: request.options.httpVersion == .http2 && !request.url.isSecure)
    hostKey = HostKey(host: request.url.host, port: request.url.effectivePort)
  }

  var easy: UnsafeMutableRawPointer? { handle?.pointer }
  var isClosedByPeer: Bool {
    guard let handle, let socket = handle.socket else { return false }
    return reqrun_is_closed_by_peer(handle.pointer, socket.pointee)
  }

  /// The handle with all options set, unless libcurl refuses one of them.
  func makeHandle(from reserve: inout PreparedHandles) throws(TransportError) -> UnsafeMutableRawPointer {
    guard var options = reserve.take() else { throw TransportError(.invalidRequest, "libcurl is out of memory") }
    handle = options.handle
    options.set(request, trust, certificates, &reserve)
    options.set(self)
    if let refusal = options.refusal { throw refusal }
    return options.easy
  }

  /// The handle, once libcurl is done with it.
  func takeHandle() -> EasyHandle? {
    defer { handle = nil }
    return handle
  }

  func resume(_ outcome: Outcome) {
    handle = nil
    continuation?.resume(returning: outcome)
    continuation = nil
  }

  // MARK: Clocks

  func startClocks(_ now: ContinuousClock.Instant) {
    clock = ExchangeClock(request.limits, startingAt: now)
    if request.body.isUpgrade { nextLook = now }
    receiveRate = request.options.maxReceiveRate.map { ReceiveRate(bytesPerSecond: $0, startingAt: now) }
  }

  /// The nearest deadline of the clocks that libcurl doesn't keep.
  var nearestDeadline: ExchangeClock.Deadline? { clock.nearestDeadline }

  // MARK: Pauses

  /// Returns whether the body must be paused; libcurl then keeps its current piece.
  func mustPause() -> Bool {
    guard receiveRate != nil, let easy else { return false }
    let now = ContinuousClock.now
    let received = reqrun_get_offset(easy, CURLINFO_SIZE_DOWNLOAD_T)
    guard let end = receiveRate?.pauseEnd(received: received, at: now) else { return false }
    pauseEnd = end
    // The silence until then isn't the server's fault.
    clock.noteActivity(at: end)
    return true
  }

  /// Delivers the paused body. It may have to pause again.
  ///
  /// - Returns: the outcome, if that ends the exchange.
  func resumeBody() -> Outcome? {
    pauseEnd = nil
    guard let easy else { return nil }
    let code = curl_easy_pause(easy, reqrun_pause_nothing)
    return code == CURLE_OK ? nil : outcome(of: code)
  }

  // MARK: The end

  func outcome(of code: CURLcode) -> Outcome {
    guard let easy else { return .failure(.cancelled) }
    if code == CURLE_OK, failure == nil, let head = heldHead { _ = deliver(head) }
    if let failure { return .failure(failure.with(summary(easy))) }
    if isStopped { return .success(summary(easy)) }
    if code != CURLE_OK {
      let details = CurlFailure(
        code: code, text: handle.map { String(cString: $0.errorBuffer) } ?? "", request: request,
        hasHead: heads.isComplete, stream: stream, easy: easy, certificates: certificates)
      // libcurl has no other error for data after the end of a compressed body.
      let isBehindEnd = code == CURLE_WRITE_ERROR && isDecoded
      return .failure((isBehindEnd ? .severalMembers : details.transportError).with(summary(easy)))
    }
    // libcurl takes a connection that closes inside the header block for a complete response.
    guard heads.isComplete else {
      return .failure(
        TransportError(
          .reset, "the connection closed inside the response headers",
          help: "look into the server's log: it gave up while it answered"
        ).with(summary(easy)))
    }
    if isOpenEnded, let truncation = stream.truncation { return .failure(truncation.with(summary(easy))) }
    if !heads.trailers.fields.isEmpty { sink.receive(trailers: heads.trailers) }
    return .success(summary(easy))
  }

  /// The outcome of an exchange that is ended from outside; to be called while libcurl still has its handle.
  func outcome(endedBy error: TransportError) -> Outcome {
    var summary = easy.map { self.summary($0) }
    summary?.timings.total = clock.elapsed
    return .failure(error.with(summary))
  }

  private func summary(_ easy: UnsafeMutableRawPointer) -> ExchangeSummary {
    func time(_ info: CURLINFO) -> Duration? {
      let microseconds = reqrun_get_offset(easy, info)
      return microseconds > 0 ? .microseconds(microseconds) : nil
    }
    // A connection that isn't made yet isn't counted either.
    let isReused =
      reqrun_get_long(easy, CURLINFO_NUM_CONNECTS) == 0 && time(CURLINFO_PRETRANSFER_TIME_T) != nil
    var timings = ExchangeTimings()
    if !isReused {
      timings.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
      timings.connect = time(CURLINFO_CONNECT_TIME_T)
      timings.tls = time(CURLINFO_APPCONNECT_TIME_T)
    }
    timings.firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
    timings.total = time(CURLINFO_TOTAL_TIME_T) ?? .zero
    var summary = ExchangeSummary(timings: timings)
    let ends = addresses.of(easy)
    (summary.remoteAddress, summary.localAddress) = (ends.remote, ends.local)
    summary.certificateChain = certificateChain
    // libcurl counts a piece once it has been taken completely.
    summary.wireBodyBytes = isDecoded ? reqrun_get_offset(easy, CURLINFO_SIZE_DOWNLOAD_T) : receivedBodyBytes
    summary.sentBodyBytes = sentBodyBytes
    if !sentHead.isEmpty { summary.sentHead = String(decoding: sentHead, as: UTF8.self) }
    summary.wasConnectionReused = isReused
    return summary
  }
}

extension TransportError {
  static let trailersTooLarge = TransportError(
    .tooLarge, "the trailers behind the body are larger than 300 KB",
    help: "send fewer or shorter trailers from the server")
}
