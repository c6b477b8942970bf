import DocumentQueries
import Values

/// Puts a failure into words.
struct FailureWording {
  let raw: RawFailure
  let set: SchemaSet
  let instance: JSONNode

  var keyword: String {
    let (_, node) = set.source(of: raw.schema, at: raw.place)
    let name = node.position > 0 ? node.document.node(at: node.position - 1).string : "false"
    switch raw.fault {
    // A schema `false` may be the value of a keyword, or of a property's name.
    case .never: return ["items", "additionalItems", "contains", "propertyNames"].contains(name) ? name : "false"
    case .missing(_, because: .some): return parentName(of: node)
    case .withheld(let keyword): return keyword
    case .patternGivenUp where name != "pattern": return "patternProperties"
    default: return name
    }
  }

  /// The name of the member that contains a node's parent.
  private func parentName(of node: JSONNode) -> String {
    let tokens = JSONPointer.pointer(to: node).split(separator: "/")
    return tokens.count > 1 ? String(tokens[tokens.count - 2]) : ""
  }

  /// The name of the missing property in the keyword's list.
  var requiredName: JSONNode? {
    guard case .missing(let name, _) = raw.fault else { return nil }
    let (_, list) = set.source(of: raw.schema, at: raw.place)
    if list.kind == .list { return list.items.first { $0.utf8.elementsEqual(name) } }
    return list.members.lazy.flatMap(\.value.items).first { $0.utf8.elementsEqual(name) }
  }

  /// The description of a valid value.
  var expected: String? {
    switch raw.fault {
    case .type(let types): return types.phrase
    case .value(let values):
      if values.isEmpty { return nil }
      return values.count == 1 ? shown(values[0]) : "one of " + listed(values.map(shown), limit: 10)
    case .bound(let bound, let number):
      switch bound {
      case .atLeast: return "at least \(number.lexeme)"
      case .moreThan: return "more than \(number.lexeme)"
      case .atMost: return "at most \(number.lexeme)"
      case .lessThan: return "less than \(number.lexeme)"
      }
    case .multiple(let number): return "a multiple of \(number.lexeme)"
    case .size(let bound, let limit, _, let noun):
      return "\(bound == .atLeast ? "at least" : "at most") \(counted(limit, noun))"
    case .pattern(let pattern), .patternGivenUp(let pattern, _):
      return "a string that matches /\(Excerpt(pattern, limit: 120))/"
    case .format(let format): return format.phrase
    case .content(let rule): return rule.isJSON ? (rule.isBase64 ? "JSON in base64" : "JSON in a string") : "base64"
    case .equalItems: return "items that differ"
    case .contains(let rule, let count):
      if let maximum = rule.maximum, count > maximum {
        return "at most \(counted(maximum, "item")) that `contains` allows"
      }
      return "at least \(counted(rule.minimum, "item")) that `contains` allows"
    case .missing(let name, _): return propertyPhrase(name) ?? "a value"
    case .unexpectedMember, .unexpectedItem, .never, .withheld: return nil
    case .not: return "a value that the schema of `not` does not allow"
    case .noBranch(let schemas, let branches):
      return alternatives(branches) ?? "one of the \(schemas.count) schemas of `\(keyword)`"
    case .severalBranches(_, let schemas): return "only one of the \(schemas.count) schemas of `oneOf`"
    }
  }

  /// A remark about the value beyond its text.
  var remark: String? {
    switch raw.fault {
    case .size(_, _, let count, let noun): return counted(count, noun)
    case .equalItems(let first, let second): return "the items \(first) and \(second) are equal"
    case .contains(_, let count): return counted(count, "such item")
    case .severalBranches(let valid, let schemas):
      return "it is valid against "
        + valid.map { branchName(schemas[$0], at: $0, of: schemas.count) }.joined(separator: " and ")
    case .patternGivenUp(_, let reason): return reason
    case .withheld(let keyword):
      return "it is `\(keyword)`, for \(keyword == "writeOnly" ? "requests" : "responses") only"
    default: return nil
    }
  }

  var hint: String? {
    if JSONPointer.isName(instance) { return "the name itself is meant" }
    switch raw.fault {
    case .missing(let name, let other):
      let known = PropertyNames(of: raw.schema, in: set)
      let unknown = instance.members.map(\.key).filter { !known.contains($0) }
      let wanted = String(decoding: name, as: UTF8.self)
      let near = wanted.count > 2 ? nearestWord(to: wanted, among: unknown) : nil
      let because = other.map { "`\(String(decoding: $0, as: UTF8.self))` needs it" }
      let similar = near.map { "there is `\($0)`" }
      return [because, similar].compactMap { $0 }.joined(separator: "; ").nonEmpty
    case .unexpectedMember:
      let known = PropertyNames(of: raw.schema, in: set).names
      let own = instance.position > 0 ? instance.document.node(at: instance.position - 1).string : ""
      if let near = nearestWord(to: own, among: known) { return "did you mean `\(near)`?" }
      if known.isEmpty { return "no property is allowed here" }
      if known.count == 1 { return "the only property is `\(known[0])`" }
      return "the properties are " + listed(known.map { "`\($0)`" }, limit: 8)
    case .type(let types)
    where types.contains([.integer, .integersWithoutPoint]) && instance.kind == .number && instance.isInteger:
      return "in draft 4 an integer is written without point and exponent"
    case .type(let types) where types.contains(.integer) || types.contains(.number):
      guard instance.kind == .text, Number(parsing: instance.string) != nil else { return nil }
      return "a number stands without quotes"
    case .noBranch(_, let branches):
      return alternatives(branches) == nil && branches.allSatisfy { $0.count == 0 } ? "it never holds" : nil
    default: return nil
    }
  }

