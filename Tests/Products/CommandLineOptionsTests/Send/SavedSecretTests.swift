import CommandLineOptions
import Testing
import Values
import YAMLNodes

/// The secrets that `send --save` leaves out of the file.
@Suite struct SavedSecretTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    var raw: String?
    var form: SendArguments.Form?
    /// `--var`
    var variables: [(key: String, value: YAMLNode)] = []
    /// `--secret`, by the values.
    var known: [String: String] = [:]
    var name: String?
    let expected: String
    var testDescription: String { arguments.joined(separator: " ") + (raw ?? "") }
  }

  private static let type = #"headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}"#
  private static let formType = #"headers: {Content-Type: application/x-www-form-urlencoded; charset=utf-8}"#

  static let cases = [
    Case(
      arguments: ["Authorization:Bearer ${{ t }}"], variables: [("t", .text("hunter22"))],
      expected: #"secrets: [t], requests: [{url: https://ex.org, headers: {Authorization: "Bearer ${{ t }}"}}]"#),
    Case(
      arguments: ["X-Api-Key:${{ t }}", "page==${{ page }}"],
      variables: [("t", .text("hunter22")), ("page", .number("2")), ("unread", .text("x"))],
      expected: #"secrets: [t], requests: [{variables: {page: 2}, url: https://ex.org, "#
        + #"headers: {X-Api-Key: "${{ t }}"}, query: {page: "${{ page }}"}}]"#),
    Case(
      arguments: ["password=${{ t }}"], form: .form, variables: [("t", .text("hunter22"))],
      expected: #"secrets: [t], requests: [{url: https://ex.org, form: {password: "${{ t }}"}}]"#),
    Case(
      arguments: ["a==${{ token }}"], variables: [("token", .text("hunter22"))],
      expected: #"secrets: [token], requests: [{url: https://ex.org, query: {a: "${{ token }}"}}]"#),
    Case(
      arguments: ["a==${{ x.b }}"],
      variables: [("x", .mapping([("b", .number("1")), ("password", .text("hunter22"))]))],
      expected: #"secrets: [PASSWORD], requests: [{variables: {x: {b: 1, password: "${{ PASSWORD }}"}}, "#
        + #"url: https://ex.org, query: {a: "${{ x.b }}"}}]"#),
    Case(
      arguments: ["foo=hunter22", "bar=a $hunter22!", "p=abc"], form: .form, known: ["hunter22": "x", "abc": "y"],
      name: "with hunter22",
      expected: #"secrets: [x, y], requests: [{name: "with ${{ x }}", url: https://ex.org, "#
        + #"form: {foo: "${{ x }}", bar: "a ${{ '$' }}${{ x }}!", p: "${{ y }}"}}]"#),
    Case(
      arguments: [], raw: #"{"password":"hunter22",}"#,
      expected: #"secrets: [PASSWORD], requests: [{url: https://ex.org, \#(type), "#
        + #"body: "{\"password\":\"${{ PASSWORD }}\",}"}]"#),
    Case(
      arguments: [], raw: "password=hunter22&a=1", form: .form,
      expected: #"secrets: [PASSWORD], requests: [{url: https://ex.org, \#(formType), "#
        + #"body: "password=${{ PASSWORD }}&a=1"}]"#),
    Case(
      arguments: ["password:=12345", "a[token][b]=hunter22"],
      expected: #"secrets: [PASSWORD, TOKEN], requests: [{url: https://ex.org, headers: {Accept: "#
        + #""application/json, */*;q=0.5"}, json: {password: "${{ PASSWORD | from_json }}", "#
        + #"a: {token: {b: "${{ TOKEN }}"}}}}]"#),
    Case(
      arguments: ["X-Callback:https://ann:hunter22@ex.org/?token=hunter33"],
      expected: #"secrets: [X_CALLBACK, TOKEN], requests: [{url: https://ex.org, "#
        + #"headers: {X-Callback: "https://${{ X_CALLBACK }}@ex.org/?token=${{ TOKEN }}"}}]"#),
  ]

  @Test(arguments: cases) func saving(_ test: Case) throws {
    var line = try SendArguments(["ex.org"] + test.arguments)
    (line.raw, line.form, line.name, line.isSaved) = (test.raw, test.form, test.name, true)
    (line.variables, line.knownSecrets) = (test.variables, test.known)
    line.takenNames = Set(test.variables.map(\.key) + test.known.values)
    let request = try line.request(SendArguments.Files(home: nil) { _ in [] })
    var bag = DiagnosticBag()
    let saved = request.saved(in: nil, path: "a.yaml", response: nil, expects: false, into: &bag)
    let document = YAMLEditor(bytes: try #require(saved), name: "a.yaml", into: &bag)?.document
    #expect(document.map { flow($0) } == "{\(test.expected)}")
  }
}
