import DocumentQueries
import JSONSchemas
import Values

/// A value at a bound of its schema, or beyond it.
package struct BoundaryRow: Sendable {
  /// A description, such as `below minimum 18`.
  package let name: String
  package let value: Value
  package let isAllowed: Bool
}

/// Makes the values at the bounds of a schema and beyond them. Each is validated: none stands on the wrong side.
struct BoundaryRows {
  /// The place of a value in a request, by which some values are like others.
  enum Place { case json, query, text, segment }

  private let place: Place
  private let contract: ContractSchema
  private(set) var layers: SchemaLayers
  private(set) var rows: [BoundaryRow] = []
  private var known: Set<String> = []

  /// The largest number of characters, and of items, of a row.
  private static let lengths: [Place: Int] = [.json: 4_000, .query: 2_000, .text: 2_000, .segment: 200]
  private static let itemLimit = 200

  /// - Parameter base: a valid value.
  init(_ schema: DocumentNode, base: Value, _ place: Place, _ documents: DocumentSet) {
    self.place = place
    contract = ContractSchema(schema, documents, .request)
    layers = SchemaLayers(schema, documents)
    // The only alternative beside null says what the value is.
    for node in layers.all {
      for keyword in ["anyOf", "oneOf"] {
        let others = (node[keyword]?.items ?? []).filter { SchemaLayers($0, documents).type != "null" }
        if others.count == 1 { layers.add(others[0], documents) }
      }
    }
    switch layers.type {
    case "string": addTexts(base)
    case "integer": addNumbers(isInteger: true)
    case "number": addNumbers(isInteger: false)
    case "array": addLists(base)
    default: break
    }
    if place == .json, let value = layers.first("default")?.node.value { allow("the default", value) }
    if layers.type == "boolean" { for value in [true, false] { allow("\(value)", .bool(value)) } }
    addConstants()
    addOtherTypes()
  }

  /// Adds a value if it is on the side of the bound that its name says.
  ///
  /// - Parameter isChecked: false for a value that the validator doesn't check, such as a format.
  private mutating func add(_ name: String, _ value: Value, isAllowed: Bool, isChecked: Bool = true) {
    if place == .segment, ["", ".", ".."].contains(value.asText.string) { return }
    guard !isChecked || isValid(value) == isAllowed, known.insert(value.jsonText().string).inserted else { return }
    rows.append(BoundaryRow(name: name, value: value, isAllowed: isAllowed))
  }

  private mutating func reject(_ name: String, _ value: Value) { add(name, value, isAllowed: false) }
  private mutating func allow(_ name: String, _ value: Value) { add(name, value, isAllowed: true) }

  /// Nil if the validator can't say.
  private func isValid(_ value: Value) -> Bool? {
    if place != .json, value.isScalar {
      let text = value.asText.string
      let other = (try? JSONDocument(parsing: text))?.root.value
      do {
        return try contract.expectation { prefersText in
          prefersText ? .text(Text(text)) : other.flatMap { $0.isScalar ? $0 : nil } ?? .text(Text(text))
        } == nil
      } catch {
        return nil
      }
    }
    return contract.allows(value)
  }

  private func bounds(_ keyword: String) -> [Int] { layers.values(keyword).compactMap { $0.node.value.integer } }

  // MARK: kinds

  private mutating func addTexts(_ base: Value) {
    let text = base.asText.string
    let format = layers.first("format")?.string
    let limit = BoundaryRows.lengths[place] ?? 0
    if let least = bounds("minLength").max(), least > 0, least <= limit {
      reject(least == 1 ? "empty" : "shorter than minLength \(least)", .text(sized(text, least - 1)))
      if least > 1 { reject("empty", .text("")) }
      if format == nil {
        allow("minLength \(least)", .text(sized(text, least)))
        allow("within minLength \(least)", .text(sized(text, least + 1)))
      }
    }
    if let most = bounds("maxLength").min(), (0..<limit).contains(most) {
      reject("longer than maxLength \(most)", .text(sized(text, most + 1)))
      if format == nil {
        allow("maxLength \(most)", .text(sized(text, most)))
        if most > 1 { allow("within maxLength \(most)", .text(sized(text, most - 1))) }
      }
    }
    if let pattern = layers.values("pattern").compactMap(\.string).first {
      let count = text.unicodeScalars.count
      let others = ["!", "a", "0", " "].map { Value.text(Text(sized($0, max(1, count)))) }
      if let other = others.first(where: { isValid($0) == false }) {
        reject("no match of \(pattern.prefix(60))", other)
      }
    }
    if let format, let phrase = BoundaryRows.formats[format] {
      add("no \(phrase)", .text("no \(phrase)"), isAllowed: false, isChecked: isValid(.text("no \(phrase)")) == false)
    }
    if place == .json, format == nil { reject("empty", .text("")) }
  }

  /// Formats that no server reads loosely, in words.
  private static let formats = [
    "date-time": "date-time", "date": "date", "time": "time", "duration": "duration", "email": "email",
    "ipv4": "ipv4", "ipv6": "ipv6", "uri": "uri", "uuid": "uuid",
  ]

