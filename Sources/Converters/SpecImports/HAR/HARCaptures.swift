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
  private var captured: [String: (name: String, exchange: Int)] = [:]
  /// The indexes of the last requests below a URL, by it and the segment behind it.
  private var usesBelow: [Below: Int] = [:]
  /// The identifiers of resources below a URL, which may be as short as 1, in the order of their capture.
  private var resources: [Below: [Resource]] = [:]

  private struct Below: Hashable {
    let url: String
    let segment: String
  }

  private struct Resource {
    let name: String
    /// The name without a number, under which others refer to it.
    let word: String
    let value: String
    let exchange: Int
  }

  private var names: Set<String> = []

  init(_ exchanges: [HARExchange]) {
    self.exchanges = exchanges
  }

  mutating func find() {
    for index in exchanges.indices {
      var used: [String] = []
      var request = exchanges[index].request
      request.replaceValues { value in
        if isSpecific(value.value) { used.append(value.value) }
        if let path = value.path { usesBelow[Below(url: path, segment: value.value)] = index }
        return nil
      }
      for value in used where uses[value] == nil { uses[value] = index }
    }
    if uses.isEmpty, usesBelow.isEmpty { return }
    for index in exchanges.indices { readResponse(of: index) }
    if captured.isEmpty, resources.isEmpty { return }
    var references: [String: [Resource]] = [:]
    for resource in resources.values.joined() { references[resource.word, default: []].append(resource) }
    for index in exchanges.indices {
      exchanges[index].request.replaceValues { [captured, resources] use in
        if let known = captured[use.value], known.exchange < index {
          return known.name
        }
        let candidates =
          use.path.map { resources[Below(url: $0, segment: use.value)] ?? [] }
          ?? use.name.map { references[HARNames.word($0)] ?? [] } ?? []
        let resource = candidates.filter { $0.exchange < index && $0.value == use.value }
          .max { $0.exchange < $1.exchange }
        return resource?.name
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
      if exchanges[index].method == "POST" { readLinks(text, of: index) }
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
      guard position > 0 else { continue }
      let before = path[position - 1]
      let url = (try? HTTPURL.resolve(String(location[..<segment.startIndex]), against: exchanges[index].url))?.string
      let below = position == path.count - 1 ? url.map { Below(url: String($0.dropLast()), segment: value) } : nil
      guard isGiven(value, index) || below.map({ isNewResource($0, index) }) ?? false else { continue }
      let pattern = "/\(escapedForPattern(String(before)))/([^/?#]+)"
      let source: ImportedValue = .mapping([("header", .text(header)), ("regex", .text(pattern))])
      capture(
        value, as: HARNames.singular(String(before)) + "_id", source, of: index, isText: true,
        below: isGiven(value, index) ? nil : below)
    }
  }

  /// Captures the identifiers of what was posted: the first one that the page has below a path.
  private mutating func readLinks(_ page: String, of index: Int) {
    var seen: Set<String> = []
    for link in page.matches(of: linkTarget) {
      guard let url = try? HTTPURL.resolve(String(link.output.1), against: exchanges[index].url) else { continue }
      var above = url
      (above.path, above.query, above.fragment) = ("", nil, nil)
      var path = ""
      for segment in url.path.split(separator: "/") {
        defer { path += "/\(segment)" }
        guard HARNames.isIdentifying(String(segment)), !path.isEmpty, link.output.1.contains("\(path)/"),
          seen.insert(path).inserted
        else { continue }
        let below = Below(url: String(above.string.trimming { $0 == "/" }) + path, segment: percentDecoded(segment))
        guard isNewResource(below, index), let word = path.split(separator: "/").last else { continue }
        // A link beside it, such as `/orders/new`, has no digits.
        let form = segment.utf8.allSatisfy(isDigit) ? "\\d+" : "[^/?#\"']*\\d[^/?#\"']*"
        let pattern = "href=[\"'][^\"']*?\(escapedForPattern(path))/(\(form))"
        capture(
          below.segment, as: HARNames.singular(String(word)) + "_id", .mapping([("regex", .text(pattern))]), of: index,
          isText: true, below: below)
      }
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
      let name = HARNames.name(keys, url: exchanges[index].url)
      if isGiven(value, index) {
        capture(value, as: name, .text(path), of: index, isText: node.kind == .text)
      } else if let key = keys.last, HARNames.isIdentifier(key),
        // A word may be a path that is the same in each run.
        HARNames.isIdentifying(value) || exchanges[index].method == "POST"
      {
        var url = exchanges[index].url
        (url.query, url.fragment) = (nil, nil)
        let below = Below(url: String(url.string.trimming { $0 == "/" }), segment: value)
        guard isNewResource(below, index) else { return }
        capture(value, as: name, .text(path), of: index, isText: node.kind == .text, below: below)
      }
    default: break
    }
  }

  /// Returns whether a response gives the identifier of a resource to later requests: a new one if it was posted.
  private func isNewResource(_ below: Below, _ index: Int) -> Bool {
    guard captured[below.segment] == nil, !below.segment.isEmpty, usesBelow[below].map({ $0 > index }) ?? false else {
      return false
    }
    guard let last = resources[below]?.last else { return true }
    return last.exchange < index && exchanges[index].method == "POST"
  }

  /// - Parameter below: the place of an identifier that is known by it alone.
  private mutating func capture(
    _ value: String, as word: String, _ source: ImportedValue, of index: Int, isText: Bool, below: Below? = nil
  ) {
    var base = HARNames.word(word)
    if unusableName(base, of: "a variable") != nil { base += "_" }
    let name = names.insertUnique { numbered(base, $0) }
    if let below {
      resources[below, default: []].append(
        Resource(name: name, word: HARNames.word(word), value: value, exchange: index))
    } else {
      captured[value] = (name, index)
    }
    var source = source
    if isSecretName(name), source.members?.first?.key != "cookie" {
      let members = source.members ?? [("json", source)]
      source = .mapping(members + [("secret", .bool(true))])
    }
    exchanges[index].request.captures.append((name, source))
    if isText { exchanges[index].request.textCaptures.insert(name) }
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
  /// Returns whether a key is that of an identifier.
  static func isIdentifier(_ key: String) -> Bool {
    let word = snakeCase(key)
    return ["id", "name", "slug"].contains(word)
      || ["_id", "_name", "_slug", "uuid", "guid"].contains(where: word.hasSuffix)
  }

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

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let linkTarget = /\shref=["']([^"'<>\s]{1,2000})["']/
