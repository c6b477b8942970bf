/// The options of reqrun, each once; words share them.
enum ReqrunOptions {
  private static let variables = "Variables"
  private static let selection = "Which requests"
  private static let running = "How they run"
  private static let connections = "Connections, whatever the files say"
  private static let limits = "Limits"
  private static let snapshots = "Snapshots"
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
    "tags", value: "TAG,…", isRepeatable: true, suggestion: .tags, group: selection,
    help: "Only requests that have one of these tags")
  static let excludedTags = OptionSpec(
    "exclude-tags", value: "TAG,…", isRepeatable: true, suggestion: .tags, group: selection,
    help: "No requests that have one of these tags; it wins over --tags")
  static let name = OptionSpec(
    "name", value: "PATTERN", suggestion: .names, group: selection,
    help: "Only requests whose name fits the pattern: * is any text, ? any character")

  static let jobs = OptionSpec(
    "jobs", short: "j", value: "N", rule: .integer(1...10_000), group: running,
    help: "Run at most so many files side by side; 1 is one after another")
  static let failFast = OptionSpec(
    "fail-fast", group: running, help: "Start no further request after the first failure; teardown still runs")
  static let keepGoing = OptionSpec(
    "keep-going", group: running,
    help: "Go on in a file after a request has failed, where the file says nothing of continue_on_failure")
  static let timeout = OptionSpec(
    "timeout", value: "DURATION", group: running,
    help: "How long a request may take at most, whatever its file says, such as 500ms, 10s, 2m")
  static let maxTime = OptionSpec(
    "max-time", value: "DURATION", group: running,
    help: "How long the whole run may take; then what is under way is cut, and only teardown still runs")
  static let repetitions = OptionSpec(
    "repeat", value: "N", rule: .integer(1...1_000_000), group: running,
    help: "Run everything so many times, side by side like files; -j 1 is one after another")
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

  static let insecure = OptionSpec(
    "insecure", short: "k", group: connections, help: "Don't check the certificates of servers")
  static let authorities = OptionSpec(
    "cacert", value: "FILE", suggestion: .files, group: connections,
    help: "Trust the issuers in this PEM file, and no others")
  static let certificate = OptionSpec(
    "cert", value: "FILE[:PASSPHRASE]", suggestion: .files, group: connections,
    help: "Show servers this client certificate: PEM, or by its ending .der, .p12 or .pfx; \\: is a colon in the path")
  static let key = OptionSpec(
    "key", value: "FILE", suggestion: .files, group: connections,
    help: "The private key of the client certificate, where its own file lacks it")
  static let proxy = OptionSpec(
    "proxy", value: "URL", group: connections,
    help: "Send through this proxy: http, https, socks4, socks4a, socks5 or socks5h; none goes there directly")
  static let noProxy = OptionSpec(
    "noproxy", value: "HOST,…", group: connections,
    help: "Hosts, networks such as 10.0.0.0/8, or * that no proxy is used for")
  static let resolve = OptionSpec(
    "resolve", value: "HOST:PORT:ADDRESS", isRepeatable: true, group: connections,
    help: "Take this address for the host and port, and ask no name service")
  static let connectTo = OptionSpec(
    "connect-to", value: "HOST:PORT:HOST:PORT", isRepeatable: true, group: connections,
    help: "Connect to the second host and port in place of the first; what is empty is any, or stays")
  static let unixSocket = OptionSpec(
    "unix-socket", value: "PATH", suggestion: .files, group: connections,
    help: "Connect to this Unix domain socket; @name is an abstract one")
  static let ipv4 = OptionSpec("ipv4", short: "4", group: connections, help: "Use IPv4 addresses only")
  static let ipv6 = OptionSpec("ipv6", short: "6", group: connections, help: "Use IPv6 addresses only")
  static let httpVersion = OptionSpec(
    "http-version", value: "VERSION", choices: ["auto", "1.0", "1.1", "2", "2_prior_knowledge", "3", "3_only"],
    group: connections, help: "The version of HTTP")

  static let fileRoot = OptionSpec(
    "file-root", value: "DIRECTORY", suggestion: .directories, group: limits,
    help: "Let request files read only below this directory")
  static let remoteSchemas = OptionSpec(
    "remote-schemas", group: limits,
    help: "Fetch JSON Schemas that are named by http and https URLs, in expect: schema and in references")
  static let netrcFile = OptionSpec(
    "netrc-file", value: "FILE", suggestion: .files, group: variables,
    help: "Take the credentials of auth: netrc from this file, not from NETRC or ~/.netrc")
  static let bodyLimit = OptionSpec(
    "max-body", value: "SIZE", group: limits,
    help: "The largest response that is taken, decoded, such as 64KiB; 1GiB unless given")
  static let memoryLimit = OptionSpec(
    "max-memory", value: "SIZE", group: limits,
    help: "How much memory the data of all responses that are looked at may take together; 1GiB unless given")
  static let downloadLimit = OptionSpec(
    "max-download", value: "SIZE", group: limits,
    help: "The largest download, and the most that an archive expands to; 64GiB, or the free disk, unless given")

  static let updateSnapshots = OptionSpec(
    "update-snapshots", group: snapshots,
    help: "Store the bodies that expect: snapshot misses or finds changed, and tell which snapshots no request has")
  static let prune = OptionSpec(
    "prune", group: snapshots, help: "With --update-snapshots, remove the snapshots that no request has")

  static let report = OptionSpec(
    "report", value: "KIND=PATH", isRepeatable: true, rule: .pair(keys: ["junit", "coverage"]), suggestion: .files,
    group: output,
    help:
      """
      Write a report to a file, or to standard output where it is -, and the rest to standard error; the kind is junit, or \
      coverage of OpenAPI documents (text where the path ends in .txt)
      """
  )
  static let minCoverage = OptionSpec(
    "min-coverage", value: "PERCENT", rule: .integer(0...100), group: running,
    help: "Fail if the run exercises less than this share of the operations of its OpenAPI documents")
  static let curl = OptionSpec("curl", group: output, help: "Print each request as a curl command, secrets masked")
  static let showSecrets = OptionSpec(
    "show-secrets", group: output, readsEnvironment: false,
    help: "Show secrets in the curl commands on the console, so that they can be run; never in reports, nor in CI")
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
    help: "Print more: requests and responses with their headers; -vv prints bodies too")
  static let help = OptionSpec("help", short: "h", group: "General", readsEnvironment: false, help: "Print this help")
  static let version = OptionSpec(
    "version", group: "General", readsEnvironment: false, help: "Print the version, the libraries and the transports")
}
