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
      case .calls where isWhole && !request.hasMock:
        bag.error(
          .orphanedKey, "`calls` are those of a mock, and the project has none", at: range,
          help: "write `mock: true` in `reqrun.yaml`, and send to `${{ mock }}`")
      case .calls(let path): checkCallFilters(path, range, into: &bag)
      case .events(let path):
        checkEventPath(path, range, into: &bag)
        checkEventFilters(path, range, into: &bag)
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
    guard let retry = request.spec.settings.repetitionBox?.content.retry, let place = retry.place.value else { return }
    if let stream = settings.stream {
      bag.error(
        .conflictingKeys, "`retry` sends whole requests again, and a stream goes on where it broke",
        at: place.firstLine, notes: [Diagnostic.Note("the stream stands here", at: stream.range.firstLine)],
        help: "write `stream: {reconnect: …}`")
    }
    guard let field = retry.causes.value, let causes = field.literal, causes.failures.isEmpty else { return }
    for assertion in settings.expect.assertions {
      guard case .status(let status) = assertion.check, let accepted = status.literal,
        causes.statuses.ranges.joined().allSatisfy({ accepted.contains($0) })
      else { continue }
      bag.warning(
        .noEffect, "`expect` accepts what `retry` waits for: no request is sent again", at: field.range,
        notes: [Diagnostic.Note("the status stands here", at: assertion.range)],
        help: "leave the status out of `expect`")
    }
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
    } else if let near = misspeltMediaType(text.string), !expectsRefusal {
      bag.warning(
        .suspiciousHeader, "no server knows the media type \"\(text.masked)\"", at: range,
        help: "did you mean `\(near)`?")
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
