import DocumentQueries
import Matching
import Values

/// A JSON schema that grows with values and with what is expected of them.
struct SchemaSketch {
  private(set) var types: Set<String> = []
  private var format: String?
  private var pattern: String?
  private var properties: [(name: String, schema: SchemaSketch)] = []
  private var places: [String: Int] = [:]
  /// The number of samples, and how many of them have a property.
  private var samples = 0
  private var counts: [String: Int] = [:]
  private var items: [SchemaSketch] = []

  private static let typeOrder = ["null", "boolean", "integer", "number", "string", "array", "object"]

  /// Returns whether nothing is known.
  var isEmpty: Bool { types.isEmpty && properties.isEmpty && items.isEmpty && pattern == nil }

  // MARK: growing

  /// Adds the type of a value, and those of its parts.
  mutating func add(sample value: Value) {
    switch value {
    case .null: types.insert("null")
    case .bool: types.insert("boolean")
    case .number(let number): types.insert(number.isInteger ? "integer" : "number")
    case .text, .date, .data: types.insert("string")
    case .list(let values):
      types.insert("array")
      for value in values { addItem { $0.add(sample: value) } }
    case .mapping(let mapping):
      types.insert("object")
      samples += 1
      for member in mapping.members {
        addProperty(member.key.string) { $0.add(sample: member.value) }
        counts[member.key.string, default: 0] += 1
      }
    }
  }

  /// Adds what the checks of one response say of its JSON.
  mutating func add(_ checks: [ExportedCheck]) {
    var response = SchemaSketch()
    for check in checks {
      guard case .json(let path) = check.subject, let steps = (try? JSONPath(path))?.steps, check.filters.isEmpty else {
        continue
      }
      if case .exists(false) = check.predicate { continue }
      response.add(check, steps[...])
    }
    response.samples = 1
    merge(response)
  }

  /// Adds a check of one response; a property counts once for it.
  private mutating func add(_ check: ExportedCheck, _ steps: ArraySlice<JSONPath.Step>) {
    switch steps.first {
    case nil: add(check.predicate)
    case .all? where steps.count == 1:
      // The number of members or items.
      break
    case .index?, .all?:
      types.insert("array")
      addItem { $0.add(check, steps.dropFirst()) }
    case .name(let name)?:
      types.insert("object")
      samples = 1
      counts[name] = 1
      addProperty(name) { $0.add(check, steps.dropFirst()) }
    }
  }

  private mutating func add(_ predicate: ExportedPredicate) {
    switch predicate {
    case .compares(_, let value):
      guard value.isScalar else { return }
      if case .text(let text) = value, ExportWords.hasWord(text.string[...]) { return }
      add(sample: value)
    case .oneOf(let values): for value in values { add(sample: value) }
    case .startsWith, .endsWith: types.insert("string")
    case .matches(let text, false):
      types.insert("string")
      if pattern == nil { pattern = text }
    case .isKind(let kind, false): add(kind)
    case .contains, .counts, .exists, .matches, .isKind: break
    }
  }

  private mutating func add(_ kind: MatchKind) {
    switch kind {
    case .string, .integer, .number, .boolean, .array, .object, .null: types.insert(kind.rawValue)
    case .empty: break
    case .uuid, .date, .email, .ipv4, .ipv6:
      types.insert("string")
      format = kind.rawValue
    case .datetime:
      types.insert("string")
      format = "date-time"
    case .url:
      types.insert("string")
      format = "uri"
    case .base64, .json: types.insert("string")
    }
  }

  private mutating func addProperty(_ name: String, _ change: (inout SchemaSketch) -> Void) {
    let place = places[name] ?? properties.count
    if place == properties.count {
      places[name] = place
      properties.append((name, SchemaSketch()))
    }
    change(&properties[place].schema)
  }

  private mutating func addItem(_ change: (inout SchemaSketch) -> Void) {
    if items.isEmpty { items = [SchemaSketch()] }
    change(&items[0])
  }

  private mutating func merge(_ other: SchemaSketch) {
    samples += other.samples
    counts.merge(other.counts) { $0 + $1 }
    types.formUnion(other.types)
    format = format ?? other.format
    pattern = pattern ?? other.pattern
    for (name, schema) in other.properties { addProperty(name) { $0.merge(schema) } }
    if let item = other.items.first { addItem { $0.merge(item) } }
  }

  // MARK: writing

  /// The schema of samples that are complete.
  var value: Value { value(of: nil, isAlways: true) }

  /// The schema of responses, of which only parts are known: what not all mention may be absent, or null.
  ///
  /// - Parameter count: the number of responses.
  func value(of count: Int) -> Value { value(of: count, isAlways: true) }

  private func value(of count: Int?, isAlways: Bool) -> Value {
    var types = types
    if types.contains("number") { types.remove("integer") }
    let isText = types == ["string"]
    if !isAlways, !types.isEmpty { types.insert("null") }
    let names = SchemaSketch.typeOrder.filter { types.contains($0) }
    func isRequired(_ name: String) -> Bool { counts[name] == count ?? samples }
    let required = properties.map(\.name).filter(isRequired)
    let members = properties.map { name, schema in
      (name, schema.value(of: count, isAlways: count == nil || isAlways && isRequired(name)))
    }
    return jsonObject([
      "type": names.isEmpty ? nil : names.count == 1 ? .text(names[0]) : .list(texts: names),
      "format": isText ? format.map { .text($0) } : nil, "pattern": isText ? pattern.map { .text($0) } : nil,
      "properties": members.isEmpty ? nil : .mapping(Mapping(members)),
      "required": required.isEmpty ? nil : .list(texts: required),
      "items": items.first.flatMap { item in
        item.isEmpty ? nil : item.value(of: count, isAlways: count == nil || count == 1)
      },
    ])
  }
}
