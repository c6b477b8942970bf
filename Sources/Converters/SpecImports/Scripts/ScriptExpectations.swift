/// The expectations of a request's scripts.
struct ScriptExpectations {
  private var order: [ScriptSubject] = []
  private var assertions: [ScriptSubject: [ScriptAssertion]] = [:]
  /// The subjects of headers by their names in lower case.
  private var headers: [String: ScriptSubject] = [:]
  private var schemas: [ImportedValue] = []
  /// The expectations that hold under conditions.
  private(set) var cases: [(when: [ScriptAssertion], expected: ScriptExpectations)] = []
  /// The statuses beside those for success that conditions of the request's own scripts name.
  private var otherStatuses: [ImportedValue] = []

  /// Adds expectations that hold if all of a condition does.
  ///
  /// - Parameter isShared: whether other requests have the condition, too.
  mutating func add(_ expected: ScriptExpectations, when condition: [ScriptAssertion], isShared: Bool) {
    var own = expected
    own.cases = []
    own.otherStatuses = []
    if !own.order.isEmpty || !own.schemas.isEmpty { cases.append((condition, own)) }
    cases += expected.cases.map { (condition + $0.when, $0.expected) }
    guard !isShared, !expected.isEmpty else { return }
    let named = condition.filter { $0.subject == .status && ["equals", "one_of"].contains($0.predicate) }
    for status in expected.otherStatuses + named.flatMap(\.value.items)
    where !(status.scalarText?.hasPrefix("2") ?? true) && !otherStatuses.contains(where: status.isSame)
      && named.allSatisfy({ $0.value.items.contains(where: status.isSame) })
    {
      otherStatuses.append(status)
    }
  }

  private var isEmpty: Bool { order.isEmpty && schemas.isEmpty && cases.isEmpty }

  /// Returns whether a condition reads a variable.
  func read(_ name: String) -> Bool {
    cases.contains { $0.when.contains { $0.subject == .variable(name) } }
  }

  mutating func add(_ assertion: ScriptAssertion, isCondition: Bool = false) {
    var assertion = assertion
    if case .header(let name) = assertion.subject {
      assertion.subject = headers[name.lowercased()] ?? assertion.subject
      headers[name.lowercased()] = assertion.subject
    }
    if contains(assertion) { return }
    if assertions[assertion.subject] == nil { order.append(assertion.subject) }
    if !narrows(assertion) { assertions[assertion.subject, default: []].append(assertion) }
    if !isCondition, let other = assertion.onItemsWithoutMember { add(other) }
  }

  /// Narrows the statuses that are expected to those of an assertion; false if it has no statuses in common with them.
  private mutating func narrows(_ assertion: ScriptAssertion) -> Bool {
    guard assertion.subject == .status, assertion.predicate == "equals",
      let index = assertions[.status]?.firstIndex(where: { $0.predicate == "equals" }),
      let common = assertions[.status]?[index].value.statuses(among: assertion.value), !common.isEmpty
    else { return false }
    assertions[.status]?[index].value = common.count == 1 ? common[0] : .list(common)
    return true
  }

  /// Adds a schema of the body; returns false if it can't stand beside others.
  mutating func add(schema: ImportedValue) -> Bool {
    if schemas.contains(where: schema.isSame) { return true }
    guard schemas.isEmpty || (schemas + [schema]).allSatisfy({ !$0.refersToItsRoot }) else { return false }
    schemas.append(schema)
    return true
  }

  func contains(_ assertion: ScriptAssertion) -> Bool {
    assertions[assertion.subject]?.contains { $0.isSame(as: assertion) } ?? false
  }

  /// The keys of `expect`.
  var expect: [(key: String, value: ImportedValue)] {
    var result: [(key: String, value: ImportedValue)] = []
    for subject in order {
      guard let own = assertions[subject] else { continue }
      let value = predicates(own, for: subject)
      switch subject {
      case .status: result.insert(("status", value), at: 0)
      case .body: result.append(("body", value))
      case .duration: result.append(("duration", value))
      case .size: result.set("bytes", "count", value)
      case .header(let name): result.set("headers", name, value)
      case .cookie(let name): result.set("cookies", name, value)
      case .json(let path, _): result.set("json", path, value)
      case .variable(let name):
        let isWord = own.allSatisfy { $0.value.isWord }
        result.set("values", isWord ? "{{\(name)}}" : "to_string({{\(name)}})", value)
      case .response, .sent, .reason, .headers, .mediaType: break
      }
    }
    if !otherStatuses.isEmpty, assertions[.status] == nil {
      result.insert(("status", .list([.text("2xx")] + otherStatuses)), at: 0)
    }
    if let schema = schemas.first {
      result.append(("schema", schemas.count == 1 ? schema : .mapping([("allOf", .list(schemas))])))
    }
    return result
  }

