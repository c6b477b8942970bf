import YAMLNodes

/// Conditions of scripts as assertions.
extension ScriptEvaluation {
  /// The assertions that hold if a condition is true; nil if specs have none.
  func condition(_ expression: JavaScriptExpression, isNegated: Bool = false) -> [ScriptAssertion]? {
    guard let result = assertions(expression, isNegated: isNegated),
      result.allSatisfy({ isGuard ? $0.isExact : $0.isPossible })
    else { return nil }
    return result
  }

  /// The schema that a condition validates the body against, with tv4, Ajv or Zod.
  func schema(_ expression: JavaScriptExpression) -> ImportedValue? {
    if case .member(let result, "success") = expression, case .validation(let schema)? = value(result) { return schema }
    guard case .call(let callee, let arguments) = expression, arguments.count > 1, let path = callee.path else {
      return nil
    }
    let (body, schema) = path == "tv4.validate" ? (0, 1) : path == "ajv.validate" ? (1, 0) : (-1, -1)
    guard body >= 0, case .subject(.json("$", _))? = value(arguments[body]),
      let literal = value(arguments[schema])?.literal, case .mapping = literal
    else { return nil }
    return literal
  }

  private func assertions(_ expression: JavaScriptExpression, isNegated: Bool) -> [ScriptAssertion]? {
    switch expression {
    case .prefix("!", let operand): return condition(operand, isNegated: !isNegated)
    case .infix("&&", let left, let right):
      guard !isNegated, let one = condition(left), let other = condition(right) else { return nil }
      return one + other
    case .infix("||", let left, let right):
      guard isNegated else { return alternatives(left, right) }
      guard let one = condition(left, isNegated: true), let other = condition(right, isNegated: true) else {
        return nil
      }
      return one + other
    case .infix(let sign, let left, let right):
      return comparison(sign, left, right).map { [isNegated ? $0.negated : $0] }
    case .call(.name("Boolean"), let arguments):
      return arguments.first.flatMap { condition($0, isNegated: isNegated) }
    case .call(.member(_, "every"), _), .call(.member(_, "some"), _):
      return quantified(expression, isNegated: isNegated)
    case .call(let callee, let arguments):
      return call(callee, arguments).map { [isNegated ? $0.negated : $0] }
    default:
      switch value(expression) {
      case .condition(let assertions)?:
        if isNegated, assertions.count != 1 { return nil }
        // It was compared in a way that isn't known anymore.
        if isGuard, !assertions.allSatisfy({ $0.subject == .status }) { return nil }
        return isNegated ? assertions.map(\.negated) : assertions
      case .subject(let subject)? where !subject.isQuery: return [Self.truth(of: subject, isNegated: isNegated)]
      case .converted(let subject, .first)?: return [ScriptAssertion(subject, "exists", .bool(!isNegated))]
      case .count(let subject)?:
        return [ScriptAssertion(subject, isCount: true, isNegated ? "equals" : "greater_than", .integer(0))]
      default: return nil
      }
    }
  }

  /// The assertion that a value counts as true, or as false.
  static func truth(of subject: ScriptSubject, isNegated: Bool) -> ScriptAssertion {
    guard case .json = subject else { return ScriptAssertion(subject, "exists", .bool(!isNegated)) }
    let falsy: [YAMLNode] = [.null, .bool(false), .number("0"), .text("")]
    if isNegated { return nothing(subject, or: falsy) }
    return ScriptAssertion(subject, "one_of", .node(.list(falsy))).negated
  }

  /// The assertion that there is no such value, or only one of these.
  static func nothing(_ subject: ScriptSubject, or values: [YAMLNode]) -> ScriptAssertion {
    guard case .json(let path, let isEach) = subject, let (parent, name) = jsonPathParent(path) else {
      return ScriptAssertion(subject, "one_of", .node(.list(values)))
    }
    let member = YAMLNode.mapping([("one_of", .list(values))]).tagged("is", isOptional: true)
    return ScriptAssertion(.json(parent, isEach: isEach), "includes", .mapping([(name, .node(member))]))
  }

