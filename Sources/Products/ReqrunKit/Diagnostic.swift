import Diagnostics
import RunReports

/// A place in a spec, as an editor counts.
public struct SpecLocation: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file as it was given.
  public let path: String
  /// 1-based.
  public let line: Int
  /// 1-based, in characters.
  public let column: Int

  init(_ range: SourceRange) {
    path = range.source.name
    (line, column) = (range.start.line, range.start.column)
  }

  public var description: String { "\(path):\(line):\(column)" }
}

/// Something that is wrong with a spec, an option or the surroundings of a run.
public struct Diagnostic: Error, Sendable, CustomStringConvertible {
  public enum Severity: Sendable {
    case error, warning
  }

  /// An explanation, with a place of its own where it has one.
  public struct Note: Sendable, Hashable {
    public let message: String
    public let location: SpecLocation?
  }

  public let severity: Severity
  public let message: String
  /// Nil where no file is at fault.
  public let location: SpecLocation?
  public let notes: [Note]
  /// How to fix it.
  public let fix: String?
  /// Draws the lines of the file.
  let internalForm: Diagnostics.Diagnostic

  init(_ diagnostic: Diagnostics.Diagnostic) {
    internalForm = diagnostic
    severity = diagnostic.severity == .error ? .error : .warning
    message = diagnostic.message
    location = diagnostic.range.map { SpecLocation($0) }
    notes = diagnostic.notes.map { Note(message: $0.message, location: $0.range.map { SpecLocation($0) }) }
    fix = diagnostic.help
  }

  public var description: String {
    "\(location.map { "\($0): " } ?? "")\(severity): \(message)\(fix.map { " (\($0))" } ?? "")"
  }
}

extension [Diagnostic] {
  /// The diagnostics as the command draws them: with the lines of files, and what is alike only once.
  ///
  /// - Parameter width: the columns that the text may take; nil breaks no line.
  public func drawn(isColored: Bool = false, width: Int? = nil) -> String {
    DiagnosticDigest(map(\.internalForm)).text(isColored: isColored, width: width)
  }
}
