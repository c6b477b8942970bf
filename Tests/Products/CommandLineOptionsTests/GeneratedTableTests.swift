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

  /// The tables of each file, by name; the first row is the header.
  private static let tables: [(path: String, tables: [String: [[String]]])] = [
    (
      "Sources/Products/ReqrunKit/ReqrunKit.docc/Command.md",
      ["options": CommandTable.reqrun.optionTable, "commands": CommandTable.reqrun.commandTable]
    ),
    (
      "Sources/Products/ReqrunKit/ReqrunKit.docc/Format.md",
      [
        "predicates": PredicateKind.reference, "subjects": SpecReference.subjects, "sources": SpecReference.sources,
        "capture": SpecReference.captureKeys, "encoding": SpecReference.encoding,
        "functions": FunctionReference.functions,
      ]
    ),
  ]

  @Test("the documentation has them as they are") func areFresh() throws {
    for (path, tables) in Self.tables {
      let file = Repository.root.appendingPathComponent(path)
      var text = try String(contentsOf: file, encoding: .utf8)
      for (name, table) in tables {
        let begin = try #require(text.range(of: "<!-- generated: \(name) -->\n"), "\(path) has no table \(name)")
        let end = try #require(text.range(of: Self.end, range: begin.upperBound..<text.endIndex))
        let fresh = "\n" + Self.markdown(table) + "\n"
        guard text[begin.upperBound..<end.lowerBound] != fresh else { continue }
        text.replaceSubrange(begin.upperBound..<end.lowerBound, with: fresh)
        if ProcessInfo.processInfo.environment["REQRUN_RECORD"] == "1" {
          try text.write(to: file, atomically: true, encoding: .utf8)
        } else {
          Issue.record("\(path): the table of \(name) is stale; `REQRUN_RECORD=1` writes it anew")
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
