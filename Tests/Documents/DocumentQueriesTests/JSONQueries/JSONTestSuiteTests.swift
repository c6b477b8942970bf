import DocumentQueries
import Foundation
import TestSupport
import Testing
import Values

/// JSONTestSuite, github.com/nst/JSONTestSuite.
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
struct JSONTestSuiteTests {
  private struct Case: Decodable {
    struct Repetition: Decodable {
      let unit: String
      let times: Int
      let suffix: String?
    }
    let name: String
    let expect: String?
    let base64: String?
    let `repeat`: Repetition?

    var bytes: [UInt8]? {
      if let `repeat` {
        return Array((String(repeating: `repeat`.unit, count: `repeat`.times) + (`repeat`.suffix ?? "")).utf8)
      }
      return base64.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }
  }

  private func cases(_ file: String) throws -> [Case] {
    let path = try #require(conformanceRoot) + "/json-parsing/" + file
    return try JSONDecoder().decode([Case].self, from: Data(contentsOf: URL(filePath: path)))
  }

  @Test func outcomes() throws {
    var outcomes: [String: Int] = [:]
    for testCase in try cases("parsing.json") {
      let bytes = try #require(testCase.bytes, "\(testCase.name)")
      do {
        _ = try JSONDocument(parsing: bytes).root.value
        #expect(testCase.expect != "reject", "\(testCase.name) is accepted")
      } catch {
        #expect(testCase.expect != "accept", "\(testCase.name) is rejected: \(error)")
        #expect((0...bytes.count).contains(error.offset) && error.line >= 1 && error.column >= 1)
      }
      outcomes[testCase.expect ?? "", default: 0] += 1
    }
    #expect(outcomes == ["accept": 95, "reject": 188, "either": 35])
  }

  @Test func numbersAndNamesStayAsWritten() throws {
    for testCase in try cases("transform.json") where testCase.name.hasPrefix("number_") {
      let bytes = try #require(testCase.bytes)
      guard let document = try? JSONDocument(parsing: bytes) else { continue }
      let written = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
      #expect(document.root.value.jsonText().string == written, "\(testCase.name)")
    }
  }
}
