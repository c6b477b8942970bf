import Foundation
import HTTPSemantics
import TestSupport
import Testing
import Values

private let skipped: Comment = "REQRUN_CONFORMANCE is not set"

private func cases(_ file: String) throws -> [[String: Any]] {
  let root = try #require(conformanceRoot)
  let data = try Data(contentsOf: URL(fileURLWithPath: root + "/url/" + file))
  let all = try #require(JSONSerialization.jsonObject(with: data) as? [Any])
  return all.compactMap { $0 as? [String: Any] }
}

@Test(
  "A URL that is accepted leads to the host and port of the WHATWG's parser",
  .enabled(if: conformanceRoot != nil, skipped))
func neverAnotherHost() throws {
  var accepted = 0
  var expectedWhole = 0
  for test in try cases("urltestdata.json") {
    guard let input = test["input"] as? String else { continue }
    var url: HTTPURL?
    if let baseText = test["base"] as? String {
      guard let base = try? HTTPURL(parsing: baseText) else { continue }
      url = try? HTTPURL.resolve(input, against: base)
    } else {
      url = try? HTTPURL(parsing: input)
    }
    guard let url else { continue }
    accepted += 1
    let comment: Comment = "\(input.debugDescription) against \(test["base"] ?? "nothing")"
    #expect(test["failure"] == nil, comment)
    #expect(url.bracketedHost == test["hostname"] as? String, comment)
    let port = url.effectivePort == (url.isSecure ? 443 : 80) ? "" : String(url.effectivePort)
    #expect(port == test["port"] as? String, comment)
    #expect(url.scheme + ":" == test["protocol"] as? String, comment)
    let search = (url.query ?? "").isEmpty ? "" : "?" + (url.query ?? "")
    if url.originForm.hasPrefix(test["pathname"] as? String ?? "-"), search == test["search"] as? String {
      expectedWhole += 1
    }
  }
  #expect(accepted > 150)
  #expect(expectedWhole > accepted * 3 / 4)
}

@Test("A host has the WHATWG's ASCII form or is refused", .enabled(if: conformanceRoot != nil, skipped))
func neverAnotherASCIIForm() throws {
  var accepted = 0
  for test in try cases("toascii.json") {
    guard let input = test["input"] as? String, let url = try? HTTPURL(parsing: "http://\(input)/") else { continue }
    accepted += 1
    #expect(url.host == test["output"] as? String, "\(input.debugDescription)")
  }
  #expect(accepted >= 30)
}
