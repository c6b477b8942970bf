import Diagnostics
import HTTPMessages
import Templates
import Values
import YAMLNodes

let bodyKeys = ["form", "json", "body", "graphql", "multipart", "upload"]

let requestKeys = KeyTable(
  known: [
    "name", "description", "tags", "method", "url", "base_url", "path", "request_target", "headers", "parameters",
    "query", "form", "json", "body", "graphql", "multipart", "compress", "digest", "encoding", "cookies", "auth",
    "timeout", "redirects", "session", "transport", "body_on_get", "delay", "skip", "when", "continue_on_failure",
    "validate", "namespaces", "expect", "capture", "openapi", "download", "upload", "stream", "hls",
  ] + connectionKeys,
  later: ["retry", "poll", "each", "use", "with"],
  synonyms: ForeignWords.requestSynonyms, advice: ForeignWords.requestAdvice,
  usual: [
    "name", "method", "url", "headers", "query", "json", "form", "multipart", "body", "auth", "timeout", "expect",
    "capture",
  ])

let defaultsKeys = KeyTable(
  known: requestKeys.known.filter { !["name", "description", "tags"].contains($0) }, later: requestKeys.later,
  synonyms: requestKeys.synonyms,
  advice: requestKeys.advice.merging(
    ["name", "description", "tags"].map { ($0, "it belongs to the file or to a request") }
  ) { old, _ in old },
  usual: ["base_url", "headers", "query", "auth", "timeout", "redirects", "tls", "validate", "expect"])

extension SpecReader {
  mutating func requestKey(_ member: YAMLMember, _ request: inout RequestDraft) {
    let node = member.value
    switch member.key {
    case "name": request.name = field(node, .scalarText)
    case "description": request.description = plainText(node, as: "description")
    case "tags": request.tags = tags(node)
    case let key where transferKeys.contains(key):
      var transfer = request.settings.transfer ?? TransferSettings()
      transferKey(key, node, &transfer)
      request.settings.transfer = transfer
    case let key where bodyKeys.contains(key):
      if node.isNull, key != "json" {
        request.settings.body = .removed
      } else if let body = body(key, node) {
        request.settings.body = .given(body)
      }
    case let key where bodyCodingKeys.contains(key):
      var coding = request.settings.bodyCoding ?? BodyCodingSettings()
      bodyCodingKey(key, node, &coding)
      request.settings.bodyCoding = coding
    case let key where connectionKeys.contains(key):
      var connection = request.settings.connection ?? ConnectionSettings()
      connectionKey(key, node, &connection)
      request.settings.connection = connection
    default: exchangeKey(member.key, node, &request.settings)
    }
  }

  private mutating func transferKey(_ key: String, _ node: YAMLNode, _ transfer: inout TransferSettings) {
    switch key {
    case "download": transfer.download = download(node)
    case "upload": transfer.upload = upload(node)
    case "stream": transfer.stream = stream(node)
    default: transfer.hls = hls(node)
    }
  }

  private mutating func exchangeKey(_ key: String, _ node: YAMLNode, _ settings: inout RequestSettings) {
    switch key {
    case "method":
      settings.method = setting(node, .method)
      checkMethodCase(node)
    case "url":
      settings.url = setting(node, .urlReference)
      checkURLTraps(node)
    case "base_url":
      settings.baseURL = setting(node, .baseURL)
      checkURLTraps(node)
    case "path": settings.path = scalars(node, as: key, lists: false)
    case "request_target": settings.requestTarget = setting(node, .text)
    case "headers": settings.headers = headers(node)
    case "parameters", "query":
      checkSwallowedKeys(node, as: key)
      let values = keyed(node, as: key, nullRemoves: false) { reader, member in
        reader.checkForeignTemplate(member.value, shells: false)
        return reader.valueTemplate(member.value, nonFinite: .text)
      }
      if key == "query" { settings.query = values } else { settings.parameters = values }
    case "encoding": settings.encoding = encoding(node)
    case "cookies": settings.cookies = scalars(node, as: key, lists: true)
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
    case "namespaces": settings.namespaces = namespaces(node)
    case "expect": settings.expect = expectations(node)
    case "openapi": settings.contract = contractUse(node)
    default: settings.capture = captures(node)
    }
  }

  /// Names with a scalar each, or a list of scalars.
  private mutating func scalars(_ node: YAMLNode, as what: String, lists: Bool) -> KeyedSettings<ValueTemplate> {
    keyed(node, as: what) { reader, member in
      let items = (lists ? member.value.items : nil) ?? [member.value]
      for item in items where !item.hasError && (item.scalar == nil || item.isNull) {
        reader.bag.error(
          "`\(what)` takes text, numbers, true and false, found \(item.kindPhrase)", at: item.range,
          notes: reader.useNote(item))
        return nil
      }
      return reader.valueTemplate(member.value, nonFinite: .text)
    }
  }

  private mutating func checkMethodCase(_ node: YAMLNode) {
    guard let method = node.plainText, !standardMethods.contains(method) else { return }
    guard standardMethods.contains(method.uppercased()) else {
      // Other methods are as good as these, but for a slip of two letters.
      if method.utf8.count > 3, isToken(method), let near = nearestWord(to: method, among: standardMethods.sorted()) {
        bag.warning("`\(jsonEscaped(method))` is sent as it stands", at: node.range, help: "did you mean \(near)?")
      }
      return
    }
    bag.warning(
      "methods are case-sensitive: `\(method)` is not \(method.uppercased())", at: node.range,
      help: "write \(method.uppercased())")
  }

  private mutating func checkURLTraps(_ node: YAMLNode) {
    checkForeignTemplate(node, isError: true)
    if let text = node.plainText, let (scalar, letter) = misleadingCharacter(in: text), letter == nil {
      bag.warning(
        "the URL has \(characterName(scalar)), which is not seen", at: node.range, notes: useNote(node),
        help: "remove it: `\(jsonEscaped(plainLooking(text)))`")
    }
    // A comment has a space after its `#`; a fragment that slipped off its URL has none.
    guard let comment = YAMLReader.trailingCommentCut(of: node),
      comment.bytes.lowerBound == node.range.bytes.upperBound + 1, comment.text.count > 1,
      !comment.text.dropFirst().hasPrefix(" ")
    else { return }
    bag.warning("` #` begins a comment: the URL ends before it", at: comment, help: "put the URL in quotes")
  }
}
