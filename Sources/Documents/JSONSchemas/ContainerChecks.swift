import DocumentQueries
import Values

/// Checks of objects and arrays.
extension Evaluation {
  mutating func checkObject(
    _ rule: SchemaRule, of schema: SchemaNode, _ instance: Int, _ evaluated: Evaluated?, _ report: FailureReport?
  ) -> Bool {
    let object = node(instance)
    switch rule.check {
    case .members(let rules): return checkMembers(rules, of: schema, object, evaluated, report)
    case .required(let names):
      spend(names.count * min(8, names.count) + object.count)
      let missing = missingNames(names, in: object).filter { isNeeded($0, by: schema) }
      if missing.isEmpty { return true }
      if isDenied { noteMisspelling(of: missing, in: object) }
      for name in missing { report?.add(schema, rule.place, instance, .missing(name, because: nil)) }
      return false
    case .dependentRequired(let rules):
      var isValid = true
      spend(rules.count * object.count)
      guard problem == nil else { return false }
      noteMisspelling(of: rules.lazy.map(\.name).filter { object.member($0) == nil }, in: object)
      for rule in rules where object.member(rule.name) != nil {
        let missing = missingNames(rule.needs, in: object)
        guard !missing.isEmpty else { continue }
        for name in missing { report?.add(schema, rule.place, instance, .missing(name, because: rule.name)) }
        isValid = false
      }
      return isValid
    case .memberCount(let bound, let limit):
      let count = object.count
      if bound == .atLeast ? count >= limit : count <= limit { return true }
      report?.add(schema, rule.place, instance, .size(bound, limit, count, noun: "property"))
      return false
    case .propertyNames(let names):
      var isValid = true
      var key = object.firstChild
      for _ in 0..<object.count {
        let value = key.following
        if !evaluate(names, key.position, nil, report) {
          isValid = false
          if report == nil { return false }
        }
        key = value.following
      }
      return isValid
    case .unevaluatedProperties(let unevaluated):
      var isValid = true
      var key = object.firstChild
      for _ in 0..<object.count {
        let value = key.following
        if evaluated?.contains(value.position) == false,
          !isAllowed(value, by: unevaluated, at: rule.place, of: schema, or: .unexpectedMember, report)
        {
          isValid = false
          if report == nil { return false }
        }
        key = value.following
      }
      evaluated?.insertAll()
      return isValid
    default: return true
    }
  }

  private mutating func checkMembers(
    _ rules: MemberRules, of schema: SchemaNode, _ object: JSONNode, _ evaluated: Evaluated?, _ report: FailureReport?
  ) -> Bool {
    var isValid = true
    var (present, foreign) = (0, 0)
    var key = object.firstChild
    for _ in 0..<object.count {
      let value = key.following
      let name = key.utf8
      var isKnown = false
      if let index = rules.names.index(of: name) {
        isKnown = true
        present += 1
        let property = rules.properties[index]
        if isWithheld(property.schema) {
          report?.add(
            schema, property.place, value.position, .withheld(direction == .request ? "readOnly" : "writeOnly"))
          isValid = false
        } else if !evaluate(property.schema, value.position, nil, report) {
          isValid = false
        }
      }
      if !rules.patterns.isEmpty {
        let text = String(decoding: name, as: UTF8.self)
        for rule in rules.patterns {
          do throws(RegularExpressionMatchError) {
            guard try rule.pattern.matches(text) else { continue }
          } catch {
            report?.add(
              schema, rule.schema.place, value.position, .patternGivenUp(rule.pattern.pattern, error.message))
            isValid = false
            continue
          }
          isKnown = true
          if !evaluate(rule.schema.schema, value.position, nil, report) { isValid = false }
        }
      }
      if !isKnown { foreign += 1 }
      if !isKnown, let additional = rules.additional {
        isKnown = true
        let isAllowed = isAllowed(
          value, by: additional.schema, at: additional.place, of: schema, or: .unexpectedMember, report)
        if !isAllowed { isValid = false }
      }
      if !isValid, report == nil { return false }
      if isKnown { evaluated?.insert(value.position) }
      key = value.following
    }
    if foreign > 0, present < rules.properties.count + rules.patterns.count {
      let names = rules.patterns.lazy.compactMap { $0.pattern.wholeWord }.map { Array($0.utf8) }
      noteMisspelling(of: rules.names.names + names, in: object)
    }
    return isValid
  }

  /// Notes a member that no schema names, and which a name of this one misspells, in the first objects.
  private mutating func noteMisspelling(of wanted: @autoclosure () -> [[UInt8]], in object: JSONNode) {
    let limit = 32
    guard misspelling == nil, searchedObjects < limit, object.count <= 8 * limit else { return }
    let properties = wanted().prefix(8 * limit).map { String(decoding: $0, as: UTF8.self) }
    if properties.isEmpty { return }
    searchedObjects += 1
    let names = object.members.map(\.key)
    let present = Set(names)
    let others = present.subtracting(properties)
    let foreign = names.filter(others.contains).prefix(limit)
    let absent = properties.filter { !present.contains($0) }.prefix(limit)
    let near = absent.lazy.compactMap { misspelt($0, among: foreign) }.first
    if let near, !set.hasProperty(Array(near.utf8)) { misspelling = near }
  }

