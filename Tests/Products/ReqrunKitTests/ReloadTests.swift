import Diagnostics
import ReqrunKit
import TestSupport
import Testing

struct ReloadTests {
  @Test("Sources of loaded, planned and failed files are freed")
  func sources() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write([
      "reqrun.yaml": "variables: {a: 1}\n",
      "base.yaml": "defaults: {headers: {X-A: \"${{ a }}\"}}\n",
      "one.yaml": """
      extends: base.yaml
      requests:
        - url: http://127.0.0.1/${{ a }}
          body: {file: text.txt, template: true}
          expect: {schema: {file: user.json}, json: {$.id: !uuid}}
      """,
      "text.txt": "a ${{ a }}", "user.json": "{\"type\": \"object\"}", "broken.yaml": "requests:\n  - ulr: \"x\n",
    ])
    var runner = Runner(specs: [.path(folder.path)])
    runner.options.connection.insecure = true
    let before = SourceText.liveCount
    for _ in 0..<100 {
      let result = await runner.check()
      #expect(result.unreadableFiles > 0)
    }
    // Other tests may run meanwhile.
    #expect(SourceText.liveCount - before < 100)
  }
}
