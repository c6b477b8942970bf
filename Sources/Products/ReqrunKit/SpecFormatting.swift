import Diagnostics
import OperatingSystem
import RequestSpecs
import YAMLNodes

extension Reqrun {
  /// Formats the files in place, and prints the names of changed ones; standard input is written to the output.
  ///
  /// - Parameter onlyChecks: true to write nothing, and print the names of files that would change.
  public func format(onlyChecks: Bool) -> RunResult {
    var result = RunResult()
    var loader = SpecLoader(fileRoot: nil)
    let paths = loader.paths(of: options.files)
    var bag = loader.bag
    result.unreadableFiles = loader.unreadableFiles
    for (path, isNamed) in paths {
      let isInput = path == standardInputPath
      let name = isInput ? "standard input" : path
      guard case .success(let bytes) = reading(path, name, into: &bag) else {
        result.unreadableFiles += 1
        continue
      }
      // A directory may contain other kinds of YAML.
      guard isNamed || isSpec(bytes, path) else { continue }
      guard let formatted = YAMLReader.formatted(bytes: bytes, name: path, into: &bag) else {
        result.unreadableFiles += 1
        continue
      }
      if isInput, !onlyChecks {
        output(formatted)
        continue
      }
      if formatted == bytes { continue }
      if onlyChecks {
        result.unformattedFiles += 1
      } else if let problem = write(formatted, to: path) {
        bag.error("\(path) cannot be written: \(problem.reason)", at: nil)
        result.unwrittenReports += 1
        continue
      }
      output(Array((withoutWorkflowCommands(sanitizedForTerminal(name)) + "\n").utf8))
    }
    showDiagnostics(bag)
    return result
  }

  private func reading(
    _ path: String, _ name: String, into bag: inout DiagnosticBag
  ) -> Result<[UInt8], SystemProblem> {
    let result = readFile(path == standardInputPath ? "/dev/stdin" : path, limit: SpecLoader.sizeLimit)
    if case .failure(let problem) = result { bag.error("\(name) cannot be read: \(problem.reason)", at: nil) }
    return result
  }

  private func isSpec(_ bytes: [UInt8], _ path: String) -> Bool {
    var ignored = DiagnosticBag()
    switch LoadedFile.read(bytes: bytes, path: path, asProject: isProjectName(path), into: &ignored) {
    case .other, .contract: return false
    case .spec, .project, nil: return true
    }
  }

  /// The reason why a file could not be written; nil if it was.
  private func write(_ bytes: [UInt8], to path: String) -> SystemProblem? {
    do throws(SystemProblem) {
      let file = try ReplacementFile(of: path, isNamedByUser: true)
      file.write(bytes)
      try file.commit()
      return nil
    } catch {
      return error
    }
  }
}
