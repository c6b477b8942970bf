package import Diagnostics

/// Why a document cannot be had.
package struct SchemaFetchProblem: Error {
  package let message: String
  package let help: String?
  /// What is wrong in the document itself.
  package let diagnostics: [Diagnostic]
  /// A warning where nothing is wrong with the reference; what is missing then asks nothing.
  package let severity: Severity

  package init(
    _ message: String, help: String? = nil, diagnostics: [Diagnostic] = [], severity: Severity = .error
  ) {
    self.message = message
    self.help = help
    self.diagnostics = diagnostics
    self.severity = severity
  }
}
