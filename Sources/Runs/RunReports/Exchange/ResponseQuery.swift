import DocumentQueries
import SpecExecution
import Values

/// The part of a body that is printed in its place: a JSONPath, or an XPath for XML and HTML.
package enum ResponseQuery: Sendable {
  case json(JSONPath)
  case markup(XPath)

  /// The reason why a text is not a query.
  package struct Problem: Error, Sendable {
    package let message: String
    package let help: String?
  }

  /// - Parameter text: a JSONPath, which begins with `$`, or an XPath.
  package init(_ text: String) throws(Problem) {
    if text.hasPrefix("$") {
      do throws(JSONPathError) {
        self = .json(try JSONPath(text))
      } catch {
        throw Problem(message: "\"\(text)\" is not a JSONPath: \(error.message)", help: error.help)
      }
    } else {
      do throws(XPathError) {
        self = .markup(try XPath(text))
      } catch {
        throw Problem(
          message: "\"\(text)\" is not an XPath: \(error.message)",
          help: "a JSONPath begins with $, as in $.items[0].id")
      }
    }
  }

  /// The results, one a line; empty if there are none.
  func text(of bytes: [UInt8], contentType: String?, _ options: ResponseOptions) -> String {
    switch self {
    case .json(let path):
      guard let document = try? JSONDocument(parsing: bytes), let nodes = try? path.nodes(in: document) else {
        return ""
      }
      let colors = SyntaxColors(style: options.style)
      return nodes.map { node in
        if case .text(let text) = node.value { return shown(text.string, options) }
        let json = node.value.jsonText().string
        let text = options.isFormatted && node.isContainer ? indentedJSON(json) ?? json : json
        return colors.json(options.isTerminal ? sanitizedForTerminal(text, as: .escape, keepingLineBreaks: true) : text)
      }.map { "\($0)\n" }.joined()
    case .markup(let path):
      let text = BodyCharset(contentType: contentType) { Array(bytes.prefix($0)) }.decodeReplacing(bytes)
      let language: MarkupDocument.Language = MediaType(contentType).isHTML ? .html : .xml
      guard let document = try? MarkupDocument(parsing: Array(text.utf8), as: language),
        let result = try? document.evaluate(path, namespaces: [])
      else { return "" }
      let texts =
        switch result {
        case .nodes(let texts): texts
        case .string(let text): [text]
        case .number(let number): [Value(xpathNumber: number).asText.string]
        case .boolean(let flag): [flag ? "true" : "false"]
        }
      return texts.map { "\(shown($0, options))\n" }.joined()
    }
  }

  private func shown(_ text: String, _ options: ResponseOptions) -> String {
    options.isTerminal ? sanitizedForTerminal(text, keepingLineBreaks: true) : text
  }
}
