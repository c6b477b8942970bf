import DocumentQueries
import Templates
import Values

/// An XPath in a file: compiled when it is loaded, unless it contains templates.
package struct XPathSpec: Sendable {
  package let text: String
  package let range: SourceRange
  /// The type of its result, whatever the values of its templates are.
  package let type: XPathType
  /// The prefixes that it uses, each with its first place.
  package let prefixes: [Located<String>]
  package let compiled: XPath?
  package let template: Template?

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> XPath {
    if let compiled { return compiled }
    guard let template else { throw TemplateError("the expression is empty", at: range) }
    let text = try template.evaluate(in: scope, joining: xpathLiteral)
    do {
      return try XPath(text.string)
    } catch {
      throw TemplateError(DecodingProblem(.xpathSyntax, "invalid XPath: \(error.message)", help: error.help), at: range)
    }
  }
}

private func xpathLiteral(_ value: Value) -> Text {
  switch value {
  case .number: return value.asText
  case .bool(let flag): return Text(flag ? "true()" : "false()")
  case .null, .text, .date, .data, .list, .mapping:
    let text = value.asText
    return Text(XPath.literal(text.string), isSecret: text.isSecret)
  }
}