  /// A text of another length, cut or continued with its last character.
  private func sized(_ text: String, _ count: Int) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.prefix(count))
    let last = scalars.last ?? "a"
    while scalars.count < count { scalars.append(last) }
    return String(scalars)
  }

  private mutating func addNumbers(isInteger: Bool) {
    func number(_ value: Double) -> Value? {
      guard value.isFinite, abs(value) < 9e15 else { return nil }
      return (Int(exactly: value).map { Number($0) } ?? Number(value)).map { .number($0) }
    }
    func values(_ keyword: String) -> [Double] {
      layers.values(keyword).compactMap { if case .number(let number) = $0.node.value { number.double } else { nil } }
    }
    for (keyword, outside, word) in [("minimum", -1.0, "below"), ("maximum", 1.0, "above")] {
      for bound in values(keyword) {
        guard let at = number(bound), let beyond = number(bound + outside), let within = number(bound - outside) else {
          continue
        }
        reject("\(word) \(keyword) \(at.asText.string)", beyond)
        allow("\(keyword) \(at.asText.string)", at)
        // Another identifier says nothing more.
        if place != .segment { allow("within \(keyword) \(at.asText.string)", within) }
        reject("exclusive \(keyword) \(at.asText.string)", at)
      }
    }
    for (keyword, inside) in [("exclusiveMinimum", 1.0), ("exclusiveMaximum", -1.0)] {
      for bound in values(keyword) {
        guard let at = number(bound), let within = number(bound + inside) else { continue }
        reject("\(keyword) \(at.asText.string)", at)
        allow("within \(keyword) \(at.asText.string)", within)
      }
    }
    for step in values("multipleOf") where step > 0 {
      if let between = number((values("minimum").max() ?? step) + step / 2) {
        reject("no multiple of \(number(step)?.asText.string ?? "")", between)
      }
    }
    if isInteger, let between = number((values("minimum").max() ?? values("exclusiveMinimum").max() ?? 1) + 1.5) {
      reject("a fraction", between)
    }
    if isInteger, place == .segment { allow("beyond 64 bits", .text("9223372036854775808")) }
  }

  private mutating func addLists(_ base: Value) {
    guard case .list(let items) = base, let first = items.first else { return }
    let isUnique = layers.values("uniqueItems").contains(where: \.isTrue)
    func list(_ count: Int) -> Value {
      .list((0..<count).map { $0 < items.count ? items[$0] : isUnique ? .text("item \($0)") : first })
    }
    if let least = bounds("minItems").max(), least > 0, least <= BoundaryRows.itemLimit, place == .json || least > 1 {
      reject("fewer than minItems \(least)", list(least - 1))
      allow("minItems \(least)", list(least))
      allow("within minItems \(least)", list(least + 1))
    }
    if let most = bounds("maxItems").min(), (0..<BoundaryRows.itemLimit).contains(most) {
      reject("more than maxItems \(most)", list(most + 1))
      if most > 0 { allow("maxItems \(most)", list(most)) }
      if most > 1 { allow("within maxItems \(most)", list(most - 1)) }
    }
    if isUnique { reject("repeated items", .list([first, first])) }
  }

  private mutating func addConstants() {
    let values = layers.values("enum").flatMap(\.items) + layers.values("const")
    guard let first = values.first?.node.value else { return }
    for value in values.prefix(20) where value.node.kind != .null {
      allow("\(value.node.value.asText.string.prefix(40))", value.node.value)
    }
    if case .text(let text) = first {
      reject("none of enum", .text(text.string + "_other"))
    } else if first.integer != nil {
      reject("none of enum", .number(Number(987_654)))
    }
  }

  private mutating func addOtherTypes() {
    guard let type = layers.type else { return }
    if place == .json { addOtherJSONTypes(than: type) } else if type != "array" { addOtherTexts(than: type) }
  }

  private static let object = Value.mapping(Mapping([("key", .text("value"))]))

  private mutating func addOtherJSONTypes(than type: String) {
    if type != "string" {
      reject("no \(type)", .text("string"))
    } else if layers.first("format") == nil {
      // A number in place of a date or a duration is one to many servers, and so is a boolean.
      reject("no string", .number(Number(5)))
      reject("a boolean", .bool(true))
    }
    reject("an object", BoundaryRows.object)
    reject("a list", .list([]))
    if ["integer", "number"].contains(type) {
      // A boolean is 0 or 1 to many servers.
      if isValid(.number(Number(1))) == false { reject("a boolean", .bool(true)) }
    } else if type != "string" {
      if type == "object", layers.required.count > 1 { reject("an empty object", .mapping(Mapping())) }
      reject("a number", .number(Number(5)))
      reject("a boolean", .bool(true))
    }
    reject("null", .null)
    allow("null", .null)
  }

  /// Adds texts of other types. Where all texts are valid, none of them is wrong.
  private mutating func addOtherTexts(than type: String) {
    if type == "string" { reject("a fraction", .text("2.5")) } else { reject("no \(type)", .text("string")) }
    for (name, text) in [("a number", "5"), ("a boolean", "true"), ("null", "null")] { reject(name, .text(text)) }
    if place == .query, isValid(.text("string")) == false {
      reject("a list", .list([.text("string"), .text("string")]))
    }
    if place == .segment { reject("a list", .text("1,2")) }
  }
}
