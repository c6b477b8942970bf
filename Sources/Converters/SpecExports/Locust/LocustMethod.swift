import HTTPSemantics
import RequestSpecs
import SpecExecution
import Values

/// The Python method that sends a request.
struct LocustMethod {
  private let request: LoadFile.Request
  private let place: String
  private let values: LoadValues
  private let label: String
  private let secrets: LiteralSecrets
  /// The name, once the text was made.
  private(set) var name = ""
  /// The parts that it lacks.
  private(set) var remarks: [ExportRemark] = []

  private var step: RequestStep { request.step }
  private var resolved: ResolvedRequest { request.resolved }

  init(_ request: LoadFile.Request, values: LoadValues) {
    self.request = request
    self.values = values
    place = "\(request.path):\(request.step.line)"
    let name = request.step.name?.literal?.masked ?? request.resolved.shownName
    label = LoadValues.shown(name)
    secrets = LiteralSecrets(hasWord: { FoundWord.isPresent(in: $0.utf8) }) { [place] secret, name in
      values.secretWord(secret, named: name, at: place)
    }
  }

  private mutating func leaveOut(_ reason: String) -> String? {
    remarks.append(ExportRemark(place: place, omission: reason, detail: label))
    return nil
  }

  /// The method; nil if the request can't be sent.
  ///
  /// - Parameters:
  ///   - names: the names of methods so far.
  ///   - bodies: the files beside the script for bodies that can't stand in it.
  mutating func text(_ names: inout UniqueNames, _ bodies: inout [(name: String, bytes: [UInt8])]) -> String? {
    if resolved.transfer != nil { return leaveOut("streams, uploads, downloads and playlists can't be played") }
    if LocustMethod.hasSecrets(resolved) { return leaveOut("it has a secret that is not declared in `secrets`") }
    if resolved.coding != nil { return leaveOut("compressed bodies can't be played") }
    if case .oauth2? = resolved.credentials { return leaveOut("tokens of `oauth2` can't be fetched") }
    if resolved.requestTarget != nil { return leaveOut("`request_target` can't be played") }
    guard var headers = headers else { return leaveOut("of credentials, only basic and bearer can be played") }
    guard let body = body(&bodies) else { return leaveOut("its body can't be read") }
    if resolved.outgoing.options.decompresses, resolved.outgoing.headers.values("Accept-Encoding").isEmpty {
      headers.append(("Accept-Encoding", "ENCODINGS"))
    }
    let checks = LocustChecks(step, at: place, values: values, in: request.scope)
    var notes = checks.missing + unplayed
    let written = try? HTTPURL(parsing: resolved.url.string)
    if written?.userinfo != nil { notes.append("userinfo in its URL, which is sent as an `Authorization` header") }
    let poll = poll(checks, &notes)
    remarks += notes.map { ExportRemark(place: place, reason: $0, detail: label) }
    name = names.name(PythonText.name(label))
    var text = "    def \(name)(self, v):\n"
    text += notes.map { "        # not played: \(sanitizedForTerminal($0))\n" }.joined()
    text += "        def check(r):\n" + checks.lines.map { "            \($0)\n" }.joined()
    if checks.lines.isEmpty { text += "            pass\n" }
    if poll != nil, let until = checks.until {
      text += "\n        def until(r):\n" + until.map { "            \($0)\n" }.joined()
    }
    text +=
      "\n        self.send(\n            \(PythonText.quoted(label)), \(PythonText.quoted(resolved.method.rawValue)),\n"
    text += "            \(url(secrets.url(resolved.outgoing.url.string))),\n            [\n"
    text += headers.map { "                (\(PythonText.quoted($0.name)), \($0.value)),\n" }.joined()
    text += "            ], check,"
    if let body { text += "\n            body=\(body)," }
    if resolved.outgoing.redirects.mode == .none { text += "\n            redirects=False," }
    if !resolved.outgoing.options.tls.verifies { text += "\n            verify=False," }
    if step.settings.continueOnFailure.value?.literal == true { text += "\n            goes_on=True," }
    if let poll { text += "\n            poll=\(poll)," }
    return text + "\n        )\n"
  }

  // MARK: Parts that it lacks

  /// The settings that Locust's users don't have.
  private var unplayed: [String] {
    let settings = step.settings
    var words: [String] = []
    func add(_ word: String, _ isSet: Bool) { if isSet { words.append("`\(word)`") } }
    if let connection = settings.connection {
      let proxy = connection.proxy
      add("proxy", proxy.url.value != nil || proxy.username.value != nil || proxy.password.value != nil)
      let tls = connection.tls
      add(
        "tls",
        tls.certificateAuthorities.value != nil || tls.certificate.value != nil || tls.pinned.value != nil
          || tls.minVersion.value != nil || tls.maxVersion.value != nil)
      add("http_version", connection.httpVersion.value != nil)
      add("resolve", connection.resolve.value != nil)
      add("connect_to", connection.connectTo.value != nil)
      add("unix_socket", connection.unixSocket.value != nil)
      add("interface", connection.interface.value != nil)
      add("ip_version", connection.addressFamily.value != nil)
      add("limit_rate", connection.maxReceiveRate.value != nil || connection.maxSendRate.value != nil)
    }
    let timeout = settings.timeout
    add("timeout", timeout.connect.value != nil || timeout.request.value != nil || timeout.resource.value != nil)
    let redirects = settings.redirects
    add(
      "redirects",
      redirects.max.value != nil || redirects.keepMethod.value != nil || redirects.allowHTTP.value != nil
        || redirects.trustHosts.value != nil)
    add("session", settings.session.cookies.value != nil || settings.session.cache.value != nil)
    add("delay", settings.delay.value != nil)
    add("retry", step.retry != nil)
    add("during", !step.children.isEmpty)
    if settings.when.value != nil { words.append("`when` was evaluated by the export") }
    return words
  }

