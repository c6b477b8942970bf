import HTTPSemantics
import Matching
import Values

/// Validates literals in a file by the rules that every request must meet before it is sent.
struct WireChecks {
  let request: PlannedRequest

  /// The placeholder for a template's value: valid as a host, a header's value, a cookie's, a name.
  private static let standIn = "x"

  private var settings: RequestSettings { request.settings }

  func run(into bag: inout DiagnosticBag) {
    if let field = settings.method.value, let method = field.literal {
      report(.invalidValue, checkMethod(method), at: field.range, into: &bag)
    }
    if let field = settings.requestTarget.value, let target = field.literal {
      report(.invalidURL, checkRequestTarget(target.string), at: field.range, into: &bag)
    }
    checkHeaderFields(into: &bag)
    for entry in settings.cookies.entries where entry.key.template == nil {
      for value in texts(of: entry) {
        report(
          .invalidValue, checkCookie(name: entry.key.text, value: value, index: 0), at: place(of: entry), into: &bag)
      }
    }
    checkAuth(into: &bag)
  }

  private func checkHeaderFields(into bag: inout DiagnosticBag) {
    var fields: [(name: String, value: String)] = []
    var places: [SourceRange] = []
    for entry in settings.headers.entries where entry.key.template == nil {
      for value in texts(of: entry) {
        fields.append((entry.key.text, value))
        places.append(place(of: entry))
      }
    }
    for problem in checkHeaders(HeaderFields(fields)) {
      guard case .header(let index) = problem.subject else { continue }
      report(.invalidHeader, [problem], at: places[index], into: &bag)
    }
  }

  private func checkAuth(into bag: inout DiagnosticBag) {
    guard let auth = settings.auth.value, let range = auth.range,
      let credentials = auth.credentials({ $0.literal?.string ?? WireChecks.standIn })
    else { return }
    report(.invalidValue, checkCredentials(credentials), at: range, into: &bag)
  }

  /// The values of an entry as they are sent; none for one that removes.
  private func texts(of entry: KeyedSettings<ValueTemplate>.Entry) -> [String] {
    guard let value = entry.value else { return [] }
    switch value.literal {
    case nil: return [WireChecks.standIn]
    case .list(let items)?: return items.map(\.asText.string)
    case let single?: return [single.asText.string]
    }
  }

  private func place(of entry: KeyedSettings<ValueTemplate>.Entry) -> SourceRange {
    entry.value?.range ?? entry.key.range
  }

  private func report(
    _ code: DiagnosticCode, _ problems: [WireProblem], at range: SourceRange, into bag: inout DiagnosticBag
  ) {
    for problem in problems { bag.error(code, problem.message, at: range, help: problem.help) }
  }
}

extension MergedChecks {
  /// Warns of a form that is sent as JSON, and the other way round.
  func checkBodyType(_ body: BodySpec, _ type: Text, _ range: SourceRange, into bag: inout DiagnosticBag) {
    let (key, other): (String, String)
    let isMarkup = ["xml", "html", "csv"].contains(where: type.string.lowercased().contains)
    switch body {
    case .form where type.string.lowercased().contains("json"): (key, other) = ("form", "json")
    case .json where type.string.lowercased().contains("x-www-form-urlencoded"): (key, other) = ("json", "form")
    case .json where isMarkup && isValidated && !settings.expect.expectsStatus: (key, other) = ("json", "body")
    case .text(let field): return checkJSONText(field, type, into: &bag)
    default: return
    }
    bag.warning(
      .contentTypeMismatch, "the header Content-Type says \"\(type.masked)\", and `\(key)` makes another body",
      at: range, help: "write `\(other):` in place of `\(key):`, or leave the header out")
  }

