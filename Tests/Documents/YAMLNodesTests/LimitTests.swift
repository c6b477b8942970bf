import Testing
import YAMLNodes

/// What a file may not do to its reader. Unguarded, the readings take hours or do not fit into memory.
@Suite(.timeLimit(.minutes(10)))
struct LimitTests {
  /// Nine levels of ten aliases each: a thousand million nodes.
  @Test(arguments: [9, 30])
  func anAliasBombIsRefused(levels: Int) {
    var yaml = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1...levels {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      yaml += "a\(level): &a\(level) [\(aliases)]\n"
    }
    let reading = YAMLReading(yaml)
    #expect(reading.messages == ["the aliases up to here stand for more than 1000000 nodes"])
    #expect(reading.diagnostics.first?.range?.text == "*a4")
    #expect(reading.root == nil)
  }

  @Test func aBombOfMergeKeysIsRefused() {
    let members = (0..<1000).map { "k\($0): 1" }.joined(separator: ", ")
    let yaml = "a: &a {\(members)}\n" + (0..<2000).map { "m\($0): {<<: *a}\n" }.joined()
    #expect(YAMLReading(yaml).messages == ["the aliases up to here stand for more than 1000000 nodes"])
  }

  @Test(arguments: ["[", "{a: ", "- ", "- - - ", "? ", "[{", "{? "])
  func deepNestingEndsAtOnce(opening: String) {
    let reading = YAMLReading(String(repeating: opening, count: 100_000 / opening.utf8.count))
    #expect(reading.messages == ["nested deeper than 64 levels"])
    #expect(reading.root == nil)
  }

  @Test func sixtyFourLevelsAreRead() {
    let brackets = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(YAMLReading(brackets).json == brackets)
    #expect(YAMLReading("[\(brackets)]").messages == ["nested deeper than 64 levels"])
  }

  @Test func depthIsCountedThroughAliases() {
    let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    let reading = YAMLReading("a: &a \(deep)\nb: &b [[[[[[[[[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]]]]]]]]\nc: [[*b]]\n")
    #expect(reading.messages == ["nested deeper than 64 levels"])
    #expect(reading.diagnostics.first?.range?.text == "*b")
  }

  @Test func aLargeFileWithoutAliasesIsNoBomb() {
    let reading = YAMLReading(String(repeating: "- {a: größe, b: [1, 2, 3]}\n", count: 20_000))
    #expect(reading.messages == [])
    #expect(reading.root?.items?.count == 20_000)
    #expect(reading.root?.items?.last?.members?.first?.value.range.text == "größe")
  }

  @Test func aFileOfMoreThan256MiBIsRefused() {
    let reading = YAMLReading(bytes: [UInt8](repeating: 0x20, count: (256 << 20) + 1))
    #expect(reading.messages == ["the file is larger than 256 MiB"])
  }
}
