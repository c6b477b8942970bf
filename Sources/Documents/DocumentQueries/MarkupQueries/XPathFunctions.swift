/// The functions of XPath 1.0's core library (section 4).
enum XPathFunction: String, Sendable, CaseIterable {
  case last
  case position
  case count
  case id
  case localName = "local-name"
  case namespaceURI = "namespace-uri"
  case name
  case string
  case concat
  case startsWith = "starts-with"
  case contains
  case substringBefore = "substring-before"
  case substringAfter = "substring-after"
  case substring
  case stringLength = "string-length"
  case normalizeSpace = "normalize-space"
  case translate
  case boolean
  case not
  case `true`
  case `false`
  case lang
  case number
  case sum
  case floor
  case ceiling
  case round

  var result: XPathType {
    switch self {
    case .last, .position, .count, .stringLength, .number, .sum, .floor, .ceiling, .round: .number
    case .id: .nodeSet
    case .localName, .namespaceURI, .name, .string, .concat, .substringBefore, .substringAfter, .substring,
      .normalizeSpace, .translate:
      .string
    case .startsWith, .contains, .boolean, .not, .`true`, .`false`, .lang: .boolean
    }
  }

  var arguments: ClosedRange<Int> {
    switch self {
    case .last, .position, .`true`, .`false`: 0...0
    case .count, .id, .boolean, .not, .lang, .sum, .floor, .ceiling, .round: 1...1
    case .localName, .namespaceURI, .name, .string, .stringLength, .normalizeSpace, .number: 0...1
    case .concat: 2...XPath.partLimit
    case .startsWith, .contains, .substringBefore, .substringAfter: 2...2
    case .substring: 2...3
    case .translate: 3...3
    }
  }

  /// Indicates whether the first argument must be a node-set.
  var takesNodeSet: Bool {
    switch self {
    case .count, .localName, .namespaceURI, .name, .sum: true
    default: false
    }
  }

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

  /// Replacements for functions of later versions, or of none.
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
}

let xpathNodeTypes = ["comment", "text", "processing-instruction", "node"]
