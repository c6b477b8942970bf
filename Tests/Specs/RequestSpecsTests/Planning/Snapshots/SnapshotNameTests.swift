import RequestSpecs
import Testing

@Suite struct SnapshotNameTests {
  static let table: [(text: String, name: String?)] = [
    ("get-user", "get-user"),
    ("Get user", "get-user"),
    ("  Get   the user!  ", "get-the-user"),
    ("GET /users/1?page=2", "get-users-1-page-2"),
    ("GET ${{ api }}/users/{id}", "get-api-users-id"),
    ("snake_case v1.2", "snake_case-v1.2"),
    ("../../etc/passwd", "etc-passwd"),
    ("..", nil), (".hidden.", "hidden"), ("🎉 /", nil), ("", nil),
    ("Nutzer löschen", "nutzer-löschen"), ("ユーザーを取得", "ユーザーを取得"), ("हिन्दी", "हिन्दी"),
    ("a\u{0}b\nc\\d:e|f", "a-b-c-d-e-f"),
    ("con.json", "con.json"),
  ]

  @Test("Names become file names", arguments: table)
  func names(_ text: String, _ name: String?) {
    #expect(SnapshotName(text)?.description == name)
  }

  @Test("A name made of a file's name is the same")
  func isStable() throws {
    for text in SnapshotNameTests.table.map(\.text) + [String(repeating: "ab ", count: 90)] {
      guard let name = SnapshotName(text) else { continue }
      #expect(SnapshotName(name.description)?.description == name.description)
    }
  }

  @Test("Long names are cut, and stay apart")
  func long() throws {
    let start = String(repeating: "ä", count: 200)
    let one = try #require(SnapshotName(start + "1"))
    let other = try #require(SnapshotName(start + "2"))
    #expect(one.description.utf8.count <= 100)
    #expect(one != other)
  }

  @Test("Names that some file system takes for one are equal")
  func folding() {
    #expect(SnapshotName("Get User") == SnapshotName("get user"))
    #expect(SnapshotName("caf\u{E9}") == SnapshotName("cafe\u{301}"))
    #expect(SnapshotName("straße") == SnapshotName("STRASSE"))
    #expect(SnapshotName("a b") != SnapshotName("ab"))
  }
}
