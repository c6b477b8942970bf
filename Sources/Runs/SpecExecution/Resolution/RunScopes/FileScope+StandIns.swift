import HTTPSemantics
import RequestSpecs
import Synchronization
import Templates
import Values

/// The placeholders of values that only a response gives: in a dry run, and in an export.
extension FileScope {
  /// The placeholder of a name that only a response gives a value in this scope.
  func placeholder(for name: String) -> Text {
    let isURL = declared.urlCaptures.contains(name)
    guard let values = environment.openValues else { return Text(standIn(for: name, isURL: isURL)) }
    standInScope.state.withLock { $0.usedStandIn = name }
    return values.capture(name, isURL: isURL)
  }

  /// The placeholder of a name that a request captures, even if a variable has its name; nil for any other.
  package func capturePlaceholder(_ name: String) -> Text? {
    if captured(name) != nil { return nil }
    return declared.captures.contains(name) ? placeholder(for: name) : outer?.capturePlaceholder(name)
  }

  /// The scope that keeps placeholders: that of the file, for all scopes inside it.
  private var standInScope: FileScope {
    guard let outer, outer.standsIn else { return self }
    return outer.standInScope
  }

  /// The placeholder `<name>`, or for a URL an address that can be parsed and is shown that way.
  private func standIn(for name: String, isURL: Bool) -> String {
    standInScope.state.withLock { state in
      state.usedStandIn = name
      guard isURL else { return "<\(name)>" }
      if let known = state.urlStandIns.first(where: { $0.name == name }) { return known.address }
      let address = "http://captured-\(state.urlStandIns.count + 1).invalid"
      state.urlStandIns.append((address, name))
      return address
    }
  }

  package func standIn(for value: Value, reading names: [String], at range: SourceRange) -> Value {
    guard environment.openValues == nil, let name = nameWithoutValue(among: names) else { return value }
    if case .text(let text) = value, text.string.contains("<") || text.string.contains("http://captured-") {
      return value
    }
    let placeholder = "<\(isPrivateName(range.source.name) ? name : range.text)>"
    standInScope.state.withLock { state in
      state.usedStandIn = name
      state.expressionStandIns.insert(placeholder)
    }
    return .text(Text(placeholder))
  }

  /// The first name that only a response gives a value, directly or through variables.
  private func nameWithoutValue(among names: [String]) -> String? {
    var pending = names
    var seen: Set<String> = []
    while let name = pending.popLast() {
      guard seen.insert(name).inserted else { continue }
      var (scope, isCapture): (FileScope?, Bool) = (self, false)
      while let current = scope {
        let declared = current.declared
        if current.captured(name) != nil || declared.overrides[name] != nil || declared.commandSecrets[name] != nil {
          isCapture = false
          break
        }
        if let variable = declared.variables[name] {
          pending += variable.templates.flatMap { $0.references.map(\.name) }
          isCapture = false
          break
        }
        if declared.captures.contains(name) { isCapture = true }
        scope = current.outer
      }
      if isCapture { return name }
    }
    return nil
  }

  /// A URL with the names in angle brackets of its captured parts.
  package func withStandIns(_ url: String) -> String {
    guard standsIn, environment.openValues == nil else { return url }
    var result = url
    if let outer, outer.standsIn { result = outer.withStandIns(result) }
    for name in declared.captures {
      result = result.replacing(percentEncoded("<\(name)>", allowed: .pathSegment), with: "<\(name)>")
    }
    for text in state.withLock({ $0.expressionStandIns }) {
      result = result.replacing(percentEncoded(text, allowed: .pathSegment), with: text)
    }
    for (address, name) in state.withLock({ $0.urlStandIns }) {
      if result == address + "/" { return "<\(name)>" }
      result = result.replacing(address + "/?", with: "<\(name)>?").replacing(address, with: "<\(name)>")
      // As a value in a query.
      result = result.replacing(address.replacing(":", with: "%3A"), with: "<\(name)>")
    }
    return result
  }

  /// The last name that was replaced by a placeholder since the previous call.
  package func takeStandIn() -> String? {
    guard standsIn else { return nil }
    return standInScope.state.withLock { state in
      defer { state.usedStandIn = nil }
      return state.usedStandIn
    }
  }
}
