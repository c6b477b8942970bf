import Foundation
import ReqrunConverters
import ReqrunKit
import TestSupport
import Testing

/// Specs that are exported to another tool and imported again send the same requests.
@Suite("Specs that are exported and imported again", .timeLimit(.minutes(10)))
struct RoundTripTests {
  private static let files = [
    "04-bodies", "07-captures", "23-users", "29-files-and-forms", "39-flows", "40-reuse",
  ]

  private static let joined = "a path that only a run knows is put behind the base with a slash"

  /// The requests that come back as others, by kind, with the reason; those that an export leaves out are told by it.
  private static let unlike: [String: [String: String]] = [
    "curl": [
      "compressed, with the digest of what is sent": "the body is the output of gzip",
      "a file is compressed while it is sent, in chunks": "the body is the output of pigz",
      "bytes": "the body is the output of base64",
      "reads its own capture": "the URL has the capture encoded by a function, which an archive can't compute",
    ],
    "hurl": ["a form with files": "Hurl has no name for a file but its own"],
    "http": ["a file whose templates are filled in": "HTTP clients fill in {{ … }} wherever it stands"],
    "har": [
      "they are variables from here on": joined, "read it back": joined, "no change, nothing sent": joined,
      "a change that came too late": joined, "delete the user": joined,
    ],
    "postman": [
      "a form with files": "Postman has no name for a file but its own",
      "a file whose templates are filled in": "Postman fills in {{ … }} wherever it stands",
    ],
  ]

  @Test("send the same requests")
  func sendTheSame() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let examples = Repository.root.appendingPathComponent("Examples").path
    let specs = Self.files.map { SpecSource.path("\(examples)/\($0).yaml") }
    let original = try await requests(of: specs, to: folder.path + "/original")
    for (name, unlike) in Self.unlike {
      let kind = try #require(ExportKind.all.first { $0.name == name })
      let exported = await Runner(specs: specs).export(kind, to: "\(folder.path)/\(name)")
      // 1: requests are left out.
      try #require(exported.exitCode <= 1, "\(name): \(exported.diagnostics)")
      var options = ImportOptions()
      options.kind = ImportKind.all.first { $0.name == name }
      options.paths = ["\(folder.path)/\(name)"]
      options.directory = "\(folder.path)/\(name)-specs"
      let imported = await Runner.importSpecs(options)
      try #require(imported.exitCode == 0, "\(name): \(imported.diagnostics)")
      let back = try await requests(of: [.path("\(folder.path)/\(name)-specs")], to: "\(folder.path)/\(name)-back")
      var known = Dictionary(back.map { ($0.request, 1) }, uniquingKeysWith: +)
      var missing: Set<String> = []
      for (label, request) in original {
        if let count = known[request], count > 0 { known[request] = count - 1 } else { missing.insert(label) }
      }
      let remarks = exported.remarks.filter { $0.contains(": left out: ") }
      missing = missing.filter { label in !remarks.contains { $0.contains(": \(label): ") } }
      let others = known.filter { $0.value > 0 }.keys.sorted()
      #expect(missing.sorted() == unlike.keys.sorted(), "\(name): \(others)")
    }
  }

  /// The requests of specs as an archive has them, with their labels.
  private func requests(
    of specs: [SpecSource], to directory: String
  ) async throws -> [(label: String, request: String)] {
    let result = await Runner(specs: specs).export(.har, to: directory)
    try #require(result.exitCode <= 1, "\(result.diagnostics)")
    return try result.files.filter { $0.hasSuffix(".har") }.flatMap { file in
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      let root = try #require(JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
      let entries = try #require(root["log"]?["entries"] as? [[String: Any]])
      return try entries.map { entry in
        let request = try #require(entry["request"] as? [String: Any])
        return (entry["comment"] as? String ?? "", Self.canonical(request, in: directory))
      }
    }
  }

  /// A request in a form in which equal requests are equal, whatever random values they have.
  private static func canonical(_ request: [String: Any], in directory: String) -> String {
    let headers = (request["headers"] as? [[String: String]] ?? []).map { header in
      "\(header["name"]?.lowercased() ?? ""): \(header["value"] ?? "")"
    }
    let body = request["postData"] as? [String: Any] ?? [:]
    var lines = ["\(request["method"] ?? "") \(request["url"] ?? "")"] + headers.sorted()
    var text = body["text"] as? String ?? ""
    if let file = (body["comment"] as? String)?.dropFirst("the file ".count) {
      text = (try? String(contentsOfFile: "\(directory)/\(file)", encoding: .isoLatin1)) ?? ""
    } else if body["encoding"] != nil {
      text = Data(base64Encoded: text).flatMap { String(data: $0, encoding: .isoLatin1) } ?? ""
    }
    let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    let sorted = value.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
    lines.append(sorted.map { String(decoding: $0, as: UTF8.self) } ?? text)
    for part in body["params"] as? [[String: String]] ?? [] {
      lines.append(part.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
    }
    let random = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|form-boundary\S*/
    return lines.joined(separator: "\n").replacing(random, with: "…")
  }
}
