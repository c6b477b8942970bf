import OperatingSystem
import Values

/// Evaluates expressions in a scope.
struct Evaluator {
  let scope: any TemplateScope
  let meter = EvaluationBudget.meter

  /// The maximum number of notes: a chain of variables may be long, and its first lookups show the origin of the error.
  private static let maxNotes = 8

  func value(of expression: Expression) throws(TemplateError) -> Value {
    switch expression.kind {
    case .literal(let value): return value
    case .lookup(let name): return try lookup(name, expression.range)
    case .environment(let name): return try environment(name, expression.range)
    case .member(let base, let name, let nameRange): return try member(name, nameRange, of: base)
    case .index(let base, let index): return try item(index, of: base)
    case .call(let call): return try self.call(call)
    case .fallback(let value, let fallback): return try self.value(of: value, orElse: fallback)
    case .negation(let operand): return try negation(of: operand)
    case .not(let operand): return .bool(try !boolean(operand, "not"))
    case .binary(.and, let left, let right):
      guard try boolean(left, "and") else { return .bool(false) }
      return .bool(try boolean(right, "and"))
    case .binary(.or, let left, let right):
      if try boolean(left, "or") { return .bool(true) }
      return .bool(try boolean(right, "or"))
    case .binary(let binary, let left, let right):
      return try self.binary(binary, left, right, expression.range)
    case .conditional(let value, let condition, let other):
      return try self.value(of: boolean(condition, "if") ? value : other)
    case .list(let items): return try list(items, expression.range)
    case .mapping(let members): return try mapping(members, expression.range)
    }
  }

  private func list(_ items: [Expression], _ range: SourceRange) throws(TemplateError) -> Value {
    var values: [Value] = []
    values.reserveCapacity(items.count)
    for item in items { values.append(try value(of: item)) }
    return try limited(.list(values), range)
  }

  private func mapping(_ members: [Expression.Member], _ range: SourceRange) throws(TemplateError) -> Value {
    var values: [Mapping.Member] = []
    values.reserveCapacity(members.count)
    for member in members {
      values.append(Mapping.Member(key: Text(member.name), value: try value(of: member.value)))
    }
    return try limited(.mapping(Mapping(values)), range)
  }

  private func limited(_ value: Value, _ range: SourceRange) throws(TemplateError) -> Value {
    var limit = ResultLimit()
    try limit.take(value, at: range)
    return value
  }

  // MARK: Lookups

  private func lookup(_ name: String, _ range: SourceRange) throws(TemplateError) -> Value {
    let found: TemplateLookup
    do {
      found = try scope.lookup(name)
    } catch {
      throw located(error, range, "`\(name)` is looked up here")
    }
    switch found {
    case .value(let value): return value
    case .unset:
      throw TemplateError(
        "`\(name)` has no value yet", at: range, help: "`\(name) | default(…)` covers that", unsetName: name,
        isAbsence: true)
    case .unknown: throw .unknownName(name, at: range, among: scope.names)
    }
  }

  private func environment(_ name: String, _ range: SourceRange) throws(TemplateError) -> Value {
    if let text = scope.environmentVariable(name) { return .text(text) }
    let upper = name.uppercased()
    let isOther = upper != name && scope.environmentVariable(upper) != nil
    var error = TemplateError(
      "the environment variable `\(name)` is not set", at: range,
      help: isOther ? "did you mean `env.\(upper)`?" : "set it, or write `env.\(name) | default(…)`", isAbsence: true)
    if isOther { error.meant = "env.\(upper)" }
    throw error
  }

  /// An error of the scope, located at the lookup; one that already has its place, in a variable's own template, keeps
  /// it.
  private func located(_ error: TemplateError, _ range: SourceRange, _ note: String) -> TemplateError {
    var error = error
    // A member that its template lacks is an error there, which `default` here must not hide.
    error.isAbsence = error.unsetName != nil
    if error.range == nil {
      error.range = range
    } else if error.notes.count < Evaluator.maxNotes {
      error.notes.append(Diagnostic.Note(note, at: range))
    }
    return error
  }

  private func member(
    _ name: String, _ nameRange: SourceRange, of base: Expression
  ) throws(TemplateError) -> Value {
    let value = try value(ofBase: base)
    guard case .mapping(let mapping) = value else {
      let help =
        ["length", "size", "count"].contains(name) && [.list, .text].contains(value.kind)
        ? "write `\(base.range.text) | length`"
        : value.kind == .list ? "an item of a list is looked up by its number: `[0]`" : nil
      throw TemplateError(
        "\(value.kind.phrase) has no members: `\(name)` can't be looked up in it", at: nameRange, help: help,
        isAbsence: value.kind == .null)
    }
    return try member(Text(name), nameRange, in: mapping)
  }

