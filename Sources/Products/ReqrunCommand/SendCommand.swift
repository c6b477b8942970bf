import CommandLineOptions
import OperatingSystem
import ReqrunKit
import RunReports
import Synchronization
import Values

extension Command {
  /// Sends the request of a command line, and returns the exit code.
  static func send(_ command: ParsedCommand) async throws(UsageError) -> Int32 {
    if hasUnreadableArguments {
      throw UsageError(
        "an argument is not UTF-8", help: "send other bytes from a file, as @FILE, or from standard input")
    }
    if let text = unwritableFile(command) {
      StandardStream.error.write(text)
      return 5
    }
    let settings = try SendSettings(command)
    var options = settings.options
    let queue = OutputQueue()
    let stream = consoleStream(of: options)
    let file = settings.outputPath.map { SendFile(path: $0) }
    let line = ProgressLine(isShown: settings.showsProgress, queue: queue) { $0.requestLine(columns: $1) }
    if line.isShown { options.onProgress = { line.show($0) } }
    let isStreaming = (command.flag("stream") || settings.opensWebSocket) && !options.dryRun
    let messages = settings.opensWebSocket ? TypedMessages() : nil
    let isUnread = Atomic(false)
    let output: @Sendable ([UInt8]) -> Void = { bytes in
      if let file { return file.write(bytes) }
      line.around { queue.write(bytes, to: stream) }
      // A stream may never end by itself.
      if isStreaming, stream.hasNoReader,
        !isUnread.exchange(true, ordering: .relaxed)
      {
        Task { signalHandler.handle(brokenPipeSignal) }
      }
    }
    var response = settings.response
    if isStreaming {
      let live = LiveResponse(options: response, output: output)
      response.live = live
      let readsInput = !command.flag("ignore-stdin")
      options.onExchange = { part, secrets in
        messages?.receive(part, secrets, readsInput: readsInput)
        live.receive(part, secrets)
      }
    }
    options.reports.insert(
      .response(
        response, output: output,
        diagnostics: { bytes in
          if !isUnread.load(ordering: .relaxed) { line.around { queue.write(bytes, to: .error) } }
        }), at: 0)
    let interrupter = Interrupter()
    signalHandler.set { signal in
      // The first one starts nothing new, the second cuts the request short: here there is nothing to wait for.
      for _ in 0..<2 { interrupter.interrupt(signal: signal) }
      queue.interrupt(signal: signal)
    }
    let result = await Runner(options).run(interrupter: interrupter)
    line.clear()
    var exitCode = result.exitCode
    if exitCode == 0, let problem = messages?.problem {
      queue.write(problem, to: .error)
      exitCode = 1
    }
    if let problem = file?.finish() {
      queue.write("error: \(settings.outputPath ?? "") cannot be written: \(problem.reason)\n", to: .error)
      if exitCode == 0 { exitCode = 5 }
    }
    if !options.dryRun, exitCode != 2, exitCode != 3, let problem = settings.keepSession() {
      queue.write(problem, to: .error)
      if exitCode == 0 { exitCode = 5 }
    }
    if let saving = settings.saving {
      let isColored = settings.response.errorStyle.isColored
      let renderer = DiagnosticRenderer(style: isColored ? .colored : .plain, width: options.width)
      let (text, code) = saving.save(isSent: !options.dryRun, style: renderer)
      queue.write(text, to: .error)
      if code == 0 {
        // What only a plan finds, such as a file outside of the file root.
        var check = RunOptions()
        check.demo = options.demo
        let listing = await Runner(specs: [.path(saving.path)], options: check).check()
        if listing.exitCode != 0 {
          queue.write(listing.diagnostics.drawn(isColored: isColored, width: options.width), to: .error)
        }
      }
      if exitCode == 0 { exitCode = code }
    }
    let status = await queue.end(exitCode)
    withExtendedLifetime(result) { endProcess(status) }
  }

  /// The error if a file that is written after the response can't be; a download reports its own.
  private static func unwritableFile(_ command: ParsedCommand) -> String? {
    let output = command.flag("download") ? nil : command.value(of: "output")
    for path in [output, command.value(of: "save")].compactMap(\.self) {
      do throws(SystemProblem) {
        try ReplacementFile.prepare(path)
      } catch {
        return UsageError("\(path) cannot be written: \(error.reason)").text
      }
    }
    return nil
  }
}

/// The file of `--output`: it is made with the first bytes, and replaces another one once it is complete.
private final class SendFile: @unchecked Sendable {
  // Unchecked: the sink of the one file of the run writes it, and the command ends it after the run.
  private let path: String
  private var file: ReplacementFile?
  private var problem: SystemProblem?

  init(path: String) { self.path = path }

  func write(_ bytes: [UInt8]) {
    guard problem == nil else { return }
    do throws(SystemProblem) {
      if file == nil { file = try ReplacementFile(of: path, isNamedByUser: true) }
      file?.write(bytes)
    } catch {
      problem = error
    }
  }

  /// - Returns: the problem if it could not be written.
  func finish() -> SystemProblem? {
    if let problem { return problem }
    do throws(SystemProblem) {
      try file?.commit()
    } catch {
      return error
    }
    return nil
  }
}
