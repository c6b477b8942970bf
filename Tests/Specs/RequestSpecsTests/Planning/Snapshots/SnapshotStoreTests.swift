import DocumentQueries
import RequestSpecs
import TestSupport
import Testing
import Values

@Suite struct SnapshotStoreTests {
  private let temporary: TemporaryFolder
  private let folder: SnapshotFolder
  private let name: SnapshotName

  init() throws {
    temporary = try TemporaryFolder()
    folder = SnapshotFolder(path: temporary.path, spec: "users.yaml")
    name = try #require(SnapshotName("one"))
  }

  private func json(_ text: String, ignoring paths: [String] = [], secret: String? = nil) throws -> SnapshotBody {
    try SnapshotBody(json: JSONDocument(parsing: text), ignoring: paths.map { try JSONPath($0) }) { value in
      guard let secret else { return value }
      return marked(value, secret)
    }
  }

  private func store(_ body: SnapshotBody, ignoring paths: [String] = []) throws -> SnapshotStore.Outcome {
    let store = SnapshotStore(updates: true)
    return store.check(
      body, as: name, in: folder, ignoring: try paths.map { try JSONPath($0) }, isGood: true, request: 1)
  }

  private func compare(_ body: SnapshotBody, ignoring paths: [String] = []) throws -> SnapshotStore.Outcome {
    let store = SnapshotStore(updates: false)
    return store.check(
      body, as: name, in: folder, ignoring: try paths.map { try JSONPath($0) }, isGood: true, request: 1)
  }

  @Test("JSON is stored with sorted members, indented, its numbers as they came")
  func canonicalForm() throws {
    defer { temporary.remove() }
    guard case .stored(let change) = try store(json(#"{"b": 0.10, "a": [1e400, {}], "a": "twice"}"#)) else {
      Issue.record("it was not stored")
      return
    }
    #expect(change.kind == .written)
    #expect(change.path == "__snapshots__/users.yaml/one.json")
    #expect(
      temporary.text("one.json") == """
        {
          "a": [
            1e400,
            {}
          ],
          "a": "twice",
          "b": 0.10
        }

        """)
  }

