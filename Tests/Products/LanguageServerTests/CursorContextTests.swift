import Foundation
import TestSupport
import Testing
import Values
import YAMLNodes

@testable import LanguageServer

@Suite("The context of a cursor, without a tree")
struct CursorContextTests {
  /// `¦` is the cursor. The path is written as `a/-/b`, behind it the kind and the word.
  @Test(
    "Contexts of half-typed texts",
    arguments: [
      ("¦", " key "), ("re¦", " key re"), ("re¦quests:\n", " key requests:"),
      ("requests:\n  ¦", "requests key "), ("requests:\n  - ¦", "requests/- key "),
      ("requests:\n- ¦", "requests/- key "), ("requests:\n- url: a\n  ¦", "requests/- key "),
      ("requests:\n- url: a\n  na¦\n  expect: {}\n", "requests/- key na"),
      ("requests:\n- url: a\n¦", " key "), ("requests:\n  - url: a\n  ¦", "requests key "),
      ("method: ¦", "method value "), ("method: PO¦ST", "method value POST"), ("method:¦", "method text "),
      ("a: {b¦", "a key b"), ("a: {b: ¦}", "a/b value "), ("a: {b: c, ¦}", "a key "),
      ("a: {b: {c: d}, e: ¦", "a/e value "),
      ("a: [¦", "a/- value "), ("a: [{b: c}, {¦", "a/- key "), ("a: {b: c,\n  d¦: e}\n", "a key d:"),
      ("a: {\"b c\": ¦", "a/b c value "), ("a: 'b ¦", "a value b "), ("\"a b\": ¦", "a b value "),
      ("a: |\n  text ¦", "a text "), ("a: |\n  text\nb¦", " key b"), ("a: |\n\n  x\n\nb: ¦", "b value "),
      ("- |\n  x¦", "- text "), ("# comment ¦", " text "), ("a: b # ¦", "a text "), ("a: b#¦", "a value b#"),
      ("a:\n  b: 1\n  ¦", "a key "), ("a:\n  b: 1\n¦", " key "), ("a:\n  b:\n    c: 1\n  d¦", "a key d"),
      ("a: !uu¦", "a value !uu"), ("a: &x {b: ¦", "a/b value "), ("---\na: 1\n---\nb¦", " key b"),
      ("a: \"x: ¦\"", "a value x: "), ("a: x\n  y¦\nb: 1", "a key y"), ("a: {b: \"}\", c¦", "a key c"),
      ("a: {b: 'it''s', c: ¦", "a/c value "), ("url: http://h/¦", "url value http://h/"),
      ("a:\r\n  b: ¦\r\n", "a/b value "), ("é: {ü: ¦", "é/ü value "), ("a: {b}¦", "a text "),
      ("- - a: ¦", "-/-/a value "), ("a: }¦", "a value }"), ("{\"a\"¦: 1}", " key a:"), ("\"a\"¦: 1", " key a:"),
      ("a: ]\nb: ¦", "b value "),
    ])
  func contexts(_ text: String, _ expected: String) {
    let parts = text.components(separatedBy: "¦")
    let utf8 = Array(parts.joined().utf8)
    let context = CursorContext.at(parts[0].utf8.count, in: utf8)
    let path = context.path.map { if case .key(let name) = $0 { name } else { "-" } }.joined(separator: "/")
    let word = String(decoding: utf8[context.word], as: UTF8.self) + (context.hasColon ? ":" : "")
    #expect("\(path) \(context.kind) \(word)" == expected)
  }

  @Test(
    "Every offset of hostile texts has a context",
    arguments: ["{", "[", "\"", "'", "- ", "a: ", "|\n ", "{a: ", "\u{0}"])
  func hostile(_ piece: String) {
    let utf8 = Array(String(repeating: piece, count: 300).utf8)
    for offset in utf8.indices { #expect(CursorContext.at(offset, in: utf8).word.upperBound <= utf8.count) }
  }

  @Test("The context of each key and value of the examples is its place in the tree")
  func examples() throws {
    var count = 0
    for file in exampleFiles() {
      let bytes = Array(try Data(contentsOf: file))
      var bag = DiagnosticBag()
      let root = try #require(YAMLReader.read(bytes: bytes, name: file.path, into: &bag).root)
      compare(root, [], bytes, &count, file.lastPathComponent)
    }
    #expect(count > 3000)
  }

  private func compare(
    _ node: YAMLNode, _ path: [CursorContext.Step], _ utf8: [UInt8], _ count: inout Int, _ file: String
  ) {
    guard node.useSite == nil else { return }
    // Merge keys bring members from elsewhere.
    for member in node.members ?? [] where node.range.bytes.contains(member.keyRange.bytes.lowerBound) {
      let key = CursorContext.at(member.keyRange.bytes.upperBound, in: utf8)
      #expect(key.kind == .key && key.path == path, "\(member.key), \(member.keyRange.bytes), \(file)")
      count += 1
      compare(member.value, path + [.key(member.key)], utf8, &count, file)
    }
    for item in node.items ?? [] { compare(item, path + [.item], utf8, &count, file) }
    guard let scalar = node.scalar, scalar.style == .plain || scalar.style == .doubleQuoted, !node.range.bytes.isEmpty
    else { return }
    let value = CursorContext.at(node.range.bytes.lowerBound + 1, in: utf8)
    #expect(value.path == path && value.kind != .text, "\(scalar.text), \(node.range.bytes), \(file)")
    count += 1
  }
}

/// The specs of `Examples`.
func exampleFiles() -> [URL] {
  Repository.yamlFiles(in: ["Examples"]).map { URL(fileURLWithPath: $0.path) }
    .filter { $0.deletingLastPathComponent().lastPathComponent == "Examples" }
}
