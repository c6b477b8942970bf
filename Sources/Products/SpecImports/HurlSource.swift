import JSONQueries
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

/// The paths of Hurl in the forms of the standards.
enum HurlPaths {
  /// A JSONPath of RFC 9535 for one of Hurl and for filters that take one of its items, which are removed; nil if there
  /// is none.
  static func jsonPath(
    _ text: ImportedText, _ filters: inout ArraySlice<HurlFilter>
  ) -> (text: ImportedText, isSingular: Bool)? {
    guard var path = withLiterals(text) else { return nil }
    if let literal = path.literal, (try? JSONPath(literal)) == nil {
      path = ImportedText(repaired(literal))
      if (try? JSONPath(path.literal ?? "")) == nil { return nil }
    }
    // A template stands for a literal.
    let sample = path.parts.map { if case .text(let text) = $0 { text } else { "0" } }.joined()
    let texts = path.parts.map { if case .text(let text) = $0 { text } else { "'a'" } }.joined()
    guard let parsed = (try? JSONPath(sample)) ?? (try? JSONPath(texts)) else { return nil }
    if parsed.isSingular, let filter = filters.first {
      var index: String?
      if filter.word == "nth", case .number(let number)? = filter.arguments.first { index = number }
      if filter.word == "first" { index = "0" }
      if filter.word == "last" { index = "-1" }
      if let index {
        path.append("[\(index)]")
        filters.removeFirst()
      }
    }
    return (path, parsed.isSingular)
  }

  /// A path with names that have a hyphen in brackets, and its root.
  private static func repaired(_ path: String) -> String {
    var result = path.hasPrefix("$") ? "" : path.hasPrefix("[") || path.hasPrefix(".") ? "$" : "$."
    var rest = path[...]
    var quote: Character?
    while let character = rest.popFirst() {
      result.append(character)
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      if character == "'" || character == "\"" { quote = character }
      guard character == "." else { continue }
      let name = rest.prefix { $0.isLetter || $0.isNumber || "_-".contains($0) }
      guard name.contains("-") || name.first?.isNumber ?? false else { continue }
      if !result.hasSuffix("..") { result.removeLast() }
      result += "['\(name)']"
      rest = rest.dropFirst(name.count)
    }
    return result
  }

  /// An XPath without prefixes, which Hurl takes from the document.
  static func xpath(_ text: ImportedText) -> ImportedText? {
    guard let text = withLiterals(text) else { return nil }
    return text.parts.count == 1 || text.literal != nil ? text.mapText(withoutPrefixes) : text
  }

  private static func withoutPrefixes(_ path: String) -> String {
    guard path.contains(":") else { return path }
    var result = ""
    var rest = path[...]
    var quote: Character?
    while let character = rest.first {
      if let open = quote {
        if character == open { quote = nil }
        result.append(rest.removeFirst())
        continue
      }
      if character == "'" || character == "\"" { quote = character }
      guard character.isLetter || character == "_" else {
        result.append(rest.removeFirst())
        continue
      }
      let prefix = rest.prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
      let after = rest.dropFirst(prefix.count)
      let name = after.dropFirst().prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
      guard after.first == ":", !name.isEmpty, after.dropFirst(1 + name.count).first != "(" else {
        result += prefix
        rest = after
        continue
      }
      result += "*[local-name()='\(name)']"
      rest = after.dropFirst(1 + name.count)
    }
    return result
  }

  /// A path in which templates stand for literals: without quotes around them, and in brackets behind a dot; nil if
  /// that isn't possible.
  private static func withLiterals(_ text: ImportedText) -> ImportedText? {
    guard text.literal == nil else { return text }
    var result = ImportedText()
    var pending: Character?
    for part in text.parts {
      guard case .text(var known) = part else {
        guard case .variable = part else { return nil }
        if case .text(let before)? = result.parts.last, let last = before.last,
          last == "'" || last == "\"" || last == "."
        {
          var shorter = ImportedText()
          for part in result.parts.dropLast() { shorter.append(part) }
          shorter.append(String(before.dropLast()))
          if last == "." { shorter.append("[") }
          result = shorter
          pending = last == "." ? "]" : last
        }
        if case .text(let before)? = result.parts.last, before.hasSuffix("["), pending == nil,
          case .variable(let name) = part
        {
          result.append(.expression("to_integer({{\(name)}})"))
        } else {
          result.append(part)
        }
        continue
      }
      if let end = pending {
        if end == "]" {
          known = "]" + known
        } else {
          guard known.first == end else { return nil }
          known.removeFirst()
        }
        pending = nil
      }
      result.append(known)
    }
    if pending == "]" { result.append("]") } else if pending != nil { return nil }
    return result
  }
}