  static let comparisons: [(name: String, stored: String, actual: String, ignored: [String], isSame: Bool)] = [
    ("another order and white space", #"{"a":1,"b":[2]}"#, #"{ "b": [2], "a": 1.0 }"#, [], true),
    ("another value", #"{"a":1}"#, #"{"a":2}"#, [], false),
    ("a number and its text", #"{"a":1}"#, #"{"a":"1"}"#, [], false),
    ("an item more", "[1]", "[1,2]", [], false),
    ("an ignored value", #"{"id":1,"a":2}"#, #"{"id":9,"a":2}"#, ["$.id"], true),
    ("an ignored member of another type", #"{"id":1,"a":2}"#, #"{"id":{"x":[]},"a":2}"#, ["$.id"], true),
    ("an ignored member that is missing now", #"{"id":1,"a":2}"#, #"{"a":2}"#, ["$.id"], true),
    ("an ignored member that was missing", #"{"a":2}"#, #"{"id":1,"a":2}"#, ["$.id"], true),
    ("beside an ignored member", #"{"id":1,"a":2}"#, #"{"id":1,"a":3}"#, ["$.id"], false),
    ("ignored members of each item", #"[{"id":1,"n":1}]"#, #"[{"id":2,"n":1}]"#, ["$[*].id"], true),
    ("ignored items", "[1,2]", "[3,4]", ["$[*]"], true),
    ("the count of ignored items", "[1,2]", "[3,4,5]", ["$[*]"], false),
    (
      "by a filter on what is ignored itself", #"[{"id":7,"n":1}]"#, #"[{"id":8,"n":1}]"#,
      ["$[?@.id > 5].id"], true
    ),
    ("names like the mark", #"{"<ignored>":1,"b":2}"#, #"{"<ignored>":2,"b":2}"#, ["$.b"], false),
    ("a member twice", #"{"a":1,"a":2}"#, #"{"a":1,"a":3}"#, [], false),
    ("descendants", #"{"x":{"at":1},"at":2}"#, #"{"x":{"at":3},"at":4}"#, ["$..at"], true),
  ]

  @Test("JSON compares by what it means", arguments: comparisons)
  func comparison(_ name: String, _ stored: String, _ actual: String, _ ignored: [String], _ isSame: Bool) throws {
    defer { temporary.remove() }
    _ = try store(json(stored, ignoring: ignored), ignoring: ignored)
    switch try compare(json(actual, ignoring: ignored), ignoring: ignored) {
    case .same: #expect(isSame)
    case .failed: #expect(!isSame)
    case .stored: Issue.record("nothing may be stored")
    }
  }

  @Test("What is ignored is stored as a mark")
  func marks() throws {
    defer { temporary.remove() }
    _ = try store(json(#"{"id":7,"items":[1,2]}"#, ignoring: ["$.id", "$.items[0]"]))
    #expect(
      temporary.text("one.json") == """
        {
          "id": "<ignored>",
          "items": [
            "<ignored>",
            2
          ]
        }

        """)
  }

  @Test("A real text that reads like the mark is compared while nothing is ignored")
  func markAsText() throws {
    defer { temporary.remove() }
    _ = try store(json(#"{"a":"<ignored>"}"#))
    guard case .failed = try compare(json(#"{"a":1}"#)) else {
      Issue.record("it passed")
      return
    }
  }

  @Test("Secrets are stored masked, and compare masked")
  func secrets() throws {
    defer { temporary.remove() }
    _ = try store(json(#"{"token":"abcdef!","pin":123456}"#, secret: "abcdef"))
    #expect(temporary.text("one.json")?.contains("abcdef") == false)
    #expect(temporary.text("one.json")?.contains(#""token": "***!""#) == true)
    guard case .same = try compare(json(#"{"token":"ghijkl!","pin":123456}"#, secret: "ghijkl")) else {
      Issue.record("another secret of the same place differs")
      return
    }
  }

  @Test("Binary bodies are kept by size and hash")
  func binary() throws {
    defer { temporary.remove() }
    _ = try store(SnapshotBody(binary: [0, 1, 2]))
    #expect(
      temporary.text("one.binary") == """
        size: 3
        sha256: ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05fed121accb85b53fc

        """)
    guard case .same = try compare(SnapshotBody(binary: [0, 1, 2])),
      case .failed(let failures) = try compare(SnapshotBody(binary: [0, 1, 3]))
    else {
      Issue.record("the hash decides")
      return
    }
    #expect(failures.first?.differences.map(\.path) == ["$.sha256"])
  }

  @Test("Another kind replaces the file of the former")
  func anotherKind() throws {
    defer { temporary.remove() }
    _ = try store(SnapshotBody(text: "<p>", kind: .html))
    guard case .failed = try compare(json("[]")), case .stored(let change) = try store(json("[]")) else {
      Issue.record("JSON is not HTML")
      return
    }
    #expect(change.kind == .updated)
    #expect(temporary.text("one.html") == nil)
    #expect(temporary.text("one.json") == "[]\n")
  }

  @Test("Within a run the first body of a name is stored, another one fails")
  func twice() throws {
    defer { temporary.remove() }
    let store = SnapshotStore(updates: true)
    func check(_ text: String) throws -> SnapshotStore.Outcome {
      store.check(try json(text), as: name, in: folder, ignoring: [], isGood: true, request: 1)
    }
    guard case .stored = try check("[1]"), case .same = try check("[1]"), case .failed(let failures) = try check("[2]")
    else {
      Issue.record("the first one counts")
      return
    }
    #expect(failures.first?.hint?.contains("this run has stored another body") == true)
    #expect(temporary.text("one.json") == "[\n  1\n]\n")
  }

  @Test("A body of a request that fails otherwise is not stored")
  func notGood() throws {
    defer { temporary.remove() }
    let store = SnapshotStore(updates: true)
    guard case .failed = store.check(try json("[1]"), as: name, in: folder, ignoring: [], isGood: false, request: 1)
    else {
      Issue.record("it was stored")
      return
    }
    #expect(temporary.text("one.json") == nil)
  }

  @Test("Indentation cannot make a file without end")
  func indentation() throws {
    defer { temporary.remove() }
    let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    let body = try json("[" + Array(repeating: deep, count: 100).joined(separator: ",") + "]")
    guard case .failed(let failures) = try store(body) else {
      Issue.record("it was stored")
      return
    }
    #expect(failures.first?.actual.string.contains("more than the 16 MiB") == true)
  }

  @Test("Unused files are those of our kinds and of no name")
  func unused() throws {
    defer { temporary.remove() }
    for file in ["one.json", "two.txt", "three.html", "Three.html", "thr ee.txt", "notes.md", "README"] {
      try temporary.write([file: "x"])
    }
    let other = try #require(SnapshotName("two"))
    #expect(folder.files(except: [name, other]) == ["three.html"])
    folder.remove(["three.html"])
    #expect(folder.files(except: [name, other]).isEmpty)
  }
}

/// The value with a part of its texts marked as secret.
private func marked(_ value: Value, _ secret: String) -> Value {
  switch value {
  case .text(let text):
    let ranges = text.string.ranges(of: secret).map { range in
      let utf8 = text.string.utf8
      return utf8.distance(
        from: utf8.startIndex, to: range.lowerBound)..<utf8.distance(from: utf8.startIndex, to: range.upperBound)
    }
    return .text(Text(text.string, secretRanges: ranges))
  case .list(let items): return .list(items.map { marked($0, secret) })
  case .mapping(let mapping):
    return .mapping(Mapping(mapping.members.map { Mapping.Member(key: $0.key, value: marked($0.value, secret)) }))
  default: return value
  }
}