  /// Returns whether a member or item that no other keyword covers is valid by the schema for all such.
  ///
  /// - Parameter fault: the fault if none are allowed.
  private mutating func isAllowed(
    _ value: JSONNode, by rest: SchemaID, at place: Int32, of schema: SchemaNode, or fault: SchemaFault,
    _ report: FailureReport?
  ) -> Bool {
    guard set.schema(rest).fixedResult == false else { return evaluate(rest, value.position, nil, report) }
    report?.add(schema, place, value.position, fault)
    return false
  }

  private func missingNames(_ names: [[UInt8]], in object: JSONNode) -> [[UInt8]] {
    // The product of many names and many members would be expensive.
    if names.count > 8, object.count > 8 {
      var present = Set<[UInt8]>(minimumCapacity: object.count)
      var key = object.firstChild
      for _ in 0..<object.count {
        present.insert(Array(key.utf8))
        key = key.following.following
      }
      return names.filter { !present.contains($0) }
    }
    return names.filter { object.member($0) == nil }
  }

  /// Returns whether a required property must be in a message of this direction.
  private func isNeeded(_ name: [UInt8], by schema: SchemaNode) -> Bool {
    guard direction != nil else { return true }
    for rule in schema.rules {
      guard case .members(let members) = rule.check, let index = members.names.index(of: name[...]) else { continue }
      if isWithheld(members.properties[index].schema) { return false }
    }
    return true
  }

  /// Returns whether a property is only for messages of the other direction: `readOnly` or `writeOnly`.
  private func isWithheld(_ id: SchemaID) -> Bool {
    guard let direction else { return false }
    var property = set.schema(id)
    // The keyword may be in a referenced schema.
    for _ in 0..<8 {
      if property.access == (direction == .request ? .readOnly : .writeOnly) { return true }
      guard case .reference(let target)? = property.rules.first?.check else { break }
      property = set.schema(target)
    }
    return false
  }

  mutating func checkArray(
    _ rule: SchemaRule, of schema: SchemaNode, _ instance: Int, _ evaluated: Evaluated?, _ report: FailureReport?
  ) -> Bool {
    let array = node(instance)
    switch rule.check {
    case .itemCount(let bound, let limit):
      let count = array.count
      if bound == .atLeast ? count >= limit : count <= limit { return true }
      report?.add(schema, rule.place, instance, .size(bound, limit, count, noun: "item"))
      return false
    case .uniqueItems:
      spend(array.end - array.position)
      guard let (first, second) = firstEqualItems(of: array) else { return true }
      report?.add(schema, rule.place, instance, .equalItems(first, second))
      return false
    case .items(let rules):
      var isValid = true
      var item = array.firstChild
      for index in 0..<array.count {
        guard let rule = index < rules.prefix.count ? rules.prefix[index] : rules.rest else { break }
        if !evaluate(rule.schema, item.position, nil, report) {
          isValid = false
          if report == nil { return false }
        }
        item = item.following
      }
      if rules.rest == nil { evaluated?.insertItems(upTo: rules.prefix.count) } else { evaluated?.insertAll() }
      return isValid
    case .contains(let rule): return checkContains(rule, of: schema, array, evaluated, report)
    case .unevaluatedItems(let unevaluated):
      var isValid = true
      var item = array.firstChild
      for index in 0..<array.count {
        if evaluated?.containsItem(index, at: item.position) == false,
          !isAllowed(item, by: unevaluated, at: rule.place, of: schema, or: .unexpectedItem, report)
        {
          isValid = false
          if report == nil { return false }
        }
        item = item.following
      }
      evaluated?.insertAll()
      return isValid
    default: return true
    }
  }

  private mutating func checkContains(
    _ rule: ContainsRule, of schema: SchemaNode, _ array: JSONNode, _ evaluated: Evaluated?, _ report: FailureReport?
  ) -> Bool {
    alternatives += 1
    defer { alternatives -= 1 }
    var count = 0
    var item = array.firstChild
    for _ in 0..<array.count {
      if holds(rule.schema, item.position) {
        count += 1
        if rule.evaluates { evaluated?.insert(item.position) }
        if rule.maximum == nil, count >= rule.minimum, evaluated == nil { return true }
      }
      item = item.following
    }
    let keyword = set.schema(rule.schema).place
    if count < rule.minimum {
      report?.add(
        schema, rule.minimumPlace ?? keyword, array.position,
        .contains(rule, count))
      return false
    }
    if let maximum = rule.maximum, count > maximum {
      report?.add(schema, rule.maximumPlace ?? keyword, array.position, .contains(rule, count))
      return false
    }
    return true
  }
}