  /// Warns of a text with the type of JSON that is none, unless a status says what comes of that.
  private func checkJSONText(_ field: Field<Text>, _ type: Text, into bag: inout DiagnosticBag) {
    guard type.string.lowercased().hasPrefix("application/json"), let text = field.literal?.string,
      text.utf8.count <= 1 << 16, looksLikeJSON(text) || looksLikeForm(text), !isJSON(text), !expectsRefusal
    else { return }
    bag.warning(
      .suspiciousBody, "this text is not JSON, as which it is sent", at: field.range.firstLine,
      help: "write it under `json:`, or `expect: {status: 400}` if it must be refused")
  }

  /// Warns of JSON or a form as text, which is sent without a content type.
  func checkUntypedBody(_ body: BodySpec, into bag: inout DiagnosticBag) {
    guard case .text(let field) = body, let text = field.literal?.string, text.utf8.count <= 1 << 16, !expectsRefusal
    else { return }
    let isForm = looksLikeForm(text) && text.contains("&")
    guard isForm || looksLikeJSON(text) && isJSON(text) else { return }
    let key = isForm ? "form" : "json"
    bag.warning(
      .suspiciousBody, "this text is sent without a Content-Type, and looks like \(isForm ? "a form" : "JSON")",
      at: field.range.firstLine, help: "write it under `\(key):`, or the type under `headers:`")
  }

  private func looksLikeJSON(_ text: String) -> Bool {
    text.first { !$0.isWhitespace }.map { $0 == "{" || $0 == "[" } ?? false
  }

  /// `name=Ann&age=7`
  private func looksLikeForm(_ text: String) -> Bool {
    text.split(separator: "&", omittingEmptySubsequences: false).allSatisfy { part in
      let name = part.prefix { $0 != "=" }
      return name.endIndex < part.endIndex && !part.contains(" ") && !part.contains { $0.isNewline } && !name.isEmpty
        && name.utf8.allSatisfy { isWordCharacter($0) || "-.[]%".utf8.contains($0) }
    }
  }

  var isValidated: Bool {
    settings.validate.value.map { if case .none = $0 { false } else { true } } ?? true
  }

  /// Warns of an Authorization beside `auth`, which is then not sent.
  private func checkOwnAuthorization(into bag: inout DiagnosticBag) {
    let own = request.spec.settings
    guard let auth = own.auth.value?.range,
      let header = own.headers.entries.first(where: { equalsIgnoringCase($0.key.text, "authorization") }),
      header.value != nil
    else { return }
    bag.warning(
      .suspiciousHeader, "this header is sent in place of what `auth` says", at: header.key.range,
      notes: [Diagnostic.Note("`auth` stands here", at: auth.firstLine)], help: "leave out one of the two")
  }

