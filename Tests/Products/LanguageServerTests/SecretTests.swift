import ReqrunKit
import TestSupport
import Testing

@testable import LanguageServer

@Suite("Secrets in an editor", .timeLimit(.minutes(5)))
struct SecretTests {
  private static let secrets = (0..<200).map { "s\($0)-\(String(($0 + 7) * 7_919_993, radix: 36))-é\"q" }

  private static func lines(_ range: Range<Int>, _ indentation: String = "  ") -> String {
    range.map { "\(indentation)v\($0): '\(secrets[$0])'\n" }.joined()
  }

  private static let project = """
    demo: true
    variables: {token: plain}
    secrets:
    \(lines(0..<50))
    environments:
      staging:
        secrets:
    \(lines(50..<100, "      "))
    """

  private static let spec = """
    defaults: {continue_on_failure: true}
    secrets:
    \(lines(150..<200))variables:
      copy: ${{ v7 }}
    \((100..<150).map { "  token_\($0): '\(secrets[$0])'\n" }.joined())requests:
      - name: echo ${{ v1 }}
        url: ${{ demo }}/anything/${{ v60 }}?q=${{ v2 }}
        method: POST
        headers: {Authorization: "Bearer ${{ v3 }}", X-Other: "${{ v199 | base64 }}"}
        json: [\((0..<100).map { "\"${{ v\($0) }}\"" }.joined(separator: ", "))]
        expect: {json: {$.json: [], $.method: "${{ v180 }}"}, body: {contains: "${{ v181 }}x"}}
        capture: {seen: $.json}
      - {name: again, url: "${{ demo }}/anything", json: "${{ seen }}", method: POST, expect: {status: 201}}
      - {name: hidden, url: "http://h/${{ token_100 }}", skip: names of secrets are masked in hovers}
      - {url: "http://${{ v4 | base64url }}.invalid/${{ v5 }}"}

    """

  @Test("200 secrets of variables, environments and responses are in no message")
  func secrets() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["reqrun.yaml": SecretTests.project, "a.yaml": SecretTests.spec])
    let client = Client()
    _ = await client.request(
      "initialize",
      [
        "capabilities": [:], "rootUri": .string("file://\(folder.path)"),
        "initializationOptions": ["environment": "staging"],
      ])
    let uri = "file://\(folder.path)/a.yaml"
    let document: JSONValue = ["uri": .string(uri)]
    client.open(uri, SecretTests.spec)
    client.open("file://\(folder.path)/reqrun.yaml", SecretTests.project)
    _ = await client.diagnostics(uri)
    let run = await client.request("reqrun/runTests", ["tests": [document]])["result"]
    #expect(run?["failed"] == 3, "\(run ?? .null)")
    let lines = SecretTests.spec.split(separator: "\n", omittingEmptySubsequences: false)
    let range: JSONValue = [
      "start": ["line": 0, "character": 0], "end": ["line": .number(String(lines.count)), "character": 0],
    ]
    for (number, line) in lines.enumerated() where line.contains("${{") {
      let columns =
        [0, 9, 20]
        + (line.firstRange(of: "${{").map { [line.distance(from: line.startIndex, to: $0.upperBound) + 1] } ?? [])
      for column in columns {
        let place: JSONValue = [
          "textDocument": document,
          "position": ["line": .number(String(number)), "character": .number(String(column))],
        ]
        for method in ["completion", "hover", "definition", "signatureHelp"] {
          _ = await client.request("textDocument/\(method)", place)
        }
      }
      for command in ["reqrun.curl", "reqrun.response"] {
        let target: JSONValue = ["uri": .string(uri), "line": .number(String(number))]
        _ = await client.request("workspace/executeCommand", ["command": .string(command), "arguments": [target]])
      }
    }
    for method in ["inlayHint", "codeLens", "documentSymbol", "documentLink", "semanticTokens/full", "codeAction"] {
      _ = await client.request("textDocument/\(method)", ["textDocument": document, "range": range])
    }
    _ = await client.request("workspace/symbol", ["query": ""])
    _ = await client.request("reqrun/tests", ["uri": .string(uri)])
    _ = await client.end()
    let received = client.received
    let isMasked = received.contains("***")
    #expect(isMasked)
    for (number, secret) in SecretTests.secrets.enumerated() {
      let forms = [secret, secret.replacing("\"", with: "\\\""), String(secret.prefix { $0 != "é" })]
      #expect(!forms.contains { received.contains($0) }, "secret \(number)")
    }
  }
}
