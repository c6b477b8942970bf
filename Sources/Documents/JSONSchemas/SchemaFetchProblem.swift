import Values

/// The reason why a document is unavailable.
package struct SchemaFetchProblem: Error {
  package let code: DiagnosticCode
  package let message: String
  package let help: String?
  /// Errors in the document itself.
  package let diagnostics: [Diagnostic]
  /// The severity: a warning if the reference itself is valid; the missing schema then accepts everything.
  package let severity: Severity

  package init(
    _ code: DiagnosticCode, _ message: String, help: String? = nil, diagnostics: [Diagnostic] = [],
    severity: Severity = .error
  ) {
    self.code = code
    self.message = message
    self.help = help
    self.diagnostics = diagnostics
    self.severity = severity
  }
}
