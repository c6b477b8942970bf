import HTTPSemantics
import Values

extension MergedChecks {
  func checkURL(into bag: inout DiagnosticBag) {
    guard let url = settings.url.value else {
      bag.error(
        .missingKey, "the request has no `url`", at: request.spec.range.firstLine,
        help: lonelyKey.map {
          ["name", "description", "tags"].contains($0)
            ? "add `url:`; if `\($0)` is about the request below it, leave out the `- ` before that one's keys"
            : "if `\($0)` is about the request before it, write it there: below `url:`, without `- `"
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
    guard let literal = url.literal?.string else { return }
    let isSocket = httpForm(ofWebSocket: literal) != nil
    let wantsSocket = settings.stream?.format == .websocket
    guard isSocket != wantsSocket, isAbsoluteURL(literal) else { return }
    if isSocket {
      bag.error(
        .invalidURL, "this is the URL of a WebSocket, and the request reads none", at: url.range,
        help: "add `stream: {format: websocket, send: …, until: …}`")
    } else if let stream = settings.stream {
      let scheme = literal.lowercased().hasPrefix("https") ? "wss" : "ws"
      bag.error(
        .invalidURL, "a WebSocket's URL begins with ws:// or wss://", at: url.range,
        notes: [Diagnostic.Note("the WebSocket stands here", at: stream.range.firstLine)],
        help: "write \(scheme):// in place of \(literal.prefix { $0 != ":" })://")
    }
  }

  /// The key of a request that is probably a part of the one beside it.
  private var lonelyKey: String? {
    let text = request.spec.range.text
    let key = text.prefix { $0.isLetter || $0 == "_" }
    if key == "expect" || key == "capture" { return String(key) }
    let isAlone = !text.contains("\n") && !text.hasPrefix("{") && text[key.endIndex...].hasPrefix(":")
    return isAlone && key != "method" ? String(key) : nil
  }

  /// Checks that each `{name}` of a URL's path has a value in `path`, and vice versa.
  func checkPath(into bag: inout DiagnosticBag) {
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
    if case .json(let body)? = settings.body.value { checkPlaceholders(names, body.range, into: &bag) }
    // The defaults may have names for more than one URL.
    for entry in unused where missing.isEmpty || unused.count > 1 {
      bag.warning(.unusedName, "the URL has no `{\(entry.key.text)}`", at: entry.key.range)
    }
  }

  /// Warns of `{name}` as a text of the body, which only URLs fill.
  private func checkPlaceholders(_ names: Set<String>, _ body: SourceRange, into bag: inout DiagnosticBag) {
    for name in names.sorted() {
      guard let text = ["\"{\(name)}\"", "'{\(name)}'"].first(where: body.text.contains) else { continue }
      bag.warning(
        .missingTemplate, "`{\(name)}` is text here: `path` fills it into the URL alone", at: body.part(text),
        help: "write the value, or make a variable of it for both")
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
}
