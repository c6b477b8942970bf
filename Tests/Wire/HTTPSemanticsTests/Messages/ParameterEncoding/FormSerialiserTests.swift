import Foundation
import HTTPSemantics
import TestSupport
import Testing
import Values

@Suite(
  "As the URL standard's form serialiser",
  .enabled(if: conformanceRoot != nil, "set REQRUN_CONFORMANCE to the folder of the conformance suites"))
struct FormSerialiserTests {
  struct Case: Decodable, Sendable {
    let pairs: [[String]]
    let expect: String
  }

  static func load() throws -> [Case] {
    guard let conformanceRoot else { return [] }
    let url = URL(fileURLWithPath: "\(conformanceRoot)/form-encoding/urlencoded_serialise.json")
    return try JSONDecoder().decode([Case].self, from: Data(contentsOf: url))
  }

  @Test("given its characters and + for a space", arguments: try load())
  func serialise(_ item: Case) {
    let allowed = AllowedCharacters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")
    let encoder = URLEncodedFormEncoder(options: EncodingOptions(spaceEncoding: .plus), allowed: allowed)
    #expect(encoder.encode(Mapping(item.pairs.map { ($0[0], .text($0[1])) })).string == item.expect)
  }

  @Test("the suite is whole")
  func count() throws {
    #expect(try Self.load().count == 22)
  }
}
