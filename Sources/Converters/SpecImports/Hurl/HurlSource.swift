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

  // MARK: captures

  /// The members of a capture for a query and the filters that it can say itself, which are removed; nil if there is
  /// no source for it.
  static func members(of query: HurlQuery, _ filters: inout ArraySlice<HurlFilter>) -> [Member]? {
    guard var result = source(of: query, &filters) else { return nil }
    if takesParts.contains(query.word), filters.first?.word == "regex",
      let pattern = HurlExpression.pattern(filters.first?.arguments.first)
    {
      let isLast = filters.count == 1 || filters.count == 2 && conversions[filters.last?.word ?? ""] != nil
      if isLast {
        result.append(("regex", .text(pattern)))
        filters.removeFirst()
      }
    }
    if filters.count == 1, query.word != "variable", let type = conversions[filters.first?.word ?? ""] {
      result.append(("as", .text(type)))
      filters.removeFirst()
    }
    return result
  }

  /// The queries whose values are texts.
  private static let takesParts: Set<String> = ["body", "header", "url", "jsonpath", "xpath", "cookie", "regex"]

  private static let conversions = ["toInt": "integer", "toFloat": "number", "toString": "string", "first": "first"]

  private static func source(of query: HurlQuery, _ filters: inout ArraySlice<HurlFilter>) -> [Member]? {
    if let word = plain[query.word] { return [(word, .bool(true))] }
    switch query.word {
    case "bytes":
      guard filters.first?.word == "count" else { return nil }
      filters.removeFirst()
      return [("bytes", .bool(true))]
    case "regex": return HurlExpression.pattern(query.argument).map { [("regex", .text($0))] }
    case "cookie":
      guard let (name, attribute) = cookie(query) else { return nil }
      guard let attribute else { return [("cookie", .text(name))] }
      guard let word = cookieAttributes[attribute.lowercased()] else { return nil }
      return word == "value" ? [("cookie", .text(name))] : [("cookie", .text(name)), ("attribute", .text(word))]
    case "certificate":
      guard case .text(let field)? = query.argument, let word = field.literal.flatMap({ certificateFields[$0] }) else {
        return nil
      }
      return [("certificate", .text(word))]
    default: break
    }
    guard case .text(let text)? = query.argument else { return nil }
    switch query.word {
    case "header": return [("header", .text(text))]
    case "variable":
      guard let name = text.literal else { return nil }
      return [("value", .text(ImportedText(.variable(name))))]
    case "xpath": return HurlPaths.xpath(text).map { [("xpath", .text($0))] }
    case "jsonpath":
      guard let path = HurlPaths.jsonPath(text, &filters) else { return nil }
      return [("json", .text(path.text))]
    default: return nil
    }
  }

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
    var result = ""
    for character in text.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        result.append(character)
      } else if !result.isEmpty, !result.hasSuffix("_") {
        result += "_"
      }
    }
    while result.hasSuffix("_") { result.removeLast() }
    return result.isEmpty || result.first?.isNumber ?? false ? query.word : String(result.prefix(40))
  }

  // MARK: assertions

  /// The subject of an assertion for a query and the filters that it can say itself, which are removed.
  static func target(of query: HurlQuery, _ filters: inout ArraySlice<HurlFilter>) -> Target? {
    guard var target = subject(of: query, &filters) else { return nil }
    guard takesParts.contains(query.word), !target.selectsMany else { return target }
    if filters.first?.word == "regex", let pattern = HurlExpression.pattern(filters.first?.arguments.first),
      filters.count == 1 || filters.count == 2 && conversions[filters.last?.word ?? ""] != nil
    {
      target.extras.append(("regex", .text(pattern)))
      filters.removeFirst()
    }
    if filters.count == 1, let word = filters.first?.word, word != "first", let type = conversions[word] {
      target.extras.append(("as", .text(type)))
      filters.removeFirst()
    }
    return target
  }

  private static func subject(of query: HurlQuery, _ filters: inout ArraySlice<HurlFilter>) -> Target? {
    switch query.word {
    case "duration": return Target(path: ["duration"], unit: .milliseconds)
    case "bytes":
      guard filters.map(\.word) == ["count"] else { return nil }
      filters.removeFirst()
      return Target(path: ["bytes", "count"])
    case "regex":
      return HurlExpression.pattern(query.argument).map { Target(path: ["body"], extras: [("regex", .text($0))]) }
    case "cookie":
      guard let (name, attribute) = cookie(query) else { return nil }
      guard let attribute else { return Target(path: ["cookies", ImportedText(name), "value"]) }
      switch cookieAttributes[attribute.lowercased()] {
      case "max_age"?: return Target(path: ["cookies", ImportedText(name), "max_age"], unit: .seconds)
      case "same_site"?: return Target(path: ["cookies", ImportedText(name), "same_site"], unit: .lowercase)
      case let word?: return Target(path: ["cookies", ImportedText(name), ImportedText(word)])
      case nil: return nil
      }
    case "certificate":
      guard case .text(let field)? = query.argument, let word = field.literal.flatMap({ certificateFields[$0] }) else {
        return nil
      }
      return Target(path: ["certificate", ImportedText(word)])
    default: break
    }
    if let word = plain[query.word] { return Target(path: [ImportedText(word)]) }
    guard case .text(let text)? = query.argument else { return nil }
    switch query.word {
    case "header": return Target(path: ["headers", text])
    case "variable":
      return filters.isEmpty ? text.literal.map { Target(path: ["values", ImportedText("{{\($0)}}")]) } : nil
    case "xpath": return HurlPaths.xpath(text).map { Target(path: ["xpath", $0]) }
    case "jsonpath":
      guard let path = HurlPaths.jsonPath(text, &filters) else { return nil }
      return Target(path: ["json", path.text], selectsMany: !path.isSingular)
    default: return nil
    }
  }
}
