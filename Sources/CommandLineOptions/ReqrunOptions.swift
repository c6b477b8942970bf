/// The options of reqrun, each once; words share them.
enum ReqrunOptions {
  private static let variables = "Variables"
  private static let selection = "Which requests"
  private static let running = "How they run"
  private static let limits = "Limits"
  private static let output = "Output"

  static let environmentFile = OptionSpec(
    "env-file", value: "FILE", isRepeatable: true, suggestion: .files, group: variables,
    help: "Set variables from a file of name=text lines, above those of the files; --var wins over it")
  static let variable = OptionSpec(
    "var", value: "name=text", isRepeatable: true, rule: .pair(), group: variables,
    help: "Set a variable, above those of the files; name:=json sets a number, a list or any other JSON value")
  static let secret = OptionSpec(
    "secret", value: "name=text", isRepeatable: true, rule: .pair(), group: variables,
    help: "Set a variable whose value is masked wherever it would be shown")

  static let tags = OptionSpec(
    "tags", value: "TAG,…", isRepeatable: true, group: selection,
    help: "Only requests that have one of these tags")
  static let excludedTags = OptionSpec(
    "exclude-tags", value: "TAG,…", isRepeatable: true, group: selection,
    help: "No requests that have one of these tags; it wins over --tags")
  static let name = OptionSpec(
    "name", value: "PATTERN", group: selection,
    help: "Only requests whose name fits the pattern: * is any text, ? any character")

  static let jobs = OptionSpec(
    "jobs", short: "j", value: "N", rule: .integer(1...10_000), group: running,
    help: "Run at most so many files side by side; 1 is one after another")
  static let failFast = OptionSpec(
    "fail-fast", group: running, help: "Start no further request after the first failure; teardown still runs")
  static let timeout = OptionSpec(
    "timeout", value: "DURATION", group: running,
    help: "How long a request may take at most, whatever its file says, such as 500ms, 10s, 2m")
  static let repetitions = OptionSpec(
    "repeat", value: "N", rule: .integer(1...1_000_000), group: running, help: "Run everything so many times")
  static let transport = OptionSpec(
    "transport", value: "NAME", choices: ["auto", "urlsession", "curl"], group: running,
    help: "What sends all requests, whatever they say themselves; auto leaves it to them")
  static let cookieJar = OptionSpec(
    "cookie-jar", value: "FILE", suggestion: .files, group: running,
    help: "Share one cookie jar among all files: read it from a file of curl's form if there is one, and write it back")
  static let demo = OptionSpec(
    "demo", group: running,
    help: "Start the demo server for this run; the variable demo is its address")
  static let seed = OptionSpec(
    "seed", value: "N", rule: .integer(0...Int.max), group: running,
    help: "Make random values in templates the same as in another run with this seed")
  static let dryRun = OptionSpec(
    "dry-run", group: running, help: "Show what would be sent, by which transport and why, and send nothing")

  static let fileRoot = OptionSpec(
    "file-root", value: "DIRECTORY", suggestion: .directories, group: limits,
    help: "Let request files read only below this directory")
  static let netrcFile = OptionSpec(
    "netrc-file", value: "FILE", suggestion: .files, group: variables,
    help: "Take the credentials of auth: netrc from this file, not from NETRC or ~/.netrc")
  static let bodyLimit = OptionSpec(
    "max-body", value: "SIZE", group: limits,
    help: "The largest answer that is taken, decoded, such as 64KiB; 1GiB unless given")

  static let report = OptionSpec(
    "report", value: "KIND=PATH", isRepeatable: true, rule: .pair(keys: ["junit"]), suggestion: .files, group: output,
    help: "Write a report to a file; the kind is junit")
  static let curl = OptionSpec("curl", group: output, help: "Print each request as a curl command, secrets masked")
  static let progress = OptionSpec(
    "progress", value: "WHEN", choices: ["auto", "always", "never"], group: output,
    help: "Show what is running on a line at the end; auto is only on a terminal")

  static let port = OptionSpec(
    "port", value: "N", rule: .integer(0...65_535), group: "Server",
    help: "The port on 127.0.0.1; without it any free one")

  static let color = OptionSpec(
    "color", value: "WHEN", choices: ["auto", "always", "never"], group: "General",
    help: "Use colours; auto is on a terminal, unless NO_COLOR is set")
  static let quiet = OptionSpec(
    "quiet", short: "q", group: "General", help: "Print failures, errors and the summary only")
  static let verbose = OptionSpec(
    "verbose", short: "v", isRepeatable: true, group: "General",
    help: "Print more: requests and answers with their headers; -vv prints bodies too")
  static let help = OptionSpec("help", short: "h", group: "General", readsEnvironment: false, help: "Print this help")
  static let version = OptionSpec(
    "version", group: "General", readsEnvironment: false, help: "Print the version, the libraries and the transports")
}
