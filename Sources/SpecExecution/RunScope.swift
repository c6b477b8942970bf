import Diagnostics
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
  private let environment: @Sendable (String) -> String?
  private let projects = Mutex<[String: [String: Result<Value, TemplateError>]]>([:])

  package init(
    runValues: [String: Value], seed: UInt64, environment: @escaping @Sendable (String) -> String?,
    fileAccess: @escaping @Sendable (_ path: String) -> FileAccess
  ) {
    self.runValues = runValues
    self.seed = seed
    self.environment = environment
    self.fileAccess = fileAccess
  }

  func environmentVariable(_ name: String) -> String? { environment(name) }

  /// The project's variables: each evaluated once per run, together, in a scope of its own.
  func projectValues(of file: PlannedFile) -> [String: Result<Value, TemplateError>] {
    guard let project = file.project else { return [:] }
    return projects.withLock { known in
      if let values = known[project.path] { return values }
      let scope = FileScope(
        environment: self, variables: project.variables, secrets: project.secrets, overrides: file.overrides,
        commandSecrets: file.commandSecrets, projectValues: [:], source: project.source, randomSeed: seed)
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

/// The names that templates of one file's run read: captures, command line, file, project, in this order.
final class FileScope: TemplateScope {
  private struct State {
    var captures: [String: Value] = [:]
    var evaluated: [String: Result<Value, TemplateError>] = [:]
    var random: SplitMix64
  }

  private let environment: RunEnvironment
  private let variables: [String: ValueTemplate]
  private let secrets: [String: SecretDeclaration]
  private let overrides: [String: Value]
  private let commandSecrets: [String: String]
  private let projectValues: [String: Result<Value, TemplateError>]
  private let captureNames: Set<String>
  private let state: Mutex<State>
  private let access: FileAccess
  let registry: SecretRegistry

  init(
    environment: RunEnvironment, variables: KeyedSettings<ValueTemplate>, secrets: [SecretDeclaration],
    overrides: [String: Value], commandSecrets: [String: String],
    projectValues: [String: Result<Value, TemplateError>], source: SourceText, randomSeed: UInt64,
    captureNames: Set<String> = []
  ) {
    self.environment = environment
    self.variables = Dictionary(
      variables.entries.compactMap { entry in entry.value.map { (entry.key.text, $0) } }, uniquingKeysWith: { $1 })
    self.secrets = Dictionary(secrets.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    self.overrides = overrides
    self.commandSecrets = commandSecrets
    self.projectValues = projectValues
    self.captureNames = captureNames
    access = environment.fileAccess(source.name)
    registry = SecretRegistry(commandSecrets.values)
    state = Mutex(State(random: SplitMix64(seed: randomSeed)))
    for name in self.secrets.keys {
      if let value = environment.environmentVariable(name) { registry.add(value) }
    }
    for case .success(let value) in projectValues.values { registry.add(value) }
  }

  var names: [String] {
    Array(
      Set(variables.keys).union(secrets.keys).union(overrides.keys).union(commandSecrets.keys).union(
        projectValues.keys
      ).union(environment.runValues.keys).union(captureNames))
  }

  func capture(_ name: String, _ value: Value) {
    registry.add(value)
    state.withLock { $0.captures[name] = value }
  }

  func lookup(_ name: String) throws(TemplateError) -> TemplateLookup {
    if let value = state.withLock({ $0.captures[name] }) { return .value(value) }
    if captureNames.contains(name), variables[name] == nil, overrides[name] == nil { return .unset }
    if let secret = commandSecrets[name] { return .value(.text(Text(secret: secret))) }
    if let value = overrides[name] { return .value(value) }
    if let known = state.withLock({ $0.evaluated[name] }) { return .value(try known.get()) }
    guard let value = try evaluate(name) else {
      if let value = projectValues[name] { return .value(try value.get()) }
      if let value = environment.runValues[name] { return .value(value) }
      return .unknown
    }
    return .value(value)
  }

  /// Evaluates a variable or secret of the file, once.
  private func evaluate(_ name: String) throws(TemplateError) -> Value? {
    let result: Result<Value, TemplateError>
    if let template = variables[name] {
      do throws(TemplateError) {
        result = .success(try template.resolve(in: self))
      } catch {
        result = .failure(error)
      }
    } else if let secret = secrets[name] {
      result = secretValue(secret)
      if case .success(let value) = result { registry.add(value) }
    } else {
      return nil
    }
    state.withLock { $0.evaluated[name] = result }
    return try result.get()
  }

  private func secretValue(_ secret: SecretDeclaration) -> Result<Value, TemplateError> {
    guard let template = secret.value else {
      guard let value = environment.environmentVariable(secret.name), !value.isEmpty else {
        return .failure(
          TemplateError(
            "the secret `\(secret.name)` is not set",
            help: "set the environment variable \(secret.name), or give --secret \(secret.name)=…"))
      }
      return .success(.text(Text(secret: value)))
    }
    do throws(TemplateError) {
      let value = try template.resolve(in: self)
      if case .text(let text) = value, text.isEmpty {
        return .failure(TemplateError("the secret `\(secret.name)` is empty", at: template.range))
      }
      return .success(value.tainted)
    } catch {
      return .failure(error)
    }
  }

  func environmentVariable(_ name: String) -> Text? {
    environment.environmentVariable(name).map {
      Text($0, isSecret: secrets[name] != nil || commandSecrets[name] != nil)
    }
  }

  func now() -> Timestamp {
    let time = currentTimestamp()
    return Timestamp(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }

  func nextRandom() -> UInt64 {
    state.withLock { $0.random.next() }
  }

  func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] {
    do {
      return try access.read(path, beside: range.source.name)
    } catch {
      throw TemplateError(error, at: range)
    }
  }
}
