import Digests
import Diagnostics
import Downloads
import HTTPMessages
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// Puts an answer's body into a file.
struct DownloadStep: TransferStep {
  let download: ResolvedDownload

  func run(_ exchange: TransferExchange) async -> TransferOutcome {
    var plan: DownloadPlan
    do throws(DecodingProblem) {
      plan = try download.plan(exchange.scope.fileAccess, makes: download.createsDirectories)
    } catch {
      let problem = TransportError(.storage, error.message, help: error.help)
      return TransferOutcome(.failure(ExchangeFailure(problem)))
    }
    // Who asks for content codings by name takes them, and gives up going on later.
    plan.wantsIdentity = exchange.request.settings.connection?.compressed.value == nil
    let outcome = await Download(
      request(exchange), plan, by: exchange.client, at: exchange.context.downloads, meter: exchange.meter,
      // Who expects an error wants to look at it, not to have it for the file.
      accepts: { (200..<300).contains($0.status) && exchange.accepts($0) }, refused: exchange.collector,
      refusedLimit: exchange.resolved.outgoing.maxBodyBytes
    ).run()
    exchange.meter.finish()
    var result = TransferOutcome(outcome.result)
    result.assertionCount = outcome.file != nil || !outcome.differences.isEmpty ? download.checkCount : 0
    result.failures = outcome.differences.map { failure($0) }
    if let file = outcome.file, case .success(let answer) = outcome.result {
      exchange.collector.take(file, head: answer.head, interest: exchange.request.interest)
      exchange.collector.downloadedPath = exchange.scope.registry.filtered(file.path)
      result.report = report(file, plan.target, exchange.scope.registry)
    }
    return result
  }

  private func request(_ exchange: TransferExchange) -> OutgoingRequest {
    var request = exchange.resolved.outgoing
    request.maxBodyBytes = nil
    request.options.expectsLargeBody = true
    // What is large takes long: by itself only silence ends it.
    if exchange.context.defaults.timeout == nil, exchange.request.settings.timeout.resource.value == nil {
      request.timeouts.resource = nil
    }
    return request
  }

  private func failure(_ difference: DownloadDifference) -> AssertionReport {
    let hint = "no file was made of what came"
    switch difference {
    case .length(let expected, let actual):
      return AssertionReport(
        subject: "download length", range: download.spec.length?.range, predicate: "\(expected) bytes",
        expected: "\(expected) bytes", actual: "\(actual) bytes", hint: hint)
    case .digest(let algorithm, let expected, let actual):
      let field = algorithm == .md5 ? download.spec.md5 : download.spec.sha256
      return AssertionReport(
        subject: "download \(algorithm.rawValue)", range: field?.range, predicate: hexEncoded(expected),
        expected: hexEncoded(expected), actual: hexEncoded(actual), hint: hint)
    }
  }

  private func report(
    _ file: DownloadedFile, _ target: DownloadPlan.Target, _ registry: SecretRegistry
  ) -> TransferReport {
    var path = download.to.masked
    if case .directory = target {
      // With the name that the server gave.
      let name = file.path.split(separator: "/").last.map(String.init) ?? ""
      path += (path.hasSuffix("/") ? "" : "/") + registry.masked(name)
    }
    var report = TransferReport(summary: "→ \(path) (\(byteCountText(file.size)))")
    if file.isShared {
      report.details.append("fetched by an earlier request of this run")
      return report
    }
    if file.resumedBytes > 0 { report.details.append("resumed at \(byteCountText(file.resumedBytes))") }
    if let reason = file.restartReason { report.details.append("begun anew: \(reason)") }
    if file.pieces > 1 {
      report.details.append("fetched in \(file.pieces) pieces, up to \(download.parallel) at a time")
    }
    return report
  }
}

extension TransferMeter: DownloadMeter {}

extension ResponseCollector {
  /// Takes an answer whose body is in a file: of that, as much as is asked for.
  fileprivate func take(_ file: DownloadedFile, head: ResponseHead, interest: BodyInterest) {
    _ = receive(head: head)
    let wanted =
      interest.keepsBytes || !interest.digests.isEmpty
      ? file.size : interest.keepsPreview ? min(file.size, Int64(ResponseCollector.previewLimit)) : 0
    if wanted > 0 {
      // What can't be read is missed by who asks for it.
      try? readFile(file.path, offset: 0, length: wanted) { piece in
        piece.withUnsafeBytes { receive(body: $0) } == .more
      }
    }
    skip(to: file.size)
  }
}
