import HTTPSemantics
import RequestSpecs
import RunReports
import SpecExecution
import Synchronization
import Values

/// The exchanges that specs describe: each request as a dry run resolves it, and a response as it expects it.
package final class SpecExchanges: Sendable {
  private let words: OpenWords
  private let flows = FlowRecorder()
  private let found = Mutex<[Found]>([])

  /// - Parameter seed: the seed of what the responses make up; nil counts.
  package init(seed: UInt64?) { words = OpenWords(MadeValues(seed: seed)) }

  /// The values that the dry run keeps open.
  package var openValues: any OpenValues { words }
  /// A reporter that the dry run needs.
  package var reporter: any RunReports.Reporter { flows }

  /// Takes a request that the dry run has resolved.
  package var observer: RunContext.ResolvedObserver {
    { [self] step, report, resolved, scope in
      // What must fail has no response of its own.
      if step.settings.expect.failure.value != nil, step.mocks.isEmpty { return }
      let path = words.path(resolved.outgoing.url.path)
      let response = ExpectedResponse(
        step, resolved.method.rawValue, at: path, of: flows.flow(of: report), in: scope, words)
      let mocks = step.mocks.isEmpty ? nil : MockedReplies(step.mocks, or: response, in: scope, words)
      found.withLock {
        $0.append(Found(request: resolved, path: path, response: response, mocks: mocks, place: step.range))
      }
    }
  }

  /// The exchanges, and what their responses lack.
  var exchanges: ([MockedExchange], [Diagnostic]) {
    var (exchanges, diagnostics): ([MockedExchange], [Diagnostic]) = ([], [])
    var known: Set<Diagnostic> = []
    // Equal requests have one response, unless they expect different ones.
    var (responses, places): ([ExpectedResponse], [String: Int]) = ([], [:])
    for item in found.withLock({ $0 }) {
      let response = item.response
      let exchange = MockedExchange(item, item.mocks ?? response)
      if item.mocks == nil, let place = places[exchange.label], let both = responses[place].merged(with: response) {
        responses[place] = both
        exchanges[place] = MockedExchange(item, both)
      } else {
        if item.mocks == nil { places[exchange.label] = exchanges.count }
        responses.append(response)
        exchanges.append(exchange)
      }
      if item.mocks != nil { continue }
      if response.missing.isEmpty { continue }
      let parts = response.missing.map { "`\($0)`" }.joined(separator: ", ")
      let warning = Diagnostic.warning(
        .incompleteConversion, "the mocked response may not meet \(parts)", at: item.place)
      if known.insert(warning).inserted { diagnostics.append(warning) }
    }
    return (exchanges, diagnostics)
  }
}

/// A request of a spec, with its responses.
private struct Found {
  let request: ResolvedRequest
  let path: String
  let response: ExpectedResponse
  let mocks: MockedReplies?
  let place: SourceRange
}

/// Records the groups of a run, to know the flow or the row that a request is a part of.
private final class FlowRecorder: RunReports.Reporter {
  private let groups = Mutex<[StepID: GroupStart]>([:])

  func sink(at position: Int) -> (any FileEventSink)? {
    EventSink { event in
      if case .groupStarted(let start) = event { self.groups.withLock { $0[start.id] = start } }
    }
  }

  /// The flow or the row around a request, the outermost one; else its file.
  func flow(of report: StepReport) -> String {
    groups.withLock { groups in
      var flow = "\(report.id.file)"
      var next = report.group
      while let group = next.flatMap({ groups[$0] }) {
        if group.kind == .flow { flow = "\(group.id.file).\(group.id.number)" }
        next = group.parent
      }
      return flow
    }
  }
}

extension MockedExchange {
  fileprivate init(_ found: Found, _ response: any MockedResponse) {
    let (resolved, request) = (found.request, found.request.outgoing)
    var fields = request.headers.fields.map { (name: $0.name, value: $0.value) }
    if request.credentials != nil { fields.append(("Authorization", Text.mask)) }
    fields += request.cookies.map { ("cookie \($0.name)", $0.value) }
    let type = mediaType(of: request.headers.values("Content-Type").last ?? "")
    self.init(
      method: resolved.method.rawValue, path: found.path.isEmpty ? "/" : found.path,
      query: request.url.query ?? "", fields: fields, body: SentBody(resolved.body, type: type), response: response)
  }
}

extension SentBody {
  fileprivate init(_ body: ResolvedBody, type: String) {
    switch body {
    case .none: self = .none
    case .text(let text): self.init(text: text.string, type: type)
    case .data(let data): self = .data(data.bytes)
    case .file: self = .unknown
    case .multipart(let parts, _):
      self = .form(
        parts.map { part in
          if case .text(let text) = part.content, part.filename == nil {
            (part.name.string, text.string)
          } else {
            (part.name.string, nil)
          }
        })
    }
  }
}
