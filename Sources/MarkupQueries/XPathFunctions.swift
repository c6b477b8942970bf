/// A function of XPath 1.0's core library (section 4).
struct XPathFunction {
  let result: XPathType
  let arguments: ClosedRange<Int>
  /// Whether the first argument must be a node-set.
  var takesNodeSet = false

  static let named: [String: XPathFunction] = [
    "last": XPathFunction(result: .number, arguments: 0...0),
    "position": XPathFunction(result: .number, arguments: 0...0),
    "count": XPathFunction(result: .number, arguments: 1...1, takesNodeSet: true),
    "id": XPathFunction(result: .nodeSet, arguments: 1...1),
    "local-name": XPathFunction(result: .string, arguments: 0...1, takesNodeSet: true),
    "namespace-uri": XPathFunction(result: .string, arguments: 0...1, takesNodeSet: true),
    "name": XPathFunction(result: .string, arguments: 0...1, takesNodeSet: true),
    "string": XPathFunction(result: .string, arguments: 0...1),
    "concat": XPathFunction(result: .string, arguments: 2...XPath.partLimit),
    "starts-with": XPathFunction(result: .boolean, arguments: 2...2),
    "contains": XPathFunction(result: .boolean, arguments: 2...2),
    "substring-before": XPathFunction(result: .string, arguments: 2...2),
    "substring-after": XPathFunction(result: .string, arguments: 2...2),
    "substring": XPathFunction(result: .string, arguments: 2...3),
    "string-length": XPathFunction(result: .number, arguments: 0...1),
    "normalize-space": XPathFunction(result: .string, arguments: 0...1),
    "translate": XPathFunction(result: .string, arguments: 3...3),
    "boolean": XPathFunction(result: .boolean, arguments: 1...1),
    "not": XPathFunction(result: .boolean, arguments: 1...1),
    "true": XPathFunction(result: .boolean, arguments: 0...0),
    "false": XPathFunction(result: .boolean, arguments: 0...0),
    "lang": XPathFunction(result: .boolean, arguments: 1...1),
    "number": XPathFunction(result: .number, arguments: 0...1),
    "sum": XPathFunction(result: .number, arguments: 1...1, takesNodeSet: true),
    "floor": XPathFunction(result: .number, arguments: 1...1),
    "ceiling": XPathFunction(result: .number, arguments: 1...1),
    "round": XPathFunction(result: .number, arguments: 1...1),
  ]

  /// What to write instead of functions of later versions, or of none.
  static let advice: [String: String] = [
    "matches": "XPath 1.0 has no patterns: use the predicate `matches`",
    "ends-with": "XPath 1.0 does not have it: use the predicate `ends_with`",
    "lower-case": "XPath 1.0 does not have it: write translate(…, 'ABC…', 'abc…')",
    "upper-case": "XPath 1.0 does not have it: write translate(…, 'abc…', 'ABC…')",
    "exists": "XPath 1.0 does not have it: write boolean(…), or use the predicate `exists`",
    "replace": "XPath 1.0 does not have it: use translate(), or a capture's `regex`",
    "tokenize": "XPath 1.0 does not have it",
    "data": "XPath 1.0 does not have it: write string(…)",
    "max": "XPath 1.0 does not have it", "min": "XPath 1.0 does not have it", "avg": "write sum(…) div count(…)",
    "distinct-values": "XPath 1.0 does not have it",
  ]

  /// `one argument`, `from 2 to 3 arguments`
  var argumentsPhrase: String {
    switch arguments {
    case 0...0: "no argument"
    case 1...1: "one argument"
    case 0...1: "at most one argument"
    case 2...XPath.partLimit: "two arguments or more"
    default:
      arguments.count == 1
        ? "\(arguments.lowerBound) arguments" : "\(arguments.lowerBound) or \(arguments.upperBound) arguments"
    }
  }
}

let xpathAxes = [
  "ancestor", "ancestor-or-self", "attribute", "child", "descendant", "descendant-or-self", "following",
  "following-sibling", "namespace", "parent", "preceding", "preceding-sibling", "self",
]

let xpathNodeTypes = ["comment", "text", "processing-instruction", "node"]
