import DocumentQueries
import Values

/// Checks each rule against an instance.
extension Evaluation {
  mutating func check(
    _ rule: SchemaRule, of schema: SchemaNode, _ instance: Int, _ evaluated: Evaluated?, _ report: FailureReport?
  ) -> Bool {
    switch rule.check {
    case .members, .propertyNames, .required, .dependentRequired, .memberCount, .unevaluatedProperties:
      guard node(instance).kind == .mapping else { return true }
      return checkObject(rule, of: schema, instance, evaluated, report)
    case .items, .contains, .itemCount, .uniqueItems, .unevaluatedItems:
      guard node(instance).kind == .list else { return true }
      return checkArray(rule, of: schema, instance, evaluated, report)
    case .reference, .dynamicReference, .allOf, .anyOf, .oneOf, .not, .conditional, .dependentSchemas:
      return checkInPlace(rule, of: schema, instance, evaluated, report)
    default:
      guard let fault = fault(of: rule, node(instance)) else { return true }
      report?.add(schema, rule.place, instance, fault)
      return false
    }
  }

  /// The fault that a rule for scalars, or for a value as a whole, finds.
  private func fault(of rule: SchemaRule, _ node: JSONNode) -> SchemaFault? {
    switch rule.check {
    case .types(let types): return types.contains(node) ? nil : .type(types)
    case .equals(let set): return set.contains(node) ? nil : .value(set.values)
    case .bound(let bound, let limit):
      guard node.kind == .number else { return nil }
      let number = Number(lexeme: node.text)
      let holds =
        switch bound {
        case .atLeast: !(number < limit)
        case .moreThan: limit < number
        case .atMost: !(limit < number)
        case .lessThan: number < limit
        }
      return holds ? nil : .bound(bound, limit)
    case .multipleOf(let divisor):
      guard node.kind == .number, !Number(lexeme: node.text).isMultiple(of: divisor) else { return nil }
      return .multiple(divisor)
    case .length(let bound, let limit):
      guard node.kind == .text else { return nil }
      let bytes = node.utf8
      // A character takes one to four bytes.
      switch bound {
      case .atLeast where bytes.count / 4 >= limit, .atMost where bytes.count <= limit: return nil
      default: break
      }
      let count = bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
      return (bound == .atLeast ? count >= limit : count <= limit) ? nil : .size(bound, limit, count, noun: "character")
    case .pattern(let pattern):
      guard node.kind == .text else { return nil }
      do throws(RegularExpressionMatchError) {
        return try pattern.matches(node.string) ? nil : .pattern(pattern.pattern)
      } catch {
        return .patternGivenUp(pattern.pattern, error.message)
      }
    case .format(let format):
      return node.kind != .text && !format.isNumeric || format.accepts(node) ? nil : .format(format)
    case .content(let rule):
      return node.kind != .text || rule.accepts(node.utf8) ? nil : .content(rule)
    default: return nil
    }
  }

  // MARK: Schemas at the same place

  private mutating func checkInPlace(
    _ rule: SchemaRule, of schema: SchemaNode, _ instance: Int, _ evaluated: Evaluated?, _ report: FailureReport?
  ) -> Bool {
    switch rule.check {
    case .reference(let target): return apply(target, instance, evaluated, report)
    case .dynamicReference(let anchor, let initial):
      return apply(dynamicTarget(anchor, initial), instance, evaluated, report)
    case .allOf(let schemas):
      var isValid = true
      for schema in schemas where !apply(schema, instance, evaluated, report) {
        isValid = false
        if report == nil { return false }
      }
      return isValid
    case .anyOf(let schemas):
      alternatives += 1
      defer { alternatives -= 1 }
      var isValid = false
      for schema in schemas where apply(schema, instance, evaluated, nil) {
        isValid = true
        // Parts that the other schemas evaluate count too.
        if evaluated == nil { return true }
      }
      if !isValid { reportBranches(schemas, rule, of: schema, instance, report) }
      return isValid
    case .oneOf(let schemas):
      alternatives += 1
      defer { alternatives -= 1 }
      var valid: [Int] = []
      for (index, schema) in schemas.enumerated() where apply(schema, instance, evaluated, nil) {
        valid.append(index)
        if valid.count > 1, report == nil { return false }
      }
      if valid.count == 1 { return true }
      if valid.isEmpty {
        reportBranches(schemas, rule, of: schema, instance, report)
      } else {
        report?.add(schema, rule.place, instance, .severalBranches(valid, of: schemas))
      }
      return false
    case .not(let other):
      if !appliesDenied(other, instance, nil) { return true }
      report?.add(schema, rule.place, instance, .not)
      return false
    case .conditional(let rule):
      let holds = appliesDenied(rule.condition, instance, evaluated)
      if !holds, otherCase == nil, alternatives == 0, rule.then != nil { noteOtherCase(of: rule.condition, instance) }
      let branch = holds ? rule.then : rule.otherwise
      return branch.map { apply($0, instance, evaluated, report) } ?? true
    case .dependentSchemas(let rules):
      let object = node(instance)
      guard object.kind == .mapping else { return true }
      spend(rules.count * object.count)
      guard problem == nil else { return false }
      var isValid = true
      for rule in rules
      where object.member(rule.name) != nil && !apply(rule.schema, instance, evaluated, report) {
        isValid = false
        if report == nil { return false }
      }
      return isValid
    default: return true
    }
  }

