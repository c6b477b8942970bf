import Templates
import Values

/// The environments of a project, of which one may be chosen.
package struct ProjectEnvironments: Sendable {
  /// The chosen one, at its place in the project file; nil if none is.
  package let chosen: Located<String>?
  /// The name that `--env` gives, if this project has no such environment.
  package let missing: String?
  /// The settings of the chosen one, and those of its private file over them.
  package let layers: [EnvironmentSpec]
  /// Indicates whether all files of the chosen one could be read.
  package let isComplete: Bool
  /// The environments that declare a name.
  package let declaring: @Sendable (_ name: String) -> [String]

  package init(
    chosen: Located<String>?, missing: String? = nil, layers: [EnvironmentSpec], isComplete: Bool = true,
    declaring: @escaping @Sendable (_ name: String) -> [String]
  ) {
    self.chosen = chosen
    self.missing = missing
    self.layers = layers
    self.isComplete = isComplete
    self.declaring = declaring
  }

  /// The variable `environment`: the name of the chosen one, or null.
  var nameEntry: KeyedSettings<ValueTemplate>.Entry {
    let range = chosen?.range ?? SourceRange.none
    return KeyedSettings.Entry(
      key: TextTemplate(text: "environment", range: range, template: nil),
      value: ValueTemplate(content: .literal(chosen.map { .text($0.value) } ?? .null), range: range))
  }
}

extension ProjectEnvironments {
  /// The message on a name that only environments declare, and the chosen one does not; nil if none does.
  func message(on reference: TemplateReference) -> Diagnostic? {
    let setters = declaring(reference.name)
    guard let first = setters.first else { return nil }
    let names = setters.map { "`\($0)`" }.joined(separator: ", ")
    let help =
      if chosen != nil {
        "set it in this environment, too, or choose another with --env, such as --env \(first)"
      } else if let missing {
        "add the environment `\(missing)` to the project file, or choose another with --env, such as --env \(first)"
      } else {
        "choose one with --env, such as --env \(first), or by `default_environment` in the project file"
      }
    return .error(
      .unavailableName, "`\(reference.name)` is set only by the environment\(setters.count == 1 ? "" : "s") \(names)",
      at: reference.range,
      notes: chosen.map { [Diagnostic.Note("the run has the environment `\($0.value)`", at: $0.range)] } ?? [],
      help: help)
  }
}
