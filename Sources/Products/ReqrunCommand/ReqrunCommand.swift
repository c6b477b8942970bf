import LocalServer
import AgentServer
import CommandLineOptions
import DemoServer
import LanguageServer
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
      refuse("too few threads can be started", help: "raise the limits of processes and memory (ulimit -u, -v)")
    }
    guard descriptorLimit > 256 || canOpenDescriptors(4) else {
      refuse("too few files can be opened", help: "raise the limit of descriptors (ulimit -n)")
    }
    Task.detached { endProcess(await status()) }
    while true { signalHandler.handle(signals.next()) }
  }

  /// Ends the process, since it can't work here: the libraries that it needs would end it by a signal.
  private static func refuse(_ reason: String, help: String) -> Never {
    StandardStream.error.write("error: \(reason)\n  = help: \(help), or that of the container\n")
    endProcess(3)
  }

  /// Indicates whether requests are probably sent, as the arguments suggest. A wrong guess only costs time.
  private static var seemsToSend: Bool {
    let options = ["--dry-run", "--help", "-h", "--version"]
    return CommandLine.arguments.count > 1
      && !CommandLine.arguments.contains { argument in
        options.contains(argument) || CommandName(rawValue: argument).map { $0 != .run && $0 != .send } ?? false
      }
  }

  private static func status() async -> Int32 {
    // Before the options are parsed: everything before the first request takes less time than this.
    if seemsToSend { Runner.prepare() }
    let table = CommandTable.reqrun
    do throws(UsageError) {
      let command = try table.parseCommandLine()
      if command.flag("help") {
        return write(table.helpText(for: command.isNameGiven ? command.name : nil, width: helpWidth))
      }
      if command.flag("version") {
        return write("reqrun \(table.version)\n")
      }
      return try await perform(command, of: table)
    } catch {
      StandardStream.error.write(error.text)
      return 2
    }
  }

  private static func perform(_ command: ParsedCommand, of table: CommandTable) async throws(UsageError) -> Int32 {
    let argument = command.arguments.first
    switch command.name {
    case .run: return try await FileCommand(command).run()
    case .send: return try await send(command)
    case .`init`: return try await FileCommand(command).start(in: argument ?? ".")
    case .check: return try await FileCommand(command).check()
    case .list: return try await FileCommand(command).list()
    case .format: return try await FileCommand(command).format()
    case .import, .export: return startConverter()
    case .show: return try await FileCommand(command).show(report: argument ?? "")
    case .mergeReports: return try await FileCommand(command).mergeReports()
    case .diff: return try await FileCommand(command).compareReports()
    case .demo:
      return await serve(command, as: "the demo server") { port throws(ServerError) in try DemoAPI.start(port: port) }
    case .mock: return await (try MockCommand(command)).run()
    case .record: return try await record(command)
    case .doctor:
      let installation = Runner.installation()
      let status = write(installation.text)
      return status == 0 ? installation.exitCode : status
    case .lsp:
      return await LanguageServer.run(read: { readFromClient() }, write: { StandardStream.output.write($0) })
    case .mcp:
      var options = try runOptions(command)
      options.allowWrite = command.flag("allow-write")
      let hosts = try allowedHosts(command)
      return await AgentServer.run(
        options, sendingTo: hosts, read: { StandardStream.input.read() }, write: { StandardStream.output.write($0) })
    case .completions:
      return write(table.completion(for: argument.flatMap { CompletionShell(rawValue: $0) } ?? .bash))
    case .man: return write(argument == nil ? table.manPage() : table.formatPage())
    case .schema:
      switch argument {
      case "report": return write(Runner.reportSchema)
      case "events": return write(Runner.eventSchema)
      case "check": return write(Runner.listingSchema)
      default: return write(Runner.formatSchema)
      }
    case .help:
      return write(table.helpText(on: argument, width: helpWidth, isStyled: usesColor(command, on: .output)))
    case .candidates: return write(await candidates(command).map { $0 + "\n" }.joined())
    }
  }

  /// Writes a text and returns the exit code for that.
  private static func write(_ text: String) -> Int32 {
    StandardStream.output.write(text).map { StandardStream.output.report($0) } ?? 0
  }

  private static var helpWidth: Int { min(100, terminalWidth() ?? 80) }

  /// Goes on as the program that imports and exports, with the same arguments; returns if that can't be started.
  static func startConverter() -> Int32 {
    let converter = InstalledConverter()
    if let path = converter.path {
      let problem = replaceProcess(by: path)
      StandardStream.error.write("error: \(path) cannot be started: \(problem.reason)\n")
    } else {
      StandardStream.error.write("error: \(converter.problem)\n  = help: \(InstalledConverter.help)\n")
    }
    return 2
  }

  /// The hosts of `--allow-send`.
  private static func allowedHosts(_ command: ParsedCommand) throws(UsageError) -> [AllowedHost] {
    var hosts: [AllowedHost] = []
    for word in command.words(of: "allow-send") {
      guard let host = AllowedHost(word) else {
        throw UsageError("--allow-send \(word) is not a host", help: "write a name, name:port or *.name")
      }
      hosts.append(host)
    }
    return hosts
  }

  /// The tags or names of requests, or the environments, for completion.
  private static func candidates(_ command: ParsedCommand) async -> [String] {
    var runner = Runner(specs: command.arguments.dropFirst().map { .path($0) })
    runner.options.demo = true
    return await runner.candidates(command.arguments.first ?? "")
  }

  /// The next bytes of an editor. Once it is gone, the process ends soon, whatever it still reads or runs.
  private static func readFromClient() -> [UInt8] {
    let bytes = StandardStream.input.read()
    if bytes.isEmpty {
      _ = startThread {
        // Teardowns have 10 seconds.
        pause(for: .seconds(12))
        endProcess(1)
      }
    }
    return bytes
  }
}
