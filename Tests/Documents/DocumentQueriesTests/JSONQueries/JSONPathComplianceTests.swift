import DocumentQueries
import Foundation
import TestSupport
import Testing
import Values

/// The compliance suite of RFC 9535, github.com/jsonpath-standard/jsonpath-compliance-test-suite.
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
struct JSONPathComplianceTests {
  @Test func passesEveryCase() throws {
    let path = try #require(conformanceRoot) + "/jsonpath/cts.json"
    let suite = try JSONDocument(parsing: Array(Data(contentsOf: URL(filePath: path)))).root
    let cases = try #require(suite[member: "tests"]).items
    var invalid = 0
    for testCase in cases {
      let name = testCase[member: "name"]?.value.asText.string ?? ""
      let selector = try #require(testCase[member: "selector"]).value.asText.string
      if testCase[member: "invalid_selector"]?.value == .bool(true) {
        invalid += 1
        do {
          _ = try JSONPath(selector)
          Issue.record("\(name): \(selector) is accepted")
        } catch {
          #expect((0...selector.utf8.count).contains(error.range.lowerBound), "\(name)")
          #expect(error.range.upperBound <= selector.utf8.count && !error.message.isEmpty, "\(name)")
        }
        continue
      }
      let document = try JSONDocument(parsing: #require(testCase[member: "document"]).text)
      let nodes = try JSONPath(selector).nodes(in: document)
      let values = Value.list(nodes.map(\.value))
      let paths = Value.list(nodes.map { .text(normalizedPath($0)) })
      let allowed = try testCase[member: "results"]?.items ?? [#require(testCase[member: "result"])]
      let allowedPaths = try testCase[member: "results_paths"]?.items ?? [#require(testCase[member: "result_paths"])]
      let agrees = zip(allowed, allowedPaths).contains { $0.value == values && $1.value == paths }
      #expect(agrees, "\(name): \(selector) gives \(values.jsonText().string) at \(paths.jsonText().string)")
    }
    #expect(cases.count == 703 && invalid == 247)
  }
}
