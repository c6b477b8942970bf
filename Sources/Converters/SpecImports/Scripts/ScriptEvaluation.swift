import YAMLNodes

/// Expressions of scripts: the part of the response, the variable or the literal that they stand for.
struct ScriptEvaluation {
  var names: [String: ScriptValue] = [:]
  /// The names that a script assigns again: a condition does not know their values.
  var changing: Set<String> = []
  /// The name of the request; nil if scripts run for several.
  var requestName: String?
  /// Indicates a condition under which something is expected.
  var isGuard = false

  func value(_ expression: JavaScriptExpression) -> ScriptValue? {
    switch expression {
    case .text(let text): return .value(.text(text))
    case .number(let text): return number(text).map { .value(.node(.number($0))) }
    case .bool(let value): return .value(.bool(value))
    case .null: return .value(.node(.null))
    case .undefined: return .undefined
    case .regex(let pattern, let flags):
      let options = flags.filter { "ims".contains($0) }
      return .pattern((options.isEmpty ? "" : "(?\(options))") + pattern)
    case .template(let texts, let parts): return template(texts, parts)
    case .list(let items):
      let values = items.compactMap { value($0)?.literal }
      return values.count == items.count ? .value(.list(values)) : nil
    case .object(let members):
      let values = members.compactMap { key, value in self.value(value)?.literal.map { (key: key, value: $0) } }
      return values.count == members.count ? .value(.mapping(values)) : nil
    case .name(let name):
      if let value = names[name] { return value }
      switch name {
      case "responseBody": return .subject(.body)
      case "responseTime": return .subject(.duration)
      case "responseHeaders": return .subject(.headers)
      default: return nil
      }
    case .member(let base, let name): return member(of: base, name)
    case .item(let base, let index): return item(of: base, index)
    case .call(let callee, let arguments): return call(callee, arguments)
    case .new(.call(let callee, let arguments)):
      return callee.path == "Date" && arguments.isEmpty ? .now : nil
    case .prefix("-", .number(let text)): return number(text).map { .value(.node(.number("-\($0)"))) }
    case .prefix("+", let operand):
      if case .now? = value(operand) { return .now }
      return value(operand)?.number(.number)
    case .choice(let condition, let one, let other):
      guard let found = value(one), let subject = found.subject, isGuard(condition, of: subject) else { return nil }
      return alternatives(found, value(other))
    case .prefix("typeof", let operand): return value(operand)?.subject.map { .kind($0) }
    case .prefix("await", let operand): return value(operand)
    case .infix(let sign, let left, let right): return infix(sign, left, right)
    default: return nil
    }
  }

