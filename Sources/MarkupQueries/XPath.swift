/// An XPath 1.0 expression, checked when it is read.
package struct XPath: Sendable {
  /// How many steps and operators an expression may have, and how deep it may nest: it is evaluated by recursion.
  package static let partLimit = 400
  package static let depthLimit = 32

  package let text: String
  /// What the text alone tells of the result.
  package var type: XPathType { expression.type }
  let expression: XPathExpression
  /// The prefixes that it uses, each where it first stands, in bytes of the text's UTF-8.
  package let prefixes: [(name: String, range: Range<Int>)]
  /// The names of elements without a prefix, and so in no namespace.
  let plainNames: Set<String>
  /// The node-set whose text or number the expression is: of `string(//a)` it is `//a`.
  package let innerNodeSet: String?

  package init(_ text: String) throws(XPathError) {
    var parser = XPathParser(text)
    expression = try parser.parse()
    prefixes = parser.prefixes
    plainNames = parser.plainNames
    innerNodeSet = parser.innerNodeSet
    self.text = text
  }

  /// A text as a literal within an expression.
  package static func literal(_ text: String) -> String {
    guard text.contains("'") else { return "'\(text)'" }
    guard text.contains("\"") else { return "\"\(text)\"" }
    // XPath 1.0 has no escapes.
    let parts = text.split(separator: "'", omittingEmptySubsequences: false).map { "'\($0)'" }
    return "concat(\(parts.joined(separator: ", \"'\", ")))"
  }
}

/// The types of XPath 1.0.
package enum XPathType: Sendable, Hashable {
  case nodeSet, string, number, boolean

  var phrase: String {
    switch self {
    case .nodeSet: "a node-set"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a boolean"
    }
  }
}

/// What is wrong with an expression, or with its evaluation.
package struct XPathError: Error, Sendable, Hashable {
  package let message: String
  /// The part of the expression that the error is about, in bytes of its UTF-8; empty where something is missing.
  package let range: Range<Int>
  /// What to write instead.
  package let help: String?

  init(_ message: String, _ range: Range<Int>, help: String? = nil) {
    self.message = message
    self.range = range
    self.help = help
  }
}