  /// `status === 200 || status === 201`: one of several values.
  private func alternatives(_ left: JavaScriptExpression, _ right: JavaScriptExpression) -> [ScriptAssertion]? {
    guard let one = condition(left), one.count == 1, let other = condition(right), other.count == 1,
      one[0].subject == other[0].subject, !one[0].isCount, !other[0].isCount, other[0].predicate == "equals"
    else { return nil }
    var values = [one[0].value]
    if one[0].predicate == "one_of", case .list(let items) = one[0].value {
      values = items
    } else if one[0].predicate != "equals" {
      return nil
    }
    return [ScriptAssertion(one[0].subject, "one_of", .list(values + [other[0].value]))]
  }

  private func comparison(
    _ sign: String, _ left: JavaScriptExpression, _ right: JavaScriptExpression
  ) -> ScriptAssertion? {
    if sign == "in" { return value(left)?.word.flatMap { value(right)?.subject?.member($0) }.map(existence) }
    if sign == "instanceof" {
      guard let subject = value(left)?.subject, let kind = constructors[right.path ?? ""] else { return nil }
      return ScriptAssertion(subject, "is", .text(kind))
    }
    if let found = position(sign, left, right) { return found }
    guard let one = value(left), let other = value(right) else { return nil }
    let mirrored = [">": "<", "<": ">", ">=": "<=", "<=": ">="][sign] ?? sign
    return comparison(sign, one, other) ?? comparison(mirrored, other, one)
  }

  private func existence(_ subject: ScriptSubject) -> ScriptAssertion {
    ScriptAssertion(subject, "exists", .bool(true))
  }

  private func comparison(_ sign: String, _ left: ScriptValue, _ right: ScriptValue) -> ScriptAssertion? {
    switch sign {
    case "==", "===", "!=", "!==":
      guard let found = equality(left, right) else { return nil }
      if isGuard, sign.count == 2, !found.isSameLoosely { return nil }
      return sign.hasPrefix("!") ? found.negated : found
    default: break
    }
    guard let predicate = predicatesOfSigns[sign], let number = right.literal else { return nil }
    switch left {
    case .subject(let subject): return ScriptAssertion(subject, predicate, subject.operand(number))
    case .converted(let subject, let conversion) where conversion != .string && conversion != .json:
      return ScriptAssertion(subject, as: conversion, predicate, number)
    case .count(let subject): return ScriptAssertion(subject, isCount: true, predicate, number)
    default: return nil
    }
  }

  /// The assertion that a part of the response equals a value.
  func equality(_ left: ScriptValue, _ right: ScriptValue) -> ScriptAssertion? {
    switch (left, right) {
    case (.subject(.reason), .value):
      return right.word.flatMap(statusOfReason).map { ScriptAssertion(.status, "equals", .integer($0)) }
    case (.subject(.mediaType), .value(let value)): return ScriptAssertion(.mediaType, "starts_with", value)
    case (.subject(let subject), .undefined), (.converted(let subject, .first), .undefined):
      return existence(subject).negated
    case (.converted(let subject, let conversion), .value(let value)):
      return conversion == .json ? nil : ScriptAssertion(subject, as: conversion, "equals", value)
    case (.subject(let subject), .value(let value)): return ScriptAssertion(subject, "equals", value)
    case (.count(let subject), .value(let value)): return ScriptAssertion(subject, isCount: true, "equals", value)
    // A variable alone says something of no response, and is a condition only.
    case (.value(.text(let text)), .value(let value)) where isGuard && text.parts.count == 1 && value.isLiteralText:
      guard case .variable(let name)? = text.parts.first else { return nil }
      return ScriptAssertion(.variable(name), "equals", value)
    case (.kind(let subject), .value): return right.word.flatMap { kind($0, of: subject) }
    default: return nil
    }
  }

  /// The assertion that a value has a type of JavaScript.
  func kind(_ name: String, of subject: ScriptSubject, as conversion: ScriptConversion? = nil) -> ScriptAssertion? {
    switch name.lowercased() {
    case "string", "number", "boolean", "array", "object", "null":
      ScriptAssertion(subject, as: conversion, "is", .text(name.lowercased()))
    case "undefined": ScriptAssertion(subject, "exists", .bool(false))
    default: nil
    }
  }

  /// `text.indexOf("x") !== -1` and the like.
  private func position(
    _ sign: String, _ left: JavaScriptExpression, _ right: JavaScriptExpression
  ) -> ScriptAssertion? {
    guard case .call(.member(let base, "indexOf"), let arguments) = left, arguments.count == 1,
      let found = value(base), let part = value(arguments[0])?.literal, let number = value(right)?.integer
    else { return nil }
    let isFound =
      switch (sign, number) {
      case ("!==", -1), ("!=", -1), (">", -1), (">=", 0): true
      case ("===", -1), ("==", -1), ("<", 0): false
      default: nil as Bool?
      }
    return isFound.flatMap { self.part(of: found, $0 ? "contains" : "not_contains", part) }
  }

