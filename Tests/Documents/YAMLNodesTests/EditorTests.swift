import TestSupport
import Testing
import Values
import YAMLNodes

struct EditorTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let edit: @Sendable (inout YAMLEditor) throws -> Void
    let result: String

    init(
      _ name: String, _ text: String, _ result: String, _ edit: @escaping @Sendable (inout YAMLEditor) throws -> Void
    ) {
      (self.name, self.text, self.result, self.edit) = (name, text, result, edit)
    }

    var testDescription: String { name }
  }

  static let block =
    "# top\na: 1   # one\n\nb:  # two\n    - x: 1 # x\n      y: 2\n    # last\n    - z\nc: {d: [1, 2]} # three\n"

  static let examples = [
    Example("a scalar", block, block.replacing("a: 1 ", with: "a: no one ")) { try $0.set(.text("no one"), at: ["a"]) },
    Example("quotes where they are needed", block, block.replacing("a: 1 ", with: "a: \"no\" ")) {
      try $0.set(.text("no"), at: ["a"])
    },
    Example("a mapping for a scalar", block, block.replacing("a: 1 ", with: "a:\n  e: true\n  f:\n    - null ")) {
      try $0.set(.mapping([("e", .bool(true)), ("f", .list([.null]))]), at: ["a"])
    },
    Example("lines where no comment follows", block, block.replacing("- z\n", with: "- |\n      p\n      q\n")) {
      try $0.set(.text("p\nq\n"), at: ["b", 1])
    },
    Example("no lines where a comment follows", block, block.replacing("a: 1 ", with: "a: \"p\\nq\" ")) {
      try $0.set(.text("p\nq"), at: ["a"])
    },
    Example("a value below a comment", block, "# top\na: 1   # one\n\nb:  # two\n    [3]\nc: {d: [1, 2]} # three\n") {
      try $0.set(.list([.number("3")]), at: ["b"])
    },
    Example("in brackets", block, block.replacing("[1, 2]", with: "[1, \"a, b\"]")) {
      try $0.set(.text("a, b"), at: ["c", "d", 1])
    },
    Example("a new key", block, block.replacing("y: 2\n", with: "y: 2\n      w: v\n")) {
      try $0.set(.text("v"), at: ["b", 0, "w"])
    },
    Example("a new key in braces", block, block.replacing("[1, 2]}", with: "[1, 2], e: {}}")) {
      try $0.set(.mapping([]), at: ["c", "e"])
    },
    Example("a first key", "a: {}\n", "a: {b: 1}\n") { try $0.set(.number("1"), at: ["a", "b"]) },
    Example("a new key at the end", "a: 1", "a: 1\nb: 2") { try $0.set(.number("2"), at: ["b"]) },
    Example("a tag goes with its value", "a: !!str 1 # c\n", "a: true # c\n") { try $0.set(.bool(true), at: ["a"]) },
    Example("an item before another", block, block.replacing("    # last\n", with: "    - v\n    # last\n")) {
      try $0.insert(.text("v"), at: ["b", 1])
    },
    Example("an item first", block, block.replacing("- x: 1", with: "- k: 0\n    - x: 1")) {
      try $0.insert(.mapping([("k", .number("0"))]), at: ["b", 0])
    },
    Example("an item last", block, block.replacing("- z\n", with: "- z\n    - v\n")) {
      try $0.insert(.text("v"), at: ["b", 2])
    },
    Example("items in brackets", block, block.replacing("[1, 2]", with: "[0, 1, 2, 3]")) {
      try $0.insert(.number("0"), at: ["c", "d", 0])
      try $0.insert(.number("3"), at: ["c", "d", 3])
    },
    Example("remove a key", block, block.replacing("a: 1   # one\n", with: "")) { try $0.remove(at: ["a"]) },
    Example("remove a key with all below it", block, "# top\na: 1   # one\n\nc: {d: [1, 2]} # three\n") {
      try $0.remove(at: ["b"])
    },
    Example("remove the first key of an item", block, block.replacing("x: 1 # x\n      y", with: "y")) {
      try $0.remove(at: ["b", 0, "x"])
    },
    Example("remove an item", block, block.replacing("    - z\n", with: "")) { try $0.remove(at: ["b", 1]) },
    Example("remove in brackets", block, block.replacing("[1, 2]", with: "[2]")) { try $0.remove(at: ["c", "d", 0]) },
    Example("remove the only one", block, block.replacing("{d: [1, 2]}", with: "{}")) {
      try $0.remove(at: ["c", "d"])
    },
    Example("rename", block, block.replacing("b:", with: "\"on\":")) { try $0.rename(["b"], to: "on") },
    Example("CRLF stays", "a: 1\r\nb: 2\r\n", "a: 3\r\nb: 2\r\n") { try $0.set(.number("3"), at: ["a"]) },
  ]

  private func editor(_ text: String) throws -> YAMLEditor {
    var bag = DiagnosticBag()
    return try #require(YAMLEditor(bytes: Array(text.utf8), name: "a.yaml", into: &bag))
  }

  @Test(arguments: examples)
  func edits(example: Example) throws {
    var editor = try editor(example.text)
    try example.edit(&editor)
    #expect(String(decoding: editor.utf8, as: UTF8.self) == example.result)
  }

  @Test func whatIsNotThereIsRefused() throws {
    let text = "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n"
    var editor = try editor(text)
    #expect(throws: YAMLEditor.Problem.self) { try editor.set(.null, at: ["n", "m"]) }
    #expect(throws: YAMLEditor.Problem.self) { try editor.set(.null, at: ["c", "b"]) }
    #expect(throws: YAMLEditor.Problem.self) { try editor.set(.null, at: ["d", "b"]) }
    #expect(throws: YAMLEditor.Problem.self) { try editor.remove(at: ["a"]) }
    #expect(throws: YAMLEditor.Problem.self) { try editor.insert(.null, at: ["a", 0]) }
    #expect(throws: YAMLEditor.Problem.self) { try editor.rename(["a"], to: "c") }
    #expect(String(decoding: editor.utf8, as: UTF8.self) == text)
  }

  /// Each value of each file set to another and back, where both can be said, changes its own bytes alone.
  @Test func everyScalarOfTheFilesCanBeSet() throws {
    var count = 0
    for (path, bytes) in Repository.yamlFiles() where bytes.count < 1000 {
      var bag = DiagnosticBag()
      guard let first = YAMLEditor(bytes: bytes, name: path, into: &bag) else { continue }
      let (source, root) = YAMLReader.read(bytes: bytes, name: path, into: &bag)
      let lines = Set(first.utf8.split(separator: 0x0A))
      for path in scalarPaths(root, []) {
        var editor = first
        do throws(YAMLEditor.Problem) {
          try editor.set(.text("set"), at: path)
        } catch {
          continue
        }
        count += 1
        let changed = editor.utf8.split(separator: 0x0A)
        #expect(
          changed.prefix { lines.contains($0) }.count + changed.reversed().prefix { lines.contains($0) }.count
            >= changed.count - 1)
      }
      withExtendedLifetime(source) {}
    }
    #expect(count > 1000)
  }

  private func scalarPaths(_ node: YAMLNode?, _ path: [YAMLEditor.Step]) -> [[YAMLEditor.Step]] {
    guard let node, node.useSite == nil else { return [] }
    if node.scalar != nil { return path.isEmpty ? [] : [path] }
    if let items = node.items { return items.enumerated().flatMap { scalarPaths($1, path + [.item($0)]) } }
    return node.members?.flatMap { scalarPaths($0.value, path + [.key($0.key)]) } ?? []
  }
}
