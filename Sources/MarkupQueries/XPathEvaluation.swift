internal import CLibXML2

/// What an expression yields.
package enum XPathResult: Sendable {
  /// The string-values of the nodes, in document order.
  case nodes([String])
  case string(String)
  case number(Double)
  case boolean(Bool)
}

extension MarkupDocument {
  /// How much memory the texts of a result's nodes may take together: each has that of all that is inside of it.
  private static let resultLimit = 64 << 20

  /// - Parameter namespaces: what the expression's prefixes stand for.
  package func evaluate(
    _ xpath: XPath, namespaces: [(prefix: String, uri: String)]
  ) throws(XPathError) -> XPathResult {
    let whole = 0..<xpath.text.utf8.count
    guard let context = XPathContext(self, namespaces) else { throw XPathError("there is no memory", whole) }
    guard let object = context.evaluate(xpath.text) else {
      throw context.error(of: xpath, stepLimit: stepLimit) ?? XPathError("the expression has no value", whole)
    }
    defer { xml.xmlXPathFreeObject(object) }
    switch object.pointee.type {
    case XPATH_NODESET: return .nodes(try texts(of: object.pointee.nodesetval, whole))
    case XPATH_STRING: return .string(text(object.pointee.stringval))
    case XPATH_NUMBER: return .number(object.pointee.floatval)
    case XPATH_BOOLEAN: return .boolean(object.pointee.boolval != 0)
    default: throw XPathError("the expression has no value", whole)
    }
  }

  private func texts(of nodes: xmlNodeSetPtr?, _ range: Range<Int>) throws(XPathError) -> [String] {
    guard let nodes, nodes.pointee.nodeNr > 0, let table = nodes.pointee.nodeTab else { return [] }
    // A result is in document order only by chance.
    xml.xmlXPathNodeSetSort(nodes)
    var result: [String] = []
    result.reserveCapacity(Int(nodes.pointee.nodeNr))
    var size = 0
    for index in 0..<Int(nodes.pointee.nodeNr) {
      let value = xml.xmlXPathCastNodeToString(table[index])
      defer { xml.release(value) }
      let text = text(value)
      size += MemoryLayout<String>.stride + 16 + text.utf8.count
      guard size <= MarkupDocument.resultLimit else {
        throw XPathError(
          "the texts of the \(nodes.pointee.nodeNr) nodes that it finds take more than \(MarkupDocument.resultLimit >> 20) MiB",
          range,
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

/// Evaluates one expression on one document.
private struct XPathContext: ~Copyable {
  private let context: xmlXPathContextPtr
  private let xml: reqrun_libxml2
  private let problem = EvaluationProblem()

  init?(_ document: MarkupDocument, _ namespaces: [(prefix: String, uri: String)]) {
    guard let context = document.xml.xmlXPathNewContext(document.document) else { return nil }
    xml = document.xml
    self.context = context
    context.pointee.opLimit = document.stepLimit
    // `.` and relative paths begin at the document, which libxml2 itself takes for a node.
    context.pointee.node = UnsafeMutableRawPointer(document.document).assumingMemoryBound(to: xmlNode.self)
    context.pointee.userData = Unmanaged.passUnretained(problem).toOpaque()
    // Without a handler the library prints to stderr.
    context.pointee.error = { data, error in
      guard let data, let error else { return }
      Unmanaged<EvaluationProblem>.fromOpaque(data).takeUnretainedValue().note(error.pointee)
    }
    for (prefix, uri) in namespaces { _ = xml.xmlXPathRegisterNs(context, prefix, uri) }
  }

  deinit { xml.xmlXPathFreeContext(context) }

  borrowing func evaluate(_ text: String) -> xmlXPathObjectPtr? { xml.xmlXPathEvalExpression(text, context) }

  borrowing func error(of xpath: XPath, stepLimit: UInt) -> XPathError? {
    let whole = 0..<xpath.text.utf8.count
    if context.pointee.opCount >= stepLimit {
      return XPathError(
        "the query takes too much work on this document", whole,
        help: "`//` inside of `[…]` multiplies; name the elements on the way")
    }
    return problem.message.map { XPathError($0, whole) }
  }
}

private final class EvaluationProblem {
  private(set) var message: String?

  func note(_ error: xmlError) {
    guard message == nil, error.message != nil else { return }
    let line = String(cString: error.message).split(whereSeparator: \.isNewline).joined(separator: " ")
    message = line.prefix(1).lowercased() + line.dropFirst()
  }
}
