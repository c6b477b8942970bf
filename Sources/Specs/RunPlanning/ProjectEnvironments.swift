import Diagnostics
import RequestSpecs
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
