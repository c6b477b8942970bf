import Diagnostics
import HTTPMessages
import RequestSpecs
import Values

/// Chooses the transport of each request: the command line, then the request's own word, then `auto`, once per file.
struct TransportChooser {
  let capabilities: [TransportCapabilities]
  let commandChoice: TransportChoice

  func decide(_ requests: [MergedRequest], into bag: inout DiagnosticBag) -> [TransportDecision] {
    let needs = requests.map { $0.settings.transportNeeds }
    let automatic = automatic(needs.flatMap { $0 })
    return zip(requests, needs).map { request, needs in
      let own = request.settings.transport.value
      let forced: (kind: TransportKind, by: String)? =
        switch (commandChoice, own?.value) {
        case (.urlsession, _): (.urlsession, "--transport")
        case (.curl, _): (.curl, "--transport")
        case (.auto, .urlsession): (.urlsession, "`transport`")
        case (.auto, .curl): (.curl, "`transport`")
        default: nil
        }
      guard let forced else { return automatic }
      for need in needs {
        guard let reason = capabilities.first(where: { $0.kind == forced.kind })?.unsupported[need.value] else { continue }
        bag.error(
          "the \(forced.kind.rawValue) transport cannot do \(need.value.rawValue) here: \(reason)", at: need.range,
          help: "use `transport: auto` or `transport: curl`")
      }
      return TransportDecision(kind: forced.kind, reason: "asked for by \(forced.by)")
    }
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
        return TransportDecision(kind: .curl, reason: "URLSession cannot do \(need.value.rawValue): \(reason)")
      }
    }
    return TransportDecision(kind: .urlsession, reason: "URLSession is sound here and can do all that the file needs")
  }
}

extension RequestSettings {
  /// What the request needs of its transport, as far as the file tells.
  var transportNeeds: [Located<TransportFeature>] {
    var needs: [Located<TransportFeature>] = []
    if let field = bodyOnGet.value, field.literal != false { needs.append(Located(.bodyOnGet, at: field.range)) }
    for entry in headers.entries {
      if case .list(let items)? = entry.value?.literal, items.count > 1, let range = entry.value?.range {
        needs.append(Located(.repeatedHeaders, at: range))
      }
    }
    if let field = requestTarget.value { needs.append(Located(.requestTarget, at: field.range)) }
    if let field = url.value, field.literal?.string.contains("://[") == true {
      needs.append(Located(.ipv6Literal, at: field.range))
    }
    if let field = timeout.connect.value { needs.append(Located(.connectTimeout, at: field.range)) }
    return needs
  }
}
