import DocumentQueries
import RequestSpecs
import Values

/// Finds the values that responses give and later requests use.
///
/// Values of requests are indexed first; each response is then read once, and its values are looked up.
struct HARCaptures {
  private(set) var exchanges: [HARExchange]
  /// The index of the first request that uses a value.
  private var uses: [String: Int] = [:]
  private var captured: [String: (name: String, isText: Bool, exchange: Int)] = [:]
  private var names: Set<String> = []

  init(_ exchanges: [HARExchange]) {
    self.exchanges = exchanges
  }

  mutating func find() {
    for index in exchanges.indices {
      var used: [String] = []
      var request = exchanges[index].request
      request.replaceValues { value in
        if isSpecific(value) { used.append(value) }
        return nil
      }
      for value in used where uses[value] == nil { uses[value] = index }
    }
    if uses.isEmpty { return }
    for index in exchanges.indices { readResponse(of: index) }
    if captured.isEmpty { return }
    for index in exchanges.indices {
      exchanges[index].request.replaceValues { [captured] value in
        guard let known = captured[value], known.exchange < index else { return nil }
        return ValueReplacement(name: known.name, isText: known.isText)
      }
    }
  }

  // MARK: responses

  private mutating func readResponse(of index: Int) {
    let entry = exchanges[index].response
    readHeaders(of: index, entry)
    let type = entry.responseType
    let isMarkup = type == "text/html" || type == "application/xhtml+xml"
    guard isMarkup || type.contains("json") || type.isEmpty || type == "text/plain", let text = entry.responseText
    else {
      return
    }
    if isMarkup {
      var page = RecordedPage(text)
      page.read()
      for value in page.values where isGiven(value.value, index) {
        capture(value.value, as: value.name, value.source, of: index, isText: true)
      }
    } else if let document = try? JSONDocument(parsing: text) {
      readJSON(document.root, "$", [], of: index)
    }
  }

  /// Returns whether a response gives a value that only later requests use.
  private func isGiven(_ value: String, _ index: Int) -> Bool {
    captured[value] == nil && uses[value].map { $0 > index } ?? false
  }

  private mutating func readHeaders(of index: Int, _ entry: RecordedExchange) {
    for cookie in entry.setCookies where isGiven(cookie.value, index) {
      capture(cookie.value, as: cookie.name, .mapping([("cookie", .text(cookie.name))]), of: index, isText: true)
    }
    for (name, value) in entry.responseHeaders where !equalsIgnoringCase(name, "set-cookie") {
      let key = name.lowercased()
      if isGiven(value, index) {
        capture(value, as: key, .mapping([("header", .text(name))]), of: index, isText: true)
      } else if key == "location" {
        readLocation(value, name, of: index)
      }
    }
  }

  /// Captures the segment of a `Location` that later requests use.
  private mutating func readLocation(_ location: String, _ header: String, of index: Int) {
    let path = location.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    for (position, segment) in path.enumerated() {
      let value = percentDecoded(segment)
      guard isGiven(value, index), position > 0 else { continue }
      let before = path[position - 1]
      let pattern = "/\(escapedForPattern(String(before)))/([^/?#]+)"
      let source: ImportedValue = .mapping([("header", .text(header)), ("regex", .text(pattern))])
      capture(value, as: HARNames.singular(String(before)) + "_id", source, of: index, isText: true)
    }
  }

  private mutating func readJSON(_ node: JSONNode, _ path: String, _ keys: [String], of index: Int) {
    switch node.kind {
    case .list:
      for (position, item) in node.items.enumerated() { readJSON(item, "\(path)[\(position)]", keys, of: index) }
    case .mapping:
      for member in node.members {
        readJSON(member.value, path + jsonPathSegment(member.key), keys + [member.key], of: index)
      }
    case .text, .number:
      let value = node.string
      guard isGiven(value, index) else { return }
      let name = HARNames.name(keys, url: exchanges[index].url)
      capture(value, as: name, .text(path), of: index, isText: node.kind == .text)
    default: break
    }
  }

  private mutating func capture(_ value: String, as word: String, _ source: ImportedValue, of index: Int, isText: Bool)
  {
    var base = HARNames.word(word)
    if unusableName(base, of: "a variable") != nil { base += "_" }
    let name = names.insertUnique { numbered(base, $0) }
    captured[value] = (name, isText, index)
    var source = source
    if isSecretName(name), source.members?.first?.key != "cookie" {
      let members = source.members ?? [("json", source)]
      source = .mapping(members + [("secret", .bool(true))])
    }
    exchanges[index].request.captures.append((name, source))
  }

  // MARK: specific values

  /// Returns whether a value is so specific that two places with it have it from each other: not a word, a date or a
  /// small number.
  private func isSpecific(_ value: String) -> Bool {
    let bytes = value.utf8
    guard bytes.count >= 8, bytes.count <= 8192, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }),
      !value.contains("://"), !value.contains("@"), !value.contains("***")
    else { return false }
    if bytes.allSatisfy(isDigit) {
      // Times in seconds and milliseconds.
      return !([10, 13].contains(bytes.count) && value.hasPrefix("1"))
    }
    if bytes.prefix(8).elementsEqual(bytes.prefix(10).filter { isDigit($0) || $0 == UInt8(ascii: "-") }.prefix(8)),
      bytes.count > 9, value.dropFirst(4).hasPrefix("-"), value.dropFirst(7).hasPrefix("-")
    {
      return false
    }
    if Double(value) != nil { return false }
    return value.split { !($0.isLetter || $0.isNumber) }.contains { piece in
      let digits = piece.utf8.count(where: isDigit)
      let capitals = piece.utf8.count { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      let isMixed = digits > 0 && digits < piece.utf8.count && piece.utf8.count >= 6
      return isMixed || digits >= 5 || piece.utf8.count >= 16 && capitals > 1 && capitals < piece.utf8.count
    }
  }
}

/// The names of captures.
enum HARNames {
  /// Keys that name no thing by themselves.
  private static let generic: Set<String> = [
    "_id", "code", "guid", "hash", "href", "id", "key", "number", "ref", "slug", "uuid", "value",
  ]
  private static let containers: Set<String> = [
    "attributes", "data", "edges", "items", "node", "payload", "response", "result", "results",
  ]

  /// A name for the value under some keys in the response to a URL.
  static func name(_ keys: [String], url: HTTPURL) -> String {
    let last = keys.last ?? "value"
    guard generic.contains(last.lowercased()) else { return last }
    let parent =
      keys.dropLast().last { !containers.contains($0.lowercased()) }
      ?? url.path.split(separator: "/").last { $0.contains { $0.isLetter } && !$0.contains { $0.isNumber } }.map(
        String.init)
    return parent.map { singular($0) + "_" + last } ?? last
  }

  /// The word for one of several things, in English's usual forms.
  static func singular(_ word: String) -> String {
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    if word.hasSuffix("sses") || word.hasSuffix("xes") || word.hasSuffix("ches") { return String(word.dropLast(2)) }
    return word.hasSuffix("s") && !word.hasSuffix("ss") && !word.hasSuffix("us") ? String(word.dropLast()) : word
  }

  /// A name in lower case with `_` between words: `X-CSRF-Token` is `csrf_token`.
  static func word(_ name: String) -> String {
    var result = snakeCase(name)
    if result.hasPrefix("x_"), result.count > 4 { result = String(result.dropFirst(2)) }
    return result.isEmpty || result.first?.isNumber ?? true ? "value_" + result : result
  }
}
