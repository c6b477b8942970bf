import HTTPSemantics
import RequestSpecs
import Templates

/// `stream` with all its values.
struct ResolvedStream: Sendable {
}

extension StreamSpec {
  func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedStream {
    ResolvedStream()
  }
}

/// Reads an answer event by event.
struct StreamStep: TransferStep {
  let stream: ResolvedStream

  func run(_ exchange: TransferExchange) async -> TransferOutcome {
    TransferOutcome(await exchange.client.perform(exchange.resolved.outgoing, into: exchange.collector))
  }
}
