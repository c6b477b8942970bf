import DocumentQueries
import Matching
import Values

extension Response {
  /// The result of an expression for predicates: a node-set is always a list.
  package func subject(of xpath: XPath) throws -> MatchSubject {
    switch try self.xpath(xpath) {
    case .nodes(let texts): .list(FoundTexts(texts: texts, registry: registry))
    case .string(let text): .lazy(UntypedText(filtered(text)))
    case let result: .value(value(of: result))
    }
  }

  /// The result of an expression for a capture; nil for the text of a path that finds no node.
  package func captured(_ xpath: XPath) throws -> Value? {
    let result = try self.xpath(xpath)
    if case .string("") = result, let path = xpath.innerNodeSet, case .nodes([]) = try self.xpath(try XPath(path)) {
      return nil
    }
    return value(of: result)
  }

  private func value(of result: XPathResult) -> Value {
    switch result {
    case .nodes(let texts): .list(texts.map { .text(filtered($0)) })
    case .string(let text): .text(filtered(text))
    case .number(let number): Value(xpathNumber: number)
    case .boolean(let flag): .bool(flag)
    }
  }
}

/// The texts of nodes, whose secrets are marked when one is accessed.
private struct FoundTexts: LazyList {
  let texts: [String]
  let registry: SecretRegistry

  var count: Int { texts.count }
  subscript(index: Int) -> any LazyValue { UntypedText(registry.filtered(texts[index])) }
  var value: Value { .list(texts.map { .text(registry.filtered($0)) }) }
  var beginning: Value { .list(texts.prefix(shownNodeLimit).map { .text(registry.filtered($0)) }) }
  func release() {}
}
