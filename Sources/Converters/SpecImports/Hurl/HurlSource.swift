import DocumentQueries
import Values

/// The queries of Hurl as sources of captures and subjects of assertions.
enum HurlSource {
  typealias Member = (key: String, value: ImportedValue)

  /// The part of a response that an assertion is about.
  struct Target {
    let path: [ImportedText]
    var extras: [Member] = []
    /// Indicates that the value is a list by its JSONPath.
    var selectsMany = false
    var unit = HurlPredicates.Unit.none
  }

  /// The sources without an argument.
  static let words: Set<String> = [
    "status", "http_version", "url", "remote_address", "body", "bytes", "duration", "redirects", "certificate",
  ]

  private static let plain = [
    "status": "status", "version": "http_version", "url": "url", "ip": "remote_address", "body": "body",
    "duration": "duration", "redirects": "redirects",
  ]

  private static let cookieAttributes = [
    "value": "value", "expires": "expires", "max-age": "max_age", "domain": "domain", "path": "path",
    "secure": "secure", "httponly": "http_only", "samesite": "same_site",
  ]

  private static let certificateFields = [
    "Subject": "subject", "Issuer": "issuer", "Start-Date": "starts", "Expire-Date": "expires",
    "Serial-Number": "serial",
  ]

  /// The queries whose values are texts.
  private static let takesParts: Set<String> = ["body", "header", "url", "jsonpath", "xpath", "cookie", "regex"]

  private static let conversions = ["toInt": "integer", "toFloat": "number", "toString": "string", "first": "first"]

  /// The members of a capture for a query and the filters that it can say itself, which are removed; nil if there is
  /// no source for it.
  static func members(of query: HurlQuery, _ filters: inout ArraySlice<HurlFilter>) -> [Member]? {
    guard let part = part(of: query, &filters) else { return nil }
    return part.source + takeFilters(of: query, &filters) { _ in query.word != "variable" }
  }

  /// The subject of an assertion for a query and the filters that it can say itself, which are removed.
  static func target(of query: HurlQuery, _ filters: inout ArraySlice<HurlFilter>) -> Target? {
    if query.word == "variable", !filters.isEmpty { return nil }
    guard var target = part(of: query, &filters)?.target else { return nil }
    if takesParts.contains(query.word), !target.selectsMany {
      target.extras += takeFilters(of: query, &filters) { $0 != "first" }
    }
    return target
  }

  /// The members for filters that take a part of a text, or convert it.
  private static func takeFilters(
    of query: HurlQuery, _ filters: inout ArraySlice<HurlFilter>, where isConversion: (_ word: String) -> Bool
  ) -> [Member] {
    var result: [Member] = []
    if takesParts.contains(query.word), filters.first?.word == "regex",
      let pattern = HurlExpression.pattern(filters.first?.arguments.first),
      filters.count == 1 || filters.count == 2 && conversions[filters.last?.word ?? ""] != nil
    {
      result.append(("regex", .text(pattern)))
      filters.removeFirst()
    }
    if filters.count == 1, let word = filters.first?.word, let type = conversions[word], isConversion(word) {
      result.append(("as", .text(type)))
      filters.removeFirst()
    }
    return result
  }

  /// The part of a response that a query finds, as captures and as assertions name it.
  private static func part(
    of query: HurlQuery, _ filters: inout ArraySlice<HurlFilter>
  ) -> (source: [Member], target: Target)? {
    if let word = plain[query.word] {
      let unit: HurlPredicates.Unit = word == "duration" ? .milliseconds : .none
      return ([(word, .bool(true))], Target(path: [ImportedText(word)], unit: unit))
    }
    switch query.word {
    case "bytes":
      guard filters.first?.word == "count" else { return nil }
      filters.removeFirst()
      return ([("bytes", .bool(true))], Target(path: ["bytes", "count"]))
    case "regex":
      return HurlExpression.pattern(query.argument).map { pattern in
        let members: [Member] = [("regex", .text(pattern))]
        return (members, Target(path: ["body"], extras: members))
      }
    case "cookie":
      guard let (name, attribute) = cookie(query),
        let word = cookieAttributes[attribute?.lowercased() ?? "value"]
      else { return nil }
      let units: [String: HurlPredicates.Unit] = ["max_age": .seconds, "same_site": .lowercase]
      let members: [Member] = [("cookie", .text(name))] + (word == "value" ? [] : [("attribute", .text(word))])
      return (
        members, Target(path: ["cookies", ImportedText(name), ImportedText(word)], unit: units[word] ?? .none)
      )
    default: break
    }
    guard case .text(let text)? = query.argument else { return nil }
    switch query.word {
    case "certificate":
      return text.literal.flatMap { certificateFields[$0] }.map {
        ([("certificate", .text($0))], Target(path: ["certificate", ImportedText($0)]))
      }
    case "header": return ([("header", .text(text))], Target(path: ["headers", text]))
    case "variable":
      return text.literal.map {
        ([("value", .text(ImportedText(.variable($0))))], Target(path: ["values", ImportedText("{{\($0)}}")]))
      }
    case "xpath": return HurlPaths.xpath(text).map { ([("xpath", .text($0))], Target(path: ["xpath", $0])) }
    case "jsonpath":
      return HurlPaths.jsonPath(text, &filters).map { path in
        ([("json", .text(path.text))], Target(path: ["json", path.text], selectsMany: !path.isSingular))
      }
    default: return nil
    }
  }

  // MARK: names

  /// The name and the attribute of a cookie.
  static func cookie(_ query: HurlQuery) -> (name: String, attribute: String?)? {
    guard case .text(let text)? = query.argument, let text = text.literal else { return nil }
    guard text.hasSuffix("]"), let bracket = text.lastIndex(of: "[") else { return (text, nil) }
    return (String(text[..<bracket]), String(text[text.index(after: bracket)...].dropLast()))
  }

  /// A name for what a query finds.
  static func name(of query: HurlQuery) -> String {
    var text = query.word
    if case .text(let argument)? = query.argument {
      text = argument.source
      if query.word == "cookie" { text = text.replacing("[", with: "_") }
      if query.word == "jsonpath" || query.word == "xpath" {
        let names = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-") }
        text = names.last { $0.contains(where: \.isLetter) }.map(String.init) ?? query.word
      }
    }
    let result = snakeCase(text.lowercased())
    return result.isEmpty || result.first?.isNumber ?? false ? query.word : String(result.prefix(40))
  }
}
