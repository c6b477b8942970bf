import HTTPSemantics
import OperatingSystem
import Values

extension LoadedSpec {
  /// Checks each request with the settings around it, but neither names nor files.
  package func checkRequests(into bag: inout DiagnosticBag) {
    let layers = SpecLayers(self, command: nil)
    MergedChecks.run(layers.requests(using: [:]), of: layers, into: &bag)
  }
}

/// Checks of merged settings before sending.
struct MergedChecks {
  let request: PlannedRequest
  /// Indicates whether no key is misspelt, so that missing ones are really missing.
  let isWhole: Bool

  var settings: RequestSettings { request.settings }

  static func run(_ requests: [PlannedRequest], of layers: SpecLayers, into bag: inout DiagnosticBag) {
    let knowsAllDefaults = layers.knowsAllDefaults
    let checked = mapPieces(of: requests, minimum: minPiece) { piece in
      var bag = DiagnosticBag()
      for request in piece where request.spec.use == nil {
        MergedChecks(request: request, isWhole: knowsAllDefaults && request.spec.isWhole).run(into: &bag)
      }
      return bag.diagnostics
    }
    for diagnostics in checked { bag.add(contentsOf: diagnostics) }
  }

  func run(into bag: inout DiagnosticBag) {
    if isWhole {
      checkURL(into: &bag)
      checkPath(into: &bag)
      checkRemovals(into: &bag)
    }
    checkParameters(into: &bag)
    checkContentType(into: &bag)
    checkCompression(into: &bag)
    checkBodyAgainstMethod(into: &bag)
    checkSubjects(into: &bag)
    WireChecks(request: request).run(into: &bag)
    checkStream(into: &bag)
    checkSubscription(into: &bag)
    checkRetry(into: &bag)
    checkPoll(into: &bag)
    checkEffects(into: &bag)
    if let transfer = settings.transferBox?.content {
      checkTransfer(transfer, into: &bag)
      if let upload = transfer.upload.value { UploadChecks(request: request, upload: upload).run(into: &bag) }
    }
    if let connection = settings.connection { ConnectionChecks(settings: connection).run(into: &bag) }
  }

  private func checkRemovals(into bag: inout DiagnosticBag) {
    for range in settings.expect.idleRemovals {
      bag.error(
        .orphanedKey, "there is nothing to remove here: no lower layer expects this", at: range,
        help: "write {exists: false} for what must not be there")
    }
  }

  private func checkTransfer(_ transfer: TransferSettings, into bag: inout DiagnosticBag) {
    if let download = transfer.download.value, settings.method.value?.literal == .head {
      bag.error(
        .unsuitableMethod, "HEAD has a response without a body: there is nothing to download", at: download.to.range,
        help: "write `method: GET`, or leave out `download`")
    }
    let given = transfer.given
    guard let first = given.first else { return }
    for other in given.dropFirst() {
      bag.error(
        .conflictingKeys, "a request has one of `\(first.key)` and `\(other.key)`", at: other.range,
        notes: [Diagnostic.Note("the other stands here", at: first.range)],
        help: "make two requests of it, or write `\(other.key): null` to take away one of the defaults")
    }
  }

  /// Checks that the prefixes in XPaths are declared, and that assertions on events belong to a stream.
  private func checkSubjects(into bag: inout DiagnosticBag) {
    let readsEvents = settings.stream != nil
    // A response of another status is read as a body.
    let readsEventsAlone =
      readsEvents && isValidated && !settings.expect.expectsStatus && settings.expect.groups.isEmpty
    var prefixes: [Located<String>] = []
    settings.forEachSubject { subject, range in
      switch subject {
      case .xpath(let spec): prefixes += spec.prefixes
      case .events where isWhole && !readsEvents:
        bag.error(
          .orphanedKey, "`events` are those of a stream, and the request reads none", at: range,
          help: "add `stream: {format: sse}`, or look at the body by `json`")
      case .events(let path): checkEventPath(path, range, into: &bag)
      case .json(let path) where readsEventsAlone: checkEventPath(path, range, into: &bag)
      default: break
      }
    }
    checkNamespaces(of: prefixes, settings, into: &bag)
  }

