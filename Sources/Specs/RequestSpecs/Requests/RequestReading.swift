import DocumentQueries
import HTTPSemantics
import Templates
import Values
import YAMLNodes

let requestKeys: Keys<RequestDraft> = Keys(
  [
    Key(
      RequestKey.name.rawValue, "for people, selection and reports; it may have templates", synonyms: "title label",
      .field(.scalarText)
    ) {
      $0.name = $1
    },
    Key(RequestKey.description.rawValue, "for people", synonyms: "summary desc", .text) {
      $2.description = $0.plainText($1.value, as: "description")
    },
    Key(RequestKey.tags.rawValue, "a word or a list, without commas", SchemaShape.text.orList) {
      $2.tags = $0.tags($1.value)
    },
    Key(
      RequestKey.variables.rawValue,
      "a mapping; evaluated for this request alone, anew for each row and each round of a poll; they may read captures",
      synonyms: "vars var variable env environment let locals", variablesShape
    ) { $2.variables = $0.variables($1.value) },
    Key(
      RequestKey.each.rawValue, "the request runs once for each row: see \"Rows\"",
      synonyms: "loop for_each foreach with_items iteration iterations parameterize examples repeat rows cases",
      RowsDraft.shape
    ) { $2.rows = $0.rows($1.value, isOfRequest: true) },
    Key(
      RequestKey.mock.rawValue,
      "the response, or a list of them, that `reqrun mock` gives to such requests: see \"Mocks\"", synonyms: "stub",
      MockSpec.keys.shape().orList
    ) { $2.mocks = $0.mocks($1.value) },
  ]
    + RequestSettings.keys.enumerated().map { place, setting in
      Key(
        setting.key.name, setting.key.documentation, synonyms: setting.key.synonyms,
        .named("request_" + setting.key.name, setting.key.shape)
      ) {
        setting.key.read(&$0, $1, &$2.settings)
        $2.settings.given.insert(place)
      }
    }, advice: useAdvice.merging(MigrationHints.requestAdvice) { $1 },
  usual: [
    "name", "method", "url", "headers", "query", "json", "form", "multipart", "body", "auth", "timeout", "expect",
    "capture",
  ])

/// Keys that belong to a file or to a request, not to shared settings.
private let ownNames = [
  "name": "it belongs to the file or to a request", "description": "it belongs to the file or to a request",
  "tags": "it belongs to the file or to a request", "each": "it belongs to the file or to a request",
  "variables": "they belong to the file, beside `defaults`, or to a request",
  "mock": "it belongs to a request: each has responses of its own",
  "send": "it belongs to a request of `during`, or stands under `stream`",
  "poll": "it belongs to a request: each waits for something else",
]

let defaultsKeys: Keys<RequestDraft> = Keys(
  requestKeys.all.filter { ownNames[$0.name] == nil },
  advice: requestKeys.names.advice.merging(ownNames) { old, _ in old },
  usual: ["base_url", "headers", "query", "auth", "timeout", "redirects", "tls", "validate", "expect"])

extension SpecReader {
  /// The parameters of a URL.
  mutating func parameters(_ node: YAMLNode, as key: String) -> KeyedSettings<ValueTemplate> {
    checkSwallowedKeys(node, as: key)
    return keyed(node, as: key, nullRemoves: false) { reader, member in
      reader.checkForeignTemplate(member.value, shells: false)
      reader.checkParameterName(member)
      reader.checkParameterValue(member)
      reader.checkEncodedTwice(member, key)
      return reader.valueTemplate(member.value, nonFinite: .text)
    }
  }

  /// Names with a scalar each, or a list of scalars.
  mutating func scalars(_ node: YAMLNode, as what: String, lists: Bool) -> KeyedSettings<ValueTemplate> {
    checkSwallowedKeys(node, as: what)
    return keyed(node, as: what) { reader, member in
      if what == "cookies" { reader.checkCookieName(member) }
      if what == "path" { reader.checkPathValue(member) }
      let items = (lists ? member.value.items : nil) ?? [member.value]
      for item in items where !item.hasError && (item.scalar == nil || item.isNull) {
        return reader.reject(
          .wrongType, "`\(what)` takes text, numbers, true and false, found \(item.kindPhrase)", at: item)
      }
      return reader.valueTemplate(member.value, nonFinite: .text)
    }
  }

