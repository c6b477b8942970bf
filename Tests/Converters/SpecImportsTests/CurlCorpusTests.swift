import Foundation
import SpecImports
import TestSupport
import Testing
import Values

/// Scripts of curlconverter's tests, with what real curl sent for them.
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
struct CurlCorpusTests {
  private struct Script: Decodable {
    struct Request: Decodable {
      let method: String
      let target: String
      let headers: [[String]]
      let body: String?
    }

    let id: String
    let command: String
    let requests: [Request]
  }

  private struct Surroundings: Decodable {
    let files: [String: String]
    let environment_variables: [String: String]
  }

  /// What a spec can't send: cookies of files, proxies that aren't there, certificates and parts that don't exist.
  private static let different: Set<String> = [
    "commented_json_with_session", "get_cookies_from_file", "get_proxy", "get_proxy_with_auth", "get_cert_cacert",
    "form_quotes",
  ]

  @Test func sendsWhatCurlSends() async throws {
    let folder = URL(fileURLWithPath: try #require(conformanceRoot) + "/curl")
    let scripts = try JSONDecoder().decode(
      [Script].self, from: Data(contentsOf: folder.appendingPathComponent("fixtures.json")))
    let surroundings = try JSONDecoder().decode(
      Surroundings.self, from: Data(contentsOf: folder.appendingPathComponent("environment.json")))
    let kind = ImportReader.curl
    var equal = 0
    var reasons: [String: Int] = [:]
    for script in scripts {
      var bag = DiagnosticBag()
      let source = ImportSource(path: "in.sh", bytes: Array(script.command.utf8))
      let composed = kind.read([source], ImportSelection(), &bag).map { composedImport($0) }
      for part in composed?.untranslated ?? [] { reasons[part.reason, default: 0] += 1 }
      let name = String(script.id.split(separator: "/").last ?? "")
      if Self.different.contains(name) { continue }
      let expected = script.requests.map { request in
        SentRequest(
          method: request.method, target: request.target, headers: request.headers.map { ($0[0], $0[1]) },
          body: request.body ?? "")
      }
      let sent =
        try await composed?.sent(files: surroundings.files, environment: surroundings.environment_variables) ?? []
      #expect(sent == expected, "\(script.id)")
      if sent == expected { equal += 1 }
    }
    print("curl: \(equal) of \(scripts.count) scripts sent as curl does; not translated: \(reasons)")
  }
}
