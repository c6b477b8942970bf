import Testing
import Values

struct NameIndexTests {
  @Test("every name is found at its place, and no other text")
  func places() {
    let names = ["", "a", "b", "ab", "ba", "é", "url", "urn"] + (0..<500).map { "key_\($0)" }
    let index = NameIndex(names)
    #expect(names.map { index[$0] } == Array(names.indices))
    #expect(["c", "aa", "ur", "key_500", "key_", "e"].allSatisfy { index[$0] == nil })
    #expect(NameIndex(["x", "y", "x"])["x"] == 0)
    #expect(NameIndex([])["x"] == nil)
  }
}
