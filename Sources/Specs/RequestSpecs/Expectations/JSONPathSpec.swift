import DocumentQueries
import Templates
import Values

/// A JSONPath in a file: compiled when it is loaded, unless it contains templates.
package struct JSONPathSpec: Sendable {
  package let text: String
  package let range: SourceRange
  package let compiled: JSONPath?
  package let template: Template?

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> JSONPath {
    if let compiled { return compiled }
    guard let template else { throw TemplateError("the path is empty", at: range) }
    let text = try template.evaluate(in: scope, joining: jsonPathLiteral)
    do {
      return try JSONPath(text.string)
    } catch {
      throw TemplateError(
        DecodingProblem(.jsonpathSyntax, "invalid JSONPath: \(error.message)", help: error.help), at: range)
    }
  }
}

/// A value as a JSONPath literal: quoted and escaped text, numbers and the three keywords as they are.
func jsonPathLiteral(_ value: Value) -> Text {
  switch value {
  case .text(let text):
    Text("'") + text.mapRuns { jsonEscaped($0).replacingQuotes } + Text("'")
  case .list, .mapping: Text("'") + value.asText.mapRuns { jsonEscaped($0).replacingQuotes } + Text("'")
  case .date, .data: Text("'") + value.asText + Text("'")
  case .null, .bool, .number: value.asText
  }
}

extension String {
  /// JSON's escapes converted for a single-quoted JSONPath literal (RFC 9535, section 2.3.1.1).
  fileprivate var replacingQuotes: String {
    var result = ""
    var previousIsBackslash = false
    for scalar in unicodeScalars {
      if scalar == "\"", previousIsBackslash {
        result.unicodeScalars.removeLast()
        result += "\""
        previousIsBackslash = false
        continue
      }
      if scalar == "'" { result += "\\" }
      result.unicodeScalars.append(scalar)
      previousIsBackslash = scalar == "\\" && !previousIsBackslash
    }
    return result
  }
}
