import RequestSpecs
import Templates
import Values

/// The parts of any step, a request, a group or the use of a file, that decide whether it runs and what it is called.
extension RunContext {
  /// The reason in a step itself to skip it: `skip`, or a `when` that does not hold.
  func conditionToSkip(
    _ skip: Field<SkipRule>?, _ when: Field<Bool>?, of stage: RequestStage, at range: SourceRange, in scope: FileScope
  ) throws(TemplateError) -> String? {
    guard skip != nil || when != nil else { return nil }
    _ = scope.takeStandIn()
    func needs(_ name: String) -> String { "its condition needs `\(name)`, which only a response gives" }
    do throws(TemplateError) {
      let reason = try control.evaluating(stage, at: range) { () throws(TemplateError) -> String? in
        if case .yes(let reason)? = try skip?.resolve(in: scope) {
          return scope.registry.masked(reason ?? "`skip: true`")
        }
        return try when?.resolve(in: scope) == false ? "`when` does not hold" : nil
      }
      return scope.takeStandIn().map(needs) ?? reason
    } catch {
      if let name = scope.takeStandIn() { return needs(name) }
      throw error
    }
  }

  /// A step's own name with its templates evaluated; the static one if it has none, or its values are unknown.
  func name(_ name: Field<Text>?, or staticName: String, of stage: RequestStage, in scope: FileScope) -> String {
    guard let name, name.literal == nil else { return staticName }
    let resolved = try? control.evaluating(stage, at: name.range) { () throws(TemplateError) in
      try name.resolve(in: scope)
    }
    return resolved?.masked ?? staticName
  }
}