  /// Warns of a path to a member of a list of events.
  private func checkEventPath(_ path: JSONPathSpec, _ range: SourceRange, into bag: inout DiagnosticBag) {
    guard let stream = settings.stream, let path = path.compiled, let name = path.firstName else { return }
    let member = stream.format.members.contains(name) ? path.text : eventJSONPath(path.text, stream.format)
    bag.warning(
      .suspiciousStream, "this path finds nothing: a stream is read as the list of its events", at: range,
      help: "write `$[*]\(stream.format == .text ? ".data" : member.dropFirst())`")
  }

  /// Checks that a WebSocket is opened by a plain GET, and that requests during a stream have a connection of their own.
  private func checkStream(into bag: inout DiagnosticBag) {
    if let stream = settings.stream, stream.format == .websocket {
      let note = Diagnostic.Note("the WebSocket stands here", at: stream.range.firstLine)
      if let method = settings.method.value, let literal = method.literal, literal != .get {
        bag.error(
          .unsuitableMethod, "a WebSocket is opened by GET (RFC 6455, section 4.1)", at: method.range, notes: [note],
          help: "leave out `method`")
      }
      if case .graphQL? = settings.body.value {
        if let key = stream.messageKeys.first(where: { $0.text == "send" }) {
          bag.error(
            .conflictingKeys, "a subscription sends messages of its own", at: key, notes: [note],
            help: "remove `send`, or write the query as such a message, without `graphql`")
        }
      } else if let body = settings.body.value {
        bag.error(
          .conflictingKeys, "the request that opens a WebSocket has no body", at: body.range.firstLine, notes: [note],
          help: "write what is sent once it is open under `stream`: `send: [{json: …}]`")
      }
      if let version = settings.connection?.httpVersion.value, let literal = version.literal,
        ![.automatic, .http11].contains(literal)
      {
        bag.error(
          .conflictingKeys, "a WebSocket is opened by HTTP/1.1 (RFC 6455, section 4.1)", at: version.range,
          notes: [note], help: "leave out `http_version`")
      }
    }
    if let stream = settings.stream, !stream.during.isEmpty,
      let limit = settings.session.maxConnectionsPerHost.value, limit.literal == 1
    {
      bag.warning(
        .suspiciousStream, "the stream has the only connection to its host: what is sent `during` it waits for its end",
        at: limit.range, notes: [Diagnostic.Note("the stream stands here", at: stream.range.firstLine)])
    }
  }

  private func checkRetry(into bag: inout DiagnosticBag) {
    guard let place = request.spec.settings.repetitionBox?.content.retry.place.value, let stream = settings.stream
    else { return }
    bag.error(
      .conflictingKeys, "`retry` sends whole requests again, and a stream goes on where it broke", at: place.firstLine,
      notes: [Diagnostic.Note("the stream stands here", at: stream.range.firstLine)],
      help: "write `stream: {reconnect: …}`")
  }

  private func checkPoll(into bag: inout DiagnosticBag) {
    guard let poll = settings.repetitionBox?.content.poll.value else { return }
    if let (key, range) = settings.transferBox?.content.given.first {
      bag.error(
        .conflictingKeys, "`poll` sends the whole request again and again, which `\(key)` is not for",
        at: poll.range.firstLine, notes: [Diagnostic.Note("`\(key)` stands here", at: range.firstLine)],
        help: "wait by a request of its own before this one")
    }
    if let failure = settings.expect.failure.value {
      bag.error(
        .conflictingKeys, "`poll` waits for a response, and `expect: {error: …}` for none", at: failure.range,
        notes: [Diagnostic.Note("`poll` stands here", at: poll.range.firstLine)], help: "remove one of the two")
    }
  }

  // MARK: URL

