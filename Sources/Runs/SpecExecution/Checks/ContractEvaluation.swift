import APIContracts
import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import Values

/// Validates a response, and the redirects before it, against the contract of its file.
package struct ContractEvaluation {
  package let contract: APIContract
  package let request: RequestStep
  package let response: Response
  package let registry: SecretRegistry

  private var mayBeUndeclared: Bool {
    if case .checked(true)? = request.settings.contract.value { true } else { false }
  }

  package func run(_ report: inout StepReport) {
    let hops = response.result.hops.filter { !$0.isChallenged }
    var warnings: [AssertionReport] = []
    for (index, hop) in hops.enumerated() {
      let isFinal = index == hops.count - 1
      // The target of a redirect may be outside the contract.
      if index > 0, !isDeclared(hop) { continue }
      let findings = contract.check(exchange(hop, isFinal: isFinal))
      report.assertionCount += findings.checks
      report.failures += findings.violations.map { reportOf($0, hop) }
      if index == 0 { warnings = findings.warnings.map { reportOf($0, hop) } }
    }
    // A request whose rejection is expected is wrong on purpose.
    let isRefused = (400..<500).contains(response.head.status) && report.failures.isEmpty && report.problem == nil
    if !isRefused { report.warnings += warnings }
  }

  private func isDeclared(_ hop: ExchangeHop) -> Bool {
    let url = hop.request.url
    if case .none = contract.match(method: hop.request.method.rawValue, path: url.path, query: url.query) {
      return false
    }
    return true
  }

  private func exchange(_ hop: ExchangeHop, isFinal: Bool) -> ContractExchange {
    let body: [UInt8]? =
      switch hop.request.body {
      // A schema can't validate compressed content.
      case .bytes where hop.request.headers.contains("Content-Encoding"): nil
      case .none: []
      case .bytes(let bytes): bytes
      case .pieces, .stream, .upgrade: nil
      }
    return ContractExchange(
      method: hop.request.method.rawValue, url: hop.request.url, requestHeaders: hop.request.headers,
      requestBody: body, status: hop.head.status, headers: hop.head.headers,
      body: isFinal ? EvaluatedBody(response: response) : nil, mayBeUndeclared: isFinal && mayBeUndeclared)
  }

  // MARK: wording

  private func reportOf(_ violation: ContractViolation, _ hop: ExchangeHop) -> AssertionReport {
    let operation = violation.operation.map { " \(registry.masked($0))" } ?? ""
    return AssertionReport(
      subject: "openapi\(operation)", range: request.settings.url.value?.range ?? request.range,
      predicate: shownMessage(violation), expected: registry.masked(message: violation.expected),
      actual: shown(violation.actual, of: violation),
      differences: violation.differences.map { difference in
        var shown = Mismatch<String>.Difference(
          path: registry.masked(difference.path),
          kind: difference.expected == nil ? .unexpected : difference.actual == nil ? .missing : .changed,
          expected: difference.expected.map(registry.masked(message:)),
          actual: difference.actual.map { self.shown($0, of: violation, bytes: difference.bytes) })
        shown.note = registry.masked(message: difference.note)
        return shown
      }, moreDifferences: violation.moreDifferences, place: violation.place.map(registry.masked(message:)),
      hint: violation.hint.map(registry.masked(message:)))
  }

  /// A text that names the request's path, which may contain a secret too short to be found.
  private func shownPath(in text: String) -> String {
    guard response.request.url.isSecret else { return registry.masked(text) }
    let shown = response.request.sentURL.masked
    let path = shown.firstRange(of: "://").flatMap { scheme in
      shown[scheme.upperBound...].firstIndex(of: "/").map { shown[$0...].prefix { $0 != "?" && $0 != "#" } }
    }
    return registry.masked(
      text.replacing(response.request.outgoing.url.path, with: path.map(String.init) ?? Text.mask))
  }

  /// A message that names a path or a parameter of the request.
  private func shownMessage(_ violation: ContractViolation) -> String {
    switch violation.subject {
    case .operation, .parameter: shownPath(in: violation.message)
    default: registry.masked(violation.message)
    }
  }

  /// Foreign text, or a part of the request with its secrets masked.
  private func shown(_ text: String, of violation: ContractViolation, bytes: Range<Int>? = nil) -> String {
    switch violation.subject {
    case .parameter where response.request.hidesParameters: return Text.mask
    case .requestBody where bytes.map(response.request.bodyIsSecret(in:)) ?? false: return Text.mask
    // Anything but JSON has no places: the position of the error in it is unknown.
    case .requestBody where bytes == nil && response.request.bodyIsSecret(in: 0..<Int.max):
      return registry.masked(withoutQuotedWord(text))
    case .operation: return shownPath(in: text)
    case .header(let name) where isMaskedHeader(name): return Text.mask
    default: return registry.masked(text)
    }
  }
}

extension ResolvedRequest {
  /// Indicates whether a parameter may be a secret too short to be found.
  fileprivate var hidesParameters: Bool {
    url.isSecret || headers.contains { $0.value.isSecret }
  }

  fileprivate func bodyIsSecret(in bytes: Range<Int>) -> Bool {
    switch body {
    case .none: false
    case .text(let text): text.secretRanges.contains { $0.overlaps(bytes) }
    case .data(let data): data.isSecret
    case .file(let file): file.path.isSecret
    case .multipart(let parts, _): parts.contains { $0.isSecret }
    }
  }
}

/// The body of a response, for validation against a contract.
private struct EvaluatedBody: ContractBody {
  let response: Response

  var isEmpty: Bool { response.bodyCount == 0 }

  func json() throws(UnreadableBody) -> JSONDocument {
    do throws(Response.Unreadable) {
      return try response.bodyJSON()
    } catch {
      throw UnreadableBody(error.message, help: error.help)
    }
  }
}
