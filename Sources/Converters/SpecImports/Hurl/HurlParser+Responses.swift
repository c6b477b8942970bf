import Values

/// Responses.
extension HurlParser {
  var isAtResponse: Bool {
    var reader = reader
    return Self.status(&reader) != nil
  }

  /// The version and the status of a response's line.
  static func status(_ reader: inout HurlReader) -> (version: String?, status: Int?)? {
    reader.skipBlanks()
    guard reader.skip("HTTP") else { return nil }
    var version: String?
    if reader.skip("/") {
      guard let number = reader.number() else { return nil }
      version = number
    }
    guard reader.byte == UInt8(ascii: " ") || reader.byte == UInt8(ascii: "\t") else { return nil }
    reader.skipBlanks()
    if reader.skip("*") { return (version, nil) }
    guard let number = reader.number().flatMap({ Int($0) }) else { return nil }
    return (version, number)
  }

  mutating func readResponse() {
    guard let (version, status) = Self.status(&reader) else { return }
    var response = HurlResponse(version: version, status: status)
    endLine("the status")
    while failure == nil {
      skipBlankLines()
      if let name = sectionName() {
        switch name {
        case "Captures": while failure == nil, readCapture(&response) {}
        case "Asserts": while failure == nil, readAssert(&response) {}
        default: skipSection(name)
        }
      } else if isAtResponse {
        return fail("expected a request before another response")
      } else if let name = reader.key() {
        response.headers.append(HurlEntry.Pair(name: name, value: lineText()))
      } else if let body = body()?.body {
        response.body = body
        if case .graphql(let query, nil, _) = body, let query = query.literal {
          response.body = .json(ImportedText(Self.request(query: query)))
        }
        endLine("the body")
        break
      } else {
        break
      }
    }
    entry.response = response
  }

  mutating func readCapture(_ response: inout HurlResponse) -> Bool {
    skipBlankLines()
    let start = reader.position
    guard let name = reader.key() else { return false }
    let source = { (reader: HurlReader) in reader.text(start..<reader.lineEnd).trimmed }
    reader.skipBlanks()
    if let name = name.literal, let query = query(), let filters = HurlFilter.all(&reader) {
      reader.skipBlanks()
      let isSecret = reader.skip("redact")
      let text = source(reader)
      if reader.skipLineEnd() {
        response.captures.append(
          HurlCapture(name: name, query: query, filters: filters, isSecret: isSecret, source: text))
        return true
      }
    }
    reader.position = start
    entry.request.remark("captures", source(reader))
    reader.skipLine()
    return true
  }

