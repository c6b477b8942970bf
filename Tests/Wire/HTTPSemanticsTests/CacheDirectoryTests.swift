import Cryptography
import Foundation
import HTTPSemantics
import TestSupport
import Testing

@Suite("Cache on disk")
struct CacheDirectoryTests {
  private func answer(_ body: String = "body\n\nwith lines") -> ScriptedTransport.Response {
    ScriptedTransport.Response(
      headers: [("Cache-Control", "max-age=10"), ("X-Odd", " a: b "), ("ETag", "\"x\"")], body: Array(body.utf8),
      trailers: [("X-End", "1")])
  }

  private func bench(_ path: String, limits: ExchangeCache.Limits = .init()) -> CacheBench {
    let answer = answer()
    return CacheBench(limits: limits, directory: CacheDirectory(path)) { _, _ in answer }
  }

  private func files(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test("Responses outlive the cache, and say nothing of the request")
  func survives() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let address = "http://h.example/?token=verysecret"
    let credentials = [("Authorization", "Bearer verysecret"), ("Cookie", "sid=verysecret")]
    #expect(try await bench(folder.path).send(.get, address, credentials).outcome == .miss(isStored: true))
    let again = bench(folder.path)
    let found = try await again.send(.get, address, credentials)
    #expect(found.outcome == .hit)
    #expect(found.sink.text == "body\n\nwith lines")
    #expect(found.sink.head?.headers.first("X-Odd") == " a: b ")
    #expect(found.sink.trailers.map { $0.first("X-End") } == ["1"])
    #expect(try await again.send(.get, address).outcome?.word == .miss)
    for name in try files(folder.path) {
      let content = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
      #expect(!(name + content).contains("verysecret"))
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("What was forgotten is gone from the disk")
  func removed() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let first = bench(folder.path)
    try await first.send()
    #expect(try files(folder.path).count == 1)
    try await first.send(.post)
    #expect(try files(folder.path).isEmpty)
  }

  @Test("Broken files are passed over", arguments: ["", "cut", "flipped", "renamed", "other version"])
  func broken(_ damage: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await bench(folder.path).send()
    let name = try #require(try files(folder.path).first)
    let path = folder.path + "/" + name
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    switch damage {
    case "": data = Data()
    case "cut": data = data.dropLast()
    case "flipped": data[data.count - 1] ^= 1
    case "renamed":
      try FileManager.default.removeItem(atPath: path)
      try data.write(to: URL(fileURLWithPath: folder.path + "/" + String(repeating: "0", count: 65) + ".cache"))
    default:
      data = Data(String(decoding: data, as: UTF8.self).replacingOccurrences(of: "cache 1", with: "cache 2").utf8)
    }
    if damage != "renamed" { try data.write(to: URL(fileURLWithPath: path)) }
    #expect(try await bench(folder.path).send().outcome?.word == .miss)
  }

  @Test("What is there already keeps within the room")
  func boundedAtStart() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let large = bench(folder.path)
    for path in 0..<20 { try await large.send(.get, "http://h.example/\(path)") }
    #expect(try files(folder.path).count == 20)
    _ = bench(folder.path, limits: .init(entry: 2000, total: 2000))
    #expect(try files(folder.path).count < 8)
  }

  @Test(
    "A response of times or a status that nobody has is passed over",
    arguments: [
      ("received [0-9]+ ", "received 9223372036854775807 "), ("requested [0-9]+ ", "requested -9223372036854775808 "),
      ("status 200", "status 7"),
    ])
  func forged(_ pattern: String, _ replacement: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await bench(folder.path).send()
    let path = folder.path + "/" + (try #require(try files(folder.path).first))
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    func forge(_ rest: String) throws {
      let sum = DigestAlgorithm.sha256.digest(of: rest).map { String(format: "%02x", $0) }.joined()
      try "\(lines[0])\n\(sum)\n\(rest)".write(toFile: path, atomically: true, encoding: .utf8)
    }
    try forge(String(lines[2]))
    #expect(try await bench(folder.path).send().outcome == .hit)
    let forged = lines[2].replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
    #expect(forged != lines[2])
    try forge(forged)
    #expect(try await bench(folder.path).send().outcome?.word == .miss)
  }

  @Test("Neither a pipe nor a link in the directory leads astray")
  func traps() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await bench(folder.path).send()
    let name = try #require(try files(folder.path).first)
    try FileManager.default.removeItem(atPath: folder.path + "/" + name)
    // Nobody will ever write to it.
    #expect(mkfifo(folder.path + "/pipe.cache", 0o600) == 0)
    let victim = folder.path + "/victim"
    try "untouched".write(toFile: victim, atomically: true, encoding: .utf8)
    let link = "\(name).1.part"
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(link)", withDestinationPath: victim)
    try await bench(folder.path).send()
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "untouched")
    #expect(try files(folder.path) == [name, link, "pipe.cache", "victim"])
  }

  @Test("What killed processes left goes after a day, and nothing else does")
  func leftovers() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let names = ["a-b.cache.123.part", "a-b.cache.part", "a-b.cache.x.part", "notes.123.part", "young.cache.5.part"]
    for name in names {
      let path = folder.path + "/" + name
      try "x".write(toFile: path, atomically: true, encoding: .utf8)
      let age: TimeInterval = name.hasPrefix("young") ? 80_000 : 90_000
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
    }
    _ = bench(folder.path)
    #expect(try files(folder.path) == names.dropFirst().sorted())
  }

  @Test("The room on disk is bounded")
  func bounded() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let bench = bench(folder.path, limits: .init(entry: 2000, total: 2000))
    for path in 0..<20 { try await bench.send(.get, "http://h.example/\(path)") }
    let count = try files(folder.path).count
    #expect(count > 1 && count < 8)
  }
}
