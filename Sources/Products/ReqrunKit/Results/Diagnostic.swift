import RunReports
import Values

/// A place in a spec, counted as in an editor.
public struct SpecLocation: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file as it was given.
  public let path: String
  /// The line, counted from 1.
  public let line: Int
  /// The column in characters, counted from 1.
  public let column: Int

  init(path: String, line: Int, column: Int) {
    (self.path, self.line, self.column) = (path, line, column)
  }

  init(_ range: SourceRange) {
    self.init(path: range.source.name, line: range.start.line, column: range.start.column)
  }

  /// The place as `path:line:column`.
  public var description: String { "\(path):\(line):\(column)" }
}

/// A problem with a spec, an option or the environment of a run.
public struct Diagnostic: Error, Sendable, CustomStringConvertible {
  /// The severity of a diagnostic.
  public enum Severity: Sendable {
    case error, warning
  }

  /// An explanation, possibly with a place of its own.
  public struct Note: Sendable, Hashable {
    /// The explanation in one sentence.
    public let message: String
    /// The place; nil if the note has none.
    public let location: SpecLocation?
  }

  /// The severity.
  public let severity: Severity
  /// The problem in one sentence.
  public let message: String
  /// The place; nil if no file is the cause.
  ///
  /// Counted anew each time, since columns begin at the start of a line, which may be long.
  public var location: SpecLocation? { internalForm.range.map { SpecLocation($0) } }
  /// The path of the file; nil if the problem has no place.
  package var path: String? { internalForm.range?.source.name }
  /// Explanations, such as the place where a value is used.
  public var notes: [Note] {
    internalForm.notes.map { Note(message: $0.message, location: $0.range.map { SpecLocation($0) }) }
  }
  /// Advice on how to fix it.
  public let fix: String?
  /// The internal form, which can draw the lines of the file.
  let internalForm: Values.Diagnostic

  package init(_ diagnostic: Values.Diagnostic) {
    internalForm = diagnostic
    severity = diagnostic.severity == .error ? .error : .warning
    message = diagnostic.message
    fix = diagnostic.help
  }

  /// The diagnostic in one line, with its place.
  public var description: String {
    "\(location.map { "\($0): " } ?? "")\(severity): \(message)\(fix.map { " (\($0))" } ?? "")"
  }
}

extension [Diagnostic] {
  /// The diagnostics as the command draws them: with the lines of files, and repeated ones only once.
  ///
  /// - Parameter width: the number of columns for the text; nil breaks no line.
  public func drawn(isColored: Bool = false, width: Int? = nil) -> String {
    DiagnosticDigest(map(\.internalForm)).text(isColored: isColored, width: width)
  }

  /// The diagnostics as annotations of GitHub Actions, as many as it shows.
  package func annotations(workspace: String?) -> String {
    let report = AnnotationReport(workspace: workspace) { _ in }
    report.receive(map(\.internalForm))
    return report.commands
  }
}
