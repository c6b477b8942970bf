import HTTPSemantics
import RequestSpecs
import Templates

/// `upload` with all its values.
struct ResolvedUpload: Sendable {
}

extension UploadSpec {
  func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedUpload {
    ResolvedUpload()
  }
}

/// Sends a file in segments.
struct UploadStep: TransferStep {
  let upload: ResolvedUpload

  func run(_ exchange: TransferExchange) async -> TransferOutcome {
    TransferOutcome(await exchange.client.perform(exchange.resolved.outgoing, into: exchange.collector))
  }
}
