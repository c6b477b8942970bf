import OperatingSystem
import ReqrunKit

/// The options of reqrun: a new one is an entry here.
enum ReqrunOptions {
  private static let variables = "Variables"
  private static let selection = "Which requests"
  static let running = "How they run"
  private static let connections = "Connections, whatever the files say"
  private static let limits = "Limits"
  private static let snapshots = "Snapshots"
  static let output = "Output"

  static let all: [OptionSpec] = ofSend + shared + ofServers + general + ofCheck + ofAgents

  /// The options of commands that read, run or report specs.
  static let shared: [OptionSpec] = [
    OptionSpec(
      "tags", value: "TAG,…", isRepeatable: true, suggestion: .tags, group: selection, of: [.run, .list, .export],
      help: "Only requests that have one of these tags"
    ) { $0.tags = $1.words },
    OptionSpec(
      "exclude-tags", value: "TAG,…", isRepeatable: true, suggestion: .tags, group: selection,
      of: [.run, .list, .export],
      help: "No requests that have one of these tags; it wins over --tags"
    ) { $0.excludeTags = $1.words },
    OptionSpec(
      "name", value: "PATTERN", suggestion: .names, group: selection, of: [.run, .list, .export],
      help: "Only requests whose name matches the pattern: * is any text, ? any character"
    ) { $0.name = $1.last },
    OptionSpec(
      "shard", value: "I/N", group: selection, of: [.run, .list],
      help: "Only the files of shard I of N: each file is in exactly one, on every machine"
    ) { (options, given) throws(UsageError) in options.shard = try given.shard },
    OptionSpec(
      "timings", value: "REPORT", isRepeatable: true, suggestion: .files, group: selection, of: [.run, .list],
      needs: "shard",
      help: "Balance the shards by the durations in JSON reports of an earlier run, the same ones for all shards"
    ) { $0.timings = $1.all },
    OptionSpec(
      "rerun-failed", value: "REPORT", suggestion: .files, group: selection, of: [.run, .list],
      help: "Only requests that did not pass in the run of this JSON report; without FILE, those of all its files"
    ) { $0.rerunFailed = $1.last },
    OptionSpec(
      "env", value: "NAME", suggestion: .environments, group: variables, of: [.run, .send, .check, .list, .mcp, .mock],
      help: "The environment of the project file, default_environment by default"
    ) { $0.environment = $1.last },
    OptionSpec(
      "rows", value: "FILE", suggestion: .files, group: variables, of: [.run, .check, .list],
      help: "Run all files and flows without each once per row of a .csv, .json, .jsonl or .yaml file"
    ) { $0.rows = $1.last },
    OptionSpec(
      "env-file", value: "FILE", isRepeatable: true, suggestion: .files, group: variables,
      of: [.run, .send, .check, .list, .export, .mcp, .mock],
      help: "Set variables from a file of name=text lines; they win over the files, and --var over them"
    ) { $0.envFiles = $1.all },
    OptionSpec(
      "var", value: "name=text", isRepeatable: true, rule: .pair(), group: variables,
      of: [.run, .send, .check, .list, .export, .mock],
      help: "Set a variable, which wins over the files; name:=json sets a number, a list or any other JSON value"
    ) { (options, given) throws(UsageError) in options.variables = try given.variables },
    OptionSpec(
      "secret", value: "name=text", isRepeatable: true, rule: .pair(), group: variables,
      of: [.run, .send, .check, .list, .export, .mock],
      help: "Set a variable whose value is masked in all output"
    ) { $0.secrets = $1.texts },
    OptionSpec(
      "netrc-file", value: "FILE", suggestion: .files, group: variables, of: [.run, .send],
      help: "Take the credentials of auth: netrc from this file, not from NETRC or ~/.netrc"
    ) { $0.netrcFile = $1.last },
    OptionSpec(
      "jobs", short: "j", value: "N", rule: .integer(1...10_000), group: running,
      help: "Run at most N files in parallel, 64 by default; 1 runs them one after another"
    ) { $0.jobs = $1.integer },
    OptionSpec(
      "fail-fast", group: running, help: "Start no more requests after the first failure; teardown still runs"
    ) { $0.failFast = $1.flag },
    OptionSpec(
      "keep-going", group: running, excludes: "fail-fast",
      help: "Continue a file after a failed request, unless the file sets continue_on_failure"
    ) { $0.keepGoing = $1.flag },
    OptionSpec(
      "timeout", value: "DURATION", group: running, of: [.run, .send],
      help: "The longest time for a request, whatever its file says, such as 500ms, 10s, 2m"
    ) { (options, given) throws(UsageError) in options.timeout = try given.duration },
    OptionSpec(
      "min-coverage", value: "PERCENT", rule: .integer(0...100), group: running, of: [.run, .mergeReports],
      help: "Fail if the run covers less than this percentage of the operations of its OpenAPI documents"
    ) { $0.minCoverage = $1.integer },
    OptionSpec(
      "field-coverage", group: running,
      help: "Also count which parameters, members of bodies and enum values of OpenAPI documents requests have"
    ) { $0.fieldCoverage = $1.flag },
    OptionSpec(
      "fail-on", value: "KIND,…", isRepeatable: true, group: running, of: [.run, .diff],
      help: "Exit with 1 if there is anything of that kind: \(words(of: FailOn.self)); "
        + "with diff: \(words(of: RunComparison.Kind.self))"
    ) { (options, given) throws(UsageError) in
      if given.command == .run { options.failOn = try failOnKinds(given.all, of: "outcome") }
    },
    OptionSpec(
      "max-time", value: "DURATION", group: running,
      help: "The longest time for the whole run; then requests in flight are cancelled, and only teardown runs"
    ) { (options, given) throws(UsageError) in options.maxTime = try given.duration },
    OptionSpec(
      "repeat", value: "N", rule: .integer(1...1_000_000), group: running,
      help: "Run everything N times, in parallel like files; -j 1 runs them one after another"
    ) { $0.repeat = $1.integer },
    OptionSpec(
      "watch", group: running, of: [.run, .mock], excludes: "rerun-failed",
      help: "Run, then rerun what a changed file affects, until Ctrl-C; mock serves the changed files"),
    OptionSpec(
      "transport", value: "NAME", choices: RunOptions.TransportChoice.names, group: running,
      of: [.run, .send, .check],
      help: "The transport for all requests, whatever they say themselves; auto leaves the choice to them"
    ) { $0.transport = RunOptions.TransportChoice($1.last) ?? .auto },
    OptionSpec(
      "cookie-jar", value: "FILE", suggestion: .files, group: running, of: [.run, .send],
      help:
        "Share one cookie jar among all files: read it from a file in curl's format if it exists, and write it back"
    ) { $0.cookieJar = outputPath($1.last) },
    OptionSpec(
      "demo", group: running, of: [.run, .send, .check, .list, .export, .mcp],
      help: "Start the demo server for this run; the variable demo is its address"
    ) { $0.demo = $1.flag },
    OptionSpec(
      "seed", value: "N", rule: .integer(0...Int.max), group: running, of: [.run, .send, .mock],
      help:
        "Make random values in templates repeatable: runs with the same seed have the same ones; of a mock, all that it makes"
    ) { $0.seed = UInt64($1.integer) },
    OptionSpec("dry-run", group: running, help: "Show what would be sent, by which transport and why, and send nothing")
    { $0.dryRun = $1.flag },
    OptionSpec(
      "insecure", short: "k", group: connections, of: [.run, .send], help: "Don't check the certificates of servers"
    ) {
      $0.connection.insecure = $1.flag
    },
    OptionSpec(
      "cacert", value: "FILE", suggestion: .files, group: connections, of: [.run, .send],
      help: "Trust only the issuers in this PEM file"
    ) { $0.connection.cacert = $1.last },
    OptionSpec(
      "cert", value: "FILE[:PASSPHRASE]", suggestion: .files, group: connections, of: [.run, .send, .mock],
      help:
        """
        Use this client certificate: PEM, or by its extension .der, .p12 or .pfx; \\: is a colon in the path; a mock \
        serves HTTPS with it, as PEM
        """
    ) {
      let argument = CertificateArgument($1.last)
      $0.connection.cert = argument.file
      $0.connection.certPassphrase = argument.passphrase
    },
    OptionSpec(
      "key", value: "FILE", suggestion: .files, group: connections, of: [.run, .send, .mock],
      help: "The private key of the certificate, if its own file lacks it"
    ) { $0.connection.key = $1.last },
    OptionSpec(
      "proxy", value: "URL", group: connections, of: [.run, .send],
      help: "Send through this proxy: http, https, socks4, socks4a, socks5 or socks5h; none connects directly"
    ) { $0.connection.proxy = $1.last },
    OptionSpec(
      "noproxy", value: "HOST,…", group: connections, of: [.run, .send],
      help: "Use no proxy for these hosts, networks such as 10.0.0.0/8, or * for all"
    ) { $0.connection.noProxy = $1.last },
    OptionSpec(
      "resolve", value: "HOST:PORT:ADDRESS", isRepeatable: true, group: connections, of: [.run, .send],
      help: "Use this address for the host and port, without name lookup"
    ) { $0.connection.resolve = $1.all },
    OptionSpec(
      "connect-to", value: "HOST:PORT:HOST:PORT", isRepeatable: true, group: connections, of: [.run, .send],
      help: "Connect to the second host and port instead of the first; an empty part means any, or unchanged"
    ) { $0.connection.connectTo = $1.all },
    OptionSpec(
      "unix-socket", value: "PATH", suggestion: .files, group: connections, of: [.run, .send],
      help: "Connect to this Unix domain socket; @name is an abstract one"
    ) { $0.connection.unixSocket = $1.last },
    OptionSpec("ipv4", short: "4", group: connections, of: [.run, .send], help: "Use IPv4 addresses only") {
      if $1.flag { $0.connection.ipVersion = "4" }
    },
    OptionSpec(
      "ipv6", short: "6", group: connections, of: [.run, .send], excludes: "ipv4", help: "Use IPv6 addresses only"
    ) {
      if $1.flag { $0.connection.ipVersion = "6" }
    },
    OptionSpec(
      "http-version", value: "VERSION", choices: ["auto", "1.0", "1.1", "2", "2_prior_knowledge", "3", "3_only"],
      group: connections, of: [.run, .send], help: "The version of HTTP"
    ) { $0.connection.httpVersion = $1.last },
    OptionSpec(
      "file-root", value: "DIRECTORY", suggestion: .directories, group: limits, of: [.run, .check, .list, .export],
      help: "Only let request files read files below this directory"
    ) { $0.fileRoot = $1.last },
    OptionSpec(
      "remote-schemas", group: limits, of: [.run, .check, .list, .export],
      help: "Fetch JSON Schemas from http and https URLs in expect: schema and in references"
    ) { $0.remoteSchemas = $1.flag },
    OptionSpec(
      "max-body", value: "SIZE", group: limits, of: [.run, .send],
      help: "The largest response that is accepted, decoded, such as 64KiB; 1GiB by default"
    ) { (options, given) throws(UsageError) in options.maxBody = try given.size },
    OptionSpec(
      "max-memory", value: "SIZE", group: limits, of: [.run, .send],
      help: "The most memory for the data of all evaluated responses; 1GiB, or a quarter of ulimit -v, by default"
    ) { (options, given) throws(UsageError) in options.maxMemory = try given.size },
    OptionSpec(
      "max-download", value: "SIZE", group: limits, of: [.run, .send],
      help: "The largest download or unpacked archive; 64GiB, or the free disk space, by default"
    ) { (options, given) throws(UsageError) in options.maxDownload = try given.size },
    OptionSpec(
      "update-snapshots", group: snapshots,
      help: "Store missing or changed snapshots, and list the unused ones"
    ) { $0.updateSnapshots = $1.flag },
    OptionSpec(
      "prune", group: snapshots, needs: "update-snapshots",
      help: "With --update-snapshots, remove unused snapshots"
    ) { $0.prune = $1.flag },
    OptionSpec(
      "report", value: "KIND=PATH", isRepeatable: true, rule: .pair(keys: Report.kinds), suggestion: .files,
      group: output, of: [.run, .send, .show, .mergeReports, .mock],
      help:
        """
        Write a report to a file, or to standard output where it is -, and the rest to standard error; the kinds are \
        \(Report.kinds.map { "\($0) (\(Report.summary(ofKind: $0)))" }.joined(separator: ", "))
        """
    ) { (options, given) throws(UsageError) in
      options.reports = try reports(given.pairs, at: outputPath)
    },
    OptionSpec(
      "output", value: "LAYOUT", choices: RunOptions.Layout.allCases.map(\.rawValue), group: output,
      of: [.run, .show, .mergeReports],
      help:
        """
        Print a line per request, or a line per file and the requests that failed; compact is the default for more \
        requests than the terminal has lines, and for more than 50 elsewhere
        """
    ) { $0.layout = RunOptions.Layout(rawValue: $1.last) },
    OptionSpec(
      "summary", value: "slowest=N", rule: .pair(keys: ["slowest"]), group: output,
      of: [.run, .show, .mergeReports], help: "List the N slowest requests at the end"
    ) { (options, given) throws(UsageError) in options.slowest = try given.slowest },
    OptionSpec(
      "curl", group: output, of: [.run, .send, .show, .mergeReports],
      help: "Print each request as a curl command, secrets masked; send then sends nothing"
    ) {
      $0.curl = $1.flag
    },
    OptionSpec(
      "show-secrets", group: output, of: [.run, .send], readsEnvironment: false,
      help: "Show secrets in the curl commands on the console, so that they can be run; never in reports, nor in CI"
    ) { (options, given) throws(UsageError) in
      options.showSecrets = given.flag
      try refuseInCI(given)
    },
    OptionSpec(
      "progress", value: "WHEN", choices: ["auto", "always", "never"], group: output, of: [.run, .send],
      help: "Show what is running on the last line; auto shows it only on a terminal"),
    OptionSpec(
      "variables", group: output, of: [.list], readsEnvironment: false,
      help:
        "List the variables of the files instead of their requests: each value, secrets masked, its layer and place"
    ),
    OptionSpec(
      "check", group: output, of: [.format, .import],
      help: "Change nothing: list the files, or the changes of --update, and exit with 1 if there are any"),
    OptionSpec(
      "update", group: output, of: [.import],
      help: "Change specs of OpenAPI where the document has changed, and leave everything else as it is"),
    OptionSpec(
      "directory", short: "o", value: "DIRECTORY", suggestion: .directories, group: output,
      of: [.import, .export, .record],
      help: "The directory for the files, created if it doesn't exist"),
    OptionSpec("force", group: output, of: [.`init`, .import, .export], help: "Replace files that exist"),
    OptionSpec(
      "host", value: "HOST,…", isRepeatable: true, group: selection, of: [.import],
      help: "Only import requests to these hosts from a HAR file"),
    OptionSpec(
      "type", value: "TYPE,…", isRepeatable: true, group: selection, of: [.import],
      help: "Only import requests from a HAR file whose responses have one of these types, such as json or text/html"),
    OptionSpec(
      "boundaries", group: selection, of: [.import],
      help:
        "Also write requests at the bounds of an OpenAPI document's schemas, to NAME.boundaries.yaml; --update includes "
        + "those that are there"),
    OptionSpec(
      "strict", group: output, of: [.import, .export],
      help: "Exit with 1 if a part of the specs can't be converted"),
    OptionSpec(
      "slower", value: "RATIO", group: "Differences", of: [.diff],
      help:
        "Report a request as slower if it takes more than this ratio of its earlier time, 2x by default, and 100 ms"
    ),
    OptionSpec(
      "ignore", value: "PATH", isRepeatable: true, group: "Differences", of: [.diff],
      help: "Do not compare that part of responses: a JSONPath such as '$..updated', content-type, or status"),
  ]
}
