internal import CLibXML2

/// The result of an expression.
package enum XPathResult: Sendable {
  /// The string-values of the nodes, in document order.
  case nodes([String])
  case string(String)
  case number(Double)
  case boolean(Bool)
}

extension MarkupDocument {
  var root: XPathNode {
    XPathNode(UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self))
  }

  /// - Parameter namespaces: the namespaces of the expression's prefixes.
  package func evaluate(
    _ xpath: XPath, namespaces: [(prefix: String, uri: String)]
  ) throws(XPathError) -> XPathResult {
    var evaluator = XPathEvaluator(self, xpath, namespaces: namespaces)
    // `.` and relative paths start at the document.
    switch try evaluator.value(of: xpath.expression, XPathEvaluator.Context(node: root)) {
    case .nodes(let nodes): return .nodes(try texts(of: nodes, &evaluator))
    case .string(let text): return .string(text)
    case .number(let number): return .number(number)
    case .boolean(let flag): return .boolean(flag)
    }
  }

  private func texts(of nodes: [XPathNode], _ evaluator: inout XPathEvaluator) throws(XPathError) -> [String] {
    var result: [String] = []
    result.reserveCapacity(nodes.count)
    var size = 0
    for node in nodes {
      let text = try evaluator.text(of: node)
      size += MemoryLayout<String>.stride + 16 + text.utf8.count
      guard size <= XPathEvaluator.textLimit else {
        throw XPathError(
          "the texts of the \(nodes.count) nodes that it finds take more than \(XPathEvaluator.textLimit >> 20) MiB",
          evaluator.whole,
          help:
            "an element's text is that of all elements inside: name those that are wanted, or ask for their number by `count(…)`"
        )
      }
      result.append(text)
    }
    return result
  }
}

func text(_ string: UnsafePointer<xmlChar>?) -> String {
  string.map { String(decodingCString: $0, as: UTF8.self) } ?? ""
}
