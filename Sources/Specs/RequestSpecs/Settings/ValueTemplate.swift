import Templates
import Values

/// A value in a file, with templates anywhere inside; one without templates is ready when the file is loaded.
@usableFromInline package struct ValueTemplate: Sendable {
  package indirect enum Content: Sendable {
    case literal(Value)
    case template(Template)
    case list([ValueTemplate])
    case mapping([Member])
    /// A template whose value is secret, whatever it reads.
    case secret(ValueTemplate)
  }

  package struct Member: Sendable {
    package let key: TextTemplate
    package let value: ValueTemplate
  }

  package let content: Content
  package let range: SourceRange

  /// The value if it has no templates.
  package var literal: Value? {
    if case .literal(let value) = content { value } else { nil }
  }

  /// Indicates whether the whole value comes from one template.
  package var isTemplate: Bool {
    switch content {
    case .template, .secret: true
    case .literal, .list, .mapping: false
    }
  }

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Value {
    switch content {
    case .literal(let value): return value
    case .template(let template): return try template.evaluate(in: scope)
    case .secret(let value): return try value.resolve(in: scope).tainted
    case .list, .mapping:
      var limit = ResultLimit()
      return try composed(in: scope, &limit)
    }
  }

  private func composed(
    in scope: any TemplateScope, _ limit: inout ResultLimit
  ) throws(TemplateError) -> Value {
    switch content {
    case .literal(let value): return value
    case .template(let template):
      let value = try template.evaluate(in: scope)
      try limit.take(value, at: template.range)
      return value
    case .secret(let value): return try value.composed(in: scope, &limit).tainted
    case .list(let items):
      var values: [Value] = []
      values.reserveCapacity(items.count)
      for item in items { values.append(try item.composed(in: scope, &limit)) }
      return .list(values)
    case .mapping(let members):
      var result: [Mapping.Member] = []
      result.reserveCapacity(members.count)
      for member in members {
        let key = try member.key.resolve(in: scope)
        if member.key.template != nil { try limit.take(.text(key), at: member.key.range) }
        result.append(Mapping.Member(key: key, value: try member.value.composed(in: scope, &limit)))
      }
      return .mapping(Mapping(result))
    }
  }

  /// All templates inside, including those in keys.
  package var templates: [Template] {
    switch content {
    case .literal: []
    case .template(let template): [template]
    case .secret(let value): value.templates
    case .list(let items): items.flatMap(\.templates)
    case .mapping(let members): members.flatMap { $0.key.templates + $0.value.templates }
    }
  }
}

/// A text, such as a key of the user's own, that may contain templates.
package struct TextTemplate: Sendable {
  /// The text as written.
  package let text: String
  package let range: SourceRange
  package let template: Template?

  package var templates: [Template] { template.map { [$0] } ?? [] }

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Text {
    guard let template else { return Text(text) }
    return try template.evaluateText(in: scope)
  }
}
