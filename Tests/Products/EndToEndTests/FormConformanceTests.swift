import Foundation
import TestSupport
import Testing

private let needsSuite: Comment = "set REQRUN_CONFORMANCE to the folder of the conformance suites"

/// A form that Alamofire encodes, as far as a file can say it.
private struct FormCase {
  let name: String
  /// The value as YAML, which is JSON but for the typed values.
  let value: String
  let encoding: String
  let body: String

  /// Nil if a file cannot say it: options that are closures of Swift code or sets of characters, and roots other
  /// than a mapping.
  init?(_ item: [String: Any]) throws {
    guard let body = item["expect"] as? String, let encoding = try Self.encoding(item["options"]) else { return nil }
    name = try #require(item["name"] as? String)
    value = try Self.yaml(try #require(item["value"]))
    self.encoding = encoding
    self.body = body
  }

  private static let words = [
    "keyPathEncoding": "key_path", "arrayEncoding": "array", "boolEncoding": "bool", "dataEncoding": "data",
    "dateEncoding": "date", "keyEncoding": "key", "nilEncoding": "nil", "spaceEncoding": "space",
    "indexInBrackets": "index_in_brackets", "noBrackets": "no_brackets", "secondsSince1970": "seconds_since_1970",
    "millisecondsSince1970": "milliseconds_since_1970", "convertToSnakeCase": "snake_case",
    "convertToKebabCase": "kebab_case", "dropValue": "drop_value", "null": "\"null\"", "plusReplaced": "plus",
  ]

  /// Alamofire's defaults, then what the case changes.
  private static func encoding(_ options: Any?) throws -> String? {
    var encoding = ["array": "brackets", "bool": "numeric", "sort": "true", "date": "seconds_since_2001"]
    for (key, value) in try #require(options as? [String: Any]) {
      if key == "alphabetizeKeyValuePairs" {
        encoding["sort"] = "\(value as? Bool == true)"
        continue
      }
      let text = "\(value)"
      guard let option = words[key], !text.hasPrefix("custom:") else { return nil }
      let parts = text.split(separator: ":", maxSplits: 2)
      let isPattern = parts.count == 3 && parts[0] == "formatted"
      encoding[option] = isPattern ? "{format: \"\(parts[2])\", time_zone: \"\(parts[1])\"}" : words[text] ?? text
    }
    return "{" + encoding.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
  }

  private static func yaml(_ value: Any) throws -> String {
    switch value {
    case let items as [Any]: return "[" + (try items.map(yaml)).joined(separator: ", ") + "]"
    case let members as [String: Any]:
      if let (type, value) = members.first, type.hasPrefix("$") { return try typed(type, value) }
      return "{"
        + (try members.sorted { $0.key < $1.key }.map { "\(quoted($0)): \(try yaml($1))" })
        .joined(separator: ", ") + "}"
    case let text as String: return quoted(text)
    case is NSNull: return "null"
    case let number as NSNumber:
      return String(cString: number.objCType) == "c" ? "\(number.boolValue)" : "\(number)"
    default: throw HarnessError("no JSON value: \(value)")
    }
  }

  private static func typed(_ type: String, _ value: Any) throws -> String {
    switch (type, value) {
    case ("$data", let data as [String: Any]): return "!!binary \(quoted("\(data["base64"] ?? "")"))"
    case ("$date", let date as [String: Any]):
      let seconds = try #require(Decimal(string: "\(date["secondsSince1970"] ?? "")"))
      let whole = Int(truncating: seconds as NSDecimalNumber)
      let thousandths = Int(truncating: (seconds - Decimal(whole)) * 1000 as NSDecimalNumber)
      let text = Date(timeIntervalSince1970: TimeInterval(whole)).formatted(.iso8601)
      return "!date \(text.dropLast()).\(String(format: "%03d", thousandths))Z"
    case ("$decimal", let text as String): return "\(try #require(Decimal(string: text)))"
    case (_, let text as String): return text
    default: throw HarnessError("unknown type \(type)")
    }
  }

  /// In single quotes, where YAML knows no escapes.
  private static func quoted(_ text: String) -> String { "'\(text.replacingOccurrences(of: "'", with: "''"))'" }
}

@Suite("As Alamofire, through reqrun", .enabled(if: conformanceRoot != nil, needsSuite))
struct FormConformanceTests {
  @Test("The form bodies that a file can say are Alamofire's, byte for byte")
  func forms() async throws {
    let path = "\(conformanceRoot ?? "")/alamofire/form_documented.json"
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let items = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    // The order of members, where it matters, does not survive JSONSerialization.
    let cases = try items.compactMap(FormCase.init).filter { !$0.name.contains("implementation order") }
    #expect(items.count == 56)
    #expect(cases.count == 47)

    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let server = try FaultServer.start(#"send "HTTP/1.1 204 No Content\r\n\r\n""#)
    defer { server.stop() }
    let requests = cases.enumerated().map { index, item in
      "  - {url: \"/\(index)\", method: POST, form: \(item.value), encoding: \(item.encoding)}\n"
    }
    try folder.write(["spec.yaml": "defaults: {base_url: \"\(server.address)\"}\nrequests:\n" + requests.joined()])
    let result = try await ProcessRun(try builtExecutable("reqrun"), ["-q", "spec.yaml"], in: folder.path).run()
    #expect(result.ending == .exited(0), "\(String(decoding: result.output + result.errorOutput, as: UTF8.self))")
    #expect(server.requests.count == cases.count)
    for (request, item) in zip(server.requests, cases) {
      #expect(String(decoding: request.body, as: UTF8.self) == item.body, "\(item.name)")
      #expect(request.header("Content-Type") == "application/x-www-form-urlencoded; charset=utf-8")
    }
  }
}