  /// Warns of a blank, or a sign of a query, that is part of a name.
  private mutating func checkParameterName(_ member: YAMLMember) {
    if member.key.hasPrefix(" ") || member.key.hasSuffix(" "), !Template.isTemplate(member.key) {
      let name = member.key.trimming { $0 == " " }
      bag.warning(
        .suspiciousRequest, "the blank is part of the name here, and sent", at: member.keyRange,
        help: "write `\(jsonEscaped(String(name))): …`")
    }
    let sign =
      member.key.first.flatMap { "?&".contains($0) && member.key.count > 1 ? $0 : nil }
      ?? (member.key.contains("=") && (member.value.scalar?.text.isEmpty == true || member.value.isNull) ? "=" : nil)
    guard let sign, !Template.isTemplate(member.key) else { return }
    let name = member.key.drop { $0 == sign }.prefix { $0 != "=" }
    bag.warning(
      .suspiciousRequest, "`\(sign)` is part of the name here", at: member.keyRange,
      help: "write `\(jsonEscaped(String(name))): …`")
  }

  /// Warns of a value with another parameter, or one that is encoded already.
  private mutating func checkParameterValue(_ member: YAMLMember) {
    guard let text = member.value.plainText, text.utf8.count < 1 << 10, !text.contains("/"), !text.contains("?"),
      !text.contains(" "), !Template.isTemplate(text)
    else { return }
    let parts = text.split(separator: "&", omittingEmptySubsequences: false)
    if let part = parts.dropFirst().first(where: { $0.contains("=") }), let sign = part.firstIndex(of: "="),
      Template.isName(String(part[..<sign]))
    {
      let value = part[part.index(after: sign)...]
      return warn(
        .suspiciousRequest, "`&` is part of the value here, and sent as `%26`", at: member.value,
        help: "write `\(part[..<sign]): \(value)` beside it")
    }
    checkEncodedValue(member)
  }

  /// Warns of a value that is encoded already.
  private mutating func checkEncodedValue(_ member: YAMLMember) {
    guard let text = member.value.plainText, text.utf8.count < 1 << 10, !Template.isTemplate(text) else { return }
    let escapes = text.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
    guard !escapes.isEmpty, escapes.allSatisfy({ $0.prefix(2).count == 2 && $0.prefix(2).allSatisfy(\.isHexDigit) })
    else { return }
    warn(
      .suspiciousRequest, "this is encoded already: `%` is sent as `%25`", at: member.value,
      help: "write `\(jsonEscaped(percentDecoded(text)))`")
  }

  /// Warns of a filter that encodes what is encoded anyway.
  mutating func checkEncodedTwice(_ member: YAMLMember, _ what: String) {
    guard let text = member.value.scalar?.text, text.hasPrefix("${{"), text.hasSuffix("}}"),
      text.dropLast(2).filter({ $0 != " " }).hasSuffix("|url_encode")
    else { return }
    warn(
      .conflictingNames, "this is encoded twice: `\(what)` encodes its values, too", at: member.value,
      help: "leave out `| url_encode`")
  }

  /// Warns of a value with a query: a path has none.
  private mutating func checkPathValue(_ member: YAMLMember) {
    checkEncodedTwice(member, "path")
    checkEncodedValue(member)
    guard let text = member.value.plainText, let mark = text.firstIndex(of: "?"), text[mark...].contains("="),
      !Template.isTemplate(text)
    else { return }
    warn(
      .suspiciousURL, "the `?` is part of the value here, and sent as `%3F`", at: member.value,
      help: "write what follows it under `query:`")
  }

