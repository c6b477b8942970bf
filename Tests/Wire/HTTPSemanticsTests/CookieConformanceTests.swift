import Foundation
import HTTPSemantics
import TestSupport
import Testing
import Values

private let skipped: Comment = "REQRUN_CONFORMANCE is not set"

private struct ParserCase: Decodable {
  struct Pair: Decodable, Equatable {
    let name: String
    let value: String
  }
  let test: String
  let received: [String]
  let sentTo: String?
  let sent: [Pair]

  enum CodingKeys: String, CodingKey {
    case test, received, sent
    case sentTo = "sent-to"
  }
}

private struct DateCase: Decodable {
  let test: String
  let expected: String?
}

private func cases<Case: Decodable>(_ file: String) throws -> [Case] {
  let root = try #require(conformanceRoot)
  return try JSONDecoder().decode([Case].self, from: Data(contentsOf: URL(fileURLWithPath: root + "/cookies/" + file)))
}

@Test("The parser cases of http-state", .enabled(if: conformanceRoot != nil, skipped))
func parserCases() throws {
  let all: [ParserCase] = try cases("parser.json")
  // 2018: what the cases call future still is.
  let now = Timestamp(seconds: 1_514_764_800)
  var ran = 0
  // The suite itself disabled this one: it wants percent-decoding before paths are compared, which RFC 6265 hasn't.
  for test in all where test.test != "DISABLED_PATH0029" {
    let from = try HTTPURL(parsing: "http://home.example.org:8888/cookie-parser?" + test.test.lowercased())
    let to = try HTTPURL.resolve(test.sentTo ?? "/cookie-parser-result?" + test.test.lowercased(), against: from)
    let jar = CookieJar()
    let headers = HeaderFields(test.received.map { ("Set-Cookie", $0) })
    jar.store(from: ResponseHead(status: 200, headers: headers), url: from, now: now)
    // RFC 6265 ignores cookies without a name; its successor keeps them.
    let sent = jar.cookies(for: to, now: now).filter { !$0.name.isEmpty }.map {
      ParserCase.Pair(name: $0.name, value: $0.value)
    }
    #expect(sent == test.sent, "\(test.test): \(test.received)")
    ran += 1
  }
  #expect(ran == 221)
}

@Test(
  "The date cases of http-state", .enabled(if: conformanceRoot != nil, skipped),
  arguments: ["dates-examples.json", "dates-bsd-examples.json"])
func dateCases(_ file: String) throws {
  let all: [DateCase] = try cases(file)
  #expect(all.count >= 15)
  for test in all {
    let date = cookieDate(test.test).map(httpDate)
    #expect(date == test.expected, "\(test.test)")
  }
}

private func httpDate(_ date: Timestamp) -> String {
  let parts = CalendarParts(date, offsetSeconds: 0)
  let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(days[parts.weekday]), \(two(parts.day)) \(months[parts.month - 1]) \(parts.year) "
    + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
}
