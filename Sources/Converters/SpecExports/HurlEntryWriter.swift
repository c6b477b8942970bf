import HTTPSemantics
import RequestSpecs
import SpecExecution
import Values

/// The request of an entry for Hurl.
struct HurlEntryWriter {
  private let request: ExportedRequest
  private let words: ExportWords
  private let curly: CurlyRendering
  /// The reasons why parts are missing.
  private(set) var missing: [String] = []
  private var resolved: ResolvedRequest { request.request }

  init(_ request: ExportedRequest, _ words: ExportWords, _ curly: CurlyRendering) {
    (self.request, self.words, self.curly) = (request, words, curly)
    missing = unsaid
  }

  // MARK: the first line

  /// The URL, and the parameters whose values Hurl must encode.
  private var address: (url: String, query: [(name: String, value: String)]) {
    let text = resolved.outgoing.url.string
    guard let mark = text.firstIndex(of: "?") else { return (text, []) }
    let (path, query) = (String(text[..<mark]), String(text[text.index(after: mark)...]))
    let needsCoding = words.pieces(of: query).contains { piece in
      if case .value(let value) = piece { !isSafe(value) } else { false }
    }
    guard needsCoding, let parameters = curly.parameters(query) else { return (text, []) }
    return (path, parameters)
  }

  /// Returns whether a value needs no encoding in a URL.
  private func isSafe(_ value: ExportedValue) -> Bool {
    switch value.plain {
    case .function: return true
    case .variable(let name):
      return isUnreserved(request.variables.first { $0.name == name }?.value.asText.string ?? "")
    default: return false
    }
  }

  var url: String { curly(address.url).replacing("#", with: "\\#") }

  var headers: String {
    var lines = ""
    let isForm = form != nil
    for (name, value) in request.headers {
      if name.lowercased() == "content-type" {
        if case .multipart = resolved.body { continue }
        if isForm, value.lowercased() == "application/x-www-form-urlencoded" { continue }
        if value == "application/json", isJSON { continue }
      }
      lines += "\(HurlText.key(name, curly)): \(HurlText.value(value, curly))\n"
    }
    if case .bearer(let token)? = resolved.credentials, resolved.outgoing.headers.values("Authorization").isEmpty {
      lines += "Authorization: Bearer \(HurlText.value(token.string, curly))\n"
    }
    return lines
  }

  // MARK: options

  var options: [String] {
    var lines: [String] = []
    let redirects = resolved.outgoing.redirects
    if redirects.mode == .follow {
      lines.append(redirects.trustedHosts.isEmpty ? "location: true" : "location-trusted: true")
      if redirects.maxCount != RedirectPolicy().maxCount { lines.append("max-redirs: \(redirects.maxCount)") }
    }
    let options = resolved.outgoing.options
    if options.decompresses { lines.append("compressed: true") }
    if !options.tls.verifies { lines.append("insecure: true") }
    if let connection = resolved.connection {
      func add(_ name: String, _ text: Text?) {
        if let text { lines.append("\(name): \(HurlText.value(text.string, curly))") }
      }
      add("cacert", connection.certificateAuthorities)
      add("cert", connection.certificate)
      add("key", connection.key)
      add("proxy", connection.proxyURL)
      for text in connection.addressOverrides { add("resolve", text) }
      for text in connection.connectTo { add("connect-to", text) }
      add("unix-socket", connection.unixSocket)
    }
    switch options.httpVersion {
    case .automatic: break
    case .http10: lines.append("http1.0: true")
    case .http11: lines.append("http1.1: true")
    case .http2, .http2PriorKnowledge: lines.append("http2: true")
    case .http3, .http3Only: lines.append("http3: true")
    }
    switch options.addressFamily {
    case .any: break
    case .ipv4: lines.append("ipv4: true")
    case .ipv6: lines.append("ipv6: true")
    }
    let timeout = request.step.settings.timeout
    if let time = timeout.resource.value?.literal { lines.append("max-time: \(HurlEntryWriter.time(time))") }
    if let time = timeout.connect.value?.literal { lines.append("connect-timeout: \(HurlEntryWriter.time(time))") }
    if let time = request.step.settings.delay.value?.literal { lines.append("delay: \(HurlEntryWriter.time(time))") }
    switch resolved.credentials {
    case .password(.ntlm, let username, let password):
      lines += ["ntlm: true", "user: \(HurlText.value("\(username.string):\(password.string)", curly))"]
    case .awsSigV4(let keys):
      let scope = AWSScope(keys.plain, host: resolved.outgoing.url.host)
      let (region, service) = (keys.region?.string ?? scope?.region ?? "", keys.service?.string ?? scope?.service ?? "")
      lines += [
        "aws-sigv4: aws:amz:\(curly(region)):\(curly(service))",
        "user: \(HurlText.value("\(keys.accessKey.string):\(keys.secretKey.string)", curly))",
      ]
      if let token = keys.sessionToken {
        lines.append("header: X-Amz-Security-Token: \(HurlText.value(token.string, curly))")
      }
    case .netrc: lines.append("netrc: true")
    case .negotiate: lines.append("negotiate: true")
    case .password, .bearer, .oauth2, nil: break
    }
    if case .download(let download)? = resolved.transfer {
      lines.append("output: \(HurlText.value(download.to.string, curly))")
    }
    if let poll = request.step.poll {
      let interval = poll.interval?.literal ?? .milliseconds(500)
      let timeout = (poll.timeout?.literal ?? .seconds(30)) / .seconds(1)
      let rounds = poll.attempts?.literal ?? Int(min(timeout / max(interval / .seconds(1), 0.01), 10_000))
      lines += ["retry: \(max(0, rounds - 1))", "retry-interval: \(HurlEntryWriter.time(interval))"]
    }
    return lines
  }

