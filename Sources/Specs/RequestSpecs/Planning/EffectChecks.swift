import HTTPSemantics
import Matching
import Values

extension MergedChecks {
  /// Warns of a cookie that `cookies` and the header Cookie have: both are sent.
  func checkRepeatedCookies(into bag: inout DiagnosticBag) {
    guard !settings.cookies.entries.isEmpty, let header = header("cookie"),
      let text = header.value?.literal?.asText.string
    else { return }
    let names = Set(text.split(separator: ";").map { trimmingBlanks($0.prefix { $0 != "=" }) })
    for entry in settings.cookies.entries
    where entry.key.template == nil && entry.value != nil && names.contains(entry.key.text) {
      bag.warning(
        .suspiciousRequest, "the header Cookie has `\(jsonEscaped(entry.key.text))` already, and both are sent",
        at: entry.key.range, notes: [Diagnostic.Note("the header stands here", at: header.key.range)],
        help: "write it once, under `cookies`")
    }
  }

  /// Warns of the request's own options of `encoding` that are about parts which it doesn't have.
  func checkEncoding(into bag: inout DiagnosticBag) {
    let own = request.spec.settings.encoding.entries
    if own.isEmpty || settings.transferBox != nil { return }
    let hasForm = if case .form? = settings.body.value { true } else { false }
    let hasParameters = !settings.parameters.isEmpty
    for entry in own {
      guard let range = entry.option?.range else { continue }
      switch entry.key {
      case "format", "destination":
        guard !hasParameters else { continue }
        bag.warning(
          .noEffect, "`\(entry.key)` is about `parameters`, and the request has none", at: range,
          help: hasForm || settings.body.value != nil
            ? "leave it out: the key of the body says how it is sent" : "leave it out, or write `parameters:`")
      case "array", "key", "key_path", "nil", "space":
        guard !hasParameters, !hasForm, settings.query.isEmpty else { continue }
        bag.warning(
          .noEffect, "`\(entry.key)` is about queries and forms, and the request has neither", at: range,
          help: "leave it out, or write `query:`, `form:` or `parameters:`")
      default: break
      }
    }
  }

  /// Indicates whether only statuses of failures are expected, or those that a template gives.
  var expectsRefusal: Bool {
    for assertion in settings.expect.assertions {
      guard case .status(let field) = assertion.check else { continue }
      guard let statuses = field.literal, (200..<400).contains(where: statuses.contains) else { return true }
    }
    return !isValidated && !settings.expect.expectsStatus
  }

  /// Warns of filters on events for what none of them has, or is.
  func checkEventFilters(_ path: JSONPathSpec, _ range: SourceRange, into bag: inout DiagnosticBag) {
    guard let format = settings.stream?.format, let path = path.compiled else { return }
    // The messages of a subscription have the types of its protocol.
    let isSubscription = if case .graphQL? = settings.body.value { true } else { false }
    for (member, literal) in path.comparedItems where member != "type" || !isSubscription {
      guard format.members.contains(member) else {
        bag.warning(
          .suspiciousStream, "no event has a member `\(jsonEscaped(member))`", at: range,
          help: suggestion(member, among: format.members) ?? "its members are \(format.members.joined(separator: ", "))"
        )
        continue
      }
      guard format == .websocket, let words = messageWords[member], !words.contains(literal) else { continue }
      bag.warning(
        .suspiciousStream, "`\(member)` of a message is never '\(jsonEscaped(literal))'", at: range,
        help: suggestion(literal, among: words) ?? "it is one of \(words.joined(separator: ", "))")
    }
  }

  /// Warns of filters on the calls of a mock for what none of them is.
  func checkCallFilters(_ path: JSONPathSpec, _ range: SourceRange, into bag: inout DiagnosticBag) {
    for (member, literal) in path.compiled?.comparedItems ?? [] {
      switch member {
      case "path" where !literal.hasPrefix("/") && literal != "*":
        bag.warning(
          .suspiciousRequest, "the path of a call begins with `/`, and is never '\(jsonEscaped(literal))'", at: range,
          help: literal.contains("://") ? "leave out scheme and host" : "did you mean '/\(jsonEscaped(literal))'?")
      case "method" where standardMethods.contains(literal.uppercased()) && !standardMethods.contains(literal):
        bag.warning(
          .suspiciousRequest, "the method of a call is in capital letters, and is never '\(literal)'", at: range,
          help: "write '\(literal.uppercased())'")
      default: break
      }
    }
  }
}

/// The values of members of a WebSocket's messages.
private let messageWords = [
  "direction": ["sent", "received"], "type": ["text", "binary", "ping", "pong", "close"],
]

/// The common media type that another one certainly misspells.
func misspeltMediaType(_ text: String) -> String? {
  let type = trimmingBlanks(text.prefix { $0 != ";" }).lowercased()
  return similarTypes.contains(type) ? nil : misspelt(type, among: commonTypes)
}

private let commonTypes = [
  "application/json", "application/octet-stream", "application/x-www-form-urlencoded", "application/xml",
  "multipart/form-data", "text/csv", "text/html", "text/plain", "text/xml",
]

/// Types of their own that are one letter from a common one.
private let similarTypes: Set = [
  "application/bson", "application/hjson", "application/jsonc", "application/jsonl", "application/jsonp", "text/psv",
  "text/tsv", "text/xsl",
]
