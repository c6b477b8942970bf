import CommandLineOptions
import Foundation
import Matching
import RequestSpecs
import Templates
import TestSupport
import Testing

/// The tables of the documentation that come from the tables of the code.
///
/// They stand between `<!-- generated: NAME -->` and `<!-- /generated -->`; `REQRUN_RECORD=1` writes them anew.
@Suite("Generated tables") struct GeneratedTableTests {
  private static let end = "<!-- /generated -->"

  private static let pages = Repository.root.appendingPathComponent("Sources/Products/ReqrunKit/ReqrunKit.docc")

  /// The tables of each page, by name; the first row is the header.
  private static func tables() throws -> [(page: String, tables: [String: [[String]]])] {
    [
      ("Command", ["options": CommandTable.reqrun.optionTable, "commands": CommandTable.reqrun.commandTable]),
      ("Predicates", ["predicates": PredicateKind.reference]), ("Expectations", ["subjects": SpecReference.subjects]),
      ("Bodies", ["encoding": SpecReference.encoding]),
      (
        "CapturesAndTemplates",
        [
          "sources": SpecReference.sources, "capture": SpecReference.captureKeys,
          "functions": FunctionReference.functions,
        ]
      ), ("Mocks", ["mock": SpecReference.mockKeys, "project mock": SpecReference.projectMockKeys]),
      ("KeyIndex", ["keys": try KeyIndex(of: pages).table()]),
    ]
  }

  @Test("the documentation has them as they are") func areFresh() throws {
    for (page, tables) in try Self.tables() {
      let file = Self.pages.appendingPathComponent("\(page).md")
      var text = try String(contentsOf: file, encoding: .utf8)
      for (name, table) in tables {
        let begin = try #require(text.range(of: "<!-- generated: \(name) -->\n"), "\(page).md has no table \(name)")
        let end = try #require(text.range(of: Self.end, range: begin.upperBound..<text.endIndex))
        let fresh = "\n" + Self.markdown(table) + "\n"
        guard text[begin.upperBound..<end.lowerBound] != fresh else { continue }
        text.replaceSubrange(begin.upperBound..<end.lowerBound, with: fresh)
        if ProcessInfo.processInfo.environment["REQRUN_RECORD"] == "1" {
          try text.write(to: file, atomically: true, encoding: .utf8)
        } else {
          Issue.record("\(page).md: the table of \(name) is stale; `REQRUN_RECORD=1` writes it anew")
        }
      }
    }
  }

  private static func markdown(_ table: [[String]]) -> String {
    let rows = table.map { row in
      "| " + row.map { $0.replacingOccurrences(of: "|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }
    let dashes = "|" + String(repeating: " --- |", count: table[0].count) + "\n"
    return rows[0] + dashes + rows.dropFirst().joined()
  }
}
