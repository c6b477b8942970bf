import OperatingSystem
import Values

/// A function of templates: `f(x, a)`, or as a filter `x | f(a)`.
final class TemplateFunction: Sendable {
  enum Body: Sendable {
    /// A result that is secret as a whole if any argument is.
    case whole(@Sendable (FunctionCall) throws(TemplateError) -> Value)
    /// A result whose secret parts the function itself tracks.
    case tracking(@Sendable (FunctionCall) throws(TemplateError) -> Value)
    /// `default`, whose second argument is evaluated only if needed.
    case fallback
  }

  enum ResultKind: Sendable {
    case always(ValueKind)
    /// The kind of the first argument, or of its items.
    case first, firstItem
    /// Decided by the literal texts among the arguments (nil for others).
    case by(@Sendable ([String?]) -> ValueKind?)
    /// Decided by values.
    case unknown
  }

  /// The error in a literal argument, found before anything is sent.
  struct ArgumentProblem: Error {
    let message: String
    let index: Int
    /// The offset in the argument's text, in characters.
    var offset: Int?
    var help: String?
  }

  let name: String
  /// The parameters for messages; optional ones end with `?`, and one that may be repeated with `…`.
  let parameters: [String]
  /// Indicates whether the name alone, without parentheses, is a call.
  let standsAlone: Bool
  /// Indicates whether there may be no result, which `default` then handles.
  let mayBeAbsent: Bool
  /// The reference's words; nil where the row above is for it, too.
  let row: Row?
  let result: ResultKind
  /// Indicates whether equal arguments have equal results, whenever it is called.
  let isRepeatable: Bool
  let body: Body
  /// Checks literal texts among the arguments (nil for others), and makes what each call then uses.
  let prepare: @Sendable ([String?]) throws(ArgumentProblem) -> (any Sendable)?

  /// A row of the reference.
  struct Row: Sendable {
    /// The kinds of the first argument.
    let takes: String
    let yields: String
    /// The reasons for an error, other than a wrong kind.
    let fails: String
  }

  init(
    _ name: String, _ parameters: [String] = [], standsAlone: Bool = false, mayBeAbsent: Bool = false,
    takes: String? = nil, yields: String = "", fails: String = "", result: ResultKind, isRepeatable: Bool = true,
    _ body: Body,
    prepare: @escaping @Sendable ([String?]) throws(ArgumentProblem) -> (any Sendable)? = {
      (_) throws(ArgumentProblem) in nil
    }
  ) {
    self.name = name
    self.parameters = parameters
    self.standsAlone = standsAlone
    self.mayBeAbsent = mayBeAbsent
    row = takes.map { Row(takes: $0, yields: yields, fails: fails) }
    self.result = result
    self.isRepeatable = isRepeatable
    self.body = body
    self.prepare = prepare
  }

  var arity: ClosedRange<Int> {
    let isOpen = parameters.last?.hasSuffix("…") ?? false
    return parameters.count { !$0.hasSuffix("?") }...(isOpen ? .max : parameters.count)
  }

  /// `replace(text, from, to)`
  var signature: String { "\(name)(\(parameters.joined(separator: ", ")))" }

  /// All functions, in the order of the documentation.
  static let all: [TemplateFunction] =
    dateFunctions + randomFunctions + encodingFunctions + digestFunctions + tokenFunctions + queryFunctions
    + textFunctions + patternFunctions + htmlFunctions + urlFunctions + listFunctions + orderFunctions
    + mappingFunctions + numberFunctions
    + conversionFunctions

  static let named = Dictionary(namedBy: all.map { ($0.name, $0) })

  /// The preparation of a call's literal arguments; nil if there is none.
  func prepared(
    _ arguments: [Expression], callBytes: Range<Int>, isFilter: Bool
  ) throws(SyntaxProblem) -> (any Sendable)? {
    guard arity.contains(arguments.count) else {
      throw wrongCount(arguments.count, callBytes: callBytes, isFilter: isFilter)
    }
    let literals = arguments.map(\.literalText)
    do {
      return try prepare(literals)
    } catch {
      var bytes = arguments[error.index].bytes
      if let offset = error.offset, let text = literals[error.index], bytes.count == text.utf8.count + 2 {
        let rest = text.dropFirst(offset)
        let start = bytes.lowerBound + 1 + text.utf8.count - rest.utf8.count
        bytes = start..<start + max(1, rest.first?.utf8.count ?? 1)
      }
      throw SyntaxProblem(error.message, at: bytes, help: error.help)
    }
  }

