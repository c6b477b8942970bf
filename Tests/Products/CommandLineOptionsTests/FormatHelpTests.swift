import CommandLineOptions
import Foundation
import RequestSpecs
import TestSupport
import Testing

private let table = CommandTable.reqrun

private let catalogue = Repository.root.appendingPathComponent("Sources/Products/ReqrunKit/ReqrunKit.docc")

/// The pages of the reference, which the program is to have in it.
private let pages = [
  "Format", "SpecFiles", "Collections", "Requests", "Bodies", "Connections", "Expectations", "Predicates", "Schemas",
  "CapturesAndTemplates", "FileTransfers", "KeyIndex",
]

@Suite("The format in the help") struct FormatHelpTests {
  @Test(
    "every heading, table's first word and line of code of the reference is in a section that the overview names",
    arguments: pages)
  func completeness(_ page: String) throws {
    let overview = table.helpText(on: "format", width: 100)
    let listing = try #require(overview.components(separatedBy: "Sections, each by").last)
    let names = listing.split(separator: "\n").dropFirst().filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.count > 40)
    let all =
      table.helpText(on: "format", width: 10_000) + names.map { table.helpText(on: $0, width: 10_000) }.joined()
    let text = try String(contentsOf: catalogue.appendingPathComponent("\(page).md"), encoding: .utf8)
    // The index is the only page that is longer: one looks up a key in it.
    if page != "KeyIndex" { #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 251) }
    #expect(text.contains("\n## Overview\n\n```yaml\n"), "a page of the reference begins with an example")
    let isMarkup = { (line: String) in
      line.isEmpty || line.hasPrefix("<!--") || line.hasPrefix("| ---") || line.hasPrefix("```")
    }
    for line in text.components(separatedBy: "\n") where !isMarkup(line) && line != "## Overview" {
      let words = line.replacingOccurrences(of: "**", with: "").replacingOccurrences(of: "\\|", with: "|")
        .drop { "#-| ".contains($0) }
      // The help has commands in place of links.
      if words.hasPrefix("<doc:") { continue }
      let beginning = words.components(separatedBy: " | ")[0].components(separatedBy: "<doc:")[0]
        .trimmingCharacters(in: .whitespaces)
      #expect(all.contains(beginning), "\(beginning)")
    }
  }

  @Test(
    "a topic is a section by its name or a part of it, or a key",
    arguments: [
      ("units", "Durations carry a unit"), ("forms", "Files and forms"), ("expectations", "json: {$.id: 1}"),
      ("yaml-as-it-is-read", "are the only spellings"), ("starts_with", "byte by byte"), ("timeout", "the longest gap"),
      ("default", "the fallback where the value is unset"),
      ("requests", "More: `reqrun help request`, `reqrun help following-redirects`"),
      ("access_key", "`auth.aws_sigv4` · "), ("access_key", " · `reqrun help credentials`"),
      ("--jobs", "-j, --jobs N"), ("-j", "-j, --jobs N"), ("jobs", "`reqrun run`"), ("timeout", "--timeout DURATION"),
      ("color", "all commands"),
    ])
  func topics(_ topic: String, _ text: String) throws {
    let command = try table.parse(["help", topic])
    #expect(table.helpText(on: command.arguments.first, width: 1000).contains(text))
  }

  @Test("every key of the format has help")
  func keys() throws {
    func keys(_ part: Any) -> Set<String> {
      if let list = part as? [Any] { return list.reduce(into: []) { $0.formUnion(keys($1)) } }
      guard let mapping = part as? [String: Any] else { return [] }
      let own = (mapping["properties"] as? [String: Any])?.keys.map { $0 } ?? []
      return mapping.values.reduce(into: Set(own)) { $0.formUnion(keys($1)) }
    }
    let all = keys(try JSONSerialization.jsonObject(with: Data(FormatSchema.text.utf8)))
    #expect(all.count > 250)
    let overview = table.helpText(width: 1000)
    for key in all.sorted() {
      let text = table.helpText(on: key, width: 1000)
      #expect(text.lowercased().contains(key) && text != overview, "\(key)")
    }
  }

  @Test("every option of every command has help, by its name with dashes and without", arguments: table.commands)
  func options(_ command: CommandSpec) throws {
    for option in table.options(of: command) where !command.isHidden {
      let isOwnOfHelp = table.globalOptions.contains { $0.long == option.long }
      let isCommand = CommandName(rawValue: option.long) != nil
      for name in isOwnOfHelp ? [option.long] : ["--\(option.long)"] + (isCommand ? [] : [option.long]) {
        let topic = try table.parse(["help", name]).arguments.first
        let text = table.helpText(on: topic, width: 10_000)
        #expect(text.contains("--\(option.long)") && text.contains(option.help), "\(name)")
      }
    }
  }

  @Test(
    "what is nearly a topic is named",
    arguments: [
      ("exspect", "did you mean `reqrun help expect`?"), ("stats_with", "did you mean `reqrun help starts_with`?"),
      ("chek", "did you mean `reqrun help check`?"),
      ("qqqqqq", "`reqrun help` lists the commands, and `reqrun help format` the sections on the format"),
    ])
  func nearTopics(_ topic: String, _ help: String) {
    let error = #expect(throws: UsageError.self) { try table.parse(["help", topic]) }
    #expect(error?.help == help)
  }

  @Test("lines are folded, but for code", arguments: [40, 80])
  func folding(_ width: Int) {
    for line in table.helpText(on: "units", width: width).split(separator: "\n") { #expect(line.count <= width) }
  }
}
