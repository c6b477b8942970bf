import RunReports
import Values

/// A place in a spec, counted as in an editor.
public struct SpecLocation: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The path of the file as it was given.
  public let path: String
  /// The line, counted from 1.
  public let line: Int
  /// The column in characters, counted from 1.
  public let column: Int

  /// Creates a place.
  public init(path: String, line: Int, column: Int = 1) {
    (self.path, self.line, self.column) = (path, line, column)
  }

  init(_ range: SourceRange) {
    self.init(path: RunOptions.naming(range.source.name), line: range.start.line, column: range.start.column)
  }

  /// The place as `path:line:column`.
  public var description: String { "\(path):\(line):\(column)" }
}

/// A problem with a spec, an option or the environment of a run.
public struct Diagnostic: Error, Sendable, CustomStringConvertible {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable, Codable {
    case error, warning
  }

  /// An explanation, possibly with a place of its own.
  public struct Note: Sendable, Hashable, Codable {
    /// The explanation in one sentence.
    public let message: String
    /// The place; nil if the note has none.
    public let location: SpecLocation?

    /// Creates a note.
    public init(_ message: String, at location: SpecLocation? = nil) {
      (self.message, self.location) = (message, location)
    }
  }

  /// A change to a file.
  public struct Edit: Sendable, Hashable {
    /// The place where it begins.
    public let location: SpecLocation
    /// The bytes of the file's UTF-8 that are replaced.
    public let bytes: Range<Int>
    /// The text in their place.
    public let text: String

    init(_ edit: TextEdit) {
      (location, bytes, text) = (SpecLocation(edit.range), edit.range.bytes, edit.text)
    }
  }

  /// The severity.
  public let severity: Severity
  /// The kind of mistake, such as `unknown-key`, which `Diagnostics` explains; nil for one that isn't reqrun's own.
  public let code: String?
  /// The problem in one sentence, with the names of ``RunOptions``.
  public var message: String { made?.message ?? RunOptions.naming(internalForm.message) }
  /// The place; nil if no file is the cause.
  ///
  /// Counted anew each time, since columns begin at the start of a line, which may be long.
  public var location: SpecLocation? { made?.location ?? internalForm.range.map { SpecLocation($0) } }
  /// The path of the file; nil if the problem has no place.
  package var path: String? { made.map { $0.location?.path } ?? internalForm.range?.source.name }
  /// Explanations, such as the place where a value is used.
  public var notes: [Note] {
    made?.notes ?? internalForm.notes.map { Note($0.message, at: $0.range.map { SpecLocation($0) }) }
  }
  /// Advice on how to fix it.
  public var fix: String? { internalForm.help.map(RunOptions.naming) }
  /// The change that does what ``fix`` says; nil if a person has to decide.
  public var edit: Edit? { internalForm.edit.map(Edit.init) }
  /// Changes that solve the problem, where no one is certain; empty unless they were looked for.
  package var triedEdits: [TextEdit] = []
  /// The internal form, which can draw the lines of the file.
  package let internalForm: Values.Diagnostic
  /// The parts of one that was made without the file; nil for others.
  private let made: (message: String, location: SpecLocation?, notes: [Note])?

  package init(_ diagnostic: Values.Diagnostic) {
    internalForm = diagnostic
    severity = diagnostic.severity == .error ? .error : .warning
    code = diagnostic.code?.rawValue
    made = nil
  }

  /// Creates a diagnostic, such as for tests of a reporter.
  public init(
    _ severity: Severity, _ message: String, at location: SpecLocation? = nil, notes: [Note] = [], fix: String? = nil,
    code: String? = nil
  ) {
    self.severity = severity
    self.code = code
    made = (message, location, notes)
    internalForm = Values.Diagnostic(
      severity == .error ? .error : .warning, code.flatMap(DiagnosticCode.init),
      (location.map { "\($0): " } ?? "") + message, at: nil, help: fix)
  }

  /// The diagnostic in one line, with its place.
  public var description: String {
    "\(location.map { "\($0): " } ?? "")\(severity): \(message)\(fix.map { " (\($0))" } ?? "")"
  }
}

extension Diagnostic: Hashable, Codable {
  private enum CodingKeys: CodingKey {
    case severity, code, message, location, notes, fix
  }

  /// Compares everything but the contents of files.
  public static func == (left: Diagnostic, right: Diagnostic) -> Bool {
    left.severity == right.severity && left.code == right.code && left.message == right.message && left.fix == right.fix
      && left.location == right.location && left.notes == right.notes
  }

  /// Hashes the message.
  public func hash(into hasher: inout Hasher) { hasher.combine(message) }

  /// Reads a diagnostic, which is drawn without the lines of its file.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(Severity.self, forKey: .severity), try container.decode(String.self, forKey: .message),
      at: try container.decodeIfPresent(SpecLocation.self, forKey: .location),
      notes: try container.decode([Note].self, forKey: .notes),
      fix: try container.decodeIfPresent(String.self, forKey: .fix),
      code: try container.decodeIfPresent(String.self, forKey: .code))
  }

  /// Writes everything but the contents of files.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(severity, forKey: .severity)
    try container.encodeIfPresent(code, forKey: .code)
    try container.encode(message, forKey: .message)
    try container.encodeIfPresent(location, forKey: .location)
    try container.encode(notes, forKey: .notes)
    try container.encodeIfPresent(fix, forKey: .fix)
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
