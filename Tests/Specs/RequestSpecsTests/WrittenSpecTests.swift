import Foundation
import RequestSpecs
import TestSupport
import Testing
import Values
import YAMLNodes

struct WrittenSpecTests {
  @Test func aSpecMadeInMemory() throws {
    var bag = DiagnosticBag()
    let root = YAMLNode.mapping([
      (
        "requests",
        .list([
          .mapping([
            ("expect", .mapping([("status", .number("201"))])), ("url", .text("${{ host }}/users")),
            ("name", .text("create")),
            ("json", .mapping([("name", .text("Ann")), ("id", .text("1")), ("bio", .text("one\ntwo\n"))])),
          ]),
          .mapping([("url", .text("http://h/?a=1#b"))]),
        ])
      ), ("variables", .mapping([("host", .text("http://h"))])),
    ])
    let written = try #require(SpecFile.written(root, path: "made.yaml", into: &bag))
    #expect(bag.diagnostics.map(\.message) == [])
    #expect(
      String(decoding: written.text, as: UTF8.self) == """
        variables:
          host: http://h
        requests:
          - name: create
            url: ${{ host }}/users
            json:
              name: Ann
              id: "1"
              bio: |
                one
                two
            expect:
              status: 201

          - url: http://h/?a=1#b

        """)
    #expect(written.file.requests.count == 2)
  }

  @Test func whatNoFileMayHoldIsAnError() {
    var bag = DiagnosticBag()
    #expect(
      SpecFile.written(.mapping([("url", .text("http://h")), ("ulr", .null)]), path: "a.yaml", into: &bag) == nil)
    #expect(bag.hasErrors)
  }

  /// All specs of the examples and the cases that can be read: written, they are the same but for the order of keys.
  @Test func specsReadBackEqual() throws {
    var count = 0
    for (path, bytes) in Repository.yamlFiles(in: ["Examples", "Tests/Products/EndToEndTests/Cases"]) {
      var bag = DiagnosticBag()
      let loaded = LoadedFile.read(bytes: bytes, path: path, asProject: false, into: &bag)
      guard case .spec? = loaded, !bag.hasErrors else { continue }
      let (source, node) = YAMLReader.read(bytes: bytes, name: path, into: &bag)
      guard let node else { continue }
      count += 1
      let written = SpecFile.written(node, path: path, into: &bag)
      #expect(bag.diagnostics.filter { $0.severity == .error }.map(\.message) == [], "\(path)")
      let again = YAMLReader.read(bytes: written?.text ?? [], name: path, into: &bag)
      #expect(again.root?.sorted.isSame(as: node.sorted) == true, "\(path)")
      withExtendedLifetime((source, again)) {}
    }
    #expect(count > 300)
  }
}

extension YAMLNode {
  /// The same with all keys in alphabetical order.
  fileprivate var sorted: YAMLNode {
    let sortedContent: Content =
      switch content {
      case .scalar: content
      case .sequence(let items): .sequence(items.map(\.sorted))
      case .mapping(let members):
        .mapping(
          members.map { YAMLMember(key: $0.key, keyRange: $0.keyRange, value: $0.value.sorted) }.sorted {
            $0.key < $1.key
          })
      }
    return YAMLNode(content: sortedContent, range: range, localTag: localTag, hasMapTag: hasMapTag)
  }
}
