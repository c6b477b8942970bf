import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates
import Values

/// The names that templates read: captures, then the command line, then what is declared, then the scope around it.
///
/// Scopes nest: those side by side share the one around them.
package final class FileScope: TemplateScope {
  struct State {
    var captures: [String: Value] = [:]
    /// The memory reserved for large values.
    var shares: [String: StorageBudget.Share] = [:]
    var evaluated: [String: Result<Value, TemplateError>] = [:]
    var random: SplitMix64
    var usedStandIn: String?
    /// The addresses that replace captured URLs, and their names.
    var urlStandIns: [(address: String, name: String)] = []
    /// The placeholders of expressions that read others.
    var expressionStandIns: Set<String> = []
    /// Doubts about what a request sends, until its report takes them.
    var doubts: [(doubt: Doubt, subject: String, range: SourceRange)] = []
  }

  package let environment: RunEnvironment
  let declared: DeclaredNames
  let outer: FileScope?
  let state: Mutex<State>
  /// `--dry-run`: a capture's value is its name in angle brackets.
  package let standsIn: Bool
  /// The known secrets of the run.
  package let registry: SecretRegistry
  /// The names of the rows around it, the outermost first, joined by `/`; nil outside of rows.
  package let rowName: String?
  package let seed: RandomSeed

  package init(
    environment: RunEnvironment, outer: FileScope? = nil, names: DeclaredNames, secrets: SecretRegistry,
    seed: RandomSeed, standsIn: Bool = false, rowName: String? = nil
  ) {
    self.seed = seed
    self.rowName = rowName
    self.standsIn = standsIn
    self.environment = environment
    declared = names
    self.outer = outer
    registry = secrets
    state = Mutex(State(random: SplitMix64(seed: seed.value)))
  }

  package var names: [String] {
    Array(
      Set(declared.variables.keys).union(declared.secrets.keys).union(declared.overrides.keys)
        .union(declared.commandSecrets.keys).union(declared.captures)
        .union(outer?.names ?? environment.runNames(ofProject: path)))
  }

  /// A scope inside this one, with names and captures of its own.
  ///
  /// - Parameter row: the name of its row; nil if it is none.
  package convenience init(
    inside outer: FileScope, names: DeclaredNames, seed: RandomSeed, row: String? = nil
  ) {
    self.init(
      environment: outer.environment, outer: outer, names: names, secrets: outer.registry, seed: seed,
      standsIn: outer.standsIn, rowName: row.map { row in outer.rowName.map { "\($0)/\(row)" } ?? row } ?? outer.rowName
    )
  }

  /// The scope of a round of a poll.
  ///
  /// - Parameters:
  ///   - step: the number of its step, for random values that no other round has.
  ///   - names: the variables of the request, which are evaluated anew; nil if it has none.
  package func round(_ number: Int, of step: Int, _ names: DeclaredNames?) -> FileScope {
    var names = names ?? DeclaredNames(path: declared.path)
    names.overrides["poll_round"] = .integer(number)
    return FileScope(inside: self, names: names, seed: seed.part(.step, step).part(.round, number))
  }

  /// Moves the captures to the scope around this one.
  package func keepCaptures() {
    let (captures, shares) = state.withLock { ($0.captures, $0.shares) }
    outer?.state.withLock { state in
      state.captures.merge(captures) { $1 }
      for name in captures.keys where shares[name] != nil || !state.shares.isEmpty { state.shares[name] = shares[name] }
    }
  }

  /// The path of the file, for relative paths in it.
  package var path: String { declared.path }

  /// The value of a capture in this scope itself.
  package func captured(_ name: String) -> Value? { state.withLock { $0.captures[name] } }

  /// The value of a capture in this scope or one around it.
  private func capturedAround(_ name: String) -> Value? { captured(name) ?? outer?.capturedAround(name) }

  package func capture(_ name: String, _ value: Value, share: StorageBudget.Share?) {
    registry.add(value)
    state.withLock { state in
      state.captures[name] = value
      if share != nil || !state.shares.isEmpty { state.shares[name] = share }
    }
  }

  package func lookup(_ name: String) throws(TemplateError) -> TemplateLookup {
    let (captured, known) = state.withLock { ($0.captures[name], $0.evaluated[name]) }
    if let captured { return .value(captured) }
    if declared.yieldsToCaptures, declared.variables[name] != nil, let given = outer?.capturedAround(name) {
      return .value(given)
    }
    if let secret = declared.commandSecrets[name] { return .value(.text(Text(secret: secret))) }
    if let value = declared.overrides[name] { return .value(value) }
    if let known { return .value(try known.get()) }
    if declared.declares(name), let value = try evaluate(name) { return .value(value) }
    var isKnownOutside = false
    if let outer {
      switch try outer.lookup(name) {
      case .value(let value): return .value(value)
      case .unset: isKnownOutside = true
      case .unknown: break
      }
    } else if let value = environment.runValue(name, ofProject: path) {
      return .value(value)
    }
    if declared.unselectedCaptures.contains(name) { return .unset }
    guard declared.captures.contains(name) else { return isKnownOutside ? .unset : .unknown }
    guard standsIn else { return .unset }
    return .value(.text(placeholder(for: name)))
  }

  /// Returns whether a file, a request or the command line declares a variable.
  package func declaresVariable(_ name: String) -> Bool {
    declared.variables[name] != nil || declared.overrides[name] != nil
      || outer?.declaresVariable(name) ?? (environment.runValue(name, ofProject: path) != nil)
  }

  package func open(_ expression: OpenExpression) throws(TemplateError) -> Value? {
    try environment.openValues?.value(of: expression, in: self, partOf: nil)
  }

  /// Returns whether the value of a variable has parts.
  func hasParts(_ name: String) -> Bool { declared.variables[name].map { !$0.isTemplate } ?? false }

  /// Evaluates variables before anything reads them, so that they do not depend on who reads them first.
  package func evaluateAll(_ variables: KeyedSettings<ValueTemplate>) {
    for entry in variables.entries where entry.value != nil { _ = try? lookup(entry.key.text) }
  }

  /// Evaluates the variables of this scope itself before anything reads them.
  package func evaluateOwn() {
    for name in declared.variables.keys { _ = try? lookup(name) }
  }

  /// Evaluates a variable or secret of the file, once; nil if it declares none.
  ///
  /// The variables that it reads are evaluated first: a chain of them may be longer than the call stack is deep.
  private func evaluate(_ name: String) throws(TemplateError) -> Value? {
    guard var unread = unevaluated(readBy: name) else { return nil }
    var path: [(name: String, unread: [String])] = []
    var open: Set = [name]
    var current = name
    while true {
      if let next = unread.popLast() {
        guard !open.contains(next) else {
          note(current, .failure(TemplateError("`\(current)` and `\(next)` read each other in a circle")))
          unread = []
          continue
        }
        guard let below = unevaluated(readBy: next) else { continue }
        path.append((current, unread))
        open.insert(next)
        (current, unread) = (next, below)
      } else {
        if state.withLock({ $0.evaluated[current] }) == nil {
          let result = value(of: current)
          // It may be evaluated again for a request that has more time.
          if EvaluationBudget.current?.isExhausted == true { throw .outOfTime("`\(current)`", at: nil) }
          note(current, result)
        }
        open.remove(current)
        guard let reader = path.popLast() else { break }
        (current, unread) = reader
      }
    }
    return try state.withLock { $0.evaluated[name] }?.get()
  }

  /// The names that a variable or secret reads, the first last; nil if the file declares none, or it has its value.
  private func unevaluated(readBy name: String) -> [String]? {
    guard declared.commandSecrets[name] == nil, declared.overrides[name] == nil,
      state.withLock({ $0.captures[name] == nil && $0.evaluated[name] == nil })
    else { return nil }
    let templates: [Template]
    if let variable = declared.variables[name] {
      templates = variable.templates
    } else if let secret = declared.secrets[name] {
      templates = secret.value?.templates ?? []
    } else {
      return nil
    }
    return templates.flatMap { $0.references.map(\.name) }.reversed()
  }

  private func value(of name: String) -> Result<Value, TemplateError> {
    guard let template = declared.variables[name] else {
      return declared.secrets[name].map(secretValue) ?? .success(.null)
    }
    do throws(TemplateError) {
      return .success(try template.resolve(in: VariableScope(self, of: name)))
    } catch {
      return .failure(error)
    }
  }

  private func note(_ name: String, _ result: Result<Value, TemplateError>) {
    if case .success(let value) = result { registry.add(value) }
    state.withLock { $0.evaluated[name] = result }
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
      let value = try template.resolve(in: VariableScope(self, of: secret.name))
      if case .text(let text) = value, text.isEmpty {
        return .failure(TemplateError("the secret `\(secret.name)` is empty", at: template.range))
      }
      return .success(value.tainted)
    } catch {
      return .failure(error)
    }
  }

  package func environmentVariable(_ name: String) -> Text? {
    environment.environmentVariable(name).map {
      Text($0, isSecret: declaresSecret(name) || environment.isSecretVariable(name))
    }
  }

  package func declaresSecret(_ name: String) -> Bool {
    declared.secrets[name] != nil || declared.commandSecrets[name] != nil || outer?.declaresSecret(name) ?? false
  }

  package func netrcFile() throws(DecodingProblem) -> NetrcFile { try environment.netrc() }

  package func now() -> Timestamp { .now }

  /// Begins the random sequence of a step.
  package func beginRandom(ofStep number: Int) {
    let start = SplitMix64(seed: seed.part(.step, number).value)
    state.withLock { $0.random = start }
  }

  package func nextRandom() -> UInt64 {
    state.withLock { $0.random.next() }
  }

  /// The absolute path of a directory in which the run keeps files, if it may write any.
  package func writableDirectory(_ path: String, from range: SourceRange) throws(TemplateError) -> String {
    let access = fileAccess
    do {
      return try access.directory(
        path, beside: range.source.name, makes: !standsIn && access.mayWrite, isOnlyRead: !access.mayWrite)
    } catch {
      throw TemplateError(error, at: range)
    }
  }

  /// The folder with the file's snapshots, created on demand.
  package func snapshotFolder(makes: Bool) throws(DecodingProblem) -> SnapshotFolder {
    let access = fileAccess
    let path = try access.directory(
      SnapshotFolder.relativePath(of: declared.path), beside: declared.path, makes: makes, isPrivate: false,
      isOnlyRead: !makes)
    access.use(directory: path, by: declared.path)
    return SnapshotFolder(path: path, spec: declared.path)
  }

  /// The files that this file may read.
  package var fileAccess: FileAccess { environment.fileAccess(declared.path) }

  package func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] {
    do {
      return try fileAccess.read(path, beside: range.source.name)
    } catch {
      throw TemplateError(error, at: range)
    }
  }
}