  /// Warns of a cookie that looks like the header Cookie.
  private mutating func checkCookieName(_ member: YAMLMember) {
    guard let text = member.value.scalar?.text, text.contains("=") else { return }
    if text.hasPrefix(member.key + "="), text.utf8.count > member.key.utf8.count + 1 {
      warn(
        .suspiciousRequest, "the value repeats the name of the cookie", at: member.value, help: "leave the name out")
    }
    guard member.key.lowercased() == "cookie" else { return }
    bag.warning(
      .suspiciousRequest, "this is a cookie named \(member.key)", at: member.keyRange,
      help: "write the name of the cookie as the key")
  }

  mutating func checkMethodCase(_ node: YAMLNode) {
    guard let method = node.plainText, !standardMethods.contains(method) else { return }
    guard standardMethods.contains(method.uppercased()) else {
      // Unknown methods are valid, but a difference of two letters is probably an error.
      let swapped = ["GET", "PUT"].first { $0.sorted() == method.uppercased().sorted() }
      let near = swapped ?? (method.utf8.count > 3 ? nearestWord(to: method, among: standardMethods.sorted()) : nil)
      if isToken(method), let near {
        bag.warning(
          .suspiciousRequest, "`\(jsonEscaped(method))` is sent as it stands", at: node.range,
          help: "did you mean \(near)?")
      }
      return
    }
    bag.warning(
      .suspiciousRequest, "methods are case-sensitive: `\(method)` is not \(method.uppercased())", at: node.range,
      help: "write \(method.uppercased())")
  }

  mutating func checkURLTraps(_ node: YAMLNode) {
    checkForeignTemplate(node, isError: true)
    if let text = node.plainText, text.hasSuffix(" "), text.contains(where: { $0 != " " }) {
      warn(.suspiciousURL, "the URL ends with a blank, which is sent as %20", at: node, help: "remove it")
    }
    if let text = node.plainText, let (scalar, letter) = misleadingCharacter(in: text), letter == nil {
      warn(
        .suspiciousURL, "the URL has \(characterName(scalar)), which is not seen", at: node,
        help: "remove it: `\(jsonEscaped(plainLooking(text)))`")
    }
    if let text = node.scalar?.text, mayHaveTraps(text),
      let trap = urlTraps.first(where: { (try? $0.pattern.matches(text)) == true })
    {
      warn(.suspiciousURL, trap.message, at: node, help: trap.help)
    }
    // A comment has a space after its `#`; a fragment that was separated from its URL has none.
    guard let comment = YAMLReader.trailingCommentCut(of: node),
      comment.bytes.lowerBound == node.range.bytes.upperBound + 1, comment.text.count > 1,
      !comment.text.dropFirst().hasPrefix(" ")
    else { return }
    bag.warning(
      .yamlComment, "` #` begins a comment: the URL ends before it", at: comment, help: "put the URL in quotes")
  }
}

/// Signs of a URL that don't separate what they seem to, with the reason and the fix.
private let urlTraps: [(pattern: RegularExpression, message: String, help: String)] = [
  ("&amp;", "`&amp;` is the `&` of HTML", "write `&`"),
  (
    #"^[^?#]*/(\$\{\{[^}]*\}\}|[^/?#=&{])*&[^/?#{]*=[^?]*$"#, "a query begins with `?`, and this URL has none",
    "write `?` in place of the first `&`"
  ),
  (
    #"^[^?#]*\?([^#?]*&)?[^&?#/=]*=[^&?#/:{]*\?[^&#]*="#, "the second `?` is part of a value", "write `&` in its place"
  ),
  (
    #"^[^?#]*#(([^/!?{}][^?{}]*)?\?|\w+=)|^[^#]*#[\w.-]*&[\w.-]+="#,
    "what follows `#` is not sent, nor is the query in it",
    "write the query before `#`"
  ),
  (
    "(^|/)(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /", "the method is part of the URL here",
    "write it as `method:` beside `url:`"
  ),
].compactMap { pattern, message, help in (try? RegularExpression(pattern)).map { ($0, message, help) } }

private func mayHaveTraps(_ url: String) -> Bool {
  var (marks, previous) = (0, UInt8(0))
  for byte in url.utf8 {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "#"): return true
    case UInt8(ascii: "/") where previous == 0x20: return true
    case UInt8(ascii: "?"): marks += 1
    default: break
    }
    previous = byte
  }
  return marks > 1
}
