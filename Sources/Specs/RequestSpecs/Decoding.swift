import Diagnostics
import Templates
import Values

/// Why a value is not what a key takes; without a place.
package struct DecodingProblem: Error, Sendable {
  package let message: String
  package let help: String?
  /// The part of a text that is wrong, in bytes of its UTF-8; nil for all of the value.
  package let textRange: Range<Int>?

  package init(_ message: String, at textRange: Range<Int>? = nil, help: String? = nil) {
    self.message = message
    self.textRange = textRange
    self.help = help
  }
}

/// Reads a typed setting from a value: used on literals while loading and on a template's value while running.
package struct ValueDecoder<Output: Sendable>: Sendable {
  /// What is expected, for messages: `an integer`, `a duration such as "5s"`.
  package let expected: String
  private let makeShape: @Sendable () -> ValueShape
  private let body: @Sendable (Value) throws(DecodingProblem) -> Output?

  /// The body returns nil for a value of a wrong kind, and throws where more can be said.
  package init(
    _ expected: String, _ shape: @autoclosure @escaping @Sendable () -> ValueShape,
    _ body: @escaping @Sendable (Value) throws(DecodingProblem) -> Output?
  ) {
    self.expected = expected
    makeShape = shape
    self.body = body
  }

  /// The literals that it takes, for the format's schema.
  package var shape: ValueShape { makeShape() }

  package func decode(_ value: Value) throws(DecodingProblem) -> Output {
    if let output = try body(value) { return output }
    throw DecodingProblem("expected \(expected), found \(value.phrase)")
  }
}

extension Value {
  /// The value's kind, with the value where it is short, as diagnostics say what is there.
  package var phrase: String {
    switch self {
    case .text(let text):
      text.string.count <= 40 ? "the text \"\(jsonEscaped(text.masked))\"" : "text"
    case .number(let number): "the number \(number.isSecret ? Text.mask : number.lexeme)"
    case .bool(let value): value ? "true" : "false"
    default: kind.phrase
    }
  }
}

/// A setting as it stands in a file: a literal that is already decoded, or templates and the decoder for their value.
///
/// A class: a request has many settings, of which most are not mentioned, and hands them on from layer to layer.
package final class Field<Output: Sendable>: Sendable {
  @usableFromInline enum Content: Sendable {
    case literal(Output)
    indirect case template(ValueTemplate, ValueDecoder<Output>)
  }

  package let range: SourceRange
  @usableFromInline let content: Content

  package init(literal: Output, range: SourceRange) {
    content = .literal(literal)
    self.range = range
  }

  package init(template: ValueTemplate, decoder: ValueDecoder<Output>) {
    content = .template(template, decoder)
    range = template.range
  }

  /// The value where the file has it; nil where templates stand.
  @inlinable package var literal: Output? {
    if case .literal(let value) = content { value } else { nil }
  }

  /// Whether templates stand where the value would.
  var isTemplate: Bool {
    if case .template = content { true } else { false }
  }

  package var templates: [Template] {
    if case .template(let template, _) = content { template.templates } else { [] }
  }

  /// The text as written with a stand-in for each expression; nil where the file has a literal.
  package func text(standIn: String) -> String? {
    if case .template(let value, _) = content, case .template(let template) = value.content {
      template.text(standIn: standIn)
    } else {
      nil
    }
  }

  @inlinable package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Output {
    switch content {
    case .literal(let value): return value
    case .template(let template, let decoder): return try evaluate(template, decoder, in: scope)
    }
  }

  @usableFromInline func evaluate(
    _ template: ValueTemplate, _ decoder: ValueDecoder<Output>, in scope: any TemplateScope
  ) throws(TemplateError) -> Output {
    let value = try template.resolve(in: scope)
    do {
      return try decoder.decode(value)
    } catch {
      throw TemplateError(error, at: range)
    }
  }
}

extension TemplateError {
  package init(_ problem: DecodingProblem, at range: SourceRange) {
    self.init(problem.message, at: range, help: problem.help)
  }
}