  private func checkURL(into bag: inout DiagnosticBag) {
    guard let url = settings.url.value else {
      bag.error(
        .missingKey, "the request has no `url`", at: request.spec.range.firstLine,
        help: ["expect", "capture"].first { request.spec.range.text.hasPrefix("\($0):") }.map {
          "if `\($0)` is about the request before it, write it there: below `url:`, without `- `"
        } ?? "add `url:`, at least `url: /`")
      return
    }
    checkWebSocketURL(url, into: &bag)
    guard let literal = url.literal?.string, !isAbsoluteURL(literal) else { return }
    if let base = settings.baseURL.value {
      guard let text = base.literal?.string, text.contains(where: { $0 == "?" || $0 == "#" }) else { return }
      bag.error(
        .invalidURL, "`base_url` has a query or a fragment, and the URL would become part of it", at: base.range,
        help: "put the parameters into `query`")
      return
    }
    bag.error(
      .invalidURL, "the URL has no scheme, and there is no `base_url` to put before it", at: url.range,
      help: "write http:// or https:// and the host, or set `base_url` under `defaults`")
  }

  /// Checks that a WebSocket's URL and its format come together.
  private func checkWebSocketURL(_ url: Field<Text>, into bag: inout DiagnosticBag) {
    guard let literal = url.literal?.string, isAbsoluteURL(literal) else { return }
    let isSocket = httpForm(ofWebSocket: literal) != nil
    let wantsSocket = settings.stream?.format == .websocket
    if isSocket, !wantsSocket {
      bag.error(
        .invalidURL, "this is the URL of a WebSocket, and the request reads none", at: url.range,
        help: "add `stream: {format: websocket, send: …, until: …}`")
    } else if wantsSocket, !isSocket, let stream = settings.stream {
      let scheme = literal.lowercased().hasPrefix("https") ? "wss" : "ws"
      bag.error(
        .invalidURL, "a WebSocket's URL begins with ws:// or wss://", at: url.range,
        notes: [Diagnostic.Note("the WebSocket stands here", at: stream.range.firstLine)],
        help: "write \(scheme):// in place of \(literal.prefix { $0 != ":" })://")
    }
  }

  /// Checks that each `{name}` of a URL's path has a value in `path`, and vice versa.
  private func checkPath(into bag: inout DiagnosticBag) {
    guard let url = settings.url.value, let text = url.literal?.string ?? url.text(standIn: "x"),
      settings.path.whole == nil, settings.path.unreadableKeys.isEmpty
    else { return }
    let places = pathPlaces(text)
    let given = settings.path.entries.filter { $0.value != nil }
    if given.contains(where: { $0.key.template != nil }) { return }
    let names = Set(given.map(\.key.text))
    var missing: Set<String> = []
    let known = Set(places)
    let unused = request.spec.settings.path.entries.filter { $0.value != nil && !known.contains($0.key.text) }
    // More are never shown.
    for place in places where missing.count < 100 && !names.contains(place) && missing.insert(place).inserted {
      let other = unused.count == 1 ? unused.first : nil
      bag.error(
        .invalidURL, "nothing fills `{\(place)}` of the URL", at: url.range.part("{\(place)}"),
        notes: other.map { [Diagnostic.Note("the URL has no `{\($0.key.text)}`", at: $0.key.range)] } ?? [],
        help: other == nil ? "add `path: {\(place): …}`" : "write `\(place)` as the name in `path`, or in the URL")
    }
    checkFilledPath(text, given, into: &bag)
    // The defaults may have names for more than one URL.
    for entry in unused where missing.isEmpty || unused.count > 1 {
      bag.warning(.unusedName, "the URL has no `{\(entry.key.text)}`", at: entry.key.range)
    }
  }

  private func checkFilledPath(
    _ url: String, _ given: [KeyedSettings<ValueTemplate>.Entry], into bag: inout DiagnosticBag
  ) {
    var values: [String: String] = [:]
    for entry in given {
      if case .text(let text)? = entry.value?.literal { values[entry.key.text] = text.string }
    }
    guard !values.isEmpty, let (name, problem) = problem(ofPlacesIn: url, filledBy: values) else { return }
    bag.error(.invalidURL, problem.message, at: given.last { $0.key.text == name }?.value?.range, help: problem.help)
  }

