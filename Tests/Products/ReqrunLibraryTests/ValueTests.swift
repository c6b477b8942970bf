import Foundation
import ReqrunKit
import Synchronization
import Testing

@Suite("Results as values")
struct ValueTests {
  private static let spec = """
    url: http://stub/
    capture:
      nothing: $.nothing
      null_text: $.null_text
      big: $.big
      big_text: $.big_text
      list: $.list
      object: $.object
      type: {header: Content-Type}
      status: status
      token: {json: $.token, secret: true}
      long: $.long
    """
  private static let long = String(repeating: "x", count: 5000)
  private static let response = """
    {"nothing": null, "null_text": "null", "big": 9007199254740993, "big_text": "9007199254740993", "list": [1, "x"],
     "object": {"b": [true], "a": 0.10}, "token": "s3cret-token", "long": "\(long)"}
    """

  private func result(_ details: RunEvent.Needs = .captures, revealing names: Set<String> = []) async -> RunResult {
    var runner = runner(Self.spec) { _ in TransportResponse(json: Self.response) }
    runner.options.collectedDetails = details
    runner.options.revealedCaptures = names
    return await runner.run()
  }

  struct Capture: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let value: JSONValue
  }

  static let values: [Capture] = [
    Capture(testDescription: "nothing", value: nil),
    Capture(testDescription: "null_text", value: "null"),
    Capture(testDescription: "big", value: 9_007_199_254_740_993),
    Capture(testDescription: "big_text", value: "9007199254740993"),
    Capture(testDescription: "list", value: [1, "x"]),
    Capture(testDescription: "object", value: ["a": 0.1, "b": [true]]),
    Capture(testDescription: "type", value: "application/json"),
    Capture(testDescription: "status", value: 200),
    Capture(testDescription: "token", value: "***"),
    Capture(testDescription: "long", value: .string(long)),
  ]

  @Test("captures have their type, whole and by name", arguments: values) func captures(_ capture: Capture) async {
    let result = await result()
    #expect(result.requests.first?.captures?[capture.testDescription] == capture.value)
    #expect(result.captures?[capture.testDescription] == capture.value)
    #expect(result.captures?.count == Self.values.count)
  }

  @Test("parts and forms of a JSON value") func parts() {
    let value: JSONValue = ["id": 7, "roles": ["admin"], "half": 0.5, "active": true]
    #expect(value["id"]?.intValue == 7 && value["half"]?.doubleValue == 0.5 && value["active"]?.boolValue == true)
    #expect(value["roles"]?[0]?.stringValue == "admin" && value["roles"]?[1] == nil && value["none"] == nil)
    #expect("\(value)" == #"{"active":true,"half":0.5,"id":7,"roles":["admin"]}"#)
    #expect(JSONValue.number("1.0") == 1 && Set([JSONValue.number("1.0"), 1]).count == 1 && "1" != 1 as JSONValue)
    #expect(JSONValue.number("9007199254740993") != 9_007_199_254_740_992)
  }

  @Test("a secret is revealed by name alone, and printed nowhere") func reveals() async throws {
    let masked = await result()
    #expect(masked.revealedCapture("token") == nil)
    let result = await result(revealing: ["token"])
    #expect(result.revealedCapture("token") == "s3cret-token")
    #expect(result.revealedCapture("list") == nil)
    #expect(result.captures?["token"] == "***")
    var text = "\(result) \(String(reflecting: result))"
    dump(result, to: &text)
    text += String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
    #expect(!text.contains("s3cret-token"))
    // Nothing else needs to be collected for it.
    #expect(await self.result([], revealing: ["token"]).revealedCapture("token") == "s3cret-token")
  }

  @Test("what isn't collected is nil") func uncollected() async throws {
    let plain = try #require(await result([]).requests.first)
    #expect(plain.captures == nil && plain.hops == nil && plain.response == nil && plain.start == nil)
    #expect(await result([]).captures == nil)
    let collected = try #require(await result([.captures, .hops, .starts]).requests.first)
    #expect(collected.captures != nil && collected.hops?.count == 1 && collected.start != nil)
    #expect(collected.response?.status == 200 && collected.response?.body?.bytes() == nil)
    // A request without captures has none, where they are collected.
    var runner = runner("url: http://stub/")
    runner.options.collectedDetails = [.captures, .hops]
    #expect(await runner.run().requests.first?.captures == [:])
  }

  @Test("a reporter that needs no hops gets none, though another does") func ownNeeds() async {
    let reporter = Recorder()
    var runner = runner(Self.spec) { _ in TransportResponse(json: Self.response) }
    runner.options.reports = [.custom(reporter)]
    runner.options.collectedDetails = [.hops, .captures]
    #expect(await runner.run().requests.first?.hops?.count == 1)
    #expect(reporter.requests.first?.hops == nil && reporter.requests.first?.captures == nil)
  }

  @Test("the size of a body is that of its bytes, masked or not") func sizes() async throws {
    var runner = runner("secrets: [t]\nurl: http://stub/\nheaders: {X: \"${{ t }}\"}") { request in
      TransportResponse(headers: ["content-TYPE": "text/plain"], body: Array((request.headers["x"] ?? "").utf8))
    }
    runner.options.secrets = ["t": "a-secret-of-24-characters"]
    runner.options.collectedDetails = .bodies
    let response = try #require(await runner.run().requests.first?.response)
    #expect(response.headers["Content-Type"] == "text/plain")
    #expect(response.body?.text == "***" && response.body?.size == 3 && response.body?.bytes()?.count == 3)
  }

  static let specs = [
    spec, "url: http://stub/\nexpect: {status: 404, json: {$.list: [2, y]}}", "url: http://stub/\nexpct: 1",
    "url: http://stub/${{ missing(1) }}", "url: http://stub/\nexpect: {error: dns}",
  ]

  @Test("results are equal to what was encoded and decoded", arguments: specs) func coding(_ text: String) async throws
  {
    var runner = runner(text) { _ in TransportResponse(json: Self.response) }
    runner.options.collectedDetails = [.captures, .bodies, .starts, .assertions, .attempts, .curlCommands]
    runner.options.reports = []
    let result = await runner.run()
    let decoded = try JSONDecoder().decode(RunResult.self, from: try JSONEncoder().encode(result))
    #expect(decoded == result && decoded.exitCode == result.exitCode && decoded.problems == result.problems)
    #expect(decoded.diagnostics.drawn().hasPrefix(result.diagnostics.isEmpty ? "" : "error: memory.yaml:"))
    var other = decoded
    if other.requests.isEmpty { other.diagnostics = [] } else { other.requests[0].duration += .seconds(1) }
    #expect(other != result)
  }

  @Test("headers: literals with repeated names, names of any case, changes") func headers() throws {
    var headers: Headers = ["Set-Cookie": "a=1", "Content-Type": "text/plain", "set-cookie": "b=2"]
    #expect(headers["SET-COOKIE"] == "a=1" && headers.values("Set-Cookie") == ["a=1", "b=2"] && headers.count == 3)
    headers["Set-Cookie"] = "c=3"
    #expect(headers.map { "\($0.name): \($0.value)" } == ["Set-Cookie: c=3", "Content-Type: text/plain"])
    headers["Content-Type"] = nil
    headers.append("X-A", "1")
    #expect(headers.map(\.name) == ["Set-Cookie", "X-A"] && headers["Content-Type"] == nil)
    #expect(try JSONDecoder().decode(Headers.self, from: try JSONEncoder().encode(headers)) == headers)
  }

  @Test("exact numbers survive coding") func numbers() throws {
    let value: JSONValue = [
      .number("9007199254740993"), .number("170141183460469231731687303715884105727"), 0.1, nil, "1", true, ["a": []],
    ]
    #expect(try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(value)) == value)
  }

  @Test("options that are values have literals, and are coded") func options() throws {
    var options = RunOptions()
    options.variables = ["server": .text("http://a"), "ids": .json("[1]")]
    options.variables["server"] = .text("http://b")
    #expect(options.variables == ["server": .text("http://b"), "ids": .json("[1]")])
    options.connection.proxy = "none"
    let connection = try JSONEncoder().encode(options.connection)
    #expect(try JSONDecoder().decode(ConnectionOverrides.self, from: connection) == options.connection)
    let variables = try JSONEncoder().encode(options.variables)
    #expect(try JSONDecoder().decode([String: RunOptions.VariableValue].self, from: variables) == options.variables)
  }
}

/// Collects the requests that are reported to it.
final class Recorder: Reporter {
  private let all = Mutex<[RequestResult]>([])

  var requests: [RequestResult] { all.withLock { $0 } }

  func receive(_ event: RunEvent) {
    if case .requestFinished(let request) = event { all.withLock { $0.append(request) } }
  }
}
