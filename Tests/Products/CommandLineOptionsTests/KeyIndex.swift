import Foundation
import RequestSpecs
import TestSupport
import Testing

/// The index of the format's keys, from the JSON Schema that the tables of keys yield, and the sections of the reference
/// that describe them.
struct KeyIndex {
  /// The sections of the pages, such as `Connections#OAuth-2`, with their text.
  private let sections: [String: String]
  /// The places of each key, such as `auth.oauth2`, and its meaning there.
  private var places: [String: [String: String]] = [:]
  private let definitions: [String: Any]

  /// The sections on the keys of a place and of those below it; a key of a request is where its table has it.
  private static let described = [
    "file": "SpecFiles#A-file", "project_file": "SpecFiles#A-file", "environments": "SpecFiles#Environments",
    "flow": "Collections#Flows", "use": "Collections#Files-used-as-steps", "needs": "Collections#Needs",
    "each": "Collections#Rows", "predicate_mapping": "Predicates#All-predicates",
    "close_to": "Predicates#All-predicates",
    "expected_mapping": "Expectations#expect", "expect": "Expectations#expect",
    "expect.snapshot": "Schemas#Snapshots", "schema": "Schemas#JSON-Schema", "openapi": "Schemas#OpenAPI-contracts",
    "capture": "CapturesAndTemplates#capture", "auth": "Connections#Credentials", "auth.oauth2": "Connections#OAuth-2",
    "tls": "Connections#TLS-and-proxies", "proxy": "Connections#TLS-and-proxies",
    "limit_rate": "Connections#Connection-keys", "timeout": "Connections#Connection-keys",
    "body": "Bodies#Files-and-forms", "multipart": "Bodies#Files-and-forms", "digest": "Bodies#Files-and-forms",
    "graphql": "Bodies#Parameters-and-bodies", "encoding": "Bodies#encoding",
    "redirects": "Requests#A-request", "session": "Requests#A-request", "validate": "Requests#A-request",
    "retry": "Requests#Trying-again", "poll": "Requests#Waiting", "download": "FileTransfers#Downloads",
    "upload": "FileTransfers#Uploads", "stream": "FileTransfers#Streams",
    "stream.send": "FileTransfers#WebSockets", "send": "FileTransfers#WebSockets",
    "hls": "FileTransfers#HTTP-Live-Streaming", "mock": "Mocks#Specs",
  ]

  /// The mappings of the format that are not the value of a key.
  private static let mappings = [
    "file": "a file", "project_file": "`reqrun.yaml`", "flow": "a flow", "use": "a step with `use`",
    "request": "a request", "predicate_mapping": "predicates", "expected_mapping": "beside predicates",
  ]

  init(of pages: URL) throws {
    var sections: [String: String] = [:]
    for name in Set(Self.described.values.compactMap { $0.split(separator: "#").first }) {
      let text = try String(contentsOf: pages.appendingPathComponent("\(name).md"), encoding: .utf8)
      for section in text.components(separatedBy: "\n## ").dropFirst() {
        let title = section.prefix { $0 != "\n" }.replacing(" ", with: "-")
        sections["\(name)#\(title)"] = section
      }
    }
    self.sections = sections
    let schema = try JSONSerialization.jsonObject(with: Data(FormatSchema.text.utf8)) as? [String: Any]
    definitions = try #require(schema?["definitions"] as? [String: Any])
    for mapping in Self.mappings.keys { collect(definitions[mapping], below: mapping) }
    // A schema in `expect` may be a mapping with any keys.
    for row in sections["Schemas#JSON-Schema"]?.matches(of: #/\n\| `(\w+)` \| (.*?) \|/#) ?? [] {
      places[String(row.1), default: [:]]["schema"] = String(row.2)
    }
  }

  private mutating func collect(_ schema: Any?, below place: String) {
    // Requests under `defaults`, responses under `until` and captures under `next` have the keys that they have elsewhere.
    if place.contains(/(^|\.)(defaults|until|fail_if|next)$/), place != "stream.until" { return }
    if let list = schema as? [Any] { return list.forEach { collect($0, below: place) } }
    guard let schema = schema as? [String: Any] else { return }
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init) {
      if name.hasPrefix("request_") { collect(definitions[name], below: place) }
      return
    }
    for (name, part) in schema {
      guard name == "properties", let keys = part as? [String: Any] else {
        collect(part, below: place)
        continue
      }
      for (key, value) in keys {
        places[key, default: [:]][place] = (value as? [String: Any])?["description"] as? String
        collect(value, below: Self.mappings[place] == nil ? "\(place).\(key)" : key)
      }
    }
  }

  /// The rows of the index; a key that no section describes is an error.
  func table() throws -> [[String]] {
    var rows = [["key", "in", "is", "see"]]
    for (key, meanings) in places.sorted(by: { $0.key < $1.key }) {
      // All predicates may stand beside `regex`.
      let isPredicate = meanings["predicate_mapping"] != nil
      let sorted = meanings.keys.filter { !isPredicate || $0 != "expected_mapping" }.sorted()
      let texts = sorted.compactMap { meanings[$0] }
      try #require(texts.count == sorted.count, "`\(key)` has no description")
      let links = try sorted.map { try "<doc:\(section(on: key, in: $0))>" }
      rows.append([
        "`\(key)`", sorted.map { Self.mappings[$0] ?? "`\($0)`" }.joined(separator: ", "),
        texts.enumerated().filter { !texts[..<$0.offset].contains($0.element) }.map(\.element).joined(separator: "; "),
        links.enumerated().filter { !links[..<$0.offset].contains($0.element) }.map(\.element).joined(separator: ", "),
      ])
    }
    return rows
  }

  private func section(on key: String, in place: String) throws -> String {
    if place == "request" {
      let isRow = { (text: String) in
        text.contains("| key of a request |")
          && text.components(separatedBy: "\n").contains { row in
            row.hasPrefix("| `") && row.components(separatedBy: " | ")[0].contains("`\(key)`")
          }
      }
      return try #require(sections.first { isRow($0.value) }?.key, "no table has the key `\(key)` of a request")
    }
    var path = place.split(separator: ".")
    while !path.isEmpty, Self.described[path.joined(separator: ".")] == nil { path.removeLast() }
    let section = try #require(Self.described[path.joined(separator: ".")], "no section is about `\(place)`")
    let words = sections[section]?.split { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? []
    try #require(words.contains { $0 == key }, "\(section) does not mention `\(key)` of `\(place)`")
    return section
  }
}