  /// Indicates whether the line begins like an assertion.
  var isAtAssert: Bool {
    var reader = reader
    reader.skipBlanks()
    guard let byte = reader.byte, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) else { return false }
    let word = reader.word()
    if reader.byte == UInt8(ascii: ",") || ["true", "false", "null"].contains(word) { return false }
    return reader.byte == UInt8(ascii: " ") || reader.byte == UInt8(ascii: "\t")
  }

  mutating func readAssert(_ response: inout HurlResponse) -> Bool {
    skipBlankLines()
    guard isAtAssert else { return false }
    let start = reader.position
    if let query = query(), let filters = HurlFilter.all(&reader) {
      if reportPredicate() { return false }
      guard let predicate = predicate() else { return skipAssert(from: start) }
      let source = reader.text(start..<reader.position).trimmed
      if reader.skipLineEnd() {
        response.asserts.append(HurlAssert(query: query, filters: filters, predicate: predicate, source: source))
        return true
      }
    }
    return skipAssert(from: start)
  }

  private mutating func skipAssert(from start: Int) -> Bool {
    reader.position = start
    entry.request.remark("assertions", reader.text(start..<reader.lineEnd).trimmed)
    reader.skipLine()
    return true
  }

  /// Reports a word that is not a predicate, and that means one.
  private mutating func reportPredicate() -> Bool {
    let start = reader.position
    defer { if failure == nil { reader.position = start } }
    reader.skipBlanks()
    let place = reader.position
    let sign = reader.isAt("= ") ? "=" : nil
    let word = sign ?? reader.word()
    let known = [
      "contains", "endsWith", "equals", "exists", "greaterThan", "greaterThanOrEquals", "includes", "isBoolean",
      "isCollection", "isDate", "isEmpty", "isFloat", "isInteger", "isIpv4", "isIpv6", "isIsoDate", "isList",
      "isNumber", "isObject", "isString", "isUuid", "lessThan", "lessThanOrEquals", "matches", "not", "notEquals",
      "startsWith",
    ]
    if word.isEmpty || known.contains(word) { return false }
    let meant = ["=", "equal", "eq", "is"].contains(word) ? "==" : nearestWord(to: word, among: known)
    guard let meant else { return false }
    reader.position = place
    fail("there is no predicate `\(word)`", help: "write `\(meant)`")
    return true
  }

  /// The words of queries, and whether they take a text.
  static let queries = [
    "body": false, "bytes": false, "certificate": true, "cookie": true, "duration": false, "header": true, "ip": false,
    "jsonpath": true, "md5": false, "rawbytes": false, "redirects": false, "regex": true, "sha256": false,
    "status": false, "url": false, "variable": true, "version": false, "xpath": true,
  ]

  mutating func query() -> HurlQuery? {
    reader.skipBlanks()
    let word = reader.word()
    guard let takesText = Self.queries[word] else { return nil }
    guard takesText else { return HurlQuery(word: word, argument: nil) }
    reader.skipBlanks()
    if word == "regex", let pattern = reader.regex() { return HurlQuery(word: word, argument: .regex(pattern)) }
    guard reader.skip("\""), let text = reader.text(.quoted) else { return nil }
    return HurlQuery(word: word, argument: .text(text))
  }

  mutating func predicate() -> HurlPredicate? {
    reader.skipBlanks()
    var word = reader.word()
    let isNegated = word == "not"
    if isNegated {
      reader.skipBlanks()
      word = reader.word()
    }
    if word.isEmpty {
      let signs: [StaticString] = ["==", "!=", ">=", "<=", ">", "<"]
      word = signs.first { reader.skip($0) }?.description ?? ""
    }
    if word.isEmpty { return nil }
    if word == "exists" || word.hasPrefix("is") { return HurlPredicate(word: word, isNegated: isNegated, operand: nil) }
    reader.skipBlanks()
    guard let operand = operand() else { return nil }
    return HurlPredicate(word: word, isNegated: isNegated, operand: operand)
  }

  mutating func operand() -> HurlOperand? {
    switch reader.byte {
    case UInt8(ascii: "\""): return reader.skip("\"") ? reader.text(.quoted).map { .text($0) } : nil
    case UInt8(ascii: "/"): return reader.regex().map { .regex($0) }
    case UInt8(ascii: "{"): return reader.placeholder().map { .value(ImportedText($0)) }
    case UInt8(ascii: "`"):
      switch textBody()?.body {
      case .text(let text)?, .json(let text)?: return .text(text)
      case .base64(let digits)?: return base64Decoded(digits).map { .bytes($0) }
      case .graphql(let query, nil, _)?: return query.literal.map { .text(ImportedText(Self.request(query: $0))) }
      default: return nil
      }
    default: break
    }
    if let bytes = reader.literalBytes() { return .bytes(bytes) }
    if let path = reader.literalFile() { return .file(path) }
    if let number = reader.number() {
      if reader.byte == UInt8(ascii: "e") || reader.byte == UInt8(ascii: "E") { return nil }
      return .number(number)
    }
    switch reader.word() {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return nil
    }
  }

  /// The JSON that Hurl sends for a query of GraphQL.
  static func request(query: String) -> String { #"{"query":"\#(jsonEscaped(query))"}"# }
}
