import Matching
import Testing

@Suite struct ValidationTests {
  static let statuses: [(String, [Int], [Int], String)] = [
    ("200", [200], [199, 201], "200"),
    ("2xx", [200, 299], [199, 300], "2xx"),
    ("4XX", [400, 499], [399, 500], "4xx"),
    ("200..<300", [200, 299], [300], "2xx"),
    ("200...299", [200, 299], [300], "2xx"),
    ("200..<204", [203], [204], "200...203"),
    ("100..<1000", [100, 999], [1000], "100...999"),
  ]

  @Test(arguments: statuses)
  func status(_ text: String, _ inside: [Int], _ outside: [Int], _ description: String) throws {
    let set = try #require(StatusSet(parsing: text))
    #expect(inside.allSatisfy(set.contains))
    #expect(!outside.contains(where: set.contains))
    #expect(set.description == description)
  }

  @Test(arguments: [
    "", "2", "20", "2000", "0xx", "xx", "2x", "2xxx", "x2x", "300..<200", "200..<200", "200..300", "200...", "..<300",
    "+200", "020", "200 ", "200..<3x0", "200....300", "1000", "99", "２００", "200..<300..<400",
  ])
  func noStatus(_ text: String) {
    #expect(StatusSet(parsing: text) == nil)
  }

  @Test func statusSetsAreEqualByTheirCodes() {
    #expect(StatusSet([200..<250, 250..<300]) == StatusSet([200..<300]))
    #expect(StatusSet([204, 200, 201]).description == "200...201 or 204")
    #expect(StatusSet([200]).union(StatusSet([404])) == StatusSet([404, 200]))
    #expect(StatusSet([Int]()).description == "no status")
  }

  @Test func mediaTypesCompareWithoutCase() {
    #expect(mediaType("Application/JSON; charset=UTF-8", matches: "application/json"))
    #expect(mediaType("application/json", matches: "APPLICATION/*"))
    #expect(!mediaType("application/vnd.api+json", matches: "application/json"))
    #expect(!mediaType("json", matches: "application/*"))
    #expect(mediaType("json", matches: "*/*"))
  }

  @Test func automaticValidation() {
    let rules = ValidationRules.automatic(accept: "text/html, application/json;q=0.9")
    #expect(rules.failures(status: 200, contentType: "application/json", bodyIsEmpty: false).isEmpty)
    #expect(ValidationRules.automatic(accept: nil).failures(status: 204, contentType: nil, bodyIsEmpty: false).isEmpty)
    #expect(ValidationRules.none.failures(status: 500, contentType: nil, bodyIsEmpty: false).isEmpty)
    let failures = rules.failures(status: 503, contentType: "text/plain", bodyIsEmpty: false).map(
      \.matchFailure.drawing)
    #expect(
      failures == [
        "validate status\n  expected: status 2xx\n  actual:   status 503",
        """
        validate content_type
          expected: content type text/html or application/json;q=0.9
          actual:   content type "text/plain"
        """,
      ])
  }
}
