import Diagnostics
import HTTPMessages
import Matching
import ParameterEncoding
import Templates
import Values
import YAMLNodes

let bodyKeys = ["form", "json", "body", "graphql", "multipart", "upload"]

let requestKeys = KeyTable(
  known: [
    "name", "description", "tags", "method", "url", "base_url", "path", "request_target", "headers", "parameters",
    "query", "form", "json", "body", "graphql", "encoding", "cookies", "auth", "timeout", "redirects", "session",
    "transport", "body_on_get", "delay", "skip", "when", "continue_on_failure", "validate", "expect", "capture",
  ],
  later: [
    "multipart", "tls", "proxy", "http_version", "resolve", "unix_socket", "compressed", "retry", "poll", "each",
    "download", "upload", "stream", "hls", "openapi", "use", "with",
  ],
  misplaced: [
    "assert": "write `expect`", "asserts": "write `expect`", "tests": "write `expect`", "params": "did you mean `query`?",
    "data": "write `form`, `json` or `body`", "captures": "did you mean `capture`?", "uri": "did you mean `url`?",
    "status": "write it under `expect:`", "bearer": "write it under `auth:`", "basic": "write it under `auth:`",
    "follow_redirects": "write `redirects: follow` or `redirects: none`",
  ])

let defaultsKeys = KeyTable(
  known: requestKeys.known.filter { !["name", "description", "tags"].contains($0) }, later: requestKeys.later,
  misplaced: requestKeys.misplaced)

extension SpecReader {
  mutating func requestKey(_ member: YAMLMember, _ request: inout RequestSpec) {
    let node = member.value
    switch member.key {
    case "name": request.name = field(node, .scalarText)
    case "description": request.description = plainText(node, as: "description")
    case "tags": request.tags = stringList(node, as: "tags").map(\.value)
    default: exchangeKey(member.key, node, &request.settings)
    }
  }

  private mutating func exchangeKey(_ key: String, _ node: YAMLNode, _ settings: inout RequestSettings) {
    switch key {
    case "method": settings.method = setting(node, .method)
    case "url":
      settings.url = setting(node, .text)
      checkURLTraps(node)
    case "base_url": settings.baseURL = setting(node, .text)
    case "path": settings.path = values(node, as: key)
    case "request_target": settings.requestTarget = setting(node, .text)
    case "headers": settings.headers = headers(node)
    case "parameters": settings.parameters = values(node, as: key, nullRemoves: false)
    case "query": settings.query = values(node, as: key, nullRemoves: false)
    case "form", "json", "body", "graphql":
      if node.isNull, key != "json" {
        settings.body = .removed
      } else if let body = body(key, node) {
        settings.body = .given(body)
      }
    case "encoding": settings.encoding = encoding(node)
    case "cookies": settings.cookies = values(node, as: key)
    case "auth": settings.auth = auth(node)
    case "timeout": settings.timeout = timeout(node)
    case "redirects": settings.redirects = redirects(node)
    case "session": settings.session = session(node)
    case "transport": settings.transport = transport(node)
    case "body_on_get": settings.bodyOnGet = setting(node, .boolean)
    default: runningKey(key, node, &settings)
    }
  }

  private mutating func runningKey(_ key: String, _ node: YAMLNode, _ settings: inout RequestSettings) {
    switch key {
    case "delay": settings.delay = setting(node, .duration)
    case "skip": settings.skip = setting(node, .skipRule)
    case "when": settings.when = setting(node, .boolean)
    case "continue_on_failure": settings.continueOnFailure = setting(node, .boolean)
    case "validate": settings.validate = validate(node)
    case "expect": settings.expect = expectations(node)
    case "capture": settings.capture = captures(node)
    default: break
    }
  }

  private mutating func values(
    _ node: YAMLNode, as what: String, nullRemoves: Bool = true
  ) -> KeyedSettings<ValueTemplate> {
    keyed(node, as: what, nullRemoves: nullRemoves) { reader, member in reader.valueTemplate(member.value) }
  }

  private mutating func headers(_ node: YAMLNode) -> KeyedSettings<ValueTemplate> {
    keyed(node, as: "headers") { reader, member in
      reader.checkHeader(member)
      return reader.valueTemplate(member.value)
    }
  }

