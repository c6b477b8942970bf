import HTTPSemantics
import Matching
import RequestSpecs
import Templates
import Values

extension ResolvedTransfer {
  var implementation: any Transfer {
    switch self {
    case .download(let download): DownloadTransfer(download: download)
    case .upload(let upload): UploadTransfer(upload: upload)
    case .stream(let stream): StreamTransfer(stream: stream)
    case .hls(let hls): HLSTransfer(hls: hls)
    }
  }

  var direction: TransferDirection {
    if case .upload = self { .upload } else { .download }
  }
}

/// Sends a request whose response is more than one body to collect.
protocol Transfer: Sendable {
  func run(_ exchange: TransferExchange) async -> TransferOutcome
}

/// The context of a transfer.
struct TransferExchange: Sendable {
  let request: RequestStep
  let resolved: ResolvedRequest
  let client: HTTPClient
  /// Collects the response for assertions and captures, which see nothing else.
  let collector: ResponseCollector
  let context: RunContext
  let scope: FileScope
  /// The progress of the request among all of the run.
  let meter: TransferMeter
  /// Sends the requests of `during`; nil if there are none.
  var during: DuringRequests?

  /// Removes the default time limit, since a large transfer takes long: only silence ends it.
  func withoutTimeLimit(_ request: OutgoingRequest) -> OutgoingRequest {
    guard context.defaults.timeout == nil, self.request.settings.timeout.resource.value == nil else { return request }
    var request = request
    request.timeouts.resource = nil
    return request
  }

  /// Returns whether a response is the requested one, by `validate` and `expect.status`, as soon as its head is known.
  ///
  /// A rule that cannot be resolved now is reported when the response is evaluated.
  func accepts(_ head: ResponseHead) -> Bool {
    do throws(TemplateError) {
      let source = try ValidationRulesSource(request, accept: resolved.accept, scope: scope)
      let contentType = head.headers.first("Content-Type")
      guard source.rules.failures(status: head.status, contentType: contentType, bodyIsEmpty: false).isEmpty else {
        return false
      }
      return request.assertions.accept(status: head.status, in: scope) ?? true
    } catch {
      return false
    }
  }
}

/// Sends requests while another is in progress.
///
/// - Parameters:
///   - skipReason: the reason for skipping them; nil sends them.
///   - conversation: the WebSocket for the messages that follow them.
/// - Returns: the name of the one that failed and skipped those after it.
typealias DuringRequests = @Sendable (_ skipReason: String?, _ conversation: Conversation?) async -> String?

struct TransferOutcome: Sendable {
  /// The response for assertions, or the reason why there is none.
  var result: Result<ExchangeResult, ExchangeFailure>
  /// Failed expectations of the transfer itself, such as a checksum.
  var failures: [AssertionReport] = []
  /// The number of expectations of the transfer itself.
  var assertionCount = 0
  var report: TransferReport?
  /// The list of a stream's events; nil except for a stream.
  var events: ResponseCollector?
  /// The collector with the response's body, if it isn't that of the exchange.
  var collector: ResponseCollector?

  init(_ result: Result<ExchangeResult, ExchangeFailure>) {
    self.result = result
  }
}
