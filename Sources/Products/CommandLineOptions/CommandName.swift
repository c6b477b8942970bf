/// The commands of reqrun. A new one is a case here; the compiler then names its other places.
package enum CommandName: String, CaseIterable, Sendable, CustomStringConvertible {
  case run, send, `init`, check, list, format, `import`, export, show
  case mergeReports = "merge-reports"
  case diff, demo, mock, record, doctor, lsp, mcp, completions, man, schema, help
  /// The one with which completion scripts ask for tags, names and environments.
  case candidates = "__candidates"

  package var description: String { rawValue }

  package var spec: CommandSpec { CommandSpec(name: self) }
}
