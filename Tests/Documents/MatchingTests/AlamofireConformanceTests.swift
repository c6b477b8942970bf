import Foundation
import Matching
import TestSupport
import Testing

/// What Alamofire 5.12 does with real responses, less its comparison of media types by letter case.
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE names no conformance suites"))
struct AlamofireConformanceTests {
  struct Suite: Decodable {
    struct Parsing: Decodable {
      struct Parts: Decodable {
        let type: String
        let subtype: String
        let is_wildcard: Bool
      }
      let input: String
      let expect: Parts?
    }

    struct Match: Decodable {
      let acceptable: String
      let response: String
      let matches: Bool
    }

    struct Exchange: Decodable {
      struct Response: Decodable {
        let status: Int
        let content_type: String?
        let body: String
      }

      struct Rules: Decodable {
        let status_codes: [Int]?
        let content_types: [String]?
        let order: String?

        init(from decoder: any Decoder) throws {
          if let text = try? decoder.singleValueContainer().decode(String.self) {
            try #require(text == "automatic")
            (status_codes, content_types, order) = (nil, nil, nil)
          } else {
            let container = try decoder.container(keyedBy: Key.self)
            status_codes = try container.decodeIfPresent([Int].self, forKey: .status_codes)
            content_types = try container.decodeIfPresent([String].self, forKey: .content_types)
            order = try container.decode(String.self, forKey: .order)
          }
        }

        enum Key: CodingKey { case status_codes, content_types, order }
      }

      struct Outcome: Decodable {
        let outcome: String
        let code: Int?
        let acceptable_sorted: [String]?
      }

      let name: String
      let response: Response
      let request_accept: String?
      let validate: Rules
      let expect: Outcome
    }

    let mime_type_parsing: [Parsing]
    let mime_type_matching: [Match]
    let cases: [Exchange]
  }

  let suite: Suite

  init() throws {
    let root = try #require(conformanceRoot)
    let data = try Data(contentsOf: URL(fileURLWithPath: root + "/alamofire/validation.json"))
    suite = try JSONDecoder().decode(Suite.self, from: data)
  }

  @Test func parsing() {
    #expect(suite.mime_type_parsing.count >= 23)
    for row in suite.mime_type_parsing {
      let type = MediaRange(parsing: row.input)
      #expect(type?.type == row.expect?.type, "\(row.input)")
      #expect(type?.subtype == row.expect?.subtype, "\(row.input)")
      #expect(type?.isWildcard == row.expect?.is_wildcard, "\(row.input)")
    }
  }

  @Test func matching() {
    #expect(suite.mime_type_matching.count >= 84)
    for row in suite.mime_type_matching {
      // RFC 9110 has media types without regard to letter case.
      let other = suite.mime_type_matching.first {
        $0.acceptable == row.acceptable.lowercased() && $0.response == row.response.lowercased()
      }
      #expect(
        mediaType(row.response, matches: row.acceptable) == (other ?? row).matches,
        "\(row.response) in \(row.acceptable)")
    }
  }

  @Test func exchanges() {
    #expect(suite.cases.count >= 107)
    for row in suite.cases {
      let isUpperCase = row.validate.content_types?.contains { $0 != $0.lowercased() } ?? false
      let expected =
        isUpperCase && row.expect.outcome == "unacceptableContentType" ? "valid" : row.expect.outcome
      let failures = rules(row).flatMap {
        $0.failures(
          status: row.response.status, contentType: row.response.content_type, bodyIsEmpty: row.response.body.isEmpty)
      }
      switch failures.first {
      case nil: #expect(expected == "valid", "\(row.name)")
      case .unacceptableStatus(let code, _):
        #expect(expected == "unacceptableStatusCode", "\(row.name)")
        #expect(code == row.expect.code, "\(row.name)")
      case .missingContentType(_, let acceptable):
        #expect(expected == "missingContentType", "\(row.name)")
        #expect(acceptable.sorted() == row.expect.acceptable_sorted, "\(row.name)")
      case .unacceptableContentType(_, let acceptable):
        #expect(expected == "unacceptableContentType", "\(row.name)")
        #expect(acceptable.sorted() == row.expect.acceptable_sorted, "\(row.name)")
      }
    }
  }

  /// Alamofire's validations in the order in which they were added.
  private func rules(_ row: Suite.Exchange) -> [ValidationRules] {
    guard let order = row.validate.order else { return [.automatic(accept: row.request_accept)] }
    let status = ValidationRules(status: row.validate.status_codes.map { StatusSet($0) }, contentTypes: nil)
    let type = ValidationRules(status: nil, contentTypes: row.validate.content_types)
    return order == "type,status" ? [type, status] : [status, type]
  }
}
