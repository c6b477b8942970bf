import DocumentQueries
import Values

/// Compiles the keywords of one schema to rules.
struct KeywordReader {
  let node: JSONNode
  let document: Int
  let resource: Int
  let dialect: SchemaDialect
  var rules: [SchemaRule] = []
  /// The values of all keywords; the last of duplicates counts.
  private(set) var keywords: [String: JSONNode] = [:]

  init(node: JSONNode, document: Int, resource: Int, dialect: SchemaDialect) {
    self.node = node
    self.document = document
    self.resource = resource
    self.dialect = dialect
    var name = node.firstChild
    for _ in 0..<node.count {
      let value = name.following
      keywords[name.string] = value
      name = value.following
    }
  }

  mutating func add(_ check: SchemaCheck, at value: JSONNode) {
    rules.append(SchemaRule(place: Int32(truncatingIfNeeded: value.position), check: check))
  }
}

extension SchemaCompiler {
  /// Compiles one schema; its subschemas are added to the queue.
  mutating func compile(_ node: JSONNode, as id: SchemaID) {
    let document = Int(nodes[Int(id.index)].document)
    let resource = Int(nodes[Int(id.index)].resource)
    let dialect = resources[resource].dialect
    switch node.kind {
    case .boolean: nodes[Int(id.index)].fixedResult = node.text == "true"
    case .mapping:
      var reader = KeywordReader(node: node, document: document, resource: resource, dialect: dialect)
      read(&reader)
      reader.rules.sort { $0.check.rank < $1.check.rank }
      nodes[Int(id.index)].rules = reader.rules
      nodes[Int(id.index)].impliedTypes = reader.rules.isEmpty ? [] : reader.impliedTypes
      nodes[Int(id.index)].allowsCircles = dialect.allowsCircles
      nodes[Int(id.index)].needsEvaluated = reader.rules.contains { $0.check.rank == 5 }
      nodes[Int(id.index)].access =
        reader.keywords["readOnly"]?.text == "true"
        ? .readOnly : reader.keywords["writeOnly"]?.text == "true" ? .writeOnly : .any
    default:
      problem("a schema is an object, `true` or `false`, found \(phrase(node))", at: node, in: document)
    }
  }

  private mutating func read(_ reader: inout KeywordReader) {
    if let reference = reader.keywords["$ref"] {
      self.reference(reference, &reader)
      // Keywords beside a reference are then ignored.
      if reader.dialect.ignoresSiblingsOfReferences, reference.kind == .text {
        checkSiblings(reader)
        return
      }
    }
    for name in ["$dynamicRef", "$recursiveRef"] {
      if let reference = reader.keywords[name] { dynamicReference(reference, name, &reader) }
    }
    checkNames(reader)
    checkEffects(reader)
    if reader.dialect.asserts { readAssertions(&reader) }
    format(&reader)
    readApplicators(&reader)
  }

  private mutating func reference(_ value: JSONNode, _ reader: inout KeywordReader) {
    guard let value = text(value, of: "$ref", reader) else { return }
    guard
      let target = target(
        of: value.string, from: reader.resource, at: documents[reader.document].range(of: value))
    else { return }
    reader.add(.reference(target.id), at: value)
  }

  private mutating func dynamicReference(_ value: JSONNode, _ name: String, _ reader: inout KeywordReader) {
    guard reader.dialect.version == (name == "$dynamicRef" ? .draft2020 : .draft2019),
      let value = text(value, of: name, reader),
      let target = target(
        of: value.string, from: reader.resource, at: documents[reader.document].range(of: value))
    else { return }
    let isRecursive = name == "$recursiveRef" && resources[reader.resource].dynamicAnchors[""] != nil
    guard let anchor = isRecursive ? "" : target.dynamicAnchor else {
      reader.add(.reference(target.id), at: value)
      return
    }
    dynamicNames.insert(anchor)
    reader.add(.dynamicReference(anchor: anchor, initial: target.id), at: value)
  }

  // MARK: Values of keywords

  mutating func problem(_ message: String, at node: JSONNode, in document: Int, help: String? = nil) {
    bag.error(.invalidSchema, message, at: documents[document].range(of: node), help: help)
  }

  mutating func text(_ value: JSONNode, of keyword: String, _ reader: KeywordReader) -> JSONNode? {
    if value.kind == .text { return value }
    problem("`\(keyword)` is a string, found \(phrase(value))", at: value, in: reader.document)
    return nil
  }

  mutating func number(_ value: JSONNode, of keyword: String, _ reader: KeywordReader) -> Number? {
    if value.kind == .number { return Number(lexeme: value.text) }
    problem("`\(keyword)` is a number, found \(phrase(value))", at: value, in: reader.document)
    return nil
  }

  /// A number of items, characters or members.
  mutating func size(_ keyword: String, _ reader: KeywordReader) -> (value: JSONNode, count: Int)? {
    guard let value = reader.keywords[keyword] else { return nil }
    let number = value.kind == .number ? Number(lexeme: value.text) : nil
    if let number, number.isInteger, number >= Number(0) { return (value, number.int ?? .max) }
    problem(
      "`\(keyword)` is a whole number, 0 or more; found \(number.map { $0.lexeme } ?? phrase(value))", at: value,
      in: reader.document)
    return nil
  }

  mutating func names(_ value: JSONNode, of keyword: String, _ reader: KeywordReader) -> [[UInt8]]? {
    let items = value.items
    guard value.kind == .list, items.allSatisfy({ $0.kind == .text }) else {
      let wrong = items.first { $0.kind != .text } ?? value
      problem(
        "`\(keyword)` is a list of names, found \(phrase(wrong))", at: wrong, in: reader.document,
        help: wrong.kind == .boolean ? "write `required: […]` beside `properties`, with the name in it" : nil)
      return nil
    }
    return items.map { Array($0.utf8) }
  }

  mutating func pattern(_ pattern: JSONNode, _ reader: KeywordReader) -> RegularExpression? {
    do throws(RegularExpressionError) {
      return try RegularExpression.ecmaScript(pattern.string)
    } catch {
      problem("the pattern is wrong: \(error.message)", at: pattern, in: reader.document)
      return nil
    }
  }

  mutating func subschema(_ value: JSONNode, _ reader: KeywordReader) -> SchemaID {
    schema(at: value, in: reader.document, resource: reader.resource)
  }

  mutating func subschemas(_ value: JSONNode, of keyword: String, _ reader: KeywordReader) -> [SchemaID]? {
    let items = value.items
    guard value.kind == .list, !items.isEmpty else {
      problem(
        "`\(keyword)` is a list of at least one schema, found \(value.kind == .list ? "an empty one" : phrase(value))",
        at: value, in: reader.document)
      return nil
    }
    return items.map { subschema($0, reader) }
  }

  mutating func members(_ keyword: String, _ reader: KeywordReader) -> [(name: JSONNode, value: JSONNode)] {
    guard let value = reader.keywords[keyword] else { return [] }
    guard value.kind == .mapping else {
      problem("`\(keyword)` is an object, found \(phrase(value))", at: value, in: reader.document)
      return []
    }
    var result: [(name: JSONNode, value: JSONNode)] = []
    result.reserveCapacity(value.count)
    var name = value.firstChild
    for _ in 0..<value.count {
      let member = name.following
      result.append((name, member))
      name = member.following
    }
    return result
  }
}

/// A node's type with its article, in JSON's words.
func phrase(_ node: JSONNode) -> String {
  switch node.kind {
  case .null: "null"
  case .boolean: node.text
  case .number: "a number"
  case .text, .date, .data: "a string"
  case .list: "an array"
  case .mapping: "an object"
  }
}
