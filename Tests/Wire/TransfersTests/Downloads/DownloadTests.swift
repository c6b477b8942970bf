import CurlTransport
import Foundation
import HTTPSemantics
import Synchronization
import TestSupport
import Testing
import Transfers
import Values

/// Counts as a progress bar would.
private final class CountingMeter: DownloadMeter {
  private let count = Mutex<Int64>(0)
  var value: Int64 { count.withLock { $0 } }

  func expect(total: Int64) {}
  func resume(at count: Int64) { self.count.withLock { $0 = count } }
  func advance(by count: Int) { self.count.withLock { $0 += Int64(count) } }
  func restart() { count.withLock { $0 = 0 } }
}

/// Downloads of one folder, all of one run.
private struct Workplace {
  let folder: TemporaryFolder
  let coordinator = DownloadCoordinator()
  let client = HTTPClient(transport: LibcurlTransport())
  let meter = CountingMeter()

  init() throws { folder = try TemporaryFolder() }

  func plan(_ name: String = "file", _ change: (inout DownloadPlan) -> Void = { _ in }) -> DownloadPlan {
    var plan = DownloadPlan(target: .file(directory: folder.path, name: name))
    change(&plan)
    return plan
  }

  /// - Parameter rate: how fast nginx is to answer, such as `600k`; that of the first second comes at once.
  func run(
    _ url: String, _ plan: DownloadPlan, rate: String? = nil, timeouts: ExchangeTimeouts = ExchangeTimeouts()
  ) async throws -> DownloadOutcome {
    var request = OutgoingRequest(method: .get, url: try HTTPURL(parsing: url), timeouts: timeouts)
    if let rate { request.headers.append("X-Rate", rate) }
    return await Download(
      request, plan, by: client, at: coordinator, meter: meter, accepts: { $0.status == 200 },
      refused: CollectingSink(),
      refusedLimit: nil
    ).run()
  }

  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
  func content(_ name: String = "file") -> Data? { FileManager.default.contents(atPath: "\(folder.path)/\(name)") }
}

extension DownloadOutcome {
  fileprivate var error: TransportError? { if case .failure(let failure) = result { failure.error } else { nil } }
}

@Suite("Several downloads in a run", .timeLimit(.minutes(10)))
struct DownloadDeskTests {
  @Test("The same one is sent once, and the others take what came")
  func once() async throws {
    let server = try FaultServer.start("wait 200ms\nsend \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\"")
    defer { server.stop() }
    let place = try Workplace()
    defer { place.folder.remove() }
    async let first = place.run(server.address + "/a", place.plan())
    async let second = place.run(server.address + "/a", place.plan())
    let outcomes = try await [first, second]
    #expect(outcomes.map { $0.file?.isShared ?? true }.sorted { !$0 && $1 } == [false, true])
    let third = try await place.run(server.address + "/a", place.plan())
    #expect(third.file?.isShared == true)
    #expect(server.requests.count == 1)
    // What someone has taken away is fetched anew.
    try FileManager.default.removeItem(atPath: "\(place.folder.path)/file")
    #expect(try await place.run(server.address + "/a", place.plan()).file?.isShared == false)
    #expect(server.requests.count == 2)
    #expect(place.files == ["file"])
  }

  @Test("Another one to the same file waits for nothing and is refused")
  func conflict() async throws {
    let server = try FaultServer.start(
      """
      /slow 1
      wait 3s
      send "HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nslow"
      /slow
      send "HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nslow"
      /other
      send "HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nother"
      """)
    defer { server.stop() }
    let place = try Workplace()
    defer { place.folder.remove() }
    async let slow = place.run(server.address + "/slow", place.plan())
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    let refused = try await place.run(server.address + "/other", place.plan())
    #expect(refused.error?.kind == .storage)
    #expect(refused.error?.message.contains("another request of this run") == true)
    #expect(try await slow.file?.size == 4)
    // One after the other they may.
    #expect(try await place.run(server.address + "/other", place.plan()).file?.size == 5)
    #expect(try await place.run(server.address + "/slow", place.plan()).file?.isShared == false)
    #expect(place.content() == Data("slow".utf8))
  }

  @Test("A download of another run is told from one of this")
  func otherProgram() async throws {
    let server = try FaultServer.start(
      "send \"HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nsl\"\nwait 3s\nsend \"ow\"")
    defer { server.stop() }
    let place = try Workplace()
    defer { place.folder.remove() }
    async let slow = place.run(server.address + "/a", place.plan())
    while place.files.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    let other = await Download(
      OutgoingRequest(method: .get, url: try HTTPURL(parsing: server.address + "/a")), place.plan(), by: place.client,
      at: DownloadCoordinator(), meter: place.meter, accepts: { _ in true }, refused: CollectingSink(),
      refusedLimit: nil
    ).run()
    #expect(other.error?.message.contains("another program is downloading") == true)
    #expect(try await slow.file?.size == 4)
  }

  @Test("Links in the place of the part file are not followed")
  func links() async throws {
    let server = try FaultServer.start("send \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\"")
    defer { server.stop() }
    let place = try Workplace()
    defer { place.folder.remove() }
    let outside = try TemporaryFolder()
    defer { outside.remove() }
    try outside.write(["victim": "precious", "second": "precious"])
    let path = place.folder.path
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/file.reqrun-part", withDestinationPath: "\(outside.path)/victim")
    try FileManager.default.linkItem(atPath: "\(outside.path)/second", toPath: "\(path)/hard.reqrun-part")
    #expect(try await place.run(server.address, place.plan()).file?.size == 2)
    #expect(try await place.run(server.address, place.plan("hard")).file?.size == 2)
    #expect(outside.text("victim") == "precious")
    #expect(outside.text("second") == "precious")
    #expect(place.files == ["file", "hard"])
  }
}

