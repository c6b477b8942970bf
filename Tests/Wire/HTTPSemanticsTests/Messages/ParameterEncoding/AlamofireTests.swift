import HTTPSemantics
import TestSupport
import Testing
import Values

private let needsSuite: Comment = "set REQRUN_CONFORMANCE to the folder of the conformance suites"

@Suite("As Alamofire", .enabled(if: conformanceRoot != nil, needsSuite))
struct AlamofireTests {
  /// Cases whose options are closures of Swift code: a file cannot say them.
  static let closures = [
    "nested dictionary, custom key path", "array, custom key.index+1", "data custom throws", "date custom throws",
    "key custom:constant-A",
  ]

  static func isClosure(_ item: AlamofireCase) -> Bool {
    item.members.mapping("options").members.contains { $0.value.asText.string.hasPrefix("custom:") }
  }

  @Test("not applicable, because their options are closures: 5 of 56 form cases")
  func notApplicable() throws {
    let cases = try AlamofireCase.load("form_documented.json")
    #expect(cases.count == 56)
    #expect(cases.filter(Self.isClosure).map(\.name) == Self.closures)
  }

  @Test("form bytes", arguments: try AlamofireCase.load("form_documented.json").filter { !isClosure($0) })
  func form(_ item: AlamofireCase) throws {
    let changes = item.members.mapping("options")
    let options = try EncodingOptions.alamofire(changes)
    let encoder =
      changes.text("allowedCharacters") == "afURLQueryAllowed minus ?/"
      ? URLEncodedFormEncoder(options: options, allowed: .unreserved)
      : URLEncodedFormEncoder(options: options)
    let value = try TypedValue.plain(try #require(item.members["value"]), json: false)
    if item.members.text("expect_error") == "invalidRootObject" {
      // The type of the parameters says so here.
      #expect(value.parameters == nil)
    } else {
      let parameters = try #require(value.parameters)
      #expect(encoder.encode(parameters).string == item.members.text("expect"))
    }
  }

  @Test("destinations", arguments: try AlamofireCase.load("destinations.json"))
  func destination(_ item: AlamofireCase) throws {
    let expected = item.members.mapping("expect")
    let url = try #require(item.members.text("url"))
    var options = try EncodingOptions.alamofire(item.members.mapping("options"))
    options.destination =
      switch item.members.text("destination") {
      case "queryString": .query
      case "httpBody": .body
      default: .methodDependent
      }
    // Absent parameters: nothing is encoded, and the case says that nothing changes.
    var encoded = EncodedParameters()
    if case .mapping(let parameters)? = item.members["parameters"] {
      encoded = try encode(
        parameters: parameters, method: try #require(item.members.text("method")), options: options)
    }
    let wanted = try #require(expected.text("url"))
    // Alamofire's plain defect: a trailing & where an existing query meets empty parameters.
    let isDefect = item.name.hasSuffix("existing query and empty parameters") && wanted.hasSuffix("&")
    #expect(
      appendingQuery(encoded.query ?? "", to: Text(url)).string == (isDefect ? String(wanted.dropLast()) : wanted))
    #expect(encoded.body?.string == expected.text("body"))
    #expect((item.members.text("request_content_type") ?? encoded.contentType) == expected.text("content_type"))
  }

  @Test("JSON bodies", arguments: try AlamofireCase.load("json_encoder.json"))
  func json(_ item: AlamofireCase) throws {
    var options = EncodingOptions.alamofire
    options.format = .json
    switch item.members.text("output_formatting") {
    case "prettyPrinted": options.json = .pretty
    case "withoutEscapingSlashes": options.escapesSlashes = false
    default: break
    }
    let written = try #require(item.members["value"])
    if item.members.text("expect_error") == "jsonEncodingFailed" {
      // Such a number cannot even become a value.
      #expect(throws: TypedValue.Unknown.self) { try TypedValue.plain(written, json: true) }
      return
    }
    let expected = item.members.mapping("expect")
    guard written != .text("(absent)") else {
      #expect(expected["body"] == .null)
      return
    }
    let value = try TypedValue.plain(written, json: true)
    #expect(jsonBody(value, options: options).string == expected.text("body"))
    if case .mapping(let parameters) = value {
      let encoded = try encode(
        parameters: parameters, method: try #require(item.members.text("method")), options: options)
      #expect(encoded.body?.string == expected.text("body"))
      #expect(encoded.query == nil)
      #expect((item.members.text("request_content_type") ?? encoded.contentType) == expected.text("content_type"))
    }
  }

  @Test("the suites are whole")
  func counts() throws {
    #expect(try AlamofireCase.load("destinations.json").count == 130)
    #expect(try AlamofireCase.load("json_encoder.json").count == 26)
  }
}
