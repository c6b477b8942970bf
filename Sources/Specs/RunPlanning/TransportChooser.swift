import Diagnostics
import HTTPMessages
import RequestSpecs
import URLs
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
    let needs = requests.map(\.transportNeeds)
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
          "the \(decision.kind.rawValue) transport lacks \(need.value.rawValue) here: \(reason)", at: need.range,
          help: demand?.help)
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

extension PlannedRequest {
  /// The transport features that the request needs, as far as the file tells.
  fileprivate var transportNeeds: [Located<TransportFeature>] {
    var needs: [Located<TransportFeature>] = []
    func need(_ feature: TransportFeature, at range: SourceRange?) {
      if let range { needs.append(Located(feature, at: range)) }
    }
    if let range = bodyRange {
      need(.requestBody, at: range)
      if method.map({ $0 == .get || $0 == .head }) ?? false { need(.bodyOnGet, at: range) }
    }
    if let field = settings.method.value, field.literal?.isMiscased ?? false { need(.methodCase, at: field.range) }
    for entry in settings.headers.entries {
      guard let value = entry.value else { continue }
      if case .list(let items)? = value.literal, items.count > 1 { need(.repeatedHeaders, at: value.range) }
      if ["content-length", "transfer-encoding", "expect"].contains(entry.key.text.lowercased()) {
        need(.transportHeaders, at: entry.key.range)
      }
    }
    if let auth = settings.auth.value, auth.isOfConnection { need(.connectionAuthentication, at: auth.range) }
    need(.requestTarget, at: settings.requestTarget.value?.range)
    for field in [settings.url.value, settings.baseURL.value] {
      if let url = field?.literal?.string, url.contains(byte: UInt8(ascii: "[")), url.contains("://[") {
        need(.ipv6Literal, at: field?.range)
      }
    }
    need(.connectTimeout, at: settings.timeout.connect.value?.range)
    for timeout in [settings.timeout.connect, settings.timeout.request, settings.timeout.resource] {
      guard let field = timeout.value, let limit = field.literal, limit < .seconds(1) else { continue }
      need(.subsecondTimeouts, at: field.range)
    }
    for (subject, range) in settings.subjects {
      switch subject {
      case .httpVersion, .bytes(.wire), .address: need(.responseDetails, at: range)
      case .certificate: need(.certificates, at: range)
      default: break
      }
    }
    for assertion in settings.expect.assertions where assertion.countsLines {
      need(.headerLines, at: assertion.range)
    }
    return needs + (settings.connection?.transportNeeds ?? [])
  }

  private var bodyRange: SourceRange? {
    if let body = settings.body.value { return body.range }
    if let upload = settings.transferBox?.content.upload.value { return upload.range.firstLine }
    guard sendsParametersAsBody == true else { return nil }
    return settings.parameters.whole?.range ?? settings.parameters.entries.first?.key.range
  }
}