  // MARK: Polls

  /// The poll in Python; nil without one.
  private func poll(_ checks: LocustChecks, _ notes: inout [String]) -> String? {
    guard let poll = step.poll else { return nil }
    func isKnown<Content>(_ field: Field<Content>?) -> Bool { field.map { $0.literal != nil } ?? true }
    guard isKnown(poll.timeout), isKnown(poll.attempts), isKnown(poll.interval),
      poll.until == nil || checks.until != nil
    else {
      notes.append("`poll`, whose limits or conditions the script lacks: it is sent once")
      return nil
    }
    if poll.backoff != nil { notes.append("`backoff` of `poll`") }
    let attempts = poll.attempts?.literal
    let timeout = poll.timeout?.literal ?? (attempts == nil ? .seconds(30) : nil)
    let interval = poll.interval?.literal ?? .milliseconds(500)
    let words = [
      checks.until == nil ? "check" : "until", timeout.map { "\($0 / .seconds(1))" } ?? "None",
      "\(interval / .seconds(1))",
      attempts.map(String.init) ?? "None",
    ]
    return "(\(words.joined(separator: ", ")))"
  }

  // MARK: Parts

  /// The headers in Python; nil for credentials that can't be sent.
  private var headers: [(name: String, value: String)]? {
    var headers = resolved.outgoing.headers.fields.map {
      (name: $0.name, value: values.python(secrets.header($0.name, $0.value), "text"))
    }
    if !resolved.outgoing.cookies.isEmpty {
      let text = resolved.outgoing.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
      headers.append(("Cookie", values.python(secrets.cookies(text), "text")))
    }
    switch resolved.outgoing.credentials {
    case nil: break
    case .bearer(let token)?: headers.append(("Authorization", "\"Bearer \" + \(credential(token, "token"))"))
    case .basic(let user, let password)?:
      headers.append(("Authorization", "basic(\(values.python(user, "text")), \(credential(password, "password")))"))
    default: return nil
    }
    return headers
  }

  /// A secret: one that stands in a spec is read from the environment, too.
  private func credential(_ text: String, _ kind: String) -> String {
    LoadValues.pieces(of: text).contains { $0.value != nil }
      ? values.python(text, "text") : values.secretValue(text, named: kind, at: place)
  }

  /// Returns whether a value that is marked as secret would be written.
  private static func hasSecrets(_ request: ResolvedRequest) -> Bool {
    let texts = [request.url] + (request.headers + request.cookies).flatMap { [$0.name, $0.value] }
    if texts.contains(where: \.isSecret) { return true }
    switch request.body {
    case .none, .file: return false
    case .text(let text): return text.isSecret
    case .data(let data): return data.isSecret
    case .multipart(let parts, _):
      return parts.contains { part in
        switch part.content {
        case .text(let text): text.isSecret
        case .data(let data): data.isSecret
        case .file: false
        }
      }
    }
  }

  private func url(_ url: String) -> String {
    let withoutFragment = url.prefix { $0 != "#" }
    let path = withoutFragment.prefix { $0 != "?" }
    let query = withoutFragment.dropFirst(path.count)
    // A captured URL, absolute or relative to that before it.
    let pieces = LoadValues.pieces(of: String(path))
    if query.isEmpty, pieces.count == 2, let number = pieces[1].value, pieces[0].text.hasSuffix("/"),
      pieces[0].text.dropLast().split(separator: "/", omittingEmptySubsequences: false).count == 3
    {
      return "resolved(\(PythonText.quoted(pieces[0].text)), \(values.expression(number)))"
    }
    if !FoundWord.isPresent(in: withoutFragment.utf8) { return PythonText.quoted(String(withoutFragment)) }
    let start = values.python(String(path), "in_path")
    return query.isEmpty ? start : "\(start) + \(values.python(String(query), "in_query"))"
  }

  /// The body in Python; an outer nil if it can't be read.
  private func body(_ bodies: inout [(name: String, bytes: [UInt8])]) -> String?? {
    func data(_ bytes: [UInt8]) -> String {
      bodies.append(("data/body-\(bodies.count + 1)", bytes))
      return "data(\(PythonText.quoted("data/body-\(bodies.count)")))"
    }
    guard let bytes = LocustMethod.bytes(of: resolved.outgoing.body) else { return nil }
    if bytes.isEmpty { return .some(nil) }
    guard let written = String(validating: bytes, as: UTF8.self) else { return .some(data(bytes)) }
    let type = resolved.contentType
    let isForm = type.contains("x-www-form-urlencoded")
    var text = written
    if isForm {
      text = secrets.parameters(text)
    } else if type.contains("json") {
      text = secrets.json(text)
    } else if type.contains("multipart") {
      text = secrets.multipart(text)
    }
    if !FoundWord.isPresent(in: text.utf8) {
      return bytes.count > 4096 ? .some(data(bytes)) : .some("\(PythonText.quoted(text)).encode()")
    }
    let python = type.contains("json") ? values.pythonJSON(text) : values.python(text, isForm ? "in_query" : "text")
    return .some("(\(python)).encode()")
  }

  private static func bytes(of body: RequestBody) -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(TransportError) {
      var reader = try RequestBodyReader(body)
      try reader.readAll { piece in
        bytes.append(contentsOf: piece)
        return true
      }
    } catch {
      return nil
    }
    return bytes
  }
}
