import HTTPSemantics
import Values

/// Chooses the transport of each request: the command line's, then the request's own, then `auto`, once per file.
struct TransportChooser {
  let capabilities: [TransportCapabilities]
  let commandChoice: TransportChoice

  private struct Demand {
    let kind: TransportKind
    let reason: String
    let help: String
  }

  func decide(_ requests: [PlannedRequest], into bag: inout DiagnosticBag) -> [TransportDecision] {
    let needs = requests.map(\.settings.transportNeeds)
    let demands = requests.map { demand(of: $0) }
    // Explicit choices don't affect the file's automatic choice.
    let automatic = automatic(zip(demands, needs).filter { $0.0 == nil }.flatMap { $0.1 })
    return zip(demands, needs).map { demand, needs in
      let decision = demand.map { TransportDecision(kind: $0.kind, reason: $0.reason) } ?? automatic
      if needs.isEmpty { return decision }
      let unsupported = capabilities.first { $0.kind == decision.kind }?.unsupported ?? [:]
      var reported: Set<SourceRange> = []
      for need in needs {
        guard let reason = unsupported[need.value], reported.insert(need.range).inserted else { continue }
        bag.error(
          .unsupported, "the \(decision.kind.rawValue) transport lacks \(need.value.rawValue) here: \(reason)",
          at: need.range, help: demand?.help)
      }
      return decision
    }
  }

  /// The transport that was explicitly chosen.
  private func demand(of request: PlannedRequest) -> Demand? {
    let choice = commandChoice == .auto ? request.settings.transport.value?.value : commandChoice
    guard let choice, let kind = TransportKind(rawValue: choice.rawValue) else { return nil }
    return commandChoice == .auto
      ? Demand(kind: kind, reason: "asked for by `transport`", help: "write `transport: auto`")
      : Demand(kind: kind, reason: "asked for by --transport", help: "leave out --transport \(choice.rawValue)")
  }

  private func automatic(_ needs: [Located<TransportFeature>]) -> TransportDecision {
    guard let session = capabilities.first(where: { $0.kind == .urlsession }) else {
      return TransportDecision(kind: .curl, reason: "URLSession is not built in here")
    }
    if let unsoundness = session.unsoundness {
      return TransportDecision(kind: .curl, reason: "URLSession is not sound here: \(unsoundness)")
    }
    for need in needs {
      if let reason = session.unsupported[need.value] {
        return TransportDecision(
          kind: .curl, reason: "URLSession lacks \(need.value.rawValue): \(reason)", isUsual: false)
      }
    }
    return TransportDecision(kind: .urlsession, reason: "URLSession is sound here and can do all that the file needs")
  }
}
