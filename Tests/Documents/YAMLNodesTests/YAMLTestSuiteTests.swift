import Foundation
import TestSupport
import Testing
import YAMLNodes

/// https://github.com/yaml/yaml-test-suite
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
struct YAMLTestSuiteTests {
  /// Why reqrun refuses a case that YAML allows.
  enum Strictness: String {
    case emptyFile = "the file is empty"
    case secondDocument = "a second document begins here; a file holds one"
    case unknownTag = "unknown tag"
    case emptyValue = "has no value"
    case emptyItem = "this list item is empty"
    case complexKey = "a key must be text"
    case missingKey = "a key is missing here"
  }

  static let strictness: [String: Strictness] = [
    "2XXW": .unknownTag, "35KP": .secondDocument, "4FJ6": .complexKey, "5TYM": .secondDocument, "5WE3": .emptyValue,
    "6BFJ": .complexKey, "6CK3": .unknownTag, "6KGN": .emptyValue, "6PBE": .complexKey, "6WLZ": .secondDocument,
    "6XDY": .emptyFile, "6ZKB": .secondDocument, "7FWL": .unknownTag, "7W2P": .emptyValue, "8G76": .emptyFile,
    "8KB6": .emptyValue, "98YD": .emptyFile, "9BXH": .emptyValue, "9DXL": .secondDocument, "9KAX": .secondDocument,
    "9MMW": .complexKey, "9WXW": .secondDocument, "AVM7": .emptyFile, "C2DT": .emptyValue, "C4HZ": .unknownTag,
    "CC74": .unknownTag, "CUP7": .unknownTag, "DFF7": .missingKey, "DK95/07": .emptyFile, "J7PZ": .unknownTag,
    "JHB9": .secondDocument, "JTV5": .emptyValue, "KK5P": .complexKey, "KSS4": .secondDocument, "L383": .secondDocument,
    "LX3P": .complexKey, "M2N8/01": .complexKey, "M5C3": .unknownTag, "M5DY": .complexKey, "MUS6/02": .emptyFile,
    "MUS6/03": .emptyFile, "MUS6/04": .emptyFile, "P76L": .unknownTag, "PUW8": .secondDocument, "PW8X": .missingKey,
    "Q9WF": .complexKey, "RZP5": .complexKey, "RZT7": .secondDocument, "SBG9": .complexKey, "SM9W/00": .emptyItem,
    "U9NS": .secondDocument, "UGM3": .unknownTag, "UKK6/01": .emptyValue, "V9D5": .complexKey, "W42U": .emptyItem,
    "X38W": .complexKey, "XW4D": .complexKey, "Z67P": .unknownTag, "Z9M4": .unknownTag, "ZWK4": .emptyValue,
  ]

  /// The suite shows the lexemes of these as JSON strings.
  static let binary: Set = ["565N"]

  @Test func readsWhatLibYAMLCanRead() throws {
    var strict: Set<String> = []
    var agreeing = 0
    for testCase in try cases() where testCase.libyaml == "match" {
      let reading = YAMLReading(testCase.yaml)
      if let reason = YAMLTestSuiteTests.strictness[testCase.id] {
        strict.insert(testCase.id)
        #expect(reading.messages.contains { $0.contains(reason.rawValue) }, "\(testCase.id): \(reading.messages)")
        continue
      }
      let json = try #require(reading.json, "\(testCase.id): \(reading.messages)")
      if let expected = testCase.json, !YAMLTestSuiteTests.binary.contains(testCase.id) {
        #expect(try canonical(json) == canonical(expected), "\(testCase.id)")
      }
      agreeing += 1
    }
    #expect(strict.count == YAMLTestSuiteTests.strictness.count)
    #expect(agreeing == 192)
  }

  @Test func refusesWhatLibYAMLRefusesWithAPlace() throws {
    for testCase in try cases() where testCase.libyaml == "rejects" {
      let diagnostics = YAMLReading(testCase.yaml).diagnostics
      #expect(!diagnostics.isEmpty, "\(testCase.id)")
      for diagnostic in diagnostics { #expect(diagnostic.range != nil, "\(testCase.id)") }
    }
  }

  /// Where libyaml differs from YAML 1.2 there is no right response, but a response or an error with a place.
  @Test func survivesWhatLibYAMLReadsDifferently() throws {
    for testCase in try cases() {
      let reading = YAMLReading(testCase.yaml)
      #expect(reading.root != nil || reading.diagnostics.contains { $0.range != nil }, "\(testCase.id)")
    }
  }

  // MARK: The suite's files

  struct Case {
    let id: String
    let yaml: String
    let libyaml: String
    /// The JSON of the only document.
    let json: Any?
  }

  private func cases() throws -> [Case] {
    let url = URL(fileURLWithPath: try #require(conformanceRoot)).appendingPathComponent("yaml/cases.json")
    let list = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]])
    return try list.map {
      Case(
        id: try #require($0["id"] as? String), yaml: try #require($0["yaml"] as? String),
        libyaml: try #require($0["libyaml_0_2_5"] as? String), json: ($0["json"] as? [Any])?.first)
    }
  }

  private func canonical(_ json: String) throws -> String {
    try canonical(JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed))
  }

  private func canonical(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys]),
      as: UTF8.self)
  }
}