  private func member(_ name: Text, _ range: SourceRange, in mapping: Mapping) throws(TemplateError) -> Value {
    if let value = mapping[name.string] { return value }
    let names = mapping.members.map(\.key.masked)
    var help = names.isEmpty ? "it is empty" : "it has \(listed(names))"
    guard !name.isSecret else {
      throw TemplateError("there is no member of that name", at: range, help: help, isAbsence: true)
    }
    let name = name.string
    if let nearest = nearestWord(to: name, among: names) ?? names.first(where: { $0.hasPrefix(name + "-") }) {
      help = "did you mean `\(ExpressionLexer.isName(nearest) ? nearest : "[\"\(nearest)\"]")`?"
    }
    var error = TemplateError("there is no member `\(name)`", at: range, help: help, isAbsence: true)
    error.meant = misspelt(name, among: names)
    throw error
  }

  /// The value in which something is looked up; what is absent inside of it is not a concern of a `default` behind.
  private func value(ofBase base: Expression) throws(TemplateError) -> Value {
    base.admitsAbsence ? try value(of: base) : try value(ofPart: base)
  }

  private func value(ofPart part: Expression) throws(TemplateError) -> Value {
    do {
      return try value(of: part)
    } catch {
      var error = error
      error.isAbsence = false
      throw error
    }
  }

  private func item(_ index: Expression, of base: Expression) throws(TemplateError) -> Value {
    let value = try value(ofBase: base)
    let key = try self.value(ofPart: index)
    let found: Value
    switch (value, key) {
    case (.mapping(let mapping), .text(let name)): found = try member(name, index.range, in: mapping)
    case (.list(let items), .number(let number)):
      guard let position = number.int else {
        throw TemplateError("an item of a list is looked up by a whole number", at: index.range)
      }
      let offset = position < 0 ? position + items.count : position
      guard items.indices.contains(offset) else {
        throw TemplateError(
          "the list has \(counted(items.count, "item")): there is no `[\(position)]`",
          at: index.range, help: items.isEmpty ? nil : "the first is `[0]`, the last is `[-1]`", isAbsence: true)
      }
      found = items[offset]
    case (.mapping, _):
      throw TemplateError(
        "a member of a mapping is looked up by a text, not by \(key.kind.phrase)", at: index.range)
    case (.list, _):
      throw TemplateError(
        "an item of a list is looked up by a number, not by \(key.kind.phrase)", at: index.range)
    default:
      throw TemplateError(
        "\(value.kind.phrase) has no items or members", at: index.range, isAbsence: value.kind == .null)
    }
    return key.isSecret ? found.tainted : found
  }

  // MARK: Calls

  private func call(_ expression: Expression.Call) throws(TemplateError) -> Value {
    let function = expression.function
    var evaluated: [FunctionCall.Argument] = []
    for argument in expression.arguments {
      do {
        evaluated.append(FunctionCall.Argument(value: try value(of: argument), range: argument.range))
      } catch {
        // Only what the function looks in may be absent, and only if its own result may.
        var error = error
        if error.isAbsence { error.isAbsence = function.mayBeAbsent && evaluated.isEmpty && argument.admitsAbsence }
        throw error
      }
    }
    let call = FunctionCall(
      name: function.name, arguments: evaluated, range: expression.range, prepared: expression.prepared, scope: scope,
      meter: meter)
    let result: Value
    switch function.body {
    case .tracking(let body): result = try body(call)
    case .whole(let body):
      let whole = try body(call)
      result = evaluated.contains { $0.value.isSecret } ? whole.tainted : whole
    case .fallback: preconditionFailure("the parser makes a node of its own for `default`")
    }
    // An interrupted evaluation has no value.
    if meter.isOver(after: 16) { throw call.interruption }
    return try limited(result, expression.range)
  }

  private func value(of value: Expression, orElse fallback: Expression) throws(TemplateError) -> Value {
    do {
      let value = try self.value(of: value)
      if value.kind != .null { return value }
    } catch {
      guard error.isAbsence, value.admitsAbsence else { throw error }
      if let name = error.meant, let range = error.range { scope.note(.misspelling(of: name), at: range) }
    }
    return try self.value(of: fallback)
  }
}
