import CommandLineOptions
import Testing
import Values

/// Requests that `send --save` adds to specs.
@Suite struct SavedSpecTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    let json: String
    let expected: String
    var testDescription: String { json }

    init(_ json: String, _ expected: String) { (self.json, self.expected) = (json, expected) }
  }

  static let shapes = [
    Shape("1", "!integer"), Shape("-12345678901234567890", "!integer"), Shape("1.0", "!number"),
    Shape("1e3", "!number"),
    Shape("null", "!any"), Shape("true", "!boolean"), Shape(#""x""#, "!string"), Shape("[]", "!array"),
    Shape("{}", "!object"), Shape(#""8C1A0D4E-6C1B-4F3A-9B7E-1D2C3B4A5F60""#, "!uuid"),
    Shape(#""2024-05-01T10:00:00Z""#, "!datetime"), Shape(#""ann@example.org""#, "!email"),
    Shape(#""https://example.org/x""#, "!url"), Shape(#""127.0.0.1""#, "!ipv4"), Shape(#""::1""#, "!ipv6"),
    Shape("[1, 2]", "!each\n- !integer"), Shape("[1, 2.5]", "!each\n- !number"), Shape("[1, true]", "!each\n- !any"),
    Shape(#"["a@b.de", "x"]"#, "!each\n- !string"), Shape("[[], [1]]", "!each\n- !array"),
    Shape(
      #"[{"a": 1, "b": null}, {"a": 2, "b": "x"}, {"a": 3}]"#,
      "!each\na: !integer\nb: !is?\n  one_of:\n    - null\n    - !string"),
    Shape(#"{"id": 1, "in": {"x": {}}}"#, "includes:\n  id: !integer\n  in:\n    x: !object"),
    Shape(#"{"a": {"count": 3}}"#, "includes:\n  a: !!map\n    count: !integer"),
    Shape(#"[{"count": 3}]"#, "!each\n- !!map\n  count: !integer"),
    Shape(#"[{"a": {"b": 1}}, {}]"#, "!each\na: !optional\n  b: !integer"),
    Shape(#"{"day": "2024-05-01"}"#, "includes:\n  day: !is\n    is: date"),
  ]

  @Test("a body is expected as its shape", arguments: shapes) func shape(_ test: Shape) throws {
    let text = try saved(in: nil, body: test.json)
    let lines = text.split(separator: "\n").drop { $0 != "      json:" }.dropFirst()
    let shape = lines.enumerated().map { index, line in
      index == 0 ? String(line.dropFirst("        $: ".count)) : String(line.dropFirst(10))
    }
    #expect(
      shape.filter { !$0.isEmpty }.map { $0.replacing(#/^ {2}- /#, with: "- ") }.joined(separator: "\n")
        == test.expected)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let expected: String

    init(_ name: String, _ old: String, _ expected: String) {
      (testDescription, self.old, self.expected) = (name, old, expected)
    }
  }

  static let cases = [
    Case(
      "a new file", "",
      "secrets:\n  - TOKEN\nrequests:\n  - url: https://ex.org\n    query:\n      token: ${{ TOKEN }}\n"),
    Case(
      "requests with empty lines between them, and comments",
      "# a\nsecrets: [A]   # b\nrequests:\n  - url: https://a # c\n\n  # d\n  - url: https://b\n# e\nteardown: []\n",
      "# a\nsecrets: [A, TOKEN]   # b\nrequests:\n  - url: https://a # c\n\n  # d\n  - url: https://b\n\n  - url: https://ex.org\n    query:\n      token: ${{ TOKEN }}\n# e\nteardown: []\n"
    ),
    Case(
      "requests without", "requests:\n- url: https://a\n- url: https://b\n",
      "secrets:\n  - TOKEN\nrequests:\n- url: https://a\n- url: https://b\n- url: https://ex.org\n  query:\n    token: ${{ TOKEN }}\n"
    ),
    Case(
      "shared parts", "variables: {a: 1}\n",
      "variables: {a: 1}\nsecrets:\n  - TOKEN\nrequests:\n  - url: https://ex.org\n    query:\n      token: ${{ TOKEN }}\n"
    ),
    Case(
      "secrets with values", "secrets: {A: x}\nrequests:\n  - url: https://a\n",
      "secrets: {A: x, TOKEN: \"${{ env.TOKEN }}\"}\nrequests:\n  - url: https://a\n\n  - url: https://ex.org\n    query:\n      token: ${{ TOKEN }}\n"
    ),
    Case(
      "secrets with other values, or with one that isn't known",
      "secrets: [OTHER, TOKEN]\nrequests: [{url: https://a}]\nvariables: {TOKEN_2: x}\n",
      "secrets: [OTHER, TOKEN, TOKEN_3]\nrequests: [{url: https://a}, {url: https://ex.org, query: {token: \"${{ TOKEN_3 }}\"}}]\nvariables: {TOKEN_2: x}\n"
    ),
    Case(
      "a secret with the same value", "secrets: [SAME]\nrequests: [{url: https://a}]\n",
      "secrets: [SAME]\nrequests: [{url: https://a}, {url: https://ex.org, query: {token: \"${{ SAME }}\"}}]\n"),
    Case(
      "a secret with the same value from the environment, after one with a value of the file",
      "secrets: {TOKEN: x, SAME: \"${{ env.SAME }}\", SAME_2: x}\nrequests: [{url: https://a}]\n",
      "secrets: {TOKEN: x, SAME: \"${{ env.SAME }}\", SAME_2: x}\nrequests: [{url: https://a}, {url: https://ex.org, query: {token: \"${{ SAME }}\"}}]\n"
    ),
    Case(
      "one request", "url: https://a\n",
      "the request can't be added to api.yaml: it is one request; its keys belong under `requests`, as an item"),
    Case(
      "flows", "flows: [{name: a, requests: [{url: https://a}]}]\n",
      "the request can't be added to api.yaml: it has `flows`, each with requests of its own"),
    Case(
      "no mapping", "- a\n",
      "the request can't be added to api.yaml: it is a list, not a mapping with `url` or `requests`"),
    Case("broken YAML", "a: [\n", "this `[` is never closed"),
  ]

  @Test("a request is added to a file", arguments: cases) func adding(_ test: Case) throws {
    let text = try saved(in: test.old, body: nil)
    #expect(text == test.expected)
  }

  /// The text of the saved file, or the first error.
  private func saved(in old: String?, body: String?) throws -> String {
    var line = try SendArguments(body == nil ? ["ex.org", "token==hunter22"] : ["ex.org"])
    line.avoidNames(in: Array((old ?? "").utf8)) { $0.hasPrefix("SAME") ? "hunter22" : $0 == "OTHER" ? "x" : nil }
    let request = try line.request(SendArguments.Files(home: nil) { _ in [] })
    var bag = DiagnosticBag()
    let response = SavedResponse(status: 200, contentType: nil, body: body.map { Array($0.utf8) })
    let text = request.saved(
      in: old.map { Array($0.utf8) }, path: "api.yaml", response: response, expects: body != nil, into: &bag)
    return text.map { String(decoding: $0, as: UTF8.self) } ?? bag.diagnostics[0].message
  }
}
