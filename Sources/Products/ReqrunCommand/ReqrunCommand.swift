import CommandLineOptions
import DemoServer
import OperatingSystem
import ReqrunKit

/// The command `reqrun`: parses the command line, runs, and exits with the run's exit code.
@main
struct Command {
  /// The entry point. It isn't async: the main thread only waits for signals, and blocks them before any other thread
  /// exists.
  static func main() {
    openStandardStreams()
    raiseDescriptorLimit()
    setUpAllocator()
    let signals = TerminationSignals()
    // One for each processor, as many again for libcurl and its resolver threads, and for reading ahead.
    guard canStartThreads(min(processorCount, 16) + 4) else {
      StandardStream.error.write(
        "error: too few threads can be started\n"
          + "  = help: raise the limit of processes (ulimit -u), or that of the container\n")
      endProcess(3)
    }
    Task.detached { endProcess(await status()) }
    while true { signalHandler.handle(signals.next()) }
  }

  /// Indicates whether requests are probably sent, as the arguments suggest. A wrong guess only costs time.
  private static var seemsToRun: Bool {
    let others = [
      CommandTable.candidatesWord, "check", "completions", "demo", "diff", "doctor", "export", "format", "help",
      "import", "init", "list", "man", "merge-reports", "schema", "show", "--dry-run", "--help", "-h", "--version",
    ]
    return CommandLine.arguments.count > 1 && !CommandLine.arguments.contains { others.contains($0) }
  }

  private static func status() async -> Int32 {
    // Before the options are parsed: everything before the first request takes less time than this.
    if seemsToRun { Runner.prepare() }
    let table = CommandTable.reqrun
    let command: ParsedCommand
    do throws(UsageError) {
      command = try table.parse(
        Array(CommandLine.arguments.dropFirst()), environment: commandEnvironment(table),
        isExistingPath: isExistingPath)
    } catch {
      StandardStream.error.write(error.text)
      return 2
    }
    if command.flag("help") {
      return tell(table.helpText(for: command.isWordGiven ? command.word : nil, width: helpWidth))
    }
    if command.flag("version") {
      return tell("reqrun \(table.version)\n")
    }
    switch command.word {
    case "doctor":
      let installation = Runner.installation()
      let status = tell(installation.text)
      return status == 0 ? installation.exitCode : status
    case "help":
      let isStyled = usesColor(command, on: .output)
      return tell(table.helpText(on: command.arguments.first, width: helpWidth, isStyled: isStyled))
    case "completions":
      let shell = command.arguments.first.flatMap { CompletionShell(rawValue: $0) } ?? .bash
      return tell(table.completion(for: shell))
    case "man": return tell(command.arguments.isEmpty ? table.manPage() : table.formatPage())
    case "schema":
      switch command.arguments.first {
      case "report": return tell(Runner.reportSchema)
      case "events": return tell(Runner.eventSchema)
      default: return tell(Runner.formatSchema)
      }
    case "demo": return await serveDemo(command)
    case "send": return await send(command)
    case CommandTable.candidatesWord: return tell(await candidates(command).map { $0 + "\n" }.joined())
    default: return await run(command)
    }
  }

  /// Writes a text and returns the exit code for that.
  private static func tell(_ text: String) -> Int32 {
    StandardStream.output.write(text).map { report($0, of: .output) } ?? 0
  }

  /// Reports that a stream failed, on the other one.
  private static func report(_ problem: SystemProblem, of stream: StandardStream) -> Int32 {
    StandardStream.error.write("error: \(stream.name) cannot be written: \(problem.reason)\n")
    return 5
  }

  private static var helpWidth: Int { min(100, terminalWidth() ?? 80) }

  /// The environment variables that can set options.
  private static func commandEnvironment(_ table: CommandTable) -> [String: String] {
    var result: [String: String] = [:]
    for option in table.allOptions {
      guard let name = table.environmentName(of: option), let value = environmentValue(name) else { continue }
      result[name] = value
    }
    return result
  }

