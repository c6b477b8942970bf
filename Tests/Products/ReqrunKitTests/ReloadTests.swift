import Foundation
import ReqrunKit
import TestSupport
import Testing
import Values

struct ReloadTests {
  @Test("Sources of loaded, planned and failed files are freed")
  func sources() async {
    // In a process of its own, which is counted as a whole.
    await #expect(processExitsWith: .success) {
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
      #expect(SourceText.liveCount - before < 10)
    }
  }
  #if os(Linux)
    @Test("The threads and connections of a run end with it")
    func threads() async {
      // In a process of its own, which is counted as a whole.
      await #expect(processExitsWith: .success) {
        let response = FaultScript.Step.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        let server = try FaultServer.start(FaultScript(["/": [response]]))
        defer { server.stop() }
        let runner = Runner(specs: [.text("url: \(server.address)/", name: "one.yaml")])
        func threads() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
        _ = await runner.run()
        let before = try threads()
        for _ in 0..<40 { #expect(await runner.run().exitCode == 0) }
        var now = try threads()
        for _ in 0..<2000 where now > before + 20 {
          try await Task.sleep(for: .milliseconds(50))
          now = try threads()
        }
        #expect(now <= before + 20)
      }
    }
  #endif
}
