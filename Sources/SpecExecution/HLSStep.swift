import HTTPSemantics
import RequestSpecs
import Templates

/// `hls` with all its values.
struct ResolvedHLS: Sendable {
}

extension HLSSpec {
  func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedHLS {
    ResolvedHLS()
  }
}

/// Stores a playlist and its segments.
struct HLSStep: TransferStep {
  let hls: ResolvedHLS

  func run(_ exchange: TransferExchange) async -> TransferOutcome {
    TransferOutcome(await exchange.client.perform(exchange.resolved.outgoing, into: exchange.collector))
  }
}
