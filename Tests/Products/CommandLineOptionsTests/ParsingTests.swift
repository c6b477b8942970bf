import CommandLineOptions
import ReqrunKit
import Testing

private let table = CommandTable.reqrun

@Suite struct ParsingTests {
  struct Accepted: Sendable, CustomTestStringConvertible {
    let arguments: String
    var name = CommandName.run
    var positionals = ["a.yaml"]
    var settings: [String: [String]] = [:]
    var testDescription: String { arguments }
  }

  static let accepted = [
    Accepted(arguments: "a.yaml"),
    Accepted(arguments: "run a.yaml b/", positionals: ["a.yaml", "b/"]),
    Accepted(arguments: "check a.yaml", name: .check),
    Accepted(arguments: "-q check a.yaml", name: .check, settings: ["quiet": [""]]),
    Accepted(arguments: "run check", positionals: ["check"]),
    Accepted(arguments: "--port 80 demo", name: .demo, positionals: [], settings: ["port": ["80"]]),
    Accepted(arguments: "--jobs=4 a.yaml", settings: ["jobs": ["4"]]),
    Accepted(arguments: "--jobs 4 a.yaml", settings: ["jobs": ["4"]]),
    Accepted(arguments: "a.yaml -j4", settings: ["jobs": ["4"]]),
    Accepted(arguments: "a.yaml -j 4", settings: ["jobs": ["4"]]),
    Accepted(arguments: "a.yaml -j=4", settings: ["jobs": ["4"]]),
    Accepted(arguments: "-vqj4 a.yaml", settings: ["jobs": ["4"], "quiet": [""], "verbose": [""]]),
    Accepted(arguments: "-k4 a.yaml", settings: ["insecure": [""], "ipv4": [""]]),
    Accepted(
      arguments: "--resolve a:1:127.0.0.1 --resolve b:1:::1 a.yaml",
      settings: ["resolve": ["a:1:127.0.0.1", "b:1:::1"]]),
    Accepted(arguments: "-vv a.yaml -v", settings: ["verbose": ["", "", ""]]),
    Accepted(arguments: "--jobs 1 a.yaml --jobs 2", settings: ["jobs": ["1", "2"]]),
    Accepted(
      arguments: "--var a=1 --var=b:=[1] --secret p==x= a.yaml",
      settings: ["var": ["a=1", "b:=[1]"], "secret": ["p==x="]]),
    Accepted(arguments: "--report junit=out.xml a.yaml", settings: ["report": ["junit=out.xml"]]),
    Accepted(arguments: "-q -- --jobs -v", positionals: ["--jobs", "-v"], settings: ["quiet": [""]]),
    Accepted(arguments: "-", positionals: ["-"]),
    Accepted(arguments: "--name -x a.yaml", settings: ["name": ["-x"]]),
    Accepted(arguments: "--name= a.yaml", settings: ["name": [""]]),
    Accepted(arguments: "--help", positionals: [], settings: ["help": [""]]),
    Accepted(arguments: "check -h", name: .check, positionals: [], settings: ["help": [""]]),
    Accepted(arguments: "completions zsh", name: .completions, positionals: ["zsh"]),
    Accepted(arguments: "send -jb x", name: .send, positionals: ["x"], settings: ["json": [""], "body": [""]]),
    Accepted(
      arguments: "send -dco f.zip x", name: .send, positionals: ["x"],
      settings: ["download": [""], "continue": [""], "output": ["f.zip"]]),
    Accepted(arguments: "send -h x", name: .send, positionals: ["x"], settings: ["headers": [""]]),
    Accepted(
      arguments: "send x -- -a=b --c:d", name: .send, positionals: ["x", "-a=b", "--c:d"], settings: [:]),
    Accepted(arguments: "man", name: .man, positionals: []),
    Accepted(arguments: "help", name: .help, positionals: []),
  ]

  @Test("understands", arguments: accepted) func accepts(_ testCase: Accepted) throws {
    let parsed = try table.parse(testCase.arguments.split(separator: " ").map(String.init))
    #expect(parsed.name == testCase.name)
    #expect(parsed.arguments == testCase.positionals)
    for option in table.allOptions {
      #expect(parsed.values(of: option.long) == testCase.settings[option.long] ?? [], "--\(option.long)")
    }
  }

  @Test("the last value of an option wins; flags are counted") func accessors() throws {
    let parsed = try table.parse(["a", "-j1", "-j", "2", "-vv", "--transport", "curl"])
    #expect(parsed.integer(of: "jobs") == 2)
    #expect(parsed.value(of: "transport") == "curl")
    #expect(parsed.count("verbose") == 2)
    #expect(parsed.flag("verbose") && !parsed.flag("quiet"))
    #expect(parsed.value(of: "seed") == nil)
  }

  @Test(
    "tells whether the command was written, as without one --help is the overview",
    arguments: [("--help", false), ("run --help", true), ("--help run", true), ("a.yaml", false), ("check -h", true)])
  func nameGiven(_ line: String, _ isGiven: Bool) throws {
    #expect(try table.parse(line.split(separator: " ").map(String.init)).isNameGiven == isGiven)
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    let arguments: String
    let message: String
    var help: String?
    var testDescription: String { arguments }

    init(_ arguments: String, _ message: String, help: String? = nil) {
      self.arguments = arguments
      self.message = message
      self.help = help
    }
  }