  private static func run(_ command: ParsedCommand) async -> Int32 {
    var options: RunOptions
    do throws(UsageError) {
      options = try runOptions(command)
    } catch {
      StandardStream.error.write(error.text)
      return 2
    }
    let queue = OutputQueue()
    let console = consoleStream(of: options)
    let line = ProgressLine(isShown: command.word == "run" && showsProgressLine(command), queue: queue)
    let write: @Sendable ([UInt8], StandardStream) -> Void = { bytes, stream in
      line.around { queue.write(bytes, to: stream) }
    }
    if line.isShown { options.onProgress = { line.show($0) } }
    if StandardStream.input.isTerminal, StandardStream.error.isTerminal {
      options.onSignIn = { text, page in
        write(Array("\(text)\n".utf8), .error)
        if let page { openInBrowser(page) }
      }
    }
    options.collectsRequests = false
    let log: @Sendable ([UInt8]) -> Void = { write($0, console) }
    options.reports.insert(.console(output: log, diagnostics: { write($0, .error) }), at: 0)
    if isGitHub, command.word == "run" {
      // Before the console's, whose last lines name what failed.
      let annotations = Report.gitHub(
        workspace: environmentSetting("GITHUB_WORKSPACE"), jobSummary: environmentSetting("GITHUB_STEP_SUMMARY"),
        output: log)
      options.reports.insert(contentsOf: annotations, at: 0)
    }
    let runner = Runner(options)
    switch command.word {
    case "check":
      let listing = await runner.check()
      return await end(queue, tell(listing, checkText(listing), options, write))
    case "list" where command.flag("variables"):
      let listing = await runner.listVariables()
      return await end(queue, tell(listing, listing.variableText, options, write))
    case "list":
      let listing = await runner.list()
      return await end(queue, tell(listing, listing.requests.map { "\($0)\n" }.joined(), options, write))
    case "format":
      let result = runner.format(onlyChecks: command.flag("check"))
      if let text = result.standardInput { write(text, .output) }
      write(Array(result.text.utf8), .output)
      show(result.diagnostics, options, write)
      return await end(queue, result.exitCode)
    case "init":
      let result = Runner.startCollection(in: command.arguments.first ?? ".", replaces: command.flag("force"))
      show(result.diagnostics, options, write)
      write(Array(result.text.utf8), .output)
      return await end(queue, result.exitCode)
    case "import":
      return await end(queue, importSpecs(command, options, write))
    case "export":
      guard let kind = ExportKind.all.first(where: { $0.name == command.arguments.first }) else { return 2 }
      let result = await runner.export(
        kind, to: command.value(of: "directory") ?? ".", replaces: command.flag("force"),
        strict: command.flag("strict"))
      show(result.diagnostics, options, write)
      write(Array(result.text.utf8), .output)
      write(Array(result.summary.utf8), .error)
      return await end(queue, result.exitCode)
    case "show":
      return await end(queue, runner.show(report: command.arguments.first ?? "").exitCode)
    case "merge-reports":
      return await end(queue, runner.merge(reports: command.arguments).exitCode)
    case "diff":
      return await end(queue, compare(command, runner, options, write))
    case _ where command.flag("watch"):
      let session: WatchSession
      do throws(WatchProblem) {
        session = try WatchSession(options) { text in
          line.clear()
          write(Array(text.utf8), console)
        }
      } catch {
        StandardStream.error.write("error: \(error.message)\n")
        return 2
      }
      handleSignals(queue, line, options) { session.interrupt(signal: $0) }
      let status = await session.run()
      line.clear()
      _ = await queue.flush()
      return status
    default:
      handleSignals(queue, line, options) { runner.interrupt(signal: $0) }
      let result = await runner.run()
      line.clear()
      let status = await end(queue, result.exitCode)
      withExtendedLifetime(result) { endProcess(status) }
    }
  }

  /// - Parameter interrupt: interrupts what runs, and returns the requests that have to be waited for.
  static func handleSignals(
    _ queue: OutputQueue, _ line: ProgressLine, _ options: RunOptions,
    _ interrupt: @escaping @Sendable (Int32) -> [RunningRequest]
  ) {
    signalHandler.set { [width = options.width] signal in
      let text = interruptionText(waitingFor: interrupt(signal), signal: signal, width: width)
      queue.interrupt(signal: signal)
      // Follows the `^C` that a terminal shows if there is no progress line.
      let start = !line.isShown && StandardStream.error.isTerminal ? "\n" : ""
      if let text { line.around { queue.write("\(start)\(text)\n", to: .error) } }
    }
  }