  // MARK: Body

  private func checkParameters(into bag: inout DiagnosticBag) {
    guard let range = parametersRange else { return }
    if settings.encoding.parameterFormat == .json, settings.encoding.parameterDestination == .query {
      bag.error(
        .conflictingKeys, "JSON parameters go into the body, and `destination` sends them to the query", at: range,
        help: "write `format: form`, or leave out `destination: query`")
    } else if let body = settings.body.value?.range ?? settings.transferBox?.content.upload.value?.range,
      settings.sendsParametersAsBody == true
    {
      bag.error(
        .conflictingKeys, "`parameters` go into the body here, and there is another body", at: range,
        notes: [Diagnostic.Note("the other body stands here", at: body.firstLine)],
        help: "write `query`, or `encoding: {destination: query}`")
    }
  }

  private var parametersRange: SourceRange? {
    settings.parameters.whole?.range ?? settings.parameters.entries.first?.key.range
  }

  /// Checks that a multipart type has a boundary, unless `multipart` makes one.
  private func checkContentType(into bag: inout DiagnosticBag) {
    guard let body = settings.body.value else { return }
    guard let header = header("content-type") else {
      let isKnown = settings.headers.whole == nil && settings.headers.entries.allSatisfy { $0.key.template == nil }
      if isKnown { checkUntypedBody(body, into: &bag) }
      return
    }
    guard case .text(let text)? = header.value?.literal else { return }
    let range = header.value?.range ?? header.key.range
    let isMultipart = text.string.lowercased().hasPrefix("multipart/")
    if case .multipart(_, let place) = body {
      if isMultipart { return }
      bag.error(
        .contentTypeMismatch, "the header Content-Type says \"\(text.masked)\", and `multipart` makes another body",
        at: range, notes: [Diagnostic.Note("the body stands here", at: place.firstLine)],
        help: "leave the header out, or take it away with `Content-Type: null`")
    } else if isMultipart, headerParameter("boundary", of: text.string) == nil {
      bag.warning(
        .contentTypeMismatch, "a multipart body needs the boundary between its parts in its Content-Type", at: range,
        help: "write the parts under `multipart:`, or add `; boundary=…`")
    } else {
      checkBodyType(body, text, range, into: &bag)
    }
  }

  func header(_ name: String) -> KeyedSettings<ValueTemplate>.Entry? {
    settings.headers.entries.first { equalsIgnoringCase($0.key.text, name) }
  }

  private func checkBodyAgainstMethod(into bag: inout DiagnosticBag) {
    guard let body = sentBody, let method = request.method else { return }
    let message: String
    let help: String
    if method.rawValue == "TRACE" {
      message = "a TRACE request can't have a body"
      help = "remove the body, or use another method"
    } else if method == .get || method == .head, settings.bodyOnGet.value.map({ $0.literal == false }) ?? true {
      message = "a \(method.rawValue) request with a body: its content has no defined meaning (RFC 9110, section 9.3.1)"
      help = "write `method: POST`, or `query:` for parameters; `body_on_get: true` allows the body"
    } else {
      return
    }
    // At the place in the request itself: the other may be in the defaults.
    if let field = request.spec.settings.method.value {
      bag.error(
        .unsuitableMethod, message, at: field.range,
        notes: [Diagnostic.Note("the body stands here", at: body.firstLine)], help: help)
    } else {
      let notes = settings.method.value.map { [Diagnostic.Note("the method stands here", at: $0.range)] }
      bag.error(.unsuitableMethod, message, at: body.firstLine, notes: notes ?? [], help: help)
    }
  }

  /// The place of the body.
  var sentBody: SourceRange? {
    if settings.stream?.format == .websocket { return nil }
    return switch settings.body.value {
    case .text(let field)? where field.literal?.isEmpty == true: nil
    case .form(let form, _)? where form.isEmpty: nil
    case let body?: body.range
    case nil: settings.sendsParametersAsBody == true ? parametersRange : nil
    }
  }
}
