import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates
import Values

/// A mock that responds to the requests of a run.
package struct RunningMock: Sendable {
  /// The name of the variable with its address.
  package static let name = "mock"

  package let address: String
  /// Returns the calls so far, the latest of many, as a list.
  let calls: @Sendable () -> Value

  package init(address: String, calls: @escaping @Sendable () -> Value = { .list([]) }) {
    (self.address, self.calls) = (address, calls)
  }
}

/// State that all files of a run share: the scopes around theirs, and the random seed.
package final class RunEnvironment: Sendable {
  /// Names that the run itself sets, such as `demo`.
  package let runValues: [String: Value]
  /// The mocks of the run, by the paths of the project files that have them.
  let mocks: [String: RunningMock]
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
    runValues: [String: Value], mocks: [String: RunningMock] = [:], seed: UInt64, netrcPath: String? = nil,
    openValues: (any OpenValues)? = nil,
    isSecretVariable: @escaping @Sendable (_ name: String) -> Bool = { _ in false },
    fileAccess: @escaping @Sendable (_ path: String) -> FileAccess
  ) {
    (self.netrcPath, self.openValues, self.isSecretVariable) = (netrcPath, openValues, isSecretVariable)
    (self.runValues, self.mocks) = (runValues, mocks)
    self.seed = seed
    self.fileAccess = fileAccess
    do throws(ProxyVariableProblem) {
      proxies = .success(try ProxyRules.environment { environmentValue($0) })
    } catch {
      proxies = .failure(error)
    }
  }

  package func environmentVariable(_ name: String) -> String? { environmentValue(name) }

  /// The value of a name that the run sets, in the project whose file has the path.
  func runValue(_ name: String, ofProject path: String) -> Value? {
    runValues[name] ?? (name == RunningMock.name ? mocks[path].map { .text(Text($0.address)) } : nil)
  }

  /// The names that the run sets in a project.
  func runNames(ofProject path: String) -> [String] {
    runValues.keys + (mocks[path] == nil ? [] : [RunningMock.name])
  }

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

extension FileScope {
  /// The mock of the file's project, whose scope is around all others.
  var mock: RunningMock? { if let outer { outer.mock } else { environment.mocks[path] } }
}
