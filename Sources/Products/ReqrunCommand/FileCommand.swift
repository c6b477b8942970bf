import CommandLineOptions
import OperatingSystem
import ReqrunKit

/// A command that reads files: its options, and its output in order.
struct FileCommand {
  private let command: ParsedCommand
  private let options: RunOptions
  private let runner: Runner
  private let queue: OutputQueue
  private let line: ProgressLine
  private let console: StandardStream
  private let write: @Sendable ([UInt8], StandardStream) -> Void

  init(_ command: ParsedCommand) throws(UsageError) {
    self.command = command
    var options = try runOptions(command)
    let queue = OutputQueue()
    let console = consoleStream(of: options)
    let line = ProgressLine(isShown: command.name == .run && showsProgressLine(command), queue: queue)
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
    if isGitHub, command.name == .run {
      // Before the console's, whose last lines name what failed.
      let annotations = Report.gitHub(
        workspace: environmentSetting("GITHUB_WORKSPACE"), jobSummary: environmentSetting("GITHUB_STEP_SUMMARY"),
        output: log)
      options.reports.insert(contentsOf: annotations, at: 0)
    }
    (self.options, self.queue, self.line, self.console, self.write) = (options, queue, line, console, write)
    runner = Runner(options)
  }

  func run() async -> Int32 {
    if command.flag("watch") { return await watch() }
    let interrupter = Interrupter()
    handleSignals { interrupter.interrupt(signal: $0) }
    let result = await runner.run(interrupter: interrupter)
    line.clear()
    let status = await queue.end(result.exitCode)
    withExtendedLifetime(result) { endProcess(status) }
  }

  private func watch() async -> Int32 {
    let session: SpecWatcher
    do throws(WatchProblem) {
      session = try SpecWatcher(options) { [line, write, console] text in
        line.clear()
        write(Array(text.utf8), console)
      }
    } catch {
      StandardStream.error.write("error: \(error.message)\n")
      return 2
    }
    handleSignals { session.interrupt(signal: $0) }
    let status = await session.run()
    line.clear()
    _ = await queue.flush()
    return status
  }

  /// - Parameter interrupt: interrupts what runs, and returns the requests that have to be waited for.
  private func handleSignals(_ interrupt: @escaping @Sendable (Int32) -> [RunningRequest]) {
    signalHandler.set { [queue, line, width = options.width] signal in
      let text = interruptionText(waitingFor: interrupt(signal), signal: signal, width: width)
      queue.interrupt(signal: signal)
      // Follows the `^C` that a terminal shows if there is no progress line.
      let start = !line.isShown && StandardStream.error.isTerminal ? "\n" : ""
      if let text { line.around { queue.write("\(start)\(text)\n", to: .error) } }
    }
  }

  func start(in directory: String) async -> Int32 {
    let result = Runner.startCollection(in: directory, replaces: command.flag("force"))
    return await end(result.diagnostics, result.text, result.exitCode)
  }

  func check() async -> Int32 {
    var listing = await runner.check()
    if command.flag("fix") {
      let fixing = await runner.fix(listing)
      listing = fixing.listing
      write(Array(fixing.text.utf8), format == nil ? .output : .error)
    }
    if let format {
      if format != .github { await runner.findEdits(for: &listing) }
      return await end(listing, as: format)
    }
    return await end(listing, checkText(listing))
  }

  /// The form for programs; nil for people.
  private var format: SpecListing.Format? { command.value(of: "output").flatMap { SpecListing.Format(rawValue: $0) } }

  private func end(_ listing: SpecListing, as format: SpecListing.Format) async -> Int32 {
    write(listing.data(as: format, listsRequests: command.name == .list, summary: diagnosticSummary), .output)
    return await queue.end(listing.exitCode)
  }

  func list() async -> Int32 {
    if command.flag("variables") {
      let listing = await runner.listVariables()
      return await end(listing, listing.variableText)
    }
    let listing = await runner.list()
    if let format { return await end(listing, as: format) }
    return await end(listing, listing.requests.map { "\($0)\n" }.joined())
  }

  func format() async -> Int32 {
    let result = runner.format(onlyChecks: command.flag("check"))
    if let text = result.standardInput { write(text, .output) }
    write(Array(result.text.utf8), .output)
    return await end(result.diagnostics, "", result.exitCode)
  }

  func show(report: String) async -> Int32 { await queue.end(runner.show(report: report).exitCode) }

  func mergeReports() async -> Int32 { await queue.end(runner.merge(reports: command.arguments).exitCode) }

  func compareReports() async throws(UsageError) -> Int32 {
    let (ratio, kinds) = try command.comparisonOptions()
    let comparison = runner.compare(
      report: command.arguments[0], with: command.arguments[1], slower: ratio, failingOn: kinds,
      ignoring: command.values(of: "ignore"))
    return await end(comparison.diagnostics, comparison.text, comparison.exitCode)
  }

  /// Writes what is wrong with specs, and what they have.
  private func end(_ listing: SpecListing, _ text: String) async -> Int32 {
    // That nothing was selected stands by itself, behind all that is wrong.
    let count = listing.diagnostics.count - (listing.selectedNothing ? 1 : 0)
    show(Array(listing.diagnostics.prefix(count)))
    return await end(Array(listing.diagnostics.dropFirst(count)), text, listing.exitCode)
  }

  private func end(_ diagnostics: [Diagnostic], _ text: String, _ exitCode: Int32) async -> Int32 {
    show(diagnostics)
    write(Array(text.utf8), .output)
    return await queue.end(exitCode)
  }

  private func show(_ diagnostics: [Diagnostic]) {
    if !diagnostics.isEmpty { write(Array(diagnostics.text(options).utf8), .error) }
  }

  /// The files with errors, where there are several files.
  private func brokenText(_ listing: SpecListing) -> String {
    let paths = listing.diagnostics.filter { $0.severity == .error }.compactMap(\.path)
    let broken = Set(paths)
    let all = broken.union(listing.requests.map(\.path)).count
    guard all > 1, !broken.isEmpty else { return "" }
    return "\(broken.count) of \(all) files \(broken.count == 1 ? "has" : "have") errors: \(paths.count)\n"
  }

  private func checkText(_ listing: SpecListing) -> String {
    guard listing.exitCode == 0 else { return brokenText(listing) }
    let checked = listing.checkedText
    if checked.isEmpty { return "no requests, and no errors: a file without `requests` is for `extends`\n" }
    return "\(checked): no errors\n"
  }
}
