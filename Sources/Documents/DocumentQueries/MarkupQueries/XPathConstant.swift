/// A literal that stands for a condition of an expression, where a comparison was probably meant.
package struct XPathConstant: Sendable {
  /// The text of the literal; nil for a number.
  package let text: String?
  /// The operand or the predicate that it is, as written.
  package let written: String
  /// Its place, in bytes of the expression's UTF-8.
  package let range: Range<Int>
  /// The expression that was probably meant, if it is known.
  package let meant: String?
}

extension XPathParser {
  /// Notes a text or a number among the operands of `or` or `and`.
  mutating func noteConstants(_ operands: [XPathExpression], from starts: [Int], joinedBy word: String) {
    guard operands.count > 1, constantCondition == nil, !operands.allSatisfy(\.isLiteral),
      let index = operands.firstIndex(where: { $0.isConstantTruth })
    else { return }
    let ends = starts.dropFirst().map { start in endOfOperand(before: start, word) } + [position]
    func source(_ index: Int) -> String { trimmed(starts[index]..<ends[index]) }
    let literal = source(index)
    var meant: String?
    if word == "or", index > 0, case .comparison(_, let others) = operands[index - 1], others.count == 1,
      others[0].1.isLiteral
    {
      let before = source(index - 1)
      // The literal that is compared comes last.
      let left =
        if let quote = before.last, quote == "'" || quote == "\"" {
          before.dropLast().lastIndex(of: quote).map { before[..<$0] } ?? ""
        } else {
          before[..<(before.lastIndex { !$0.isNumber && $0 != "." }.map(before.index(after:)) ?? before.startIndex)]
        }
      meant = "\(before) \(word) \(left)\(literal)"
    }
    note(operands[index], "\(word) \(literal)", starts[index]..<starts[index] + literal.utf8.count, meant)
  }

  /// Notes a predicate that is a text, which chooses every node.
  mutating func noteConstant(_ expression: XPathExpression, _ range: Range<Int>) {
    guard constantCondition == nil, case .string(let text) = expression, !text.isEmpty else { return }
    let isName = text.utf8.allSatisfy { isNameByte($0) }
    note(expression, trimmed(range), range, isName ? "[@\(text)]` or `[\(text)]" : nil)
  }

  private mutating func note(_ literal: XPathExpression, _ written: String, _ range: Range<Int>, _ meant: String?) {
    let text: String? = if case .string(let text) = literal { text } else { nil }
    constantCondition = XPathConstant(text: text, written: written, range: range, meant: meant)
  }

  /// The end of the operand before a joining word that ends before a position.
  private func endOfOperand(before start: Int, _ word: String) -> Int {
    trimmedEnd(start) - word.utf8.count
  }

  private func trimmedEnd(_ end: Int) -> Int {
    var end = end
    while end > 0, isXMLSpace(bytes[end - 1]) { end -= 1 }
    return end
  }

  private func trimmed(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.lowerBound..<max(range.lowerBound, trimmedEnd(range.upperBound))], as: UTF8.self)
  }
}

extension XPathExpression {
  fileprivate var isLiteral: Bool {
    switch self {
    case .string, .number: true
    default: false
    }
  }

  /// Indicates whether it is a literal that is true as a condition: a text that isn't empty, or a number but 0.
  fileprivate var isConstantTruth: Bool {
    switch self {
    case .string(let text): !text.isEmpty
    case .number(let number): number != 0
    default: false
    }
  }
}
