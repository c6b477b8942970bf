import HTTPSemantics
import RequestSpecs
import Templates

/// `download` with all its values.
struct ResolvedDownload: Sendable {
}

extension DownloadSpec {
  func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedDownload {
    ResolvedDownload()
  }
}

/// Puts an answer's body into a file.
struct DownloadStep: TransferStep {
  let download: ResolvedDownload

  func run(_ exchange: TransferExchange) async -> TransferOutcome {
    TransferOutcome(await exchange.client.perform(exchange.resolved.outgoing, into: exchange.collector))
  }
}