  private func wrongCount(_ count: Int, callBytes: Range<Int>, isFilter: Bool) -> SyntaxProblem {
    let (least, most) = (arity.lowerBound, arity.upperBound)
    let wanted =
      most == .max
      ? "at least \(least)"
      : least == most ? "\(least)" : (least...most).count == 2 ? "\(least) or \(most)" : "\(least) to \(most)"
    let noun = most == 1 || most == .max && least == 1 ? "argument" : "arguments"
    return SyntaxProblem(
      parameters.isEmpty
        ? "`\(name)` takes no arguments"
        : "`\(signature)` takes \(wanted) \(noun), here \(count == 1 ? "is" : "are") \(count)",
      at: callBytes,
      help: name == "jwt" && count > 1
        ? jwtHelp
        : isFilter
          ? "what stands before `|` is the first"
          : count == 0 && !parameters.isEmpty
            ? "or write it as a filter: `value | \(name)`"
            : name == "jwt_sign" ? "the key is a secret, PEM or a JWK: `jwt_sign(claims, key)`" : nil)
  }
}

/// A call for a function's body: evaluated arguments, each with its place.
struct FunctionCall {
  struct Argument {
    let value: Value
    let range: SourceRange
  }

  let name: String
  let arguments: [Argument]
  let range: SourceRange
  /// The result of the function's preparation of literal arguments.
  let prepared: (any Sendable)?
  let scope: any TemplateScope
  let meter: EvaluationMeter

  var count: Int { arguments.count }

  func value(_ index: Int) -> Value { arguments[index].value }

  /// An argument as text; numbers, booleans, dates and data are converted, structures and null are errors.
  func text(_ index: Int) throws(TemplateError) -> Text {
    switch value(index) {
    case .text(let text): text
    case .number, .bool, .date, .data: value(index).asText
    case .null, .list, .mapping: throw wrongKind(index, "a text")
    }
  }

  /// An argument as bytes: those of data, or a text's UTF-8.
  func bytes(_ index: Int) throws(TemplateError) -> [UInt8] {
    if case .data(let data) = value(index) { return data.bytes }
    return Array(try text(index).string.utf8)
  }

  func list(_ index: Int) throws(TemplateError) -> [Value] {
    guard case .list(let items) = value(index) else { throw wrongKind(index, "a list") }
    return items
  }

  func mapping(_ index: Int) throws(TemplateError) -> Mapping {
    guard case .mapping(let mapping) = value(index) else { throw wrongKind(index, "a mapping") }
    return mapping
  }

  func number(_ index: Int) throws(TemplateError) -> Number {
    guard case .number(let number) = value(index) else { throw wrongKind(index, "a number") }
    return number
  }

  /// An argument as a whole number.
  func integer(_ index: Int) throws(TemplateError) -> Int {
    guard case .number(let number) = value(index) else { throw wrongKind(index, "a whole number") }
    guard let integer = number.int else {
      throw problem("`\(name)` takes a whole number of at most 64 bits", at: index)
    }
    return integer
  }

  /// An error at an argument, or at the call itself.
  func problem(_ message: String, at index: Int? = nil, help: String? = nil) -> TemplateError {
    TemplateError(message, at: index.map { arguments[$0].range } ?? range, help: help)
  }

  /// The error for a result that is absent, which `default` handles.
  func absence(_ message: String) -> TemplateError {
    TemplateError(message, at: range, help: "`default` gives it a value", isAbsence: true)
  }

  /// The error of a call that has no time left.
  var interruption: TemplateError { .interruption(of: "`\(name)`", at: range) }

  func wrongKind(_ index: Int, _ wanted: String) -> TemplateError {
    let value = value(index)
    var help: String?
    switch value {
    case .null: help = "`default` gives null another value"
    case .mapping where name == "jwt": help = jwtHelp
    case .list, .mapping: if wanted == "a text" { help = "`json` writes it as text" }
    case .text: if wanted.hasSuffix("number") { help = "`to_number` reads a text as a number" }
    default: break
    }
    return problem("`\(name)` takes \(wanted), not \(value.kind.phrase)", at: index, help: help)
  }
}

/// The functions as the reference of the format has them.
package enum FunctionReference {
  package static var names: [String] { TemplateFunction.all.map(\.name) }

  /// A header and rows.
  package static var functions: [[String]] {
    var table = [["function", "takes", "yields", "is an error for"]]
    for function in TemplateFunction.all {
      let name = "`\(function.parameters.count < 2 ? function.name : function.signature)`"
      if let row = function.row {
        table.append([name, row.takes, row.yields, row.fails])
      } else {
        table[table.count - 1][0] += ", " + name
      }
    }
    return table
  }
}

private let jwtHelp = "`jwt_sign(claims, key)` makes a token, `jwt(token)` reads one"
