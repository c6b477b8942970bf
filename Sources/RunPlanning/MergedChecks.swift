import Diagnostics
import HTTPMessages
import ParameterEncoding
import RequestSpecs
import Values

/// What only the merged settings can tell to be wrong before sending.
func checkMerged(_ request: MergedRequest, into bag: inout DiagnosticBag) {
  let settings = request.settings
  guard let url = settings.url.value else {
    bag.error(
      "the request has no `url`", at: request.spec.range.firstLine, help: "add `url:`, at least `url: /`")
    return
  }
  checkBodyOnGet(settings, into: &bag)
  checkParameters(settings, into: &bag)
  guard let literal = url.literal?.string else { return }
  checkPath(settings, literal, url.range, into: &bag)
  let hasScheme = literal.contains("://")
  if !hasScheme, settings.baseURL.value == nil {
    bag.error(
      "the URL has no scheme, and there is no `base_url` to put before it", at: url.range,
      help: "write http:// or https:// and the host, or set `base_url` under `defaults`")
  } else if hasScheme, !literal.contains("{") {
    checkURL(literal, url.range, into: &bag)
  }
  if let base = settings.baseURL.value, let text = base.literal?.string { checkURL(text, base.range, into: &bag) }
}

private func checkURL(_ text: String, _ range: SourceRange, into bag: inout DiagnosticBag) {
  do {
    _ = try HTTPURL(parsing: text)
  } catch {
    bag.error(error.message, at: range, help: error.help)
  }
}

private func checkBodyOnGet(_ settings: RequestSettings, into bag: inout DiagnosticBag) {
  guard let body = settings.body.value, let method = settings.method.value, let name = method.literal?.rawValue,
    name == "GET" || name == "HEAD", settings.bodyOnGet.value == nil || settings.bodyOnGet.value?.literal == false
  else { return }
  bag.error(
    "a \(name) request with a body: its content has no defined meaning (RFC 9110, section 9.3.1)", at: method.range,
    notes: [Diagnostic.Note("the body stands here", at: body.range.firstLine)],
    help: "use `query` for parameters, another method, or allow it with `body_on_get: true`")
}

private func checkParameters(_ settings: RequestSettings, into bag: inout DiagnosticBag) {
  guard let body = settings.body.value, let first = settings.parameters.entries.first else { return }
  let destination = settings.encoding.entries.lazy.compactMap { entry -> EncodingOptions.Destination? in
    if case .destination(let value)? = entry.option?.literal { value } else { nil }
  }.first
  let method = settings.method.value == nil ? "POST" : settings.method.value?.literal?.rawValue
  let goesToBody =
    switch destination {
    case .body: true
    case .query: false
    case .methodDependent, nil: method.map { !["GET", "HEAD", "DELETE"].contains($0) } ?? false
    }
  guard goesToBody else { return }
  bag.error(
    "`parameters` go into the body here, and there is another body", at: first.key.range,
    notes: [Diagnostic.Note("the other body stands here", at: body.range.firstLine)],
    help: "write `query`, or `encoding: {destination: query}`")
}

/// Each `{name}` of a URL's path is filled from `path`, and each name of `path` has its place.
private func checkPath(_ settings: RequestSettings, _ url: String, _ range: SourceRange, into bag: inout DiagnosticBag) {
  guard settings.path.whole == nil else { return }
  let places = pathPlaces(url)
  let given = settings.path.entries.filter { $0.value != nil }
  for place in places where !given.contains(where: { $0.key.text == place }) {
    guard !given.contains(where: { $0.key.template != nil }) else { continue }
    bag.error("nothing fills `{\(place)}` of the URL", at: range, help: "add `path: {\(place): …}`")
  }
  for entry in given where entry.key.template == nil && !places.contains(entry.key.text) {
    // Defaults may name more than one URL needs.
    guard entry.key.range.source === range.source, entry.key.range.bytes.lowerBound > 0 else { continue }
    bag.warning("the URL has no `{\(entry.key.text)}`", at: entry.key.range)
  }
}

/// The names in braces of a URL before its query.
package func pathPlaces(_ url: String) -> [String] {
  var result: [String] = []
  var rest = url.prefix { $0 != "?" && $0 != "#" }
  while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
    let name = rest[rest.index(after: open)..<close]
    if !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) { result.append(String(name)) }
    rest = rest[rest.index(after: close)...]
  }
  return result
}
