import DocumentQueries
import JSONSchemas
import OperatingSystem
import Values

/// Makes values that schemas allow, from their examples and constraints.
///
/// A value is made, validated, and made again where it is invalid: first without the examples at these places, at last
/// without any.
struct SchemaExample {
  private let documents: DocumentSet
  private let meter = EvaluationBudget.meter
  /// The number of values that may still be made.
  private var budget = SchemaExample.budgetLimit
  /// The schemas of which values are being made.
  private var open: Set<SchemaPlace> = []
  /// The JSON Pointers of invalid values in the round before.
  private var invalid: [String] = []
  private var round = 0
  private var usesExamples = true

  private static let budgetLimit = 3_000
  private static let depthLimit = 48
  private static let roundLimit = 4
  /// The largest number of items or characters that is made to reach a lower bound.
  private static let lengthLimit = 2_000

  private let direction: SchemaSet.Direction
  private let variant: Int

  private init(_ documents: DocumentSet, _ direction: SchemaSet.Direction, _ variant: Int) {
    (self.documents, self.direction, self.variant) = (documents, direction, variant)
  }

  /// A value and the reason why the schema rejects it, if no valid one was found.
  struct Result {
    var value: Value
    var problem: String?
  }

  /// Makes a value of a request or a response.
  ///
  /// - Parameters:
  ///   - given: examples beside the schema, which come before its own.
  ///   - variant: the number of a valid value among several, where there are.
  static func make(
    _ schema: DocumentNode?, given: [Value], _ documents: DocumentSet, _ direction: SchemaSet.Direction = .request,
    variant: Int = 0
  ) -> Result? {
    if variant > 0, let result = make(schema, given: given, documents, direction, variant), result.problem == nil {
      return result
    }
    return make(schema, given: given, documents, direction, 0)
  }

  private static func make(
    _ schema: DocumentNode?, given: [Value], _ documents: DocumentSet, _ direction: SchemaSet.Direction, _ variant: Int
  ) -> Result? {
    guard let schema else { return given.first.map { Result(value: $0) } }
    let contract = ContractSchema(schema, documents, direction)
    var firstProblem: String?
    // A valid one comes before one that needs changes.
    for value in given {
      var maker = SchemaExample(documents, direction, variant)
      if maker.problem(of: value, contract) == nil { return Result(value: value) }
    }
    for hint in given.map(Optional.some) + (given.isEmpty ? [nil] : []) {
      var maker = SchemaExample(documents, direction, variant)
      for round in 0..<roundLimit {
        maker.round = round
        guard let value = maker.wholeValue(schema, hint: hint) else { break }
        guard let problem = maker.problem(of: value, contract) else { return Result(value: value) }
        firstProblem = firstProblem ?? problem
      }
    }
    var maker = SchemaExample(documents, direction, variant)
    maker.usesExamples = false
    let made = maker.wholeValue(schema, hint: nil)
    if let made, maker.problem(of: made, contract) == nil { return Result(value: made) }
    guard let value = given.first ?? made else { return nil }
    return Result(value: value, problem: firstProblem ?? "no valid example could be made of its schema")
  }

  /// The first violation of the schema; notes the places of all.
  private mutating func problem(of value: Value, _ contract: ContractSchema) -> String? {
    do throws(ContractProblem) {
      guard let document = try? JSONDocument(parsing: value.jsonText().string) else { return "it nests too deep" }
      let differences = try contract.differences(of: document.root)
      invalid += differences.listed.map { $0.path == ValueDifferences.root ? "" : $0.path }
      guard let first = differences.listed.first else { return nil }
      return "\(first.path) is not valid: expected \(first.phrase)"
    } catch {
      return error.message
    }
  }

  private mutating func wholeValue(_ schema: DocumentNode, hint: Value?) -> Value? {
    budget = SchemaExample.budgetLimit
    open = []
    return value(schema, hint: hint, at: "", Position(depth: 0, item: variant, name: ""))
  }

  /// The place of a value in the whole.
  private struct Position {
    var depth: Int
    /// The index in the list around it, so that its items differ.
    var item: Int
    /// The name of the property.
    var name: String
  }

  /// Returns whether a value or a part of it was invalid.
  private func isInvalid(_ pointer: String) -> Bool {
    invalid.contains { $0 == pointer || $0.hasPrefix(pointer + "/") }
  }

  // MARK: values