  /// Writes what is wrong with specs, and what they have.
  private static func tell(
    _ listing: SpecListing, _ text: String, _ options: RunOptions, _ write: ([UInt8], StandardStream) -> Void
  ) -> Int32 {
    // That nothing was selected is told by itself, behind all that is wrong.
    let count = listing.diagnostics.count - (listing.selectedNothing ? 1 : 0)
    show(Array(listing.diagnostics.prefix(count)), options, write)
    show(Array(listing.diagnostics.dropFirst(count)), options, write)
    write(Array(text.utf8), .output)
    return listing.exitCode
  }

  private static func importSpecs(
    _ command: ParsedCommand, _ options: RunOptions, _ write: ([UInt8], StandardStream) -> Void
  ) -> Int32 {
    do throws(UsageError) {
      let result = Runner.importSpecs(try CommandTable.reqrun.importOptions(command))
      show(result.diagnostics, options, write)
      write(result.text, .output)
      // The text of a single spec goes to standard output alone.
      write(Array(result.summary.utf8), result.text.isEmpty ? .output : .error)
      return result.exitCode
    } catch {
      write(Array(error.text.utf8), .error)
      return 2
    }
  }

  private static func show(
    _ diagnostics: [Diagnostic], _ options: RunOptions, _ write: ([UInt8], StandardStream) -> Void
  ) {
    if diagnostics.isEmpty { return }
    if isGitHub {
      write(Array(diagnostics.annotations(workspace: environmentSetting("GITHUB_WORKSPACE")).utf8), .error)
    }
    write(Array(diagnostics.drawn(isColored: options.isColored, width: options.width).utf8), .error)
  }

  private static func checkText(_ listing: SpecListing) -> String {
    guard listing.exitCode == 0 else { return "" }
    guard listing.fileCount > 0 else {
      return "no requests, and no errors: a file without `requests` is for `extends`\n"
    }
    let requests = listing.requests.count
    return "\(listing.fileCount) \(listing.fileCount == 1 ? "file" : "files") with \(requests) "
      + "\(requests == 1 ? "request" : "requests"): no errors\n"
  }

  /// Prints the differences between two reports, and returns the exit code for them.
  private static func compare(
    _ command: ParsedCommand, _ runner: Runner, _ options: RunOptions, _ write: ([UInt8], StandardStream) -> Void
  ) -> Int32 {
    guard command.arguments.count == 2 else { return 2 }
    do throws(UsageError) {
      let (ratio, kinds) = try command.comparisonOptions()
      let comparison = runner.compare(
        report: command.arguments[0], with: command.arguments[1], slower: ratio, failingOn: kinds)
      show(comparison.diagnostics, options, write)
      write(Array(comparison.text.utf8), .output)
      return comparison.exitCode
    } catch {
      write(Array(error.text.utf8), .error)
      return 2
    }
  }

  /// The tags or names of requests, or the environments, for completion.
  private static func candidates(_ command: ParsedCommand) async -> [String] {
    var runner = Runner(specs: command.arguments.dropFirst().map { .path($0) })
    runner.options.demo = true
    return await runner.candidates(command.arguments.first ?? "")
  }

  /// The exit code, once all output is written.
  static func end(_ queue: OutputQueue, _ exitCode: Int32) async -> Int32 {
    if let signal = await queue.flush() { return 128 + signal }
    guard let (stream, problem) = queue.failure else { return exitCode }
    let status = report(problem, of: stream)
    return exitCode == 0 ? status : exitCode
  }

  private static func serveDemo(_ command: ParsedCommand) async -> Int32 {
    do throws(DemoServerError) {
      let server = try DemoHTTPServer.start(port: UInt16(command.integer(of: "port") ?? 0))
      let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
      signalHandler.set { continuation.yield($0) }
      let text = "the demo server answers at \(server.address); Ctrl-C ends it\n"
      if let problem = StandardStream.output.write(text) { return report(problem, of: .output) }
      for await signal in stream {
        server.stop()
        return 128 + signal
      }
      return 0
    } catch {
      StandardStream.error.write("error: \(error.message)\n")
      return 2
    }
  }
}