  /// An assertion on a part of a text, or of a list.
  private func part(of value: ScriptValue, _ predicate: String, _ part: ImportedValue) -> ScriptAssertion? {
    switch value {
    case .subject(let subject): ScriptAssertion(subject, predicate, part)
    case .converted(let subject, let conversion) where conversion.takes(predicate, part, of: subject):
      ScriptAssertion(subject, as: conversion, predicate, part)
    default: nil
    }
  }

  private func call(_ callee: JavaScriptExpression, _ arguments: [JavaScriptExpression]) -> ScriptAssertion? {
    let first = arguments.first
    switch callee.path {
    case "Array.isArray", "_.isArray", "Number.isInteger", "_.isInteger", "_.isString", "_.isNumber", "_.isBoolean",
      "_.isObject", "_.isNull":
      let kind = callee.path?.split(separator: ".").last?.dropFirst(2).lowercased() ?? ""
      return first.flatMap { value($0)?.subject }.map { ScriptAssertion($0, "is", .text(kind)) }
    case "_.has":
      guard arguments.count == 2, case .json(let path, let isEach)? = value(arguments[0])?.subject,
        let name = value(arguments[1])?.word
      else { return nil }
      return existence(.json(path + jsonPathSegments(name), isEach: isEach))
    default: break
    }
    guard case .member(let base, let method) = callee, let argument = first.flatMap({ value($0) }) else { return nil }
    switch (value(base), method, argument) {
    case (.pattern(let pattern)?, "test", _):
      return part(of: argument, "matches", .text(pattern))
    case (.value(.list(let items))?, "includes", _):
      return argument.subject.map { ScriptAssertion($0, "one_of", .list(items)) }
    case (.names(let subject)?, "includes", _), (.names(let subject)?, "has", _),
      (.subject(let subject)?, "hasOwnProperty", _):
      return argument.word.flatMap { subject.member($0) }.map(existence)
    case (.subject(.headers)?, "has", _): return argument.word.map { existence(.header($0)) }
    case (let found?, _, .value(let part)): return parts[method].flatMap { self.part(of: found, $0, part) }
    case (let found?, "match", .pattern(let pattern)): return part(of: found, "matches", .text(pattern))
    default: return nil
    }
  }
}

private let parts = [
  "has": "contains", "includes": "contains", "contains": "contains", "startsWith": "starts_with",
  "endsWith": "ends_with",
]

extension ScriptSubject {
  /// A number that the subject is compared with.
  func operand(_ value: ImportedValue) -> ImportedValue {
    guard self == .duration, case .node(let node) = value, case .scalar(let scalar) = node.content else { return value }
    return .text("\(scalar.text)ms")
  }
}

/// The kinds that JavaScript's constructors make.
let constructors = ["Array": "array", "Object": "object"]

/// The predicates for signs of comparisons.
let predicatesOfSigns = [">": "greater_than", ">=": "at_least", "<": "less_than", "<=": "at_most"]

/// The status with a reason phrase, or with the name that Postman has for it.
func statusOfReason(_ phrase: String) -> Int? {
  reasons[phrase.lowercased().filter { $0.isLetter }]
}

private let reasons = [
  "ok": 200, "created": 201, "accepted": 202, "nocontent": 204, "partialcontent": 206, "movedpermanently": 301,
  "found": 302, "seeother": 303, "notmodified": 304, "temporaryredirect": 307, "permanentredirect": 308,
  "badrequest": 400, "unauthorized": 401, "unauthorised": 401, "paymentrequired": 402, "forbidden": 403,
  "notfound": 404, "methodnotallowed": 405, "notacceptable": 406, "requesttimeout": 408, "conflict": 409, "gone": 410,
  "preconditionfailed": 412, "payloadtoolarge": 413, "unsupportedmediatype": 415, "imateapot": 418,
  "unprocessableentity": 422, "unprocessablecontent": 422, "toomanyrequests": 429, "internalservererror": 500,
  "notimplemented": 501, "badgateway": 502, "serviceunavailable": 503, "gatewaytimeout": 504,
]
