import HTTPMessages
import HTTPSemantics
import Matching
import RequestSpecs
import Templates
import Values

/// A transfer with all its values.
enum ResolvedTransfer: Sendable {
  case download(ResolvedDownload)
  case upload(ResolvedUpload)
  case stream(ResolvedStream)
  case hls(ResolvedHLS)

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

extension TransferSettings {
  func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedTransfer? {
    if let download = download.value { return .download(try download.resolve(in: scope)) }
    if let upload = upload.value { return .upload(try upload.resolve(in: scope)) }
    if let stream = stream.value { return .stream(try stream.resolve(in: scope)) }
    if let hls = hls.value { return .hls(try hls.resolve(in: scope)) }
    return nil
  }
}

/// A way to send a request whose response is more than one body that is collected.
protocol Transfer: Sendable {
  func run(_ exchange: TransferExchange) async -> TransferOutcome
}

/// The exchange that a transfer is to make.
struct TransferExchange: Sendable {
  let request: Step
  let resolved: ResolvedRequest
  let client: HTTPClient
  /// Takes the response that assertions and captures look at. What it is not fed, they do not see.
  let collector: ResponseCollector
  let context: RunContext
  let scope: FileScope
  /// Where the request stands among all of the run, for what is told while it goes on.
  let meter: TransferMeter
  /// Sends the requests of `during`; nil where there are none.
  var during: DuringRequests?

  /// What is large takes long: unless a time is set, only silence ends it.
  func withoutTimeLimit(_ request: OutgoingRequest) -> OutgoingRequest {
    guard context.defaults.timeout == nil, self.request.settings.timeout.resource.value == nil else { return request }
    var request = request
    request.timeouts.resource = nil
    return request
  }

  /// Whether a response is what was asked for, by `validate` and `expect.status`, as soon as its head is there.
  ///
  /// A rule that cannot be made out now is reported when the response is evaluated.
  func accepts(_ head: ResponseHead) -> Bool {
    do throws(TemplateError) {
      let source = try ValidationRulesSource(request, accept: resolved.accept, scope: scope)
      let contentType = head.headers.first("Content-Type")
      guard source.rules.failures(status: head.status, contentType: contentType, bodyIsEmpty: false).isEmpty else {
        return false
      }
      for assertion in request.assertions {
        guard case .status = assertion.subject else { continue }
        switch assertion.check {
        case .status(let field): if try !field.resolve(in: scope).contains(head.status) { return false }
        case .predicates(let specs):
          let predicates = try specs.map { spec throws(TemplateError) in try spec.resolve(in: scope) }
          if !failures(of: predicates, against: .value(.integer(head.status))).isEmpty { return false }
        default: continue
        }
      }
      return true
    } catch {
      return false
    }
  }
}

/// Sends requests while another is under way.
///
/// - Parameter skipReason: why they are not sent after all; nil sends them.
/// - Returns: the name of the one that failed and let those after it go.
typealias DuringRequests = @Sendable (_ skipReason: String?) async -> String?

/// What came of a transfer.
struct TransferOutcome: Sendable {
  /// The response that is looked at, or why there is none.
  var result: Result<ExchangeResult, ExchangeFailure>
  /// What was expected of the transfer itself and not met, such as a checksum.
  var failures: [AssertionReport] = []
  /// How many expectations of the transfer itself there were.
  var assertionCount = 0
  var report: TransferReport?
  /// The list of a stream's events; nil but for a stream.
  var events: ResponseCollector?
  /// Has the body of the response, where that is not the exchange's.
  var collector: ResponseCollector?

  init(_ result: Result<ExchangeResult, ExchangeFailure>) {
    self.result = result
  }
}

/// What is told of a transfer; masked already.
package struct TransferReport: Sendable {
  /// One line beside the request's name, such as where a file went.
  package var summary: String
  /// Told where more is asked for, a line each.
  package var details: [String] = []

  package init(summary: String) {
    self.summary = summary
  }
}
