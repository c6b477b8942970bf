import Templates
import Values

/// The reason why a value isn't valid for a key; without a place.
package struct DecodingProblem: Error, Sendable {
  package let code: DiagnosticCode
  package let message: String
  package let help: String?
  /// The invalid part of a text, in bytes of its UTF-8; nil for the whole value.
  package let textRange: Range<Int>?

  package init(
    _ code: DiagnosticCode, _ message: String, at textRange: Range<Int>? = nil, help: String? = nil
  ) {
    self.code = code
    self.message = message
    self.textRange = textRange
    self.help = help
  }
}

/// Decodes a typed setting from a value: used for literals while loading and for a template's value while running.
@usableFromInline package struct ValueDecoder<Output: Sendable>: Sendable {
  /// The expectation, for messages: `an integer`, `a duration such as "5s"`.
  package let expected: String
  private let makeShape: @Sendable () -> SchemaShape
  private let body: @Sendable (Value) throws(DecodingProblem) -> Output?

  /// The body returns nil for a value of a wrong type, and throws if more can be said.
  package init(
    _ expected: String, _ shape: @autoclosure @escaping @Sendable () -> SchemaShape,
    _ body: @escaping @Sendable (Value) throws(DecodingProblem) -> Output?
  ) {
    self.expected = expected
    makeShape = shape
    self.body = body
  }

  /// The accepted literals, for the format's schema.
  package var shape: SchemaShape { makeShape() }

  package func decode(_ value: Value) throws(DecodingProblem) -> Output {
    if let output = try body(value) { return output }
    throw DecodingProblem(.wrongType, "expected \(expected), found \(value.phrase)")
  }
}

extension Value {
  /// The type of the value, and the value itself if it is short, for diagnostics.
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

/// A setting in a file: a decoded literal, or templates and the decoder for their value.
///
/// A class: a request has many settings, most of which are absent, and passes them on from layer to layer.
@usableFromInline package final class Field<Output: Sendable>: Sendable {
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

  /// The value if it is a literal; nil for templates.
  @inlinable package var literal: Output? {
    if case .literal(let value) = content { value } else { nil }
  }

  /// Indicates whether the value consists of templates.
  var isTemplate: Bool {
    if case .template = content { true } else { false }
  }

  package var templates: [Template] {
    if case .template(let template, _) = content { template.templates } else { [] }
  }

  /// The text as written with a placeholder for each expression; nil for a literal.
  package func text(standIn: String) -> String? {
    if case .template(let value, _) = content, case .template(let template) = value.content {
      template.text(standIn: standIn)
    } else {
      nil
    }
  }

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Output {
    switch content {
    case .literal(let value): return value
    case .template(let template, let decoder): return try evaluate(template, decoder, in: scope)
    }
  }

  /// The value of a URL, in whose text no template may be null.
  package func resolveURL(in scope: any TemplateScope) throws(TemplateError) -> Output {
    guard case .template(let value, let decoder) = content, case .template(let template) = value.content,
      !template.isWhole
    else { return try resolve(in: scope) }
    let text = try template.evaluateText(
      in: scope, as: "the URL", onlyScalars: !template.text(standIn: "").contains(byte: UInt8(ascii: "?")))
    return try decoded(.text(text), decoder, in: scope)
  }

  private func evaluate(
    _ template: ValueTemplate, _ decoder: ValueDecoder<Output>, in scope: any TemplateScope
  ) throws(TemplateError) -> Output {
    try decoded(try template.resolve(in: scope), decoder, in: scope)
  }

  private func decoded(
    _ value: Value, _ decoder: ValueDecoder<Output>, in scope: any TemplateScope
  ) throws(TemplateError) -> Output {
    var value = value
    if scope.standsIn, Output.self != Text.self { value = value.known }
    do {
      return try decoder.decode(value)
    } catch {
      throw TemplateError(error, at: range)
    }
  }
}

extension Template {
  /// The text of a template, none of whose values may be null.
  ///
  /// - Parameter onlyScalars: whether none may be a list or a mapping either.
  package func evaluateText(
    in scope: any TemplateScope, as what: String, onlyScalars: @autoclosure () -> Bool
  ) throws(TemplateError) -> Text {
    var misfit: Value?
    let text = try evaluate(in: scope) { value in
      switch value {
      case .null: misfit = value
      case .list, .mapping: misfit = misfit ?? value
      default: break
      }
      return value.asText
    }
    switch misfit {
    case nil: return text
    case .null?:
      throw TemplateError(
        "a template in \(what) gives null, which would stand there as the word", at: range,
        help: "write `${{ … | default('') }}` if there may be none")
    case let value?:
      guard onlyScalars() else { return text }
      throw TemplateError(
        "a template in \(what) gives \(value.kind.phrase), which would stand there as JSON", at: range,
        help: "take a part of it, such as `${{ … .id }}` or `${{ …[0] }}`")
    }
  }
}

extension TemplateError {
  package init(_ problem: DecodingProblem, at range: SourceRange) {
    self.init(problem.message, at: range, help: problem.help, code: problem.code)
  }
}