  private mutating func value(
    _ schema: DocumentNode, hint: Value?, at pointer: String, _ position: Position
  ) -> Value? {
    guard position.depth < SchemaExample.depthLimit, budget > 0, !meter.isOver(after: 20) else { return nil }
    budget -= 1
    if let hint, !isInvalid(pointer) { return hint }
    if schema.node.kind == .boolean { return schema.isTrue ? hint ?? .text("string") : nil }
    var layers = SchemaLayers(schema, documents)
    guard !layers.isBroken, open.isDisjoint(with: layers.places) else { return nil }
    let isExact = invalid.contains(pointer)
    var hint = hint
    if hint == nil, usesExamples, let found = SchemaExample.example(in: layers, item: position.item) {
      if !isInvalid(pointer) { return found }
      hint = found
    }
    let item = position.item + (isExact ? round : 0)
    if let constant = constant(in: layers, item: item) { return constant }
    let entered = layers.places
    open.formUnion(entered)
    defer { open.subtract(entered) }
    // Each choice may have alternatives of its own.
    var index = 0
    while index < layers.all.count {
      let node = layers.all[index]
      index += 1
      for keyword in ["oneOf", "anyOf"] {
        guard let alternatives = node[keyword]?.items, !alternatives.isEmpty else { continue }
        guard let choice = alternative(of: alternatives, item: item) else {
          return layers.mayBeNull ? .null : nil
        }
        layers.add(choice, documents)
      }
    }
    let chosen = layers.places.subtracting(entered)
    open.formUnion(chosen)
    defer { open.subtract(chosen) }
    if let constant = constant(in: layers, item: item) { return constant }
    switch layers.type {
    case "object": return object(layers, hint: hint, at: pointer, position)
    case "array": return array(layers, hint: hint, at: pointer, position)
    case "string": return ScalarExample.text(layers, name: position.name, item: position.item).map { .text($0) }
    case "integer": return ScalarExample.number(layers, isInteger: true, item: position.item).map { .number($0) }
    case "number": return ScalarExample.number(layers, isInteger: false, item: position.item).map { .number($0) }
    case "boolean": return .bool(true)
    case "null": return .null
    default: return position.depth == 0 ? .mapping(Mapping()) : .text("string")
    }
  }

  /// The value of `const` or `enum` that all schemas allow.
  private func constant(in layers: SchemaLayers, item: Int) -> Value? {
    let lists = layers.values("const").map { [$0] } + layers.values("enum").map(\.items).filter { !$0.isEmpty }
    guard let first = lists.first else { return nil }
    let common = first.filter { value in
      lists.allSatisfy { list in list.contains { $0.node.means(value.node) } }
    }
    let values = common.isEmpty ? first : common
    let usable = values.filter { $0.node.kind != .null }
    return usable.isEmpty ? .null : usable[item % usable.count].node.value
  }

  /// The first alternative that is neither null nor leads back to where it came from; another one for further items,
  /// and in a later round.
  private func alternative(of items: [DocumentNode], item: Int) -> DocumentNode? {
    let usable = items.filter { schema in
      let layers = SchemaLayers(schema, documents)
      return !layers.isBroken && open.isDisjoint(with: layers.places) && layers.type != "null"
        && !schema.node.isBoolean(false) && !meter.isOver(after: 20)
    }
    return usable.isEmpty ? nil : usable[item % usable.count]
  }

  /// The example of a schema itself.
  private static func example(in layers: SchemaLayers, item: Int) -> Value? {
    for node in layers.own {
      if let example = node["example"]?.node.value {
        // Without a type, both would be valid.
        return layers.values("type").isEmpty ? ContractExamples.valueOfText(example) ?? example : example
      }
      if let examples = node["examples"]?.items, !examples.isEmpty { return examples[item % examples.count].node.value }
    }
    for node in layers.own {
      // A null in place of a value is seldom what a request means.
      if let value = node["default"], value.node.kind != .null { return value.node.value }
    }
    return nil
  }

  // MARK: objects and arrays