  // MARK: Branches

  var nearest: SchemaFailure.NearestBranch? {
    guard case .noBranch(let schemas, let branches) = raw.fault, alternatives(branches) == nil else { return nil }
    let best = branches.indices.min { score(branches[$0]) < score(branches[$1]) }
    guard let best else { return nil }
    let report = branches[best]
    return SchemaFailure.NearestBranch(
      name: branchName(schemas[best], at: best, of: schemas.count),
      failures: report.failures.map { SchemaFailure($0, of: set, in: instance.document) }, more: report.more)
  }

  /// The distance of a branch: an instance of another type is furthest, then one that `const` or `enum` rules out.
  private func score(_ report: FailureReport) -> (Int, Int, Int) {
    var (types, values) = (0, 0)
    for failure in report.failures {
      switch failure.fault {
      case .type where failure.instance == raw.instance: types = 1
      case .value: values += 1
      default: break
      }
    }
    return (types, values, report.count)
  }

  /// The alternatives of the branches, if each has one simple expectation of this very value.
  private func alternatives(_ branches: [FailureReport]) -> String? {
    var types: TypeSet = []
    var others: [String] = []
    for branch in branches {
      guard branch.count == 1, let failure = branch.failures.first, failure.instance == raw.instance else { return nil }
      switch failure.fault {
      case .type(let set): types.formUnion(set)
      case .value, .bound, .multiple, .format, .pattern, .size:
        guard let text = FailureWording(raw: failure, set: set, instance: instance).expected else { return nil }
        if !others.contains(text) { others.append(text) }
      default: return nil
      }
    }
    guard others.count <= 4 else { return nil }
    return ((types.isEmpty ? [] : [types.phrase]) + others).joined(separator: ", or ").nonEmpty
  }

  private func branchName(_ id: SchemaID, at index: Int, of count: Int) -> String {
    let schema = set.schema(id)
    let place = "\(index + 1) of \(count)"
    if case .reference(let target)? = schema.rules.first?.check {
      let referred = set.schema(target)
      let (_, node) = set.source(of: referred, at: referred.place)
      if node.position > 0, schema.rules.count == 1 {
        return "\(node.document.node(at: node.position - 1).string) (\(place))"
      }
    }
    let (_, node) = set.source(of: schema, at: schema.place)
    if let title = node[member: "title"], title.kind == .text { return "\(title.string) (\(place))" }
    return place
  }

  /// The type that a property's schema expects, if it has `type`.
  private func propertyPhrase(_ name: [UInt8]) -> String? {
    for rule in raw.schema.rules {
      guard case .members(let members) = rule.check, let index = members.names.index(of: name[...]) else { continue }
      var schema = set.schema(members.properties[index].schema)
      for _ in 0..<8 {
        for rule in schema.rules {
          if case .types(let types) = rule.check { return types.phrase }
        }
        guard case .reference(let target)? = schema.rules.first?.check else { break }
        schema = set.schema(target)
      }
    }
    return nil
  }

  // MARK: Texts

  private func shown(_ value: Value) -> String {
    "\(Excerpt(value.jsonText().string, limit: 60))"
  }
}

/// The property names of a schema and of all schemas that apply at the same place.
private struct PropertyNames {
  private(set) var names: [String] = []

  init(of schema: SchemaNode, in set: SchemaSet) {
    var queue = [schema]
    var seen = 0
    // A schema may have many others around it, and some of those itself.
    while let next = queue.popLast(), seen < 100 {
      seen += 1
      for rule in next.rules {
        switch rule.check {
        case .members(let rules): names += rules.names.names.map { String(decoding: $0, as: UTF8.self) }
        case .reference(let target): queue.append(set.schema(target))
        case .allOf(let schemas), .anyOf(let schemas), .oneOf(let schemas): queue += schemas.map(set.schema)
        case .conditional(let rule): queue += [rule.then, rule.otherwise].compactMap { $0.map(set.schema) }
        default: break
        }
      }
    }
    var known: Set<String> = []
    names = names.filter { known.insert($0).inserted }
  }

  func contains(_ name: String) -> Bool { names.contains(name) }
}

extension TypeSet {
  /// The types in words, such as `a string or null`.
  var phrase: String {
    let phrases = TypeSet.words.filter { contains($0.type) && !($0.type == .integer && contains(.number)) }
      .map { word, _ in word == "null" ? "null" : (word.first.map("aio".contains) == true ? "an " : "a ") + word }
    guard let last = phrases.last, phrases.count > 1 else { return phrases.first ?? "nothing" }
    return phrases.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
