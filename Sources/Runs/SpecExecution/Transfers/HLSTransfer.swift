import HTTPSemantics
import RequestSpecs
import Templates
import Transfers
import Values

/// Stores a playlist and the files that it refers to. The playlist's response is the one for assertions.
struct HLSTransfer: Transfer {
  let hls: ResolvedHLS

  func run(_ exchange: TransferExchange) async -> TransferOutcome {
    var request = exchange.resolved.outgoing
    let bodyLimit = request.maxBodyBytes
    request.maxBodyBytes = min(HLSDownload.playlistLimit, bodyLimit ?? .max)
    let start = ContinuousClock.now
    let result = await exchange.client.result(of: request, into: exchange.collector)
    if case .failure(let failure) = result {
      let error = HLSDownload.playlistFailure(failure.error, limit: request.maxBodyBytes)
      return TransferOutcome(.failure(failure.with(error)))
    }
    guard case .success(let response) = result, exchange.accepts(response.head) else { return TransferOutcome(result) }
    request.maxBodyBytes = bodyLimit
    request = exchange.withoutTimeLimit(request)
    var outcome = TransferOutcome(result)
    do throws(HLSFailure) {
      let summary = try await store(exchange, request, response)
      outcome.assertionCount = 1
      outcome.report = report(summary, exchange.scope.registry)
      outcome.result = .success(response.of(total: .now - start, note: response.note))
    } catch {
      switch error {
      case .transport(let failure):
        outcome.result = .failure(
          ExchangeFailure(failure, hops: response.hops, head: response.head, total: .now - start))
      case .unusable(let expected, let actual, let help):
        outcome.assertionCount = 1
        outcome.failures = [failure(expected, actual, help, exchange)]
      }
    }
    exchange.meter.finish()
    return outcome
  }

  private func store(
    _ exchange: TransferExchange, _ request: OutgoingRequest, _ response: ExchangeResult
  ) async throws(HLSFailure) -> HLSSummary {
    guard let playlist = exchange.collector.wholeBody() else {
      throw .transport(
        TransportError(
          .storage, "the playlist could not be kept: \(exchange.collector.storageProblem ?? "it cannot be read")"))
    }
    let place: (parent: String, name: String)
    do throws(DecodingProblem) {
      place = try hls.place(exchange.scope.fileAccess, makes: true)
    } catch {
      throw .transport(TransportError(.storage, error.message, help: error.help))
    }
    var options = hls.options
    options.limit = exchange.context.defaults.maxDownloadBytes
    let download = HLSDownload(client: exchange.client, options: options) { [meter = exchange.meter] count in
      meter.advance(by: count)
    }
    return try await download.run(playlist, request: request, result: response, to: place)
  }

  private func failure(
    _ expected: String, _ actual: String, _ help: String?, _ exchange: TransferExchange
  ) -> AssertionReport {
    func masked(_ text: String) -> String {
      exchange.scope.registry.masked(exchange.resolved.masked(text))
    }
    return AssertionReport(
      subject: "hls", range: hls.spec.range, expected: masked(expected), actual: masked(actual),
      hint: help.map(masked))
  }

  private func report(_ summary: HLSSummary, _ registry: SecretRegistry) -> TransferReport {
    var path = hls.target.masked
    while path.hasSuffix("/"), path != "/" { path.removeLast() }
    let count = counted(summary.segments, "segment")
    var report = TransferReport(summary: "→ \(path)/playlist.m3u8 (\(count), \(byteCountText(summary.bytes)))")
    if let variant = summary.variant { report.details.append("variant: \(variant)") }
    if !summary.renditions.isEmpty { report.details.append(registry.masked("with \(list(summary.renditions))")) }
    if !summary.leftOut.isEmpty { report.details.append(registry.masked("without \(list(summary.leftOut))")) }
    if summary.gaps > 0 { report.details.append("missing by the playlist's own word: \(summary.gaps)") }
    if summary.repetitions > 0 { report.details.append("asked for once more: \(summary.repetitions)") }
    if summary.isCut { report.details.append("the live stream goes on") }
    return report
  }

  private func list(_ renditions: [Rendition]) -> String {
    let limit = 8
    let more = renditions.count > limit ? " and \(renditions.count - limit) more" : ""
    return renditions.prefix(limit).map(\.description).joined(separator: ", ") + more
  }
}