@Suite("Ranges", .serialized, .enabled(if: NginxServer.isAvailable, "needs nginx"), .timeLimit(.minutes(10)))
struct RangedDownloadTests {
  /// Some 5 MB, each part of them another.
  private static let lines = Data((0..<400_000).map { "line \($0)\n" }.joined().utf8)

  private func nginx(_ path: String) throws -> String {
    let nginx = try NginxServer.shared.get()
    let file = "\(nginx.folder.path)/files/lines.txt"
    if !FileManager.default.fileExists(atPath: file) { try Self.lines.write(to: URL(fileURLWithPath: file)) }
    return "http://127.0.0.1:\(nginx.port(.plain))\(path)/lines.txt"
  }

  @Test("Over several connections", arguments: ["", "/few", "/whole"])
  func parallel(_ path: String) async throws {
    let place = try Workplace()
    defer { place.folder.remove() }
    let outcome = try await place.run(try nginx(path), place.plan { $0.parallel = 4 })
    #expect(outcome.error == nil)
    #expect(place.content() == Self.lines)
    #expect(outcome.file?.pieces ?? 0 > 2 || path == "/whole")
    #expect(place.files == ["file"])
    #expect(place.meter.value == Int64(Self.lines.count))
    guard case .success(let answer) = outcome.result else { return }
    #expect(answer.head.status == 200)
    #expect(answer.head.headers.first("Content-Length") == String(Self.lines.count))
  }

  @Test("Cut short, and gone on with by the next run", arguments: [(1, 1), (3, 3), (1, 3), (3, 1)])
  func resumed(_ connections: (before: Int, after: Int)) async throws {
    let place = try Workplace()
    defer { place.folder.remove() }
    let url = try nginx("/rated")
    let plan = place.plan { $0.parallel = connections.before }
    let run = Task { try await place.run(url, plan, rate: "600k") }
    while place.meter.value < 500_000 { try await Task.sleep(for: .milliseconds(5)) }
    run.cancel()
    let cut = try await run.value
    #expect(cut.error?.kind == .cancelled)
    #expect(cut.error?.message.contains("are kept, and the next run goes on from there") == true)
    #expect(place.files == ["file.reqrun-journal", "file.reqrun-part"])
    let rest = try await place.run(url, place.plan { $0.parallel = connections.after })
    #expect(rest.file?.resumedBytes ?? 0 >= 500_000)
    #expect(place.content() == Self.lines)
    #expect(place.files == ["file"])
    #expect(place.meter.value == Int64(Self.lines.count))
  }

  @Test("A deadline holds for all connections together, and what came is kept")
  func deadline() async throws {
    let place = try Workplace()
    defer { place.folder.remove() }
    let timeouts = ExchangeTimeouts(resource: .seconds(3))
    let outcome = try await place.run(
      try nginx("/rated"), place.plan { $0.parallel = 2 }, rate: "600k", timeouts: timeouts)
    #expect(outcome.error?.kind == .timeout(.resource))
    #expect(outcome.error?.message.contains("3s") == true)
    #expect(place.files == ["file.reqrun-journal", "file.reqrun-part"])
  }

  @Test("A file that changes between its pieces is begun anew")
  func changed() async throws {
    let count = 4 << 20
    let server = try FaultServer.start(
      """
      /a 1
      send "HTTP/1.1 206 Partial Content\\r\\nETag: \\"1\\"\\r\\nContent-Length: \(count)\\r\\n"
      send "Content-Range: bytes 0-\(count - 1)/\(count)\\r\\n\\r\\n"
      repeat 1000 "a"
      wait 100ms
      repeat \(count - 1000) "a"
      /a
      send "HTTP/1.1 200 OK\\r\\nETag: \\"2\\"\\r\\nContent-Length: \(count)\\r\\n\\r\\n"
      repeat \(count) "b"
      """)
    defer { server.stop() }
    let place = try Workplace()
    defer { place.folder.remove() }
    let outcome = try await place.run(server.address + "/a", place.plan { $0.parallel = 2 })
    #expect(outcome.file?.restartReason == "the file changed while it was downloaded")
    #expect(place.content() == Data(repeating: UInt8(ascii: "b"), count: count))
    #expect(server.requests.contains { $0.header("If-Range") == "\"1\"" })
    #expect(server.requests.last?.header("Range") == nil)
  }

  @Test("A process that is killed leaves what the next one goes on with")
  func killed() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let spec = """
      url: \(try nginx("/rated"))
      download: {to: out/lines.txt, length: \(Self.lines.count)}
      expect: {status: 200, bytes: {count: \(Self.lines.count)}}
      """
    try folder.write(["spec.yaml": spec, "slow.yaml": spec + "\nheaders: {X-Rate: 600k}\n"])
    let program = try builtExecutable("reqrun")
    let process = try ServerProcess(
      ["/bin/sh", "-c", "cd '\(folder.path)' && exec '\(program)' slow.yaml"], in: TemporaryFolder())
    let deadline = ContinuousClock.now + .seconds(120)
    while folder.text("out/lines.txt.reqrun-journal") == nil, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
    process.stop()
    #expect(folder.text("out/lines.txt") == nil)
    let result = try await ProcessRun(program, ["-v", "spec.yaml"], in: folder.path).run()
    let output = String(decoding: result.output + result.errorOutput, as: UTF8.self)
    #expect(result.ending == .exited(0), "\(output)")
    #expect(output.contains("resumed at "), "\(output)")
    #expect(output.contains("> If-Range: "), "\(output)")
    #expect(FileManager.default.contents(atPath: "\(folder.path)/out/lines.txt") == Self.lines)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out") == ["lines.txt"])
  }
}
