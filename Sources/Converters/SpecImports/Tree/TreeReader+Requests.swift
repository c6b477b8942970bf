/// Requests with what they inherit.
extension TreeReader {
  mutating func read(
    _ item: ImportedItem, _ names: [String], _ inherited: Inheritance, into file: inout ImportedFile
  ) {
    var request = item.request
    let title = (names + [item.scope.name]).filter { !$0.isEmpty }.joined(separator: " / ")
    request.name = title
    if request.url.isEmpty || ["http:///", "https:///"].contains(where: request.url.hasPrefix)
      || request.url.literal == "http://"
    {
      return file.untranslated.remark("requests without a URL", title)
    }
    request.headers = inherited.headers(before: item.scope.headers)
    request.add(item.scope.auth ?? inherited.auth, replaces: tree.tool == .postman)
    request.setType(ofBody: item.bodyType)
    // What outer scripts expect holds for conditions of inner ones.
    var effects = inherited.effects
    effects.variables = []
    effects.request = item.scope.name
    for script in inherited.scripts { effects.read(script, isShared: true) }
    effects.untranslated.removeAll(where: inherited.remarks.contains)
    for script in item.scope.scripts { effects.read(script, isShared: false) }
    request.headers += effects.headers
    for (key, value) in effects.expectations.expect { request.expect.set(key, value) }
    request.conditionalExpect = effects.expectations.conditional
    if tree.tool == .bruno { request.expectTexts() }
    if effects.delay > 0 { request.settings.set(.delay, .text("\(effects.delay)ms")) }
    request.captures = effects.captures.members
    if !effects.poll.isEmpty { request.settings.set(.poll, .mapping(effects.poll)) }
    for (key, value) in tree.captures[item.identifier] ?? [] { request.captures.set(key, value) }
    request.untranslated += effects.untranslated
    let outer = inherited.effects.variables.filter { one in !effects.variables.contains { $0.name == one.name } }
    if tree.tool == .postman {
      place(outer, own: effects.variables, of: item, &request, &file)
    } else {
      var variables = item.scope.variables
      variables.replace(with: outer + effects.variables)
      declare(variables, inherited.inner, of: &request)
    }
    file.requests.append(request)
  }

  /// Declares the variables of a request, and those of the folders around it that it reads.
  private func declare(
    _ variables: [ImportedVariable], _ outer: [ImportedVariable], of request: inout ImportedRequest
  ) {
    request.variables = variables
    let read = outer.reduce(request.readVariables) { $0.union($1.value.readVariables) }
    request.variables = outer.filter { read.contains($0.name) }
    request.variables.replace(with: variables)
    for variable in request.variables {
      if variable.readsItself {
        request.remark("variables that read themselves", variable.name)
      } else if request.captures.contains(where: { $0.key == variable.name }) {
        request.remark("variables that are also captured", variable.name)
      } else {
        continue
      }
      request.variables.removeAll { $0.name == variable.name }
    }
  }
}

extension ImportedVariable {
  fileprivate var readsItself: Bool {
    guard case .text(let text) = value else { return false }
    return text.parts.contains(.variable(name))
  }
}

extension ImportedRequest {
  /// Gives a body its type where no header names one. A text of JSON is JSON.
  fileprivate mutating func setType(ofBody type: String?) {
    if let type, !hasHeader("Content-Type") {
      headers.append(Header(name: "Content-Type", value: ImportedText(type)))
    }
    if case .text(let text)? = body, let type = header("Content-Type")?.literal, isJSONType(type) { body = .json(text) }
  }

  private static let textPredicates: Set<String> = [
    "equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "matches", "not_matches",
  ]

  /// Compares the body's text where a text is expected of all of it: Bruno has a text for a body that isn't JSON.
  fileprivate mutating func expectTexts() {
    expect = Self.withTexts(expect)
    conditionalExpect = conditionalExpect.map { item in
      Self.withTexts(
        item.map { key, value in
          (key, key == "when" ? .mapping(Self.withTexts(value.members ?? [])) : value)
        })
    }
  }

  private static func withTexts(
    _ expect: [(key: String, value: ImportedValue)]
  ) -> [(key: String, value: ImportedValue)] {
    guard let paths = expect.first(where: { $0.key == "json" })?.value.members,
      let whole = paths.first(where: { $0.key == "$" })?.value, !expect.contains(where: { $0.key == "body" }),
      whole.isText || (whole.members?.allSatisfy { textPredicates.contains($0.key) && $0.value.isText } ?? false)
    else { return expect }
    let others = paths.filter { $0.key != "$" }
    return expect.flatMap { key, value in
      if key != "json" { return [(key, value)] }
      return (others.isEmpty ? [] : [("json", .mapping(others))]) + [("body", whole)]
    }
  }
}

extension ImportedValue {
  fileprivate var isText: Bool {
    switch self {
    case .text: return true
    case .node(let node):
      if case .text? = node.scalar?.meaning { return true }
      return false
    default: return false
    }
  }
}
