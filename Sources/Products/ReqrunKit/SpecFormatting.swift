import OperatingSystem
import RequestSpecs
import Values
import YAMLNodes

/// The result of formatting files.
public struct FormatResult: Sendable {
  /// The paths of the files that were changed, or would be.
  public internal(set) var changedFiles: [String] = []
  /// The formatted standard input; nil if it wasn't one of the files, or was only checked.
  public internal(set) var standardInput: [UInt8]?
  /// The number of files that could not be read, or aren't YAML.
  public internal(set) var unreadableFiles = 0
  /// The number of files that could not be written.
  public internal(set) var unwrittenFiles = 0
  /// Problems with files.
  public internal(set) var diagnostics: [Diagnostic] = []
  /// Indicates that no file was found in a directory.
  var isEmpty = false
  let onlyChecks: Bool

  /// The changed files as text, one per line.
  public var text: String {
    changedFiles.map { withoutWorkflowCommands(sanitizedForTerminal($0)) + "\n" }.joined()
  }

  /// The exit code: 0, 1 a file is not formatted and was only checked, 2 a file could not be read, 4 there was
  /// none to format, 5 one could not be written.
  public var exitCode: Int32 {
    if unreadableFiles > 0 { return 2 }
    if onlyChecks, !changedFiles.isEmpty { return 1 }
    return unwrittenFiles > 0 ? 5 : isEmpty ? 4 : 0
  }
}

/// A spec or project file, formatted; nil if it has errors.
package func formattedSpec(_ bytes: [UInt8], name: String) -> [UInt8]? {
  var ignored = DiagnosticBag()
  return YAMLReader.formatted(bytes: bytes, name: name, into: &ignored)
}

extension Runner {
  /// Formats the files of the options in place.
  ///
  /// - Parameter onlyChecks: true to write nothing.
  public func format(onlyChecks: Bool = false) -> FormatResult {
    var result = FormatResult(onlyChecks: onlyChecks)
    var loader = SpecLoader(options)
    let paths = loader.paths(of: options.specs)
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
      var ignored = DiagnosticBag()
      let file = LoadedFile.read(bytes: bytes, path: path, asProject: isProjectName(path), into: &ignored)
      if let other = file?.foreignDescription {
        guard isNamed else { continue }
        bag.error(
          .notASpec, "\(name) is not a spec: \(other)", at: nil, help: "only specs and project files are formatted")
        result.unreadableFiles += 1
        continue
      }
      guard let formatted = YAMLReader.formatted(bytes: bytes, name: path, into: &bag) else {
        result.unreadableFiles += 1
        continue
      }
      if isInput, !onlyChecks {
        result.standardInput = formatted
        continue
      }
      if formatted == bytes { continue }
      if !onlyChecks, let problem = write(formatted, to: path) {
        bag.error(.unwritableFile, "\(path) cannot be written: \(problem.reason)", at: nil)
        result.unwrittenFiles += 1
        continue
      }
      result.changedFiles.append(name)
    }
    if paths.isEmpty, !bag.hasErrors, let directory = loader.emptyDirectories.first {
      bag.add(NothingSelected.emptyDirectory(directory, to: "format"))
      result.isEmpty = true
    }
    result.diagnostics = bag.diagnostics.map { Diagnostic($0) }
    return result
  }

  private func reading(
    _ path: String, _ name: String, into bag: inout DiagnosticBag
  ) -> Result<[UInt8], SystemProblem> {
    let result = readFile(path == standardInputPath ? "/dev/stdin" : path, limit: SpecLoader.sizeLimit)
    if case .failure(let problem) = result {
      bag.error(.unreadableFile, "\(name) cannot be read: \(problem.reason)", at: nil)
    }
    return result
  }

  /// The reason why a file could not be written; nil if it was.
  func write(_ bytes: [UInt8], to path: String) -> SystemProblem? {
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
