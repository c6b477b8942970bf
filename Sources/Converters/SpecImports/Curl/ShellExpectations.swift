import DocumentQueries
import Values

/// The keys of `expect` for patterns of statuses and conditions of jq.
struct ShellExpectations {
  private(set) var members: [(key: String, value: ImportedValue)] = []

  /// Adds statuses such as `200` or `4xx`; success is expected anyway.
  mutating func add(status patterns: [String]) {
    if patterns == ["2xx"] { return }
    let values = patterns.map { pattern in Int(pattern).map { ImportedValue.integer($0) } ?? .text(pattern) }
    members.set("status", values.count == 1 ? values[0] : .list(values))
  }

  /// Adds a condition of jq on the JSON body, such as `.a.b == 1`; returns whether its form is known.
  mutating func add(condition: ImportedText) -> Bool {
    let source = condition.marked
    guard
      let match = source.wholeMatch(of: pathAndFilter),
      match.output.1.isEmpty == match.output.3.isEmpty, let path = Self.path(String(match.output.2))
    else { return addExistence(source) }
    let rest = match.output.4
    if let sign = rest.prefixMatch(of: comparison) {
      return add(path, Self.predicate(sign.output.1), condition.unmarked(rest[sign.range.upperBound...]).json)
    }
    guard rest.hasPrefix("| ") else { return false }
    let isNegated = rest.hasSuffix(" | not")
    let filter = rest.dropFirst(2).dropLast(isNegated ? " | not".count : 0)
    if let kind = Self.kind(filter) { return add(path, isNegated ? "is_not" : "is", .text(kind)) }
    if let count = filter.wholeMatch(of: lengthComparison) {
      let (sign, number) = (count.output.1, ImportedValue.node(.number(String(count.output.2))))
      if isNegated { return false }
      if path.contains("*"), count.output.2 == "0", [">", "=="].contains(sign) {
        return add(path, "exists", .bool(sign == ">"))
      }
      return add(path, "count", sign == "==" ? number : .mapping([(Self.predicate(sign), number)]))
    }
    guard let call = filter.wholeMatch(of: callOfFunction), let word = Self.calls[String(call.output.1)],
      !isNegated || ["contains", "matches"].contains(word)
    else { return false }
    let value = condition.unmarked(word == "one_of" ? "[\(call.output.2)]" : call.output.2)
    return add(path, isNegated ? "not_\(word)" : word, value.json)
  }

  private static func predicate(_ sign: Substring) -> String {
    predicatesOfSigns[String(sign)] ?? (sign == "==" ? "equals" : "not_equals")
  }

  private static let calls = [
    "includes": "contains", "startswith": "starts_with", "endswith": "ends_with", "test": "matches", "IN": "one_of",
  ]
  /// The kinds that patterns of an export stand for, by the beginning of the pattern.
  private static let kinds = [
    #"test("^[0-9a-fA-F]{8}-"#: "uuid", #"test("^\\d{4}-\\d{2}-\\d{2}$")"#: "date",
    #"test("^\\d{4}-\\d{2}-\\d{2}T"#: "datetime", #"test("^[^@ ]+@[^@ ]+$")"#: "email",
    #"test("^[a-z][a-z0-9+.-]*://")"#: "url", #"type == "number" and . == floor"#: "integer",
  ]

  private static func kind(_ filter: Substring) -> String? {
    kinds.first { filter.hasPrefix($0.key) }?.value
      ?? filter.wholeMatch(of: typeComparison).map { String($0.output.1) }
  }

  /// `[.a | objects | select(has("b"))] | length > 0`, which distinguishes null from nothing.
  private mutating func addExistence(_ condition: String) -> Bool {
    guard
      let match = condition.wholeMatch(
        of: memberCount),
      let parent = Self.path(String(match.output.1))
    else { return false }
    return add(parent + jsonPathSegment(String(match.output.2)), "exists", .bool(match.output.3 == ">"))
  }

  /// Adds a predicate on a path; returns false without a value.
  private mutating func add(_ path: String, _ word: String, _ value: ImportedValue?) -> Bool {
    guard let value else { return false }
    var paths = members.first { $0.key == "json" }?.value.members ?? []
    if let index = paths.firstIndex(where: { $0.key == path }) {
      var predicates = paths[index].value.members ?? [("equals", paths[index].value)]
      if word == "contains", let first = predicates.firstIndex(where: { $0.key == "contains" || $0.key == "includes" })
      {
        // Several of them are a list.
        var items = [predicates[first].value]
        if predicates[first].key == "includes", case .list(let known) = predicates[first].value { items = known }
        predicates[first] = ("includes", .list(items + [value]))
      } else {
        predicates.set(word, value)
      }
      paths[index].value = .mapping(predicates)
    } else {
      let isPlain = if case .mapping = value { false } else if case .list = value { false } else { word == "equals" }
      paths.append((path, isPlain ? value : .mapping([(word, value)])))
    }
    members.set("json", .mapping(paths))
    return true
  }

  /// The JSONPath of a path of jq of names, indices and `[]`; nil for any other.
  static func path(_ filter: String) -> String? {
    var rest = filter[...]
    if rest.hasPrefix("["), rest.hasSuffix("]"), rest.dropFirst().first == "." { rest = rest.dropFirst().dropLast() }
    if rest == "." { return "$" }
    var path = "$"
    while !rest.isEmpty {
      guard let match = rest.prefixMatch(of: pathStep) else { return nil }
      if let name = match.output.1 ?? match.output.3 {
        path += jsonPathSegment(String(name))
      } else {
        path += match.output.2.map { "[\($0)]" } ?? "[*]"
      }
      rest = rest[match.range.upperBound...]
    }
    return path
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let pathAndFilter =
  #/(\[?)((?:\.[A-Za-z_][A-Za-z0-9_]*|\.?\[(?:-?\d+|"[^"\\]*")?\]|\.(?= |\]))+)(\]?)[ ]((?s:.*))/#
nonisolated(unsafe) private let comparison = /(==|!=|>=|<=|>|<)[ ]/
nonisolated(unsafe) private let lengthComparison = /length (==|!=|>=|<=|>|<) (\d+)/
nonisolated(unsafe) private let typeComparison = /type == "([a-z]+)"/
nonisolated(unsafe) private let pathStep = /\.([A-Za-z_][A-Za-z0-9_]*)|\.?\[(?:(-?\d{1,9})|"([^"\\]*)")?\]/
nonisolated(unsafe) private let callOfFunction = /([A-Za-z]+)\(((?s:.*))\)/
nonisolated(unsafe) private let memberCount = /\[(\S+) \| objects \| select\(has\("([^"\\]*)"\)\)\] \| length (>|==) 0/