  /// Warns of a parameter that the URL and `query` have, each with one value: both are sent.
  private func checkRepeatedParameters(into bag: inout DiagnosticBag) {
    guard !settings.query.entries.isEmpty, let url = settings.url.value, let text = url.literal?.string,
      let mark = text.utf8.firstIndex(of: UInt8(ascii: "?"))
    else { return }
    let pairs = text[text.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&")
    let names = Set(pairs.map { percentDecoded($0.prefix { $0 != "=" }) })
    for entry in settings.query.entries where entry.key.template == nil && names.contains(entry.key.text) {
      if case .list? = entry.value?.literal { continue }
      bag.warning(
        .suspiciousRequest, "the URL has `\(jsonEscaped(entry.key.text))` already, and both are sent",
        at: entry.key.range, notes: [Diagnostic.Note("the URL stands here", at: url.range.firstLine)],
        help: "write it once; a list under `query` sends several values")
    }
  }

  /// Warns of a limit for a duration that the timeout keeps.
  private func checkDurations(into bag: inout DiagnosticBag) {
    guard let timeout = settings.timeout.resource.value?.literal else { return }
    for assertion in request.spec.settings.expect.assertions {
      switch assertion.subject {
      case .duration, .timing: break
      default: continue
      }
      guard case .predicates(let specs) = assertion.check else { continue }
      for (index, spec) in specs.enumerated() {
        guard case .fixed(let predicate) = spec, ["less_than", "at_most"].contains(predicate.kind.name),
          case .value(.number(let limit)) = predicate.operand, milliseconds(timeout) <= limit
        else { continue }
        bag.warning(
          .alwaysTrue, "the timeout is not longer: this always holds",
          at: assertion.places.range(ofPredicate: index, line: nil, paths: []), help: "write a shorter duration")
      }
    }
  }

  /// Warns of what checks nothing beside other settings.
  func checkEffects(into bag: inout DiagnosticBag) {
    checkQueryAsJSON(into: &bag)
    checkRepeatedParameters(into: &bag)
    checkRepeatedCookies(into: &bag)
    checkEncoding(into: &bag)
    checkDurations(into: &bag)
    checkEmptyBody(into: &bag)
    checkOwnAuthorization(into: &bag)
    if let coding = request.spec.settings.bodyCoding?.range, sentBody == nil, settings.transferBox == nil {
      bag.warning(.noEffect, "this is about a body, and the request has none", at: coding, help: "leave it out")
    }
  }

  /// Warns of what the request denies of a body that is empty in any case.
  private func checkEmptyBody(into bag: inout DiagnosticBag) {
    var isEmpty = request.method == .head
    for assertion in settings.expect.assertions {
      guard case .status(let field) = assertion.check, let statuses = field.literal else { continue }
      isEmpty = isEmpty || !(100..<1000).contains { statuses.contains($0) && ![204, 205, 304].contains($0) }
    }
    guard isEmpty else { return }
    for assertion in request.spec.settings.expect.assertions {
      if case .snapshot = assertion.check {
        bag.warning(
          .noEffect, "the body of this response is empty in any case, and so is the snapshot", at: assertion.range,
          help: "leave it out, or ask for a response with a body")
      }
      guard case .body = assertion.subject, case .predicates(let specs) = assertion.check else { continue }
      let denied = specs.compactMap { if case .fixed(let predicate) = $0 { predicate } else { nil } }
      guard denied.count == specs.count, denied.allSatisfy(\.kind.isNegation),
        hold(denied, for: .value(.text(Text(""))))
      else { continue }
      bag.warning(
        .alwaysTrue, "the body of this response is empty in any case: this always holds", at: assertion.range,
        help: "leave it out, or ask for a response with a body")
    }
  }

  /// Warns of a query of GraphQL in `json`, of whose response nothing looks at the body: its errors have status 200.
  private func checkQueryAsJSON(into bag: inout DiagnosticBag) {
    guard case .json(let value)? = settings.body.value, let query = value.member("query"), query.string.hasSuffix("}"),
      !query.string.contains("=\""), isValidated
    else { return }
    let outline = GraphQLOutline(query.string)
    var readsBody = outline.operations.isEmpty || outline.unclosed != nil
    // With an error, `null` is there.
    var idle: Set<SourceRange> = []
    settings.expect.forEachAssertion { if $0.asksForExistence { idle.insert($0.range) } }
    settings.forEachSubject { subject, range in
      switch subject {
      case _ where idle.contains(range): break
      case .json, .body, .schema, .snapshot, .bytes: readsBody = true
      default: break
      }
    }
    if readsBody { return }
    bag.warning(
      .graphqlErrors, "errors of GraphQL come with status 200, and nothing looks for them here",
      at: value.range.firstLine, help: "write `graphql:` in place of `json:`, which does")
  }
}

extension ValueTemplate {
  /// The literal text of a member.
  fileprivate func member(_ name: String) -> Text? {
    let value: Value? =
      switch content {
      case .literal(.mapping(let members)): members[name]
      case .mapping(let members): members.first { $0.key.text == name }?.value.literal
      default: nil
      }
    if case .text(let text)? = value { return text } else { return nil }
  }
}
