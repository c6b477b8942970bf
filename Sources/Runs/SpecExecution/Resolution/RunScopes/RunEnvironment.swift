import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates
import Values

/// State that all files of a run share: the scopes around theirs, and the random seed.
package final class RunEnvironment: Sendable {
  /// Names that the run itself sets, such as `demo`.
  package let runValues: [String: Value]
  package let seed: UInt64
  package let fileAccess: @Sendable (_ path: String) -> FileAccess
  /// The proxies of the process's environment.
  package let proxies: Result<ProxyRules?, ProxyVariableProblem>
  /// The values that an export keeps open; nil outside of exports.
  package let openValues: (any OpenValues)?
  /// Returns whether a variable of the process's environment is secret, though no spec declares that.
  package let isSecretVariable: @Sendable (_ name: String) -> Bool
  private let netrcPath: String?
  private let netrcFile = Mutex<Result<NetrcFile, DecodingProblem>?>(nil)
  /// Scopes by the files that declare them.
  private let sharedScopes = Mutex<[String: FileScope]>([:])

  /// - Parameters:
  ///   - netrcPath: the value of `--netrc-file`.
  ///   - fileAccess: the files that templates of the spec at a path may read.
  package init(
    runValues: [String: Value], seed: UInt64, netrcPath: String? = nil, openValues: (any OpenValues)? = nil,
    isSecretVariable: @escaping @Sendable (_ name: String) -> Bool = { _ in false },
    fileAccess: @escaping @Sendable (_ path: String) -> FileAccess
  ) {
    (self.netrcPath, self.openValues, self.isSecretVariable) = (netrcPath, openValues, isSecretVariable)
    self.runValues = runValues
    self.seed = seed
    self.fileAccess = fileAccess
    do throws(ProxyVariableProblem) {
      proxies = .success(try ProxyRules.environment { environmentValue($0) })
    } catch {
      proxies = .failure(error)
    }
  }

  package func environmentVariable(_ name: String) -> String? { environmentValue(name) }

  /// The netrc file, read once per run.
  package func netrc() throws(DecodingProblem) -> NetrcFile {
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

  /// The scope around a file's own: its variables are evaluated once per run, in their order.
  package func sharedScope(of file: PlannedFile) -> FileScope? {
    guard let planned = file.sharedScope else { return nil }
    return sharedScopes.withLock { known in
      if let scope = known[planned.path] { return scope }
      let scope = FileScope(
        environment: self, names: DeclaredNames(planned, of: file), secrets: SecretRegistry(), seed: RandomSeed(seed),
        standsIn: openValues != nil)
      scope.evaluateAll(planned.variables)
      known[planned.path] = scope
      return scope
    }
  }
}
