import HTTPSemantics
import OperatingSystem
import RequestSpecs
import RunPlanning
import Synchronization
import Templates
import Values

/// What all files of a run share: the project's variables, evaluated once, and where randomness begins.
package final class RunEnvironment: Sendable {
  /// Names that the run itself sets, such as `demo`.
  let runValues: [String: Value]
  let seed: UInt64
  let fileAccess: @Sendable (_ path: String) -> FileAccess
  /// Those that the process's environment names.
  let proxies: Result<ProxyRules?, ProxyVariableProblem>
  private let netrcPath: String?
  private let netrcFile = Mutex<Result<NetrcFile, DecodingProblem>?>(nil)
  private let projects = Mutex<[String: [String: Result<Value, TemplateError>]]>([:])

  /// - Parameters:
  ///   - netrcPath: of `--netrc-file`.
  ///   - fileAccess: what templates of the spec at a path may read.
  package init(
    runValues: [String: Value], seed: UInt64, netrcPath: String? = nil,
    fileAccess: @escaping @Sendable (_ path: String) -> FileAccess
  ) {
    self.netrcPath = netrcPath
    self.runValues = runValues
    self.seed = seed
    self.fileAccess = fileAccess
    do throws(ProxyVariableProblem) {
      proxies = .success(try ProxyRules.environment { environmentValue($0) })
    } catch {
      proxies = .failure(error)
    }
  }

  func environmentVariable(_ name: String) -> String? { environmentValue(name) }

  /// The netrc file, read once per run.
  func netrc() throws(DecodingProblem) -> NetrcFile {
    try netrcFile.withLock { known in
      if let known { return known }
      let read: Result<NetrcFile, DecodingProblem>
      do throws(DecodingProblem) {
        read = .success(try NetrcFile(path: netrcPath))
      } catch {
        read = .failure(error)
      }
      known = read
      return read
    }.get()
  }

  /// The project's variables: each evaluated once per run, together, in a scope of its own.
  func projectValues(of file: PlannedFile) -> [String: Result<Value, TemplateError>] {
    guard let project = file.project else { return [:] }
    return projects.withLock { known in
      if let values = known[project.path] { return values }
      let names = DeclaredNames(
        variables: project.variables, secrets: project.secrets, overrides: file.overrides,
        commandSecrets: file.commandSecrets, captures: [], path: project.source.name)
      let scope = FileScope(
        environment: self, names: names, projectValues: [:], secrets: SecretRegistry(), randomSeed: seed)
      var values: [String: Result<Value, TemplateError>] = [:]
      for entry in project.variables.entries {
        do throws(TemplateError) {
          if case .value(let value) = try scope.lookup(entry.key.text) { values[entry.key.text] = .success(value) }
        } catch {
          values[entry.key.text] = .failure(error)
        }
      }
      known[project.path] = values
      return values
    }
  }
}
