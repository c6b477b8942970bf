import Foundation
import HTTPMessages
import HTTPSemantics
import TestSupport
import Testing

@Suite("Cache on disk")
struct CacheDirectoryTests {
  private func answer(_ body: String = "body\n\nwith lines") -> ScriptedTransport.Answer {
    ScriptedTransport.Answer(
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

  @Test("Answers outlive the cache, and say nothing of the request")
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