  static let refused = [
    Refused("--trasport curl a.yaml", "unknown option --trasport", help: "did you mean --transport?"),
    Refused("--exclude a a.yaml", "unknown option --exclude", help: "did you mean --exclude-tags?"),
    Refused("--zzzzzzz", "unknown option --zzzzzzz", help: "`reqrun help` lists the options"),
    Refused("-z a.yaml", "unknown option -z", help: "`reqrun help` lists the options"),
    Refused("-vz a.yaml", "unknown option -z in -vz", help: "`reqrun help` lists the options"),
    Refused("-jobs 4", "unknown option -jobs", help: "did you mean --jobs?"),
    Refused("chekc", "unknown command \"chekc\", and there is no such file", help: "did you mean \"check\"?"),
    Refused("a.yaml --jobs", "--jobs needs a value", help: "write --jobs N"),
    Refused("--jobs --fail-fast a.yaml", "--jobs needs a value", help: "write --jobs N"),
    Refused("--jobs -q a.yaml", "--jobs needs a value", help: "write --jobs N"),
    Refused("-j", "-j needs a value", help: "write -j N"),
    Refused("-jx a.yaml", "-j takes a whole number from 1 to 10000, not \"x\""),
    Refused("--jobs 0 a.yaml", "--jobs takes a whole number from 1 to 10000, not \"0\""),
    Refused("--seed -1 a.yaml", "--seed takes a whole number from 0, not \"-1\""),
    Refused("--dry-run=1 a.yaml", "--dry-run takes no value"),
    Refused(
      "--transport crul a.yaml", "--transport takes one of auto, urlsession, curl, not \"crul\"",
      help: "did you mean \"curl\"?"),
    Refused(
      "--var x a.yaml", "--var takes name=text, but its value has no name followed by \"=\"",
      help: "write --var name=text"),
    Refused(
      "--secret =x a.yaml", "--secret takes name=text, but its value has no name followed by \"=\"",
      help: "write --secret name=text"),
    Refused(
      "--report pdf=x a.yaml",
      "--report KIND=PATH takes one of \(Report.kinds.joined(separator: ", ")), not \"pdf\""),
    Refused(
      "--port 80 a.yaml", "`reqrun run` doesn't take --port",
      help: "it is an option of `reqrun demo`, `reqrun mock`, `reqrun record`"),
    Refused(
      "send -u a:b x", "`reqrun send` has no -u", help: "write --auth USER:PASSWORD, or -a USER:PASSWORD"),
    Refused(
      "send --max-time 5s x", "`reqrun send` doesn't take --max-time",
      help: "write --timeout with a duration, such as --timeout 5s"),
    Refused(
      "send --compressed x", "`reqrun send` has no --compressed", help: "leave it out: responses are decompressed"),
    Refused(
      "send --verify=no x", "`reqrun send` has no --verify",
      help: "--insecure doesn't check certificates, --cacert FILE trusts other issuers"),
    Refused(
      "run --verify=no x", "`reqrun run` doesn't take --verify", help: "it is an option of `reqrun mock`"),
    Refused("-b x", "`reqrun run` doesn't take --body", help: "it is an option of `reqrun send`"),
    Refused("run", "`reqrun run` needs FILE-OR-DIRECTORY…", help: "`reqrun help run` shows how to use it"),
    Refused(
      "demo run", "`reqrun demo` doesn't take the argument \"run\"", help: "`reqrun help demo` shows how to use it"),
    Refused("demo x", "`reqrun demo` doesn't take the argument \"x\"", help: "`reqrun help demo` shows how to use it"),
    Refused(
      "completions zhs", "`reqrun completions` takes one of bash, zsh, fish, not \"zhs\"",
      help: "did you mean \"zsh\"?"),
    Refused("mock", "`reqrun mock` needs SOURCE…", help: "`reqrun help mock` shows how to use it"),
  ]

  @Test("refuses with what to write instead", arguments: refused) func refuses(_ testCase: Refused) {
    let arguments = testCase.arguments.split(separator: " ").map(String.init)
    let error = #expect(throws: UsageError.self) { try table.parse(arguments) }
    #expect(error?.message == testCase.message)
    #expect(error?.help == testCase.help)
  }

  @Test("a value that may be a secret is not in the message") func secretsStayOut() {
    let error = #expect(throws: UsageError.self) { try table.parse(["--secret", "hunter2", "a.yaml"]) }
    #expect(error.map { "\($0.message) \($0.help ?? "")".contains("hunter2") } == false)
  }

  @Test("a path that exists is never taken for a mistyped command", arguments: ["lists", "mocks"])
  func existingPath(_ name: String) throws {
    #expect(throws: UsageError.self) { try table.parse([name]) }
    let parsed = try table.parse([name], isExistingPath: { $0 == name })
    #expect(parsed.name == .run)
    #expect(parsed.arguments == [name])
  }
}
