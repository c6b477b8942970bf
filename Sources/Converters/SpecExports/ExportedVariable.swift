import RequestSpecs
import SpecExecution
import Templates
import Values

/// A variable of an export with its value, in which words may stand.
struct ExportedVariable: Sendable {
  let name: String
  let value: Value
  /// Indicates whether it has a new value for each request.
  let isOfRequest: Bool
  /// Indicates whether its value is made from captures.
  let readsCaptures: Bool
}

/// Reads the variables of a request, each after those that it is made from.
struct VariableReading {
  private let words: ExportWords
  private let step: RequestStep
  private let place: String
  private let scope: FileScope
  private(set) var variables: [ExportedVariable] = []
  /// The values that the variables are made from.
  private(set) var values: [ExportedValue] = []
  /// Indicates for each name whether its value is made from captures.
  private var known: [String: Bool] = [:]

  init(_ words: ExportWords, _ step: RequestStep, at place: String, in scope: FileScope) {
    (self.words, self.step, self.place, self.scope) = (words, step, place, scope)
  }

  /// Adds the variables of a value, and returns whether it is made from captures.
  mutating func add(_ value: ExportedValue, depth: Int = 0) -> Bool {
    switch value {
    case .environment, .function(_, nil): return false
    case .capture: return true
    case .placed(let value, _): return add(value, depth: depth)
    case .function(let function, let name?):
      guard known.updateValue(false, forKey: name) == nil else { return false }
      let text = Value.text(words.wordForValue(.function(function, name: nil)))
      variables.append(
        ExportedVariable(name: name, value: text, isOfRequest: step.names != nil, readsCaptures: false))
      return false
    case .variable(let name):
      if let known = known[name] { return known }
      guard depth < 64, case .value(var value)? = try? scope.lookup(name) else { return false }
      known[name] = false
      var readsCaptures = false
      if case .text(let text) = value {
        let written = words.opened(text, named: name, at: place)
        let inner = words.values(in: written)
        values += inner
        for inner in inner where add(inner, depth: depth + 1) { readsCaptures = true }
        value = .text(written)
      }
      known[name] = readsCaptures
      variables.append(
        ExportedVariable(
          name: name, value: value, isOfRequest: step.names?.variables[name] != nil, readsCaptures: readsCaptures))
      return readsCaptures
    }
  }
}

/// The values of variables at a request, which those before it have set.
struct VariableValues {
  private var values: [String: Value] = [:]

  init(_ shared: [ExportedVariable] = []) {
    for variable in shared { values[variable.name] = variable.value }
  }

  /// The variables of a request whose value is another one than before.
  mutating func changed(by request: ExportedRequest) -> [ExportedVariable] {
    request.variables.filter { variable in
      defer { values[variable.name] = variable.value }
      return variable.isOfRequest || values[variable.name] != variable.value
    }
  }
}