  private mutating func object(
    _ layers: SchemaLayers, hint: Value?, at pointer: String, _ position: Position
  ) -> Value? {
    var given = Mapping()
    if case .mapping(let members)? = hint { given = members }
    let properties = layers.properties
    let required = layers.required
    let discriminator = layers.discriminator
    let writable = properties.filter { !isLeftOut($0.schema) }
    var wanted = writable.filter { name, schema in
      required.contains(name) || name == discriminator?.name || usesExamples && hasExample(schema)
    }
    // A client of a response wants to see everything, a request is short.
    if direction == .response ? position.depth < 8 : wanted.isEmpty && position.depth < 2 && required.isEmpty {
      wanted = writable.filter { required.contains($0.name) || !($0.schema["deprecated"]?.isTrue ?? false) }
    }
    if hint != nil { wanted = writable.filter { given[$0.name] != nil || required.contains($0.name) } }
    var result: [(String, Value)] = []
    for (name, schema) in wanted {
      let place = pointer + "/" + JSONPointer.escaped(name)
      let inner = Position(depth: position.depth + 1, item: position.item, name: name)
      if let discriminator, discriminator.name == name, !isInvalid(place) {
        result.append((name, .text(discriminator.value)))
      } else if let made = value(schema, hint: given[name], at: place, inner) {
        result.append((name, made))
      } else if required.contains(name) {
        return layers.mayBeNull ? .null : nil
      }
    }
    // Properties that only `required` names, and those of an example that are in no schema.
    let others = Set(properties.map(\.name))
    for name in required.subtracting(others).sorted() {
      let inner = Position(depth: position.depth + 1, item: position.item, name: name)
      let made = layers.first("additionalProperties").flatMap { $0.isObject ? $0 : nil }
      result.append((name, given[name] ?? made.flatMap { value($0, hint: nil, at: pointer, inner) } ?? .text("string")))
    }
    for member in given.members {
      let name = member.key.string
      guard !others.contains(name), !required.contains(name), !isInvalid(pointer + "/" + JSONPointer.escaped(name))
      else {
        continue
      }
      result.append((name, member.value))
    }
    let least = layers.values("minProperties").compactMap { $0.node.value.integer }.max() ?? 0
    if result.count < least { addProperties(layers, upTo: least, to: &result, at: pointer, position) }
    return .mapping(Mapping(result))
  }

  /// Adds optional properties, then ones of names of their own.
  private mutating func addProperties(
    _ layers: SchemaLayers, upTo least: Int, to result: inout [(String, Value)], at pointer: String,
    _ position: Position
  ) {
    let names = Set(result.map(\.0))
    for (name, schema) in layers.properties where result.count < least && !names.contains(name) {
      let inner = Position(depth: position.depth + 1, item: 0, name: name)
      if !isLeftOut(schema), let made = value(schema, hint: nil, at: pointer + "/" + JSONPointer.escaped(name), inner) {
        result.append((name, made))
      }
    }
    let further = layers.first("additionalProperties").flatMap { $0.isObject ? $0 : nil }
    for number in 1...max(1, min(least, 20)) where result.count < least {
      let inner = Position(depth: position.depth + 1, item: 0, name: "key")
      let made = further.flatMap { value($0, hint: nil, at: pointer, inner) }
      result.append(("key\(number)", made ?? .text("string")))
    }
  }

  private mutating func array(
    _ layers: SchemaLayers, hint: Value?, at pointer: String, _ position: Position
  ) -> Value? {
    func bound(_ keyword: String) -> Int? { layers.values(keyword).compactMap { $0.node.value.integer }.max() }
    let least = bound("minItems") ?? 0
    let most = max(0, bound("maxItems") ?? Int.max)
    guard least <= SchemaExample.lengthLimit else { return nil }
    var given: [Value] = []
    if case .list(let items)? = hint { given = items }
    let leading = layers.first("prefixItems")?.items ?? []
    let schema = layers.first("items")
    let count = min(most, max(least, given.count, leading.count, 1))
    var result: [Value] = []
    for index in 0..<count {
      let inner = Position(depth: position.depth + 1, item: variant + index, name: position.name)
      let own = index < given.count ? given[index] : nil
      let place = "\(pointer)/\(index)"
      guard let item = index < leading.count ? leading[index] : schema else {
        if let own { result.append(own) } else if result.count < least { result.append(.text("string")) }
        continue
      }
      if let made = value(item, hint: own, at: place, inner) {
        result.append(made)
      } else if index < least {
        return nil
      } else {
        break
      }
    }
    return .list(result)
  }

  /// Returns whether a property is not sent in this direction.
  private func isLeftOut(_ schema: DocumentNode) -> Bool {
    let keyword = direction == .request ? "readOnly" : "writeOnly"
    return schema[keyword]?.isTrue ?? (try? documents.resolved(schema))?[keyword]?.isTrue ?? false
  }

  private func hasExample(_ schema: DocumentNode) -> Bool {
    func has(_ node: DocumentNode) -> Bool {
      node["example"] != nil || !(node["examples"]?.items.isEmpty ?? true)
    }
    return has(schema) || (schema["$ref"] != nil && ((try? documents.resolved(schema)).map(has) ?? false))
  }
}

extension Value {
  /// A whole number of moderate size.
  var integer: Int? { if case .number(let number) = self { number.int } else { nil } }
}
