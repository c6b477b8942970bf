import CommandLineOptions
import ReqrunKit
import Testing

@Suite("Options of the command in the messages of the library")
struct OptionNameTests {
  /// Those of the terminal and of other commands, which no message names.
  static let others: Set<String> = [
    "quiet", "verbose", "color", "help", "version", "progress", "watch", "no-watch", "summary", "output",
    "stdin-path",
  ]

  @Test("Each option of a run has a property, or a line here") func properties() {
    let run = CommandTable.reqrun.options(of: CommandTable.reqrun.defaultCommand)
    let missing = run.map(\.long).filter { RunOptions.property(ofOption: $0) == nil && !Self.others.contains($0) }
    #expect(missing == [], "add its name to OptionNames.swift if the property has another one")
  }

  @Test(
    "Names are those of Swift",
    arguments: [
      ("max-time", "maxTime"), ("timeout", "timeout"), ("var", "variables"), ("env-file", "envFiles"),
      ("unix-socket", "connection.unixSocket"), ("noproxy", "connection.noProxy"), ("repeat", "repeat"),
    ])
  func names(_ option: String, _ property: String) {
    #expect(RunOptions.property(ofOption: option) == property)
  }

  @Test func unknown() { #expect(RunOptions.property(ofOption: "data-raw") == nil) }
}
