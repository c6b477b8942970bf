import CommandLineOptions
import Foundation
import TestSupport
import Testing

private let table = CommandTable.reqrun
private let catalogue = Repository.root.appendingPathComponent("Sources/Products/ReqrunKit/ReqrunKit.docc").path

/// The names of all pages.
private let names = ((try? FileManager.default.contentsOfDirectory(atPath: catalogue)) ?? [])
  .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()

@Suite("Pages in the help") struct HelpPageTests {
  @Test("the program embeds every page of the catalogue; `REQRUN_RECORD=1` writes the list") func areEmbedded() throws {
    let file = Repository.root.appendingPathComponent("Sources/Products/CPages/CPages.c")
    var text = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(text.range(of: "// generated: pages\n"))
    let end = try #require(text.range(of: "// /generated"))
    var list = ""
    for name in names {
      list += "static const unsigned char \(name)[] = {\n#embed \"../ReqrunKit/ReqrunKit.docc/\(name).md\"\n};\n"
    }
    list += "#define PAGES " + names.map { "PAGE(\($0))" }.joined(separator: " ") + "\n"
    guard text[begin.upperBound..<end.lowerBound] != list else { return }
    if ProcessInfo.processInfo.environment["REQRUN_RECORD"] == "1" {
      text.replaceSubrange(begin.upperBound..<end.lowerBound, with: list)
      try text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      Issue.record("the list of pages in \(file.path) is stale; `REQRUN_RECORD=1` writes it anew")
    }
  }

  @Test("every page is in a group of the first one, and a topic that the help lists and shows", arguments: names)
  func topics(_ name: String) throws {
    let page = try String(contentsOfFile: "\(catalogue)/\(name).md", encoding: .utf8)
    let title = try #require(page.split(separator: "\n").first).dropFirst(2)
    guard name != "ReqrunKit" else { return }
    let overview = table.helpText(width: 1000)
    let line = try #require(
      overview.split(separator: "\n").last { $0.hasSuffix(" \(title)") && $0.hasPrefix("  ") },
      "ReqrunKit.md has no `- <doc:\(name)>` in its topics")
    let topic = try #require(line.split(separator: " ").first)
    let text = table.helpText(on: String(topic), width: 80)
    #expect(text.hasPrefix("\(title)\n"))
    #expect(!text.contains("](") && !text.contains("<doc:") && !text.contains("@Metadata"))
    #expect(try table.parse(["help", String(topic)]).arguments == [String(topic)])
  }

  @Test(
    "Markdown is text on a terminal",
    arguments: [
      ("from-postman", "`reqrun help import-guide` lists what becomes what"),
      ("import-guide", "Importing from other tools"),
      ("comparison", "  spec format  "), ("using-reqrun-kit", "A `Runner` has options"),
      ("continuous-integration", "writes a project for Locust (https://locust.io)"),
      ("send", "`reqrun help send-guide` is the page on it"), ("tour", "    $ reqrun --demo charts.yaml"),
    ])
  func rendering(_ topic: String, _ text: String) {
    #expect(table.helpText(on: topic, width: 200).contains(text))
  }

  @Test("headings are bold, if at all") func styles() {
    #expect(table.helpText(on: "tour", isStyled: true).contains("\u{1B}[1mFailures\u{1B}[0m\n"))
    #expect(!table.helpText(on: "tour").contains("\u{1B}"))
  }

  @Test("tables are folded to the width", arguments: [80, 100, 120]) func tables(_ width: Int) {
    for line in table.helpText(on: "comparison", width: width).split(separator: "\n") { #expect(line.count <= width) }
  }
}
