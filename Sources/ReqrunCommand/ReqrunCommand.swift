import CommandLineOptions
import DemoServer
import OperatingSystem
import ReqrunKit

/// The command `reqrun`: reads the command line, runs, and ends with the run's exit status.
@main
struct Command {
  /// Not async: the main thread only waits for signals, and blocks them before any other thread is there.
  static func main() {
    openStandardStreams()
    raiseDescriptorLimit()
    setUpAllocator()
    let signals = TerminationSignals()
    // One for each processor, as many again for libcurl and what it resolves, and for what is read ahead.
    guard canStartThreads(min(processorCount, 16) + 4) else {
      StandardStream.error.write(
        "error: too few threads can be started\n"
          + "  = help: raise the limit of processes (ulimit -u), or that of the container\n")
      endProcess(3)
    }
    Task.detached { endProcess(await status()) }
    while true { signalHandler.handle(signals.next()) }
  }

  /// Whether no argument says that nothing is to be sent. A guess: if it is wrong, that only costs time.
  private static var seemsToRun: Bool {
    let others = ["check", "completions", "demo", "help", "list", "man", "--dry-run", "--help", "-h", "--version"]
    return CommandLine.arguments.count > 1 && !CommandLine.arguments.contains { others.contains($0) }
  }

  private static func status() async -> Int32 {
    // Before the options are read: what comes before the first request takes less time than this.
    if seemsToRun { Reqrun.prepare() }
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
      StandardStream.output.write(table.helpText(for: command.isWordGiven ? command.word : nil, width: helpWidth))
      return 0
    }
    if command.flag("version") {
      StandardStream.output.write("reqrun \(table.version)\n\(Reqrun.componentText)\n")
      return 0
    }
    switch command.word {
    case "help":
      StandardStream.output.write(table.helpText(for: command.arguments.first, width: helpWidth))
      return 0
    case "completions":
      let shell = command.arguments.first.flatMap { CompletionShell(rawValue: $0) } ?? .bash
      StandardStream.output.write(table.completion(for: shell))
      return 0
    case "man":
      StandardStream.output.write(table.manPage())
      return 0
    case "demo": return await serveDemo(command)
    default: return await run(command)
    }
  }

  private static var helpWidth: Int { min(100, terminalWidth() ?? 80) }

  /// What of the environment can set an option.
  private static func commandEnvironment(_ table: CommandTable) -> [String: String] {
    var result: [String: String] = [:]
    for option in table.allOptions {
      guard let name = table.environmentName(of: option), let value = environmentValue(name) else { continue }
      result[name] = value
    }
    return result
  }

  private static func run(_ command: ParsedCommand) async -> Int32 {
    let options: RunOptions
    do throws(UsageError) {
      options = try runOptions(command)
    } catch {
      StandardStream.error.write(error.text)
      return 2
    }
    let queue = OutputQueue()
    let console = consoleStream(of: options)
    let line = ProgressLine(isShown: showsProgress(command), queue: queue)
    let progress: (@Sendable (RunProgress) -> Void)? = line.isShown ? { @Sendable in line.show($0) } : nil
    let reqrun = Reqrun(
      options: options, output: { bytes in line.around { queue.write(bytes, to: console) } },
      errorOutput: { bytes in line.around { queue.write(bytes, to: .error) } }, progress: progress)
    switch command.word {
    case "check": return await end(queue, await reqrun.check().exitCode)
    case "list": return await end(queue, await reqrun.list().exitCode)
    default:
      signalHandler.set {
        reqrun.interrupt(signal: $0)
        queue.interrupt(signal: $0)
      }
      let result = await reqrun.run()
      line.clear()
      let status = await end(queue, result.exitCode)
      withExtendedLifetime(result) { endProcess(status) }
    }
  }

  /// The exit status once all is written.
  private static func end(_ queue: OutputQueue, _ exitCode: Int32) async -> Int32 {
    await queue.flush().map { 128 + $0 } ?? exitCode
  }

  private static func showsProgress(_ command: ParsedCommand) -> Bool {
    guard command.word == "run", !command.flag("quiet") else { return false }
    switch command.value(of: "progress") ?? "auto" {
    case "always": return true
    case "never": return false
    default: return StandardStream.error.isTerminal && StandardStream.output.isTerminal && environmentValue("CI") == nil
    }
  }

  private static func serveDemo(_ command: ParsedCommand) async -> Int32 {
    do throws(DemoServerError) {
      let server = try DemoHTTPServer.start(port: UInt16(command.integer(of: "port") ?? 0))
      let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
      signalHandler.set { continuation.yield($0) }
      StandardStream.output.write("the demo server answers at \(server.address); Ctrl-C ends it\n")
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
