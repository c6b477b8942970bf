import CommandLineOptions
import OperatingSystem
import ReqrunKit

/// The options of a run from the command line.
func runOptions(_ command: ParsedCommand) throws(UsageError) -> RunOptions {
  var options = RunOptions()
  options.files = command.arguments
  options.width =
    terminalWidth() ?? environmentValue("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 10_000) : nil }
  options.userAgent = "reqrun/\(CommandTable.reqrun.version)"
  try readVariables(command, &options)
  switch (command.flag("quiet"), command.count("verbose")) {
  case (true, _): options.detail = .quiet
  case (_, 0): options.detail = .normal
  case (_, 1): options.detail = .heads
  default: options.detail = .bodies
  }
  options.runsDemo = command.flag("demo")
  options.fileRoot = command.value(of: "file-root")
  options.allowsRemoteSchemas = command.flag("remote-schemas")
  if command.word != "check" {
    options.tags = words(command.values(of: "tags"))
    options.excludedTags = words(command.values(of: "exclude-tags"))
    options.namePattern = command.value(of: "name")
  }
  if command.word != "list" {
    options.transport = command.value(of: "transport").flatMap { RunOptions.Transport(rawValue: $0) } ?? .auto
  }
  if command.word == "run" { try readRunning(command, &options) }
  options.isTerminal = consoleStream(of: options).isTerminal
  options.isColored = usesColor(command, on: consoleStream(of: options))
  return options
}

/// Where the console report goes: out of the way of a report that standard output is to have.
func consoleStream(of options: RunOptions) -> StandardStream {
  outputPaths(options).contains(where: isStandardOutput) ? .error : .output
}

private func outputPaths(_ options: RunOptions) -> [String] {
  options.junitPaths + options.coveragePaths + (options.cookieJar.map { [$0] } ?? [])
}

/// The path of a file that is written, where `-` stands for standard output.
private func outputPath(_ text: String) -> String { text == "-" ? "/dev/stdout" : text }

private func readRunning(_ command: ParsedCommand, _ options: inout RunOptions) throws(UsageError) {
  options.jobs = command.integer(of: "jobs") ?? options.jobs
  options.failFast = command.flag("fail-fast")
  options.keepsGoing = command.flag("keep-going")
  if options.keepsGoing, options.failFast {
    throw UsageError("--keep-going and --fail-fast exclude each other", help: "give one of them")
  }
  options.showsSecrets = command.flag("show-secrets")
  if options.showsSecrets, let variable = ["CI", "GITHUB_ACTIONS", "TF_BUILD"].first(where: isSet) {
    throw UsageError(
      "--show-secrets is refused in CI (\(variable) is set)", help: "logs are read by others; leave it out")
  }
  options.repeatCount = command.integer(of: "repeat") ?? 1
  options.showsCurl = command.flag("curl")
  options.isDryRun = command.flag("dry-run")
  options.updatesSnapshots = command.flag("update-snapshots")
  options.prunesSnapshots = command.flag("prune")
  if options.prunesSnapshots, !options.updatesSnapshots {
    throw UsageError("--prune goes with --update-snapshots", help: "give both")
  }
  options.cookieJar = command.value(of: "cookie-jar").map(outputPath)
  options.netrcPath = command.value(of: "netrc-file")
  options.seed = command.integer(of: "seed").map { UInt64($0) }
  options.timeout = try duration("timeout", command)
  options.maxTime = try duration("max-time", command)
  options.connection = try connectionOverrides(command)
  options.maxBodyBytes = try size("max-body", command) ?? options.maxBodyBytes
  options.maxMemoryBytes = try size("max-memory", command) ?? options.maxMemoryBytes
  options.maxDownloadBytes = try size("max-download", command)
  options.minCoverage = command.integer(of: "min-coverage")
  for report in command.values(of: "report") {
    let parts = report.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, ["junit", "coverage"].contains(parts[0]) else {
      throw UsageError(
        "--report \(report) names no kind of report", help: "write --report junit=PATH or --report coverage=PATH")
    }
    let path = outputPath(String(parts[1]))
    if parts[0] == "junit" { options.junitPaths.append(path) } else { options.coveragePaths.append(path) }
  }
  if outputPaths(options).count(where: isStandardOutput) > 1 {
    throw UsageError("standard output takes one report or cookie jar, not several", help: "write the others to files")
  }
}

/// Whether an environment variable is set to anything but a no.
private func isSet(_ name: String) -> Bool {
  environmentSetting(name).map { !["", "0", "false"].contains($0.lowercased()) } ?? false
}

private func duration(_ option: String, _ command: ParsedCommand) throws(UsageError) -> Duration? {
  guard let text = command.value(of: option) else { return nil }
  guard let duration = RunOptions.duration(text) else {
    throw UsageError("--\(option) \(text) is no duration", help: "write a number with its unit: 500ms, 10s, 2m")
  }
  return duration
}

private func size(_ option: String, _ command: ParsedCommand) throws(UsageError) -> Int64? {
  guard let text = command.value(of: option) else { return nil }
  guard let size = RunOptions.size(text) else {
    throw UsageError(
      "--\(option) \(text) is no size", help: "write bytes, or a number with its unit: 64KiB, 10MB, 1GiB")
  }
  return size
}

private func connectionOverrides(_ command: ParsedCommand) throws(UsageError) -> ConnectionOverrides {
  var overrides = ConnectionOverrides()
  overrides.skipsVerification = command.flag("insecure")
  overrides.certificateAuthorities = command.value(of: "cacert")
  if let text = command.value(of: "cert") {
    let argument = CertificateArgument(text)
    overrides.certificate = argument.file
    overrides.certificatePassphrase = argument.passphrase
  }
  overrides.key = command.value(of: "key")
  overrides.proxy = command.value(of: "proxy")
  overrides.noProxy = command.value(of: "noproxy")
  overrides.resolve = command.values(of: "resolve")
  overrides.connectTo = command.values(of: "connect-to")
  overrides.unixSocket = command.value(of: "unix-socket")
  overrides.httpVersion = command.value(of: "http-version")
  switch (command.flag("ipv4"), command.flag("ipv6")) {
  case (true, true): throw UsageError("--ipv4 and --ipv6 exclude each other", help: "give one of them")
  case (true, _): overrides.ipVersion = "4"
  case (_, true): overrides.ipVersion = "6"
  default: break
  }
  return overrides
}

private func readVariables(_ command: ParsedCommand, _ options: inout RunOptions) throws(UsageError) {
  options.environmentFiles = command.values(of: "env-file")
  for text in command.values(of: "var") {
    if let range = text.firstRange(of: ":="), text.firstIndex(of: "=").map({ range.lowerBound < $0 }) ?? false {
      options.variables.append((String(text[..<range.lowerBound]), .json(String(text[range.upperBound...]))))
    } else if let equals = text.firstIndex(of: "="), equals > text.startIndex {
      options.variables.append((String(text[..<equals]), .text(String(text[text.index(after: equals)...]))))
    } else {
      throw UsageError("--var takes name=text or name:=json")
    }
  }
  for text in command.values(of: "secret") {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw UsageError("--secret takes name=text")
    }
    options.secrets.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
  }
}

private func words(_ values: [String]) -> [String] {
  values.flatMap { $0.split(separator: ",") }.map { $0.filter { $0 != " " } }
}

/// `--color`, else whether a terminal reads along and nothing speaks against it.
private func usesColor(_ command: ParsedCommand, on stream: StandardStream) -> Bool {
  switch command.value(of: "color") ?? "auto" {
  case "always": return true
  case "never": return false
  default: break
  }
  if environmentSetting("NO_COLOR") != nil { return false }
  if let value = environmentSetting("CLICOLOR_FORCE"), value != "0" { return true }
  return stream.isTerminal && !isDumbTerminal
}

/// Whether the terminal obeys no escape sequences.
var isDumbTerminal: Bool { environmentValue("TERM") == "dumb" }
