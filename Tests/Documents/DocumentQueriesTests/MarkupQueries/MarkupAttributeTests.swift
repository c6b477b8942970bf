import DocumentQueries
import OperatingSystem
import Testing

/// Attributes that a document's own DTD adds to its elements.
@Suite struct MarkupAttributeTests {
  /// libxml2 adds them to each element, and compares them too.
  @Test(.timeLimit(.minutes(10)), arguments: [(3_000, 2_500), (1_000, 20_000), (50_000, 1)])
  func defaultsOfADTDAreAttributes(_ defaults: Int, _ elements: Int) {
    let error = #expect(throws: MarkupParseError.self) {
      _ = try MarkupDocument(parsing: Self.document(defaults: defaults, elements: elements), as: .xml)
    }
    #expect(error?.message == "its tags have too many attributes")
  }

  @Test func fewDefaultsOfADTDAreRead() throws {
    let document = try MarkupDocument(parsing: Self.document(defaults: 10, elements: 10_000), as: .xml)
    guard case .number(10_000) = try document.evaluate(try XPath("count(//b)"), namespaces: []) else {
      Issue.record("no number")
      return
    }
  }

  private static func document(defaults: Int, elements: Int) -> [UInt8] {
    let list = (0..<defaults).map { " a\($0) CDATA 'x'" }.joined()
    return Array("<!DOCTYPE r [<!ATTLIST b\(list)>]><r>\(String(repeating: "<b/>", count: elements))</r>".utf8)
  }

  @Test func parsingIsLimitedByTheBudget() {
    let text = Array("<r>\(String(repeating: "<b/>", count: 100_000))</r>".utf8)
    let budget = EvaluationBudget(limit: .zero)
    #expect(throws: MarkupParseError.self) {
      try budget.limit { () throws(MarkupParseError) in _ = try MarkupDocument(parsing: text, as: .xml) }
    }
    #expect(budget.isExhausted)
  }
}
