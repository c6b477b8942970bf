internal import Diagnostics
internal import Values

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

  /// The error in a literal argument, found before anything is sent.
  struct ArgumentProblem: Error {
    let message: String
    let index: Int
    /// The offset in the argument's text, in characters.
    var offset: Int?
    var help: String?
  }

  let name: String
  /// The parameters for messages; optional ones end with `?`.
  let parameters: [String]
  /// Indicates whether the name alone, without parentheses, is a call.
  let standsAlone: Bool
  /// The reference's words on what it yields; empty where the row above is for it, too.
  let documentation: String
  let body: Body
  let check: @Sendable ([String?]) throws(ArgumentProblem) -> Void

  init(
    _ name: String, _ parameters: [String] = [], standsAlone: Bool = false, documentation: String = "", _ body: Body,
    check: @escaping @Sendable ([String?]) throws(ArgumentProblem) -> Void = { (_) throws(ArgumentProblem) in }
  ) {
    self.name = name
    self.parameters = parameters
    self.standsAlone = standsAlone
    self.documentation = documentation
    self.body = body
    self.check = check
  }

  var arity: ClosedRange<Int> {
    parameters.count { !$0.hasSuffix("?") }...parameters.count
  }

  /// `replace(text, from, to)`
  var signature: String { "\(name)(\(parameters.joined(separator: ", ")))" }

  /// All functions, in the order of the documentation.
  static let all: [TemplateFunction] =
    dateFunctions + randomFunctions + encodingFunctions + digestFunctions + jsonFunctions + textFunctions
    + listFunctions + conversionFunctions

  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The error in a call as it is written.
  func problem(_ arguments: [Expression], callBytes: Range<Int>, isFilter: Bool) -> SyntaxProblem? {
    guard arity.contains(arguments.count) else {
      let wanted =
        arity.lowerBound == arity.upperBound ? "\(arity.lowerBound)" : "\(arity.lowerBound) or \(arity.upperBound)"
      let noun = arity.upperBound == 1 ? "argument" : "arguments"
      return SyntaxProblem(
        parameters.isEmpty
          ? "`\(name)` takes no arguments"
          : "`\(signature)` takes \(wanted) \(noun), here \(arguments.count == 1 ? "is" : "are") \(arguments.count)",
        at: callBytes,
        help: isFilter
          ? "what stands before `|` is the first"
          : arguments.isEmpty && !parameters.isEmpty ? "or write it as a filter: `value | \(name)`" : nil)
    }
    let literals = arguments.map { argument -> String? in
      if case .literal(.text(let text)) = argument.kind { text.string } else { nil }
    }
    do {
      try check(literals)
      return nil
    } catch {
      var bytes = arguments[error.index].bytes
      if let offset = error.offset, let text = literals[error.index], bytes.count == text.utf8.count + 2 {
        let rest = text.dropFirst(offset)
        let start = bytes.lowerBound + 1 + text.utf8.count - rest.utf8.count
        bytes = start..<start + max(1, rest.first?.utf8.count ?? 1)
      }
      return SyntaxProblem(error.message, at: bytes, help: error.help)
    }
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
  let scope: any TemplateScope

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

  func wrongKind(_ index: Int, _ wanted: String) -> TemplateError {
    let value = value(index)
    var help: String?
    switch value {
    case .null: help = "`default` gives null another value"
    case .list, .mapping: if wanted == "a text" { help = "`json` writes it as text" }
    case .text: if wanted.hasSuffix("number") { help = "`to_number` reads a text as a number" }
    default: break
    }
    return problem("`\(name)` takes \(wanted), not \(value.kind.phrase)", at: index, help: help)
  }
}

/// The functions as the reference of the format has them.
package enum FunctionReference {
  /// A header and rows.
  package static var functions: [[String]] {
    var table = [["function", "yields"]]
    for function in TemplateFunction.all {
      let name = "`\(function.parameters.count < 2 ? function.name : function.signature)`"
      if function.documentation.isEmpty {
        table[table.count - 1][0] += ", " + name
      } else {
        table.append([name, function.documentation])
      }
    }
    return table
  }
}
