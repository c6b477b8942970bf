import CommandLineOptions
import Foundation
import TestSupport
import Testing

private let table = CommandTable.reqrun

/// The reference of the documentation, which the program is to have in it.
private let reference = Repository.root.appendingPathComponent("Sources/Products/ReqrunKit/ReqrunKit.docc/Format.md")

@Suite("The format in the help") struct FormatHelpTests {
  @Test("every heading, table's first word and line of code of the reference is in a section that the overview names")
  func completeness() throws {
    let overview = table.helpText(on: "format", width: 100)
    let listing = try #require(overview.components(separatedBy: "Sections, each by").last)
    let names = listing.split(separator: "\n").dropFirst().filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.count > 20)
    let all =
      table.helpText(on: "format", width: 10_000) + names.map { table.helpText(for: $0, width: 10_000) }.joined()
    let text = try String(contentsOf: reference, encoding: .utf8)
    let isMarkup = { (line: String) in
      line.isEmpty || line.hasPrefix("<!--") || line.hasPrefix("| ---") || line.hasPrefix("```")
    }
    for line in text.components(separatedBy: "\n") where !isMarkup(line) && line != "## Overview" {
      let words = line.replacingOccurrences(of: "**", with: "").replacingOccurrences(of: "\\|", with: "|")
        .drop { "#-| ".contains($0) }
      let beginning = words.components(separatedBy: " | ")[0].trimmingCharacters(in: .whitespaces)
      #expect(all.contains(beginning), "\(beginning)")
    }
  }

  @Test(
    "a topic is a section by its name or a part of it, or a key",
    arguments: [
      ("units", "Durations carry a unit"), ("forms", "Files and forms"), ("expect", "json: {$.id: 1}"),
      ("yaml", "are the only spellings"), ("starts_with", "byte by byte"), ("timeout", "the longest gap"),
      ("default", "the fallback where the value is unset"), ("request", "More: `reqrun help following-redirects`"),
    ])
  func topics(_ topic: String, _ text: String) throws {
    let command = try table.parse(["help", topic])
    #expect(table.helpText(for: command.arguments.first, width: 1000).contains(text))
  }

  @Test(
    "what is nearly a topic is named",
    arguments: [
      ("exspect", "did you mean `reqrun help expect`?"), ("stats_with", "did you mean `reqrun help starts_with`?"),
      ("chek", "did you mean `reqrun help check`?"),
      ("qqqqqq", "`reqrun help` lists the words, and `reqrun help format` the sections on the format"),
    ])
  func nearTopics(_ topic: String, _ help: String) {
    let error = #expect(throws: UsageError.self) { try table.parse(["help", topic]) }
    #expect(error?.help == help)
  }

  @Test("lines are folded, but for code", arguments: [40, 80])
  func folding(_ width: Int) {
    for line in table.helpText(for: "units", width: width).split(separator: "\n") { #expect(line.count <= width) }
  }
}
