import Cryptography
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Transfers
import Values

/// Stores a response's body in a file.
struct DownloadTransfer: Transfer {
  let download: ResolvedDownload

  func run(_ exchange: TransferExchange) async -> TransferOutcome {
    var plan: DownloadPlan
    do throws(DecodingProblem) {
      // Before anything is sent.
      if download.unzip != nil, let problem = archiveProblem() {
        throw DecodingProblem(.invalidValue, problem.message, help: problem.help)
      }
      plan = try download.plan(exchange.scope.fileAccess, makes: download.createsDirectories)
    } catch {
      let problem = TransportError(.storage, error.message, help: error.help)
      return TransferOutcome(.failure(ExchangeFailure(problem)))
    }
    plan.limit = exchange.context.defaults.maxDownloadBytes
    // A request that names content codings accepts them, and can't be resumed.
    plan.wantsIdentity = exchange.request.settings.connection?.compressed.value == nil
    let (collector, interest) = (exchange.collector, exchange.request.interest)
    let outcome = await Download(
      request(exchange), plan, by: exchange.client, at: exchange.context.downloads, meter: exchange.meter,
      // A response that is expected to be an error is checked, not stored as the file.
      accepts: { (200..<300).contains($0.status) && exchange.accepts($0) }, refused: collector,
      refusedLimit: exchange.resolved.outgoing.maxBodyBytes,
      examine: { collector.take(fileAt: $0, size: $1, head: $2, interest: interest) }
    ).run()
    exchange.meter.finish()
    var result = TransferOutcome(outcome.result)
    result.assertionCount = outcome.file != nil || !outcome.differences.isEmpty ? download.checkCount : 0
    result.failures = outcome.differences.map { failure($0) }
    if !outcome.differences.isEmpty, !outcome.wasExamined { collector.leaveOut(because: "the download was given up") }
    if let file = outcome.file, case .success(let response) = outcome.result {
      collector.take(fileAt: file.path, size: file.size, head: response.head, interest: interest)
      collector.downloadedPath = exchange.scope.registry.filtered(file.path)
      result.report = report(file, plan.target, exchange.scope.registry)
      await unpack(file, response, exchange, &result)
    }
    return result
  }

  /// Extracts the archive, completely or not at all; the archive itself stays.
  private func unpack(
    _ file: DownloadedFile, _ response: ExchangeResult, _ exchange: TransferExchange, _ outcome: inout TransferOutcome
  ) async {
    func fail(_ message: String, help: String? = nil) {
      let error = TransportError(.storage, message, help: help)
      outcome.result = .failure(ExchangeFailure(error, hops: response.hops, total: response.total))
    }
    do throws(DecodingProblem) {
      guard let directory = try download.unzipDirectory(exchange.scope.fileAccess, makes: true) else { return }
      do throws(ArchiveError) {
        // If a directory doesn't exist yet, its parent does.
        let place = pathKind(directory) == .directory ? directory : parentDirectory(of: directory)
        let limit = DownloadLimit(exchange.context.defaults.maxDownloadBytes, in: place)
        let files = try extractZip(
          at: file.path, into: directory, overwrite: download.overwrite ?? false,
          allowsSpecs: download.unzip?.string.split(separator: "/").contains { $0.hasPrefix("_") } ?? false,
          limits: ExtractionLimits(size: limit.bytes)
        ) { Task.isCancelled }
        let text = "\(counted(files.count, "file")) (\(byteCountText(files.bytes)))"
        outcome.report?.details.append("unpacked into \(download.unzip?.masked ?? ""): \(text)")
      } catch {
        if error.kind == .cancelled {
          outcome.result = .failure(ExchangeFailure(.cancelled, hops: response.hops, total: response.total))
        } else {
          fail(
            "\(file.path) cannot be unpacked: \(error.reason)",
            help: "the archive itself stays, and nothing of what is in it")
        }
      }
    } catch {
      fail(error.message, help: error.help)
    }
  }

  private func request(_ exchange: TransferExchange) -> OutgoingRequest {
    var request = exchange.resolved.outgoing
    request.maxBodyBytes = nil
    request.options.expectsLargeBody = true
    return exchange.withoutTimeLimit(request)
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
      // With the name that the server gave it.
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
  /// Takes a response whose body is in a file, and reads as much of it as is needed.
  fileprivate func take(fileAt path: String, size: Int64, head: ResponseHead, interest: BodyInterest) {
    _ = receive(head: head)
    let wanted =
      interest.keepsBytes || !interest.digests.isEmpty
      ? size : interest.keepsPreview ? min(size, Int64(ResponseCollector.previewLimit)) : 0
    if wanted > 0 {
      // A file that can't be read is reported by its assertions.
      try? readFile(path, offset: 0, length: wanted) { piece in
        piece.withUnsafeBytes { receive(body: $0) } == .more
      }
    }
    skip(to: size)
  }
}