  /// A number as JSON writes it.
  private func number(_ text: String) -> String? {
    let text = text.replacing("_", with: "")
    if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16).map(String.init) }
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    guard isPlain, let first = text.first, first != ".", text.last != ".",
      first != "0" || text.count == 1 || text.hasPrefix("0.")
    else { return nil }
    return text
  }

  private func template(_ texts: [String], _ parts: [JavaScriptExpression]) -> ScriptValue? {
    var result = ScriptValue.value(.text(ImportedText(texts.first ?? "")))
    for (text, part) in zip(texts.dropFirst(), parts) {
      guard let value = value(part), let start = joined(result, value),
        let all = joined(start, .value(.text(ImportedText(text))))
      else { return nil }
      result = all
    }
    return result
  }

  /// The text of two values, one after another; nil if the type of one isn't known.
  private func joined(_ one: ScriptValue, _ other: ScriptValue) -> ScriptValue? {
    if let one = one.text, let other = other.text { return .value(.text(one + other)) }
    func pieces(_ value: ScriptValue) -> [ScriptValue]? {
      switch value {
      case .joined(let pieces): pieces
      case .subject(let subject) where subject.source != nil: [value]
      default: value.text.map { [.value(.text($0))] }
      }
    }
    guard let one = pieces(one), let other = pieces(other) else { return nil }
    return .joined(one + other)
  }

  /// A value, or another where it is missing.
  private func alternatives(_ one: ScriptValue, _ other: ScriptValue?) -> ScriptValue? {
    guard let other else { return nil }
    return other.isNothing ? one : .first([one, other])
  }

  /// Returns whether a condition says no more than that a part of the response is there.
  func isGuard(_ condition: JavaScriptExpression, of subject: ScriptSubject) -> Bool {
    self.condition(condition)?.allSatisfy(subject.implies) ?? false
  }

  private func member(of base: JavaScriptExpression, _ name: String) -> ScriptValue? {
    switch base.path {
    case "pm": return name == "response" ? .subject(.response) : nil
    case "pm.info" where name == "requestName": return requestName.map { .value(.text($0)) }
    case "responseCode": return name == "code" ? .subject(.status) : name == "name" ? .subject(.reason) : nil
    case "environment", "globals", "data":
      // A script may give the name to something else.
      if names[base.path ?? ""] == nil { return variable(name) }
    default: break
    }
    guard let value = value(base) else { return nil }
    switch value {
    case .subject(let subject) where name == "length": return .count(subject)
    case .names(let subject): return name == "length" ? .count(subject) : nil
    case .value(.list(let items)): return name == "length" ? .value(.integer(items.count)) : nil
    default: return value.member(name)
    }
  }

  private func item(of base: JavaScriptExpression, _ index: JavaScriptExpression) -> ScriptValue? {
    if case .text(let name) = index {
      // The result of a test.
      if base.path == "tests" { return names["tests." + name] }
      return member(of: base, name)
    }
    let list = value(base)
    if case .value(.list(let items))? = list { return item(of: items, value(index)) }
    guard case .subject(let subject)? = list, case .json(let path, let isEach) = subject else { return nil }
    if subject.isQuery { return value(index)?.integer == 0 ? .converted(subject, .first) : nil }
    if case .infix("-", let length, .number(let offset)) = index, case .count(.json(path, _))? = value(length),
      let offset = Int(offset), offset > 0
    {
      return .subject(.json("\(path)[-\(offset)]", isEach: isEach))
    }
    switch value(index) {
    case let value? where value.integer != nil:
      return value.integer.flatMap { $0 < 0 ? nil : .subject(.json("\(path)[\($0)]", isEach: isEach)) }
    case let value?: return value.word.map { .subject(.json(path + jsonPathSegment($0), isEach: isEach)) }
    case nil: return nil
    }
  }

  /// The item of a literal list: at a known place, or at one by chance.
  private func item(of items: [ImportedValue], _ index: ScriptValue?) -> ScriptValue? {
    if let number = index?.integer { return items.indices.contains(number) ? .value(items[number]) : nil }
    guard !items.isEmpty, let index, case .text(let text)? = index.literal,
      text.parts == [.expression("random_int(0, \(items.count - 1))")]
    else { return nil }
    let literals = items.compactMap { item -> String? in
      guard case .node(let node) = item, let scalar = node.scalar else { return nil }
      if case .text(let text) = scalar.meaning { return "'\(text.replacing("'", with: "''"))'" }
      return scalar.text
    }
    return literals.count == items.count ? .made("random_item([\(literals.joined(separator: ", "))])") : nil
  }

  private func variable(_ name: String) -> ScriptValue { .value(.text(ImportedText(.variable(name)))) }

  // MARK: Operators

  private func infix(_ sign: String, _ left: JavaScriptExpression, _ right: JavaScriptExpression) -> ScriptValue? {
    switch sign {
    case "+": return sum(left, right)
    case "/":
      if case .now? = value(left), value(right)?.integer == 1000 { return .scaledNow }
    case "*":
      if case .chance? = value(left), let count = value(right)?.integer { return .scaledChance(count) }
      if case .chance? = value(right), let count = value(left)?.integer { return .scaledChance(count) }
    // A fallback for what is missing.
    case "||", "??":
      if let found = value(left), found.subject != nil || { if case .first = found { true } else { false } }() {
        return alternatives(found, value(right)) ?? condition(.infix(sign, left, right)).map { .condition($0) }
      }
    case "&&":
      if value(left)?.subject != nil, let subject = value(right)?.subject { return .subject(subject) }
    default: break
    }
    return condition(.infix(sign, left, right)).map { .condition($0) }
  }

  private func sum(_ left: JavaScriptExpression, _ right: JavaScriptExpression) -> ScriptValue? {
    guard let one = value(left), let other = value(right) else { return nil }
    // A text that makes a text of what follows.
    if one.word == "", other.subject != nil { return other.text(isJSON: false) }
    if other.word == "", one.subject != nil { return one.text(isJSON: false) }
    if let one = one.integer, let other = other.integer {
      let (sum, overflow) = one.addingReportingOverflow(other)
      return overflow ? nil : .value(.integer(sum))
    }
    if let count = other.integer, case .text(let text)? = one.literal, case .expression(let call)? = text.parts.first,
      text.parts.count == 1, call.hasPrefix("random_int(0, "), let most = Int(call.dropFirst(14).dropLast())
    {
      let (sum, overflow) = most.addingReportingOverflow(count)
      return overflow ? nil : .made("random_int(\(count), \(sum))")
    }
    return one.isText || other.isText ? joined(one, other) : nil
  }

  // MARK: Calls

  private func call(_ callee: JavaScriptExpression, _ arguments: [JavaScriptExpression]) -> ScriptValue? {
    let expression = JavaScriptExpression.call(callee, arguments)
    if let (schema, isOptional) = zod(expression) { return .schema(schema, isOptional: isOptional) }
    if let validation = zodValidation(expression) { return .validation(validation) }
    if let path = callee.path, let value = known(path, arguments) { return value }
    guard case .member(let base, let method) = callee else { return nil }
    if ["find", "filter", "map"].contains(method) { return list(base, method, arguments) }
    guard let receiver = value(base) else { return nil }
    switch (receiver, method) {
    case (.subject(.response), "json"): return .subject(.json("$", isEach: false))
    case (.subject(.response), "text"): return .subject(.body)
    case (.subject(.headers), "get"): return arguments.first.flatMap { value($0)?.word }.map { .subject(.header($0)) }
    case (.subject, "json"): return receiver
    case (.subject, "toString"): return receiver.text(isJSON: false)
    case (.now, "getTime"), (.now, "valueOf"): return .now
    case (.now, "toISOString"), (.now, "toJSON"):
      return .made(#"now | format("yyyy-MM-dd'T'HH:mm:ss.SSSX")"#)
    case (.now, "toUTCString"), (.now, "toGMTString"): return .made("now | format('http')")
    case (.now, "toString"): return receiver.literal.map { .value($0) }
    case (.value, "toString"): return receiver.text(isJSON: false)
    default: return condition(.call(callee, arguments)).map { .condition($0) }
    }
  }

  /// The value of a function that Postman, its libraries or the language provide.
  private func known(_ path: String, _ arguments: [JavaScriptExpression]) -> ScriptValue? {
    // Only known functions look at their arguments, which may be deep.
    lazy var values = arguments.map(value)
    lazy var first = values.first ?? nil
    lazy var word = first?.word
    switch path {
    case "JSON.parse":
      switch first {
      case .subject(.body)?: return .subject(.json("$", isEach: false))
      case .value(.text(let text))? where text.literal == nil: return first
      default: return nil
      }
    case "JSON.stringify": return values.count == 1 ? first?.text(isJSON: true) : nil
    case "String", "_.toString": return first?.text(isJSON: false)
    case "Number", "parseFloat", "_.toNumber": return first?.number(.number)
    case "parseInt", "_.parseInt": return first?.number(.integer)
    case "_.cloneDeep": return first
    case "_.sample":
      guard case .value(.list(let items))? = first else { return nil }
      return item(of: items, .made("random_int(0, \(items.count - 1))"))
    case "_.get":
      guard values.count > 1, case .json(let path, let isEach)? = first?.subject, let name = values[1]?.word else {
        return nil
      }
      return .subject(.json(path + jsonPathSegments(name), isEach: isEach))
    case "Object.keys": return first?.subject.map { .names($0) }
    case "pm.environment.get", "pm.variables.get", "pm.collectionVariables.get", "pm.globals.get",
      "pm.iterationData.get", "postman.getEnvironmentVariable", "postman.getGlobalVariable", "environment.get",
      "globals.get", "pm.vault.get":
      return word.map { variable($0) }
    case "pm.variables.replaceIn": return word.map { .value(.text(ImportedText(postman: $0))) }
    case "postman.getResponseHeader": return word.map { .subject(.header($0)) }
    case "postman.getResponseCookie", "pm.cookies.get": return word.map { .subject(.cookie($0)) }
    case "Date.now", "_.now": return .now
    case "pm.send": return .subject(.sent)
    case "Math.random": return .chance
    case "Math.floor", "Math.round", "Math.trunc", "Math.ceil":
      switch first {
      case .scaledNow?: return .made("now | format(\"unix\")")
      case .scaledChance(let count)? where count > 0: return .made("random_int(0, \(count - 1))")
      default: return first?.integer == nil ? nil : first
      }
    case "_.random":
      let bounds = values.compactMap { $0?.integer }
      return bounds.count == 2 && bounds[0] <= bounds[1] ? .made("random_int(\(bounds[0]), \(bounds[1]))") : nil
    case "uuid", "uuid.v4", "uuidv4", "crypto.randomUUID": return .made("uuid")
    case "btoa": return first?.text?.expression.map { .made("base64(\($0))") }
    default: return nil
    }
  }
}
