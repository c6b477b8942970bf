import Testing
import YAMLNodes

/// A mistake, and what is said about it.
struct YAMLTrap: Sendable, CustomTestStringConvertible {
  let name: String
  let yaml: String
  let place: String
  let marked: String
  let message: String
  let help: String?

  init(_ name: String, _ yaml: String, _ place: String, _ marked: String, _ message: String, _ help: String?) {
    self.name = name
    self.yaml = yaml
    self.place = place
    self.marked = marked
    self.message = message
    self.help = help
  }

  var testDescription: String { name }
}

struct YAMLTrapTests {
  @Test(
    arguments: YAMLTrap.values + YAMLTrap.text + YAMLTrap.flow + YAMLTrap.structure
      + YAMLTrap.contract)
  func isReportedOnceWithItsPlaceAndHowToMendIt(trap: YAMLTrap) throws {
    let reading = YAMLReading(trap.yaml)
    #expect(reading.diagnostics.count == 1)
    let diagnostic = try #require(reading.diagnostics.first)
    #expect(diagnostic.place == trap.place)
    #expect(diagnostic.range?.text == trap.marked)
    #expect(diagnostic.message == trap.message)
    #expect(diagnostic.help == trap.help)
  }

  /// No cut of a valid file crashes the diagnosis or leaves it without a place.
  @Test func everyPrefixOfAFileIsReadOrHasAPlacedError() {
    let text = Array(
      """
      name: "größe \\u00e9"
      tags: [a, 'b', {c: !!str d}]
      anchors: &x {k: |}
      list:
      - &y 'it''s'
      - ? *y
        : >-
          folded ${{ x }}
      \t# tab
      merged: {<<: *x, url: http://x/ #c}
      """.utf8)
    for start in 0..<text.count {
      for bytes in [text[..<start], text[start...]] {
        let reading = YAMLReading(bytes: Array(bytes))
        for diagnostic in reading.diagnostics { #expect(diagnostic.range != nil) }
        #expect(reading.root != nil || !reading.diagnostics.isEmpty)
      }
    }
  }
}
