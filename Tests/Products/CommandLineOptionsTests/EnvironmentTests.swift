import CommandLineOptions
import Testing

private let table = CommandTable.reqrun

@Suite struct EnvironmentTests {
  @Test("options come from the environment, and the command line wins") func precedence() throws {
    let environment = ["REQRUN_JOBS": "3", "REQRUN_DRY_RUN": "yes", "REQRUN_VAR": "a=1", "REQRUN_PORT": "x"]
    let parsed = try table.parse(["a.yaml"], environment: { environment[$0] })
    #expect(parsed.integer(of: "jobs") == 3)
    #expect(parsed.flag("dry-run"))
    let overridden = try table.parse(["a.yaml", "-j5", "--var", "b=2"], environment: { environment[$0] })
    #expect(overridden.integer(of: "jobs") == 5)
    #expect(overridden.values(of: "var") == ["b=2"])
  }

  @Test(
    "flags understand these words",
    arguments: [("1", 1), ("true", 1), ("YES", 1), ("0", 0), ("false", 0), ("no", 0), ("", 0)])
  func flags(_ text: String, _ count: Int) throws {
    #expect(try table.parse(["a"], environment: { ["REQRUN_QUIET": text][$0] }).count("quiet") == count)
  }

  @Test("several values stand on a line each, a counted flag is a number") func repeated() throws {
    let parsed = try table.parse(["a"], environment: { ["REQRUN_VAR": "a=1\nb:=[1, 2]", "REQRUN_VERBOSE": "2"][$0] })
    #expect(parsed.values(of: "var") == ["a=1", "b:=[1, 2]"])
    #expect(parsed.count("verbose") == 2)
  }

  @Test(
    "what is wrong names the variable",
    arguments: [
      ("REQRUN_QUIET", "maybe", "the environment variable REQRUN_QUIET is \"maybe\""),
      ("REQRUN_QUIET", "2", "the environment variable REQRUN_QUIET is \"2\""),
      (
        "REQRUN_JOBS", "many",
        "the environment variable REQRUN_JOBS takes a whole number from 1 to 10000, not \"many\""
      ),
      (
        "REQRUN_COLOR", "red",
        "the environment variable REQRUN_COLOR takes one of auto, always, never, not \"red\""
      ),
    ])
  func refuses(_ name: String, _ text: String, _ message: String) {
    let error = #expect(throws: UsageError.self) { try table.parse(["a"], environment: { [name: text][$0] }) }
    #expect(error?.message == message)
  }

  @Test("help and version are not set by the environment") func notFromEnvironment() throws {
    let parsed = try table.parse(["a"], environment: { ["REQRUN_HELP": "1", "REQRUN_VERSION": "1"][$0] })
    #expect(!parsed.flag("help") && !parsed.flag("version"))
  }
}