  /// What can be known to be wrong with a header before it is sent.
  private mutating func checkHeader(_ member: YAMLMember) {
    if !Template.isTemplate(member.key), !isToken(member.key) {
      bag.error(
        "\"\(jsonEscaped(member.key))\" is not a header name", at: member.keyRange,
        help: "header names are letters, digits and hyphens, without spaces or colons")
    }
    for node in member.value.items ?? [member.value] {
      guard let scalar = node.scalar else {
        bag.error("a header's value is text or a list of texts, found \(node.kindPhrase)", at: node.range)
        continue
      }
      if scalar.text.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" || $0 == "\0" }) {
        let help = scalar.style == .literal ? "a block text (`|`) ends with a line break; write the value on one line" : nil
        bag.error("a header's value cannot hold a line break or NUL", at: node.range, help: help)
      }
      let lowered = member.key.lowercased()
      if lowered == "if-none-match" || lowered == "if-match", scalar.style == .doubleQuoted, scalar.text != "*",
        !scalar.text.contains("\""), !Template.isTemplate(scalar.text)
      {
        bag.warning(
          "YAML takes the quotes away; an entity tag needs its own", at: node.range, help: "write '\"\(scalar.text)\"'")
      }
    }
  }

  private mutating func checkURLTraps(_ node: YAMLNode) {
    guard let scalar = node.scalar, scalar.style == .plain, let comment = YAMLReader.trailingCommentCut(of: node) else { return }
    // One space between a URL and `#`: most likely a fragment that lost its place.
    guard comment.bytes.lowerBound - node.range.bytes.upperBound <= 1, comment.text.prefix(3).count > 1,
      !comment.text.dropFirst().hasPrefix(" ")
    else { return }
    bag.warning("` #` begins a comment: the URL ends before it", at: comment, help: "put the URL in quotes")
  }

  private mutating func body(_ key: String, _ node: YAMLNode) -> BodySpec? {
    switch key {
    case "form": return .form(values(node, as: "form", nullRemoves: false), range: node.range)
    case "json":
      if let scalar = node.scalar, case .text(let text) = scalar.meaning, !Template.isTemplate(text) {
        checkJSONText(text, node)
      }
      refuseNonFinite(node)
      return valueTemplate(node).map { .json($0) }
    case "graphql": return graphQL(node)
    default:
      guard node.members != nil else { return field(node, .text).map { .text($0) } }
      var result: BodySpec?
      let keys = KeyTable(known: ["base64"], later: ["file", "template"])
      visit(node, as: "`body`", keys: keys) { reader, member in
        result = reader.field(member.value, .text).map { .base64($0) }
      }
      return result
    }
  }

  private mutating func checkJSONText(_ text: String, _ node: YAMLNode) {
    let trimmed = text.drop { $0.isWhitespace }
    guard let first = trimmed.first, first == "{" || first == "[", looksLikeJSON(text) else { return }
    bag.warning(
      "this is sent as one JSON string, not as the structure that it shows", at: node.range,
      help: "write the mapping itself under `json:`, or send the text with `body:`")
  }

  private mutating func refuseNonFinite(_ node: YAMLNode) {
    switch node.content {
    case .scalar(let scalar):
      if case .nonFinite(let text) = scalar.meaning {
        bag.error("`\(text)` cannot be written as JSON", at: node.range, help: "quote it to send it as text")
      }
    case .sequence(let items): for item in items { refuseNonFinite(item) }
    case .mapping(let members): for member in members { refuseNonFinite(member.value) }
    }
  }

  private mutating func graphQL(_ node: YAMLNode) -> BodySpec? {
    var query: Field<Text>?
    var variables: ValueTemplate?
    var operation: Field<Text>?
    visit(node, as: "`graphql`", keys: KeyTable(known: ["query", "variables", "operation"])) { reader, member in
      switch member.key {
      case "query":
        if member.value.members != nil {
          reader.bag.error("`query: {file: …}` is not available yet in this version", at: member.value.range)
        } else {
          query = reader.field(member.value, .text)
        }
      case "variables": variables = reader.valueTemplate(member.value)
      default: operation = reader.field(member.value, .text)
      }
    }
    guard let query else {
      if node.members?.contains(where: { $0.key == "query" }) == false {
        bag.error("`graphql` needs `query`", at: node.range)
      }
      return nil
    }
    return .graphQL(query: query, variables: variables, operation: operation, range: node.range)
  }
}
