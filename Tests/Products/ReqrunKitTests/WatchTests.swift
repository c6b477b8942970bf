import Foundation
import ReqrunKit
import Synchronization
import TestSupport
import Testing
import Values

/// Each test changes files while a session runs.
@Suite("Watching", .serialized) struct WatchTests {
  /// Responds to everything.
  private struct Stub: Transport {
    func response(to request: TransportRequest) async throws -> TransportResponse {
      TransportResponse(
        json: #"{"path": "\#(request.url)", "body": "\#(String(decoding: request.body, as: UTF8.self))"}"#)
    }
  }

  /// A session in a folder, with the names of the requests that ran.
  private final class Run: Reporter, Sendable {
    struct State {
      var requests: [String] = []
      var text = ""
    }

    let folder: TemporaryFolder
    let state = Mutex(State())
    private let session: Mutex<SpecWatcher?>
    private let task: Mutex<Task<Int32, Never>?>

    init(_ files: [String: String], _ change: (inout RunOptions) -> Void = { _ in }) throws {
      folder = try TemporaryFolder()
      session = Mutex(nil)
      task = Mutex(nil)
      try folder.write(files)
      var options = RunOptions()
      options.specs = [.path(folder.path)]
      options.transport = .custom(Stub())
      change(&options)
      options.reports.append(.custom(self))
      let session = try SpecWatcher(options) { [self] text in state.withLock { $0.text += text } }
      self.session.withLock { $0 = session }
      task.withLock { $0 = Task { await session.run() } }
    }

    func receive(_ event: RunEvent) {
      guard case .requestFinished(let request) = event else { return }
      state.withLock { $0.requests.append("\(request.name)\(request.isFailure ? " failed" : "")") }
    }

    /// Waits until the session waits for a change, and returns the requests that ran since the last call.
    func ran() async throws -> [String] {
      let end = ContinuousClock.now + .seconds(120)
      while .now < end {
        let found: [String]? = state.withLock { state in
          guard state.text.hasSuffix("Ctrl-C ends\n") else { return nil }
          defer { state.requests = [] }
          return state.requests.sorted()
        }
        if let found { return found }
        try await Task.sleep(for: .milliseconds(2))
      }
      Issue.record("the session does not wait: \(state.withLock { $0.text })")
      return []
    }

    /// Changes files, and returns the requests that run then, and after how long.
    func change(_ files: [String: String]) async throws -> (ran: [String], after: Duration) {
      state.withLock { $0.text = "" }
      let start = ContinuousClock.now
      try folder.write(files)
      return (try await ran(), .now - start)
    }

    var text: String { state.withLock { $0.text } }

    func end() async -> Int32? {
      _ = session.withLock { $0 }?.interrupt(signal: 2)
      let code = await task.withLock { $0 }?.value
      folder.remove()
      return code
    }
  }

  private static func spec(_ name: String, _ more: String = "") -> String {
    "\(more)\nrequests:\n  - {name: \(name), url: http://stub/\(name)}\n"
  }

  @Test("a change runs the specs that use the file, and no other")
  func affected() async throws {
    let run = try Run([
      "a.yaml": Self.spec("a", "extends: _base.yaml"), "b.yaml": Self.spec("b"),
      "c.yaml": "requests: [{name: c, url: http://stub/c, method: POST, body: {file: \"data/${{ 1 + 1 }}.txt\"}}]\n",
      "d.yaml": "requests: [{name: d, url: http://stub/d, expect: {schema: {file: data/d.json}}}]\n",
      "e.yaml": Self.spec("e", "needs: [_login.yaml]"), "_login.yaml": Self.spec("login"),
      "_base.yaml": "defaults: {headers: {X: y}}\n", "data/2.txt": "two", "data/d.json": #"{"$ref": "e.json"}"#,
      "data/e.json": #"{"type": "object"}"#,
    ])
    #expect(try await run.ran() == ["a", "b", "c", "d", "e", "login"])
    let changes: [([String: String], [String])] = [
      (["b.yaml": Self.spec("b2")], ["b2"]), (["_base.yaml": "defaults: {headers: {X: z}}\n"], ["a"]),
      (["data/2.txt": "2"], ["c"]), (["data/d.json": #"{"$ref": "e.json", "title": ""}"#], ["d"]),
      (["_login.yaml": Self.spec("login2")], ["e", "login2"]), (["new/f.yaml": Self.spec("f")], ["f"]),
      (["reqrun.yaml": "variables: {}\n"], ["a", "b2", "c", "d", "e", "f", "login2"]),
    ]
    for (files, expected) in changes {
      let (ran, time) = try await run.change(files)
      #expect(ran == expected, "\(files.keys)")
      // 200 ms on a machine that has nothing else to do.
      #expect(time < .seconds(30))
    }
    #expect(await run.end() == 0)
  }

  @Test("a broken spec is told, and counted until it is right; the others' results stay")
  func broken() async throws {
    let run = try Run(["a.yaml": Self.spec("a"), "b.yaml": Self.spec("b", "defaults: {expect: {status: 404}}")])
    #expect(try await run.ran() == ["a", "b failed"])
    #expect(try await run.change(["a.yaml": "requests: [{url: "]).ran == [])
    #expect(run.text.contains("1 file with errors"), "\(run.text)")
    #expect(run.text.contains("still failing: \(run.folder.path)/b.yaml"), "\(run.text)")
    #expect(try await run.change(["a.yaml": Self.spec("a")]).ran == ["a"])
    #expect(run.text.contains("in all: 2 requests in 2 files: 1 passed, 1 failed"), "\(run.text)")
    #expect(await run.end() == 1)
  }

  @Test("a file that is renamed over another, as editors do, is a change")
  func renamed() async throws {
    let run = try Run(["a.yaml": Self.spec("a"), "b.yaml": Self.spec("b")])
    #expect(try await run.ran() == ["a", "b"])
    run.state.withLock { $0.text = "" }
    let path = run.folder.path
    try FileManager.default.moveItem(atPath: "\(path)/a.yaml", toPath: "\(path)/a.yaml~")
    try Self.spec("a2").write(toFile: "\(path)/4913.tmp", atomically: false, encoding: .utf8)
    try FileManager.default.moveItem(atPath: "\(path)/4913.tmp", toPath: "\(path)/a.yaml")
    #expect(try await run.ran() == ["a2"])
    #expect(await run.end() == 0)
  }

  @Test("reloads add no memory")
  func sources() async {
    // In a process of its own, which is counted as a whole.
    await #expect(processExitsWith: .success) {
      let run = try Run([
        "a.yaml": WatchTests.spec("a", "extends: _base.yaml"), "_base.yaml": "defaults: {headers: {X: y}}\n",
      ])
      #expect(try await run.ran() == ["a"])
      let before = SourceText.liveCount
      for number in 0..<60 {
        #expect(try await run.change(["a.yaml": WatchTests.spec("a\(number)")]).ran == ["a\(number)"])
      }
      #expect(SourceText.liveCount - before < 40)
      #expect(await run.end() == 0)
    }
  }
}
