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
    guard case .text(let start)? = condition.parts.first,
      let match = start.prefixMatch(
        of: #/(\[?)((?:\.[A-Za-z_][A-Za-z0-9_]*|\.?\[(?:-?\d+|"[^"\\]*")?\]|\.(?= |\]))+)(\]?)[ ]/#),
      match.output.1.isEmpty == match.output.3.isEmpty, let path = Self.path(String(match.output.2))
    else { return addExistence(condition.literal ?? "") }
    let rest = condition.dropFirst(match.output.0.count)
    guard case .text(let word)? = rest.parts.first else { return false }
    if let comparison = word.prefixMatch(of: #/(==|!=|>=|<=|>|<)[ ]/#) {
      let value = rest.dropFirst(comparison.output.0.count)
      guard let value = value.json else { return false }
      add(path, Self.comparisons[String(comparison.output.1)] ?? "equals", value)
      return true
    }
    guard word.hasPrefix("| ") else { return false }
    var filter = rest.dropFirst(2)
    var isNegated = false
    if case .text(let last)? = filter.parts.last, last.hasSuffix(" | not") {
      isNegated = true
      filter = filter.dropLast(" | not".count)
    }
    if let literal = filter.literal, let added = addFilter(literal, path, isNegated) { return added }
    guard case .text(let name)? = filter.parts.first, let call = name.prefixMatch(of: /([a-z]+)\(/),
      let word = Self.calls[String(call.output.1)],
      let value = filter.dropFirst(call.output.0.count).dropLast(1).json
    else { return false }
    guard !isNegated || ["contains", "matches"].contains(word) else { return false }
    add(path, isNegated ? "not_\(word)" : word, value)
    return true
  }

  private static let comparisons = [
    "==": "equals", "!=": "not_equals", ">": "greater_than", ">=": "at_least", "<": "less_than", "<=": "at_most",
  ]
  private static let calls = [
    "includes": "contains", "startswith": "starts_with", "endswith": "ends_with", "test": "matches",
  ]
  /// The kinds that patterns of an export stand for, by the beginning of the pattern.
  private static let kinds = [
    #"test("^[0-9a-fA-F]{8}-"#: "uuid", #"test("^\\d{4}-\\d{2}-\\d{2}$")"#: "date",
    #"test("^\\d{4}-\\d{2}-\\d{2}T"#: "datetime", #"test("^[^@ ]+@[^@ ]+$")"#: "email",
    #"test("^[a-z][a-z0-9+.-]*://")"#: "url", #"type == "number" and . == floor"#: "integer",
  ]

  /// Adds a filter without variables; nil if another way may read it.
  private mutating func addFilter(_ filter: String, _ path: String, _ isNegated: Bool) -> Bool? {
    let kind =
      Self.kinds.first { filter.hasPrefix($0.key) }?.value
      ?? filter.wholeMatch(of: /type == "([a-z]+)"/).map { String($0.output.1) }
    if let kind {
      add(path, isNegated ? "is_not" : "is", .text(kind))
      return true
    }
    if let count = filter.wholeMatch(of: /length (==|!=|>=|<=|>|<) (\d+)/) {
      let number = ImportedValue.node(.number(String(count.output.2)))
      let comparison = Self.comparisons[String(count.output.1)] ?? "equals"
      if isNegated { return false }
      if path.contains("*"), count.output.2 == "0", [">", "=="].contains(count.output.1) {
        add(path, "exists", .bool(count.output.1 == ">"))
      } else {
        add(path, "count", comparison == "equals" ? number : .mapping([(comparison, number)]))
      }
      return true
    }
    guard !isNegated, filter.hasPrefix("IN("), filter.hasSuffix(")"),
      let values = ImportedText("[\(filter.dropFirst(3).dropLast())]").json
    else { return nil }
    add(path, "one_of", values)
    return true
  }

  /// `[.a | objects | select(has("b"))] | length > 0`, which distinguishes null from nothing.
  private mutating func addExistence(_ condition: String) -> Bool {
    guard
      let match = condition.wholeMatch(of: /\[(\S+) \| objects \| select\(has\("([^"\\]*)"\)\)\] \| length (>|==) 0/),
      let parent = Self.path(String(match.output.1))
    else { return false }
    add(parent + jsonPathSegment(String(match.output.2)), "exists", .bool(match.output.3 == ">"))
    return true
  }

  private mutating func add(_ path: String, _ word: String, _ value: ImportedValue) {
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
  }

  /// The JSONPath of a path of jq of names, indices and `[]`; nil for any other.
  static func path(_ filter: String) -> String? {
    var rest = filter[...]
    if rest.hasPrefix("["), rest.hasSuffix("]"), rest.dropFirst().first == "." { rest = rest.dropFirst().dropLast() }
    if rest == "." { return "$" }
    var path = "$"
    while !rest.isEmpty {
      guard let match = rest.prefixMatch(of: /\.([A-Za-z_][A-Za-z0-9_]*)|\.?\[(?:(-?\d{1,9})|"([^"\\]*)")?\]/) else {
        return nil
      }
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