  /// Notes a text that the condition's `const` or `enum` has in another letter case, in the instance or a member.
  ///
  /// - Parameter depth: the number of objects around that are looked at.
  private mutating func noteOtherCase(of condition: SchemaID, _ instance: Int, _ depth: Int = 0) {
    let node = node(instance)
    for rule in set.schema(condition).rules where otherCase == nil {
      switch rule.check {
      case .equals(let values) where node.kind == .text && values.values.count <= 32 && node.string.utf8.count <= 64:
        let text = node.string.lowercased()
        for case .text(let wanted) in values.values where wanted.string.lowercased() == text && !values.contains(node) {
          otherCase = (wanted.string, instance)
        }
      case .members(let members) where node.kind == .mapping && depth < 4:
        spend(members.properties.count)
        for (name, property) in zip(members.names.names, members.properties) {
          if let member = node.member(name) { noteOtherCase(of: property.schema, member.position, depth + 1) }
        }
      default: break
      }
    }
  }

  /// Applies another schema that should not hold, or need not.
  private mutating func appliesDenied(_ id: SchemaID, _ instance: Int, _ evaluated: Evaluated?) -> Bool {
    let outer = isDenied
    isDenied = true
    alternatives += 1
    defer { (isDenied, alternatives) = (outer, alternatives - 1) }
    return apply(id, instance, evaluated, nil)
  }

  /// Applies another schema to the same instance; its evaluated parts count only if the instance is valid.
  private mutating func apply(
    _ id: SchemaID, _ instance: Int, _ evaluated: Evaluated?, _ report: FailureReport?
  ) -> Bool {
    guard let evaluated else { return evaluate(id, instance, nil, report) }
    let own = Evaluated()
    let isValid = evaluate(id, instance, own, report)
    // In a report, where the result is a failure anyway, they count too: otherwise all of them would be reported as
    // unevaluated.
    if isValid || report != nil { evaluated.merge(own) }
    return isValid
  }

  private mutating func reportBranches(
    _ schemas: [SchemaID], _ rule: SchemaRule, of schema: SchemaNode, _ instance: Int, _ report: FailureReport?
  ) {
    guard let report else { return }
    guard !report.isFull else {
      report.more += 1
      return
    }
    var branches: [FailureReport] = []
    for schema in schemas {
      let branch = FailureReport(limit: report.limit)
      _ = evaluate(schema, instance, nil, branch)
      branches.append(branch)
    }
    report.add(schema, rule.place, instance, .noBranch(schemas, branches))
  }
}

extension TypeSet {
  func contains(_ node: JSONNode) -> Bool {
    switch node.kind {
    case .null: contains(.null)
    case .boolean: contains(.boolean)
    case .text, .date, .data: contains(TypeSet.string)
    case .list: contains(.array)
    case .mapping: contains(.object)
    case .number:
      contains(.number)
        || contains(.integer) && (contains(.integersWithoutPoint) ? node.isWrittenAsInteger : node.isInteger)
    }
  }
}

extension JSONNode {
  /// Indicates whether a number has no fraction; `1.0` and `1e2` have none.
  var isInteger: Bool {
    isWrittenAsInteger || Number(lexeme: string).isInteger
  }

  var isWrittenAsInteger: Bool { utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "-") } }

  /// The value of the last member of that name; nil if there is none.
  func member(_ name: [UInt8]) -> JSONNode? {
    guard kind == .mapping else { return nil }
    var result: JSONNode?
    var key = firstChild
    for _ in 0..<count {
      let value = key.following
      if key.utf8.elementsEqual(name) { result = value }
      key = value.following
    }
    return result
  }
}
