import CommandLineOptions
import OperatingSystem
import ReqrunConverters
import ReqrunKit

/// The program `reqrun-convert`, which `reqrun import` and `reqrun export` start with their arguments.
@main
struct ReqrunConvert {
  static func main() async {
    openStandardStreams()
    reportClosedPipes()
    endProcess(await status())
  }

  private static func status() async -> Int32 {
    do throws(UsageError) {
      let command = try CommandTable.reqrun.parseCommandLine()
      if command.flag("help") {
        return write(CommandTable.reqrun.helpText(for: command.name, width: 80), to: .output) ?? 0
      }
      if command.flag("version") { return write("reqrun-convert \(CommandTable.reqrun.version)\n", to: .output) ?? 0 }
      switch command.name {
      case .import: return try await importSpecs(command)
      // `reqrun record`, or a mock with `--save`, has become this program, whose input is what it has recorded.
      case .record, .mock: return try await importRecording(command)
      case .export: return try await export(command)
      default:
        throw UsageError("reqrun-convert imports and exports only", help: "write `reqrun \(command.name)`")
      }
    } catch {
      StandardStream.error.write(error.text)
      return 2
    }
  }

  private static func importSpecs(_ command: ParsedCommand) async throws(UsageError) -> Int32 {
    var options = ImportOptions()
    options.paths = command.arguments
    if let kind = ImportKind.all.first(where: { $0.name == command.arguments.first }) {
      options.kind = kind
      options.paths.removeFirst()
    }
    guard !options.paths.isEmpty else {
      throw UsageError(
        "`reqrun import \(command.arguments[0])` needs a file", help: "give one, or - for standard input")
    }
    options.directory = command.value(of: "directory")
    let treatments: [(String, ExistingFiles)] = [("check", .compared), ("update", .updated), ("force", .replaced)]
    options.existing = treatments.first { command.flag($0.0) }?.1 ?? .kept
    options.isStrict = command.flag("strict")
    options.hosts = command.words(of: "host")
    options.types = command.words(of: "type")
    options.hasBoundaries = command.flag("boundaries")
    return try await importSpecs(options, command)
  }

  private static func importRecording(_ command: ParsedCommand) async throws(UsageError) -> Int32 {
    var options = ImportOptions()
    options.paths = [standardInputPath]
    options.kind = ImportKind.all.first { $0.name == "har" }
    options.directory = command.value(of: command.name == .mock ? "save" : "directory")
    options.existing = .completed
    return try await importSpecs(options, command)
  }

  private static func importSpecs(
    _ options: ImportOptions, _ command: ParsedCommand
  ) async throws(UsageError) -> Int32 {
    let shown = try runOptions(command)
    let result = await Runner.importSpecs(options)
    StandardStream.error.write(result.diagnostics.text(shown))
    // The text of a single spec goes to standard output alone.
    let problems = [
      write(result.text, to: .output), write(Array(result.summary.utf8), to: result.text.isEmpty ? .output : .error),
    ]
    return result.exitCode != 0 ? result.exitCode : problems.compactMap(\.self).first ?? 0
  }

  private static func export(_ command: ParsedCommand) async throws(UsageError) -> Int32 {
    let options = try runOptions(command)
    guard let kind = ExportKind.all.first(where: { $0.name == command.arguments.first }) else { return 2 }
    let result = await Runner(options).export(
      kind, to: command.value(of: "directory") ?? ".", replaces: command.flag("force"), strict: command.flag("strict"))
    StandardStream.error.write(result.diagnostics.text(options))
    let problem = write(result.text, to: .output)
    StandardStream.error.write(result.summary)
    return result.exitCode != 0 ? result.exitCode : problem ?? 0
  }

  /// Writes a text, and returns the exit code if that fails.
  private static func write(_ bytes: [UInt8], to stream: StandardStream) -> Int32? {
    stream.write(bytes).map { stream.report($0) }
  }

  private static func write(_ text: String, to stream: StandardStream) -> Int32? { write(Array(text.utf8), to: stream) }
}
