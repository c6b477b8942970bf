/// An XPath 1.0 expression, validated when it is read.
package struct XPath: Sendable {
  /// The maximum number of steps and operators of an expression, and of its nesting levels: it is evaluated by
  /// recursion.
  package static let partLimit = 400
  package static let depthLimit = 32

  package let text: String
  /// The type of the result, which the text alone determines.
  package var type: XPathType { expression.type }
  let expression: XPathExpression
  /// Indicates whether it says that there is no node.
  package var deniesExistence: Bool { if case .call(.not, _) = expression { true } else { false } }
  /// Indicates whether it says of nodes that any differs from a value.
  package var asksWhetherAnyDiffers: Bool {
    guard case .comparison(let left, let others) = expression, others.count == 1, others[0].0 == .notEqual else {
      return false
    }
    return (left.type == .nodeSet) != (others[0].1.type == .nodeSet)
  }
  /// The prefixes that it uses, each with its first position in bytes of the text's UTF-8.
  package let prefixes: [(name: String, range: Range<Int>)]
  /// The names of elements without a prefix, and so in no namespace.
  let plainNames: Set<String>
  /// The names of elements after a prefix, and of attributes without one.
  let localNames: Set<String>
  let attributeNames: Set<String>
  /// The node-set whose text or number the expression is: `//a` for `string(//a)`.
  package let innerNodeSet: String?
  /// The first literal that stands for a condition, and always holds.
  package let constantCondition: XPathConstant?

  package init(_ text: String) throws(XPathError) {
    var parser = XPathParser(text)
    expression = try parser.parse()
    prefixes = parser.prefixes
    plainNames = parser.plainNames
    localNames = parser.localNames
    attributeNames = parser.attributeNames
    innerNodeSet = parser.innerNodeSet
    constantCondition = parser.constantCondition
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

/// An error in an expression, or in its evaluation.
package struct XPathError: Error, Sendable, Hashable {
  package let message: String
  /// The part of the expression that the error is about, in bytes of its UTF-8; empty if something is missing.
  package let range: Range<Int>
  /// Advice on what to write instead.
  package let help: String?

  init(_ message: String, _ range: Range<Int>, help: String? = nil) {
    self.message = message
    self.range = range
    self.help = help
  }
}