  /// A duration with its unit.
  private static func time(_ duration: Duration) -> String {
    let milliseconds = Int(min(duration / .milliseconds(1), 1e15))
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }

  private var unsaid: [String] {
    var reasons: [String] = []
    if resolved.coding != nil { reasons.append("`compress`") }
    if !resolved.outgoing.digests.isEmpty { reasons.append("`digest`") }
    if resolved.connection?.proxy?.password != nil { reasons.append("credentials of a proxy") }
    if request.step.retry != nil { reasons.append("`retry`") }
    if case .none = resolved.session.cookies { reasons.append("`session.cookies: none`") }
    if resolved.outgoing.options.maxReceiveRate != nil { reasons.append("`limit_rate`") }
    return reasons + request.linkRemarks(words)
  }

  // MARK: sections and body

  private var form: [(name: String, value: String)]? {
    guard case .text(let text) = resolved.body,
      resolved.contentType.contains("x-www-form-urlencoded"), let pairs = curly.parameters(text.string),
      pairs.allSatisfy({ !$0.name.isEmpty && isUnreserved($0.name) })
    else { return nil }
    return pairs
  }

  private var isJSON: Bool {
    guard case .text(let text) = resolved.body, let first = text.string.first else { return false }
    return (first == "{" || first == "[") && !text.string.contains("{{")
      && resolved.contentType.contains("json")
  }

  var sections: String {
    var text = ""
    let query = address.query
    if !query.isEmpty { text += "[Query]\n" + query.map(line).joined() }
    if let form { text += "[Form]\n" + form.map(line).joined() }
    if case .multipart(let parts, _) = resolved.body { text += "[Multipart]\n" + parts.map(line).joined() }
    if case .password(.basic, let username, let password)? = resolved.credentials {
      text += "[BasicAuth]\n" + line((username.string, password.string))
    }
    if !resolved.cookies.isEmpty {
      text += "[Cookies]\n" + resolved.cookies.map { line(($0.name.string, $0.value.string)) }.joined()
    }
    return text
  }

  private func line(_ pair: (name: String, value: String)) -> String {
    "\(HurlText.key(pair.name, curly)): \(HurlText.value(pair.value, curly))\n"
  }

  private func line(_ part: ResolvedPart) -> String {
    switch part.content {
    case .text(let text): line((part.name.string, text.string))
    case .data(let data): line((part.name.string, String(decoding: data.bytes, as: UTF8.self)))
    case .file(let file):
      "\(HurlText.key(part.name.string, curly)): file,\(file.path.string.replacing(" ", with: "\\ "));"
        + (part.type.map { " \($0.string)" } ?? "") + "\n"
    }
  }

  mutating func body() -> String {
    if case .multipart(let parts, _) = resolved.body {
      for part in parts where part.type != nil {
        if case .text = part.content { missing.append("the type of a part that is text") }
      }
      missing += request.changedParts
      return ""
    }
    if form != nil { return "" }
    switch resolved.body {
    case .none, .multipart: return ""
    case .data(let data): return "base64,\(base64Encoded(data.bytes));\n"
    case .file(let file): return "file,\(file.path.string.replacing(" ", with: "\\ "));\n"
    case .text(let text):
      if isJSON { return curly(text.string) + "\n" }
      let shown = curly(text.string)
      let fits =
        shown.hasSuffix("\n") && !shown.contains("```") && !shown.contains("\\") && !shown.contains("\r")
        && !text.string.contains("{{")
      return fits ? "```\n\(shown)```\n" : "`\(curly(text.string) { HurlText.escaped($0, also: "`") })`\n"
    }
  }
}