  /// The items of `expect` with conditions.
  var conditional: [[(key: String, value: ImportedValue)]] {
    cases.map { condition, expected in
      var when = ScriptExpectations()
      for assertion in condition {
        // What equals a value equals no other, as behind `else if`.
        let follows = condition.contains {
          $0.subject == assertion.subject && $0.predicate == "equals" && !$0.isCount
            && !$0.value.isSame(as: assertion.value)
        }
        if !(follows && assertion.predicate == "not_equals") { when.add(assertion, isCondition: true) }
      }
      return [("when", .mapping(when.expect))] + expected.expect
    }
  }

  private func predicates(_ assertions: [ScriptAssertion], for subject: ScriptSubject) -> ImportedValue {
    var assertions = assertions
    // What another assertion needs anyway.
    if assertions.contains(where: { $0.predicate != "exists" }) {
      assertions.removeAll { $0.predicate == "exists" && $0.isTrue }
    }
    var groups: [(conversion: ScriptConversion?, members: [(key: String, value: ImportedValue)])] = []
    for assertion in assertions {
      let isPlain = assertion.predicate == "equals"
      let member: (key: String, value: ImportedValue) =
        assertion.isCount
        ? ("count", isPlain ? assertion.value : .mapping([(assertion.predicate, assertion.value)]))
        : (assertion.predicate, assertion.value)
      let index = groups.firstIndex { conversion, members in
        conversion?.word == assertion.conversion?.word && !members.contains { $0.key == member.key }
      }
      if let index { groups[index].members.append(member) } else { groups.append((assertion.conversion, [member])) }
    }
    let mappings = groups.map { conversion, members in
      (conversion.map { [(key: "as", value: ImportedValue.text($0.word))] } ?? []) + members
    }
    if case .json(_, isEach: true) = subject {
      return .mapping(
        mappings.count == 1
          ? [
            (mappings[0].count == 1 && mappings[0][0].key == "exists"
              ? mappings[0][0] : ("every", .mapping(mappings[0])))
          ]
          : [("all", .list(mappings.map { .mapping([("every", .mapping($0))]) }))])
    }
    if mappings.count > 1 { return .mapping([("all", .list(mappings.map { .mapping($0) }))]) }
    if let group = mappings.first, group.count == 1, group[0].key == "equals", !group[0].value.isNullOrMapping {
      return group[0].value
    }
    return .mapping(mappings.first ?? [])
  }
}

extension ScriptAssertion {
  var isTrue: Bool {
    if case .node(let node) = value { node.scalar?.meaning == .bool(true) } else { false }
  }
}

extension ImportedValue {
  /// The statuses of both, of which either may be a class such as `4xx`.
  fileprivate func statuses(among other: ImportedValue) -> [ImportedValue] {
    func isWithin(_ status: ImportedValue, _ list: [ImportedValue]) -> Bool {
      list.contains { item in
        let isClass = item.scalarText?.hasSuffix("xx") ?? false
        return item.isSame(as: status) || isClass && item.scalarText?.first == status.scalarText?.first
      }
    }
    let common = items.filter { isWithin($0, other.items) }
    return common.isEmpty ? other.items.filter { isWithin($0, items) } : common
  }

  fileprivate var isNullOrMapping: Bool {
    switch self {
    case .mapping: true
    case .node(let node): node.members != nil || node.scalar?.meaning == .null
    default: false
    }
  }

  /// Indicates a schema with references, or with a dialect of its own.
  var refersToItsRoot: Bool {
    switch self {
    case .list(let items): items.contains(where: \.refersToItsRoot)
    case .mapping(let members):
      members.contains { ["$ref", "$schema", "$id", "$dynamicRef"].contains($0.key) || $0.value.refersToItsRoot }
    default: false
    }
  }
}
