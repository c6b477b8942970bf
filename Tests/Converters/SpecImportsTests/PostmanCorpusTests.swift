import Foundation
import SpecImports
import TestSupport
import Testing
import Values

/// Public collections: each request is found, and nothing is lost.
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
struct PostmanCorpusTests {
  @Test func importsEachRequest() throws {
    let folder = URL(fileURLWithPath: try #require(conformanceRoot) + "/postman")
    let kind = ImportReader.postman
    var requests = 0
    var reasons: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where name.hasSuffix(".json")
    {
      let data = try Data(contentsOf: folder.appendingPathComponent(name))
      let source = ImportSource(path: name, bytes: Array(data))
      guard kind.recognizes(source) else { continue }
      let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      let expected = Self.count((document?["collection"] as? [String: Any] ?? document)?["item"])
      var bag = DiagnosticBag()
      let collection = kind.read([source], ImportSelection(), &bag)
      let composed = collection.map { composedImport($0) }
      let lost = composed?.untranslated.count { Self.reasonsOfLosses.contains($0.reason) } ?? 0
      #expect(bag.hasErrors || (composed?.requests ?? 0) + lost == expected, "\(name)")
      requests += composed?.requests ?? 0
      for part in composed?.untranslated ?? [] { reasons[part.reason, default: 0] += 1 }
    }
    #expect(requests > 0)
    print("postman: \(requests) requests imported; not translated: \(reasons)")
  }

  private static let reasonsOfLosses = [
    "requests that are not valid", "requests without a URL", "items without a request",
  ]

  private static func count(_ items: Any?) -> Int {
    (items as? [Any] ?? []).reduce(0) { sum, item in
      let inner = (item as? [String: Any])?["item"]
      return sum + (inner is [Any] ? count(inner) : 1)
    }
  }
}
