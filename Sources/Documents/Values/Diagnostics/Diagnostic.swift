/// The seriousness of a diagnostic.
package enum Severity: String, Sendable, Hashable, CaseIterable {
  case error
  case warning
}

/// A problem with the user's input: a value, drawn by the renderer.
package struct Diagnostic: Error, Sendable, Hashable {
  /// An explanation, possibly with a place of its own.
  package struct Note: Sendable, Hashable {
    package var message: String
    package var range: SourceRange? { didSet { source = KeptSource(range) } }
    private var source: KeptSource

    package init(_ message: String, at range: SourceRange? = nil) {
      self.message = message
      self.range = range
      source = KeptSource(range)
    }
  }

  package var severity: Severity
  /// The kind of mistake; nil for one that was made elsewhere, such as by a user of the library.
  package var code: DiagnosticCode?
  package var message: String
  package var range: SourceRange? { didSet { source = KeptSource(range) } }
  package var notes: [Note]
  /// The text to write instead.
  package var help: String?
  private var source: KeptSource

  package init(
    _ severity: Severity, _ code: DiagnosticCode?, _ message: String, at range: SourceRange?, notes: [Note] = [],
    help: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.range = range
    self.notes = notes
    self.help = help
    source = KeptSource(range)
  }

  /// Makes a diagnostic whose words show nothing that the lines of its place conceal.
  private init(
    _ severity: Severity, _ code: DiagnosticCode, concealing message: String, at range: SourceRange?, notes: [Note],
    help: String?
  ) {
    self.init(
      severity, code, concealed(message, at: range), at: range,
      notes: notes.map { Note(concealed($0.message, at: range), at: $0.range) },
      help: help.map { concealed($0, at: range) })
  }

  package static func error(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange?, notes: [Note] = [], help: String? = nil
  ) -> Diagnostic {
    Diagnostic(.error, code, concealing: message, at: range, notes: notes, help: help)
  }

  package static func warning(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange?, notes: [Note] = [], help: String? = nil
  ) -> Diagnostic {
    Diagnostic(.warning, code, concealing: message, at: range, notes: notes, help: help)
  }
}

/// Keeps the source of a range alive; all are equal, since the range has the source.
private struct KeptSource: Sendable, Hashable {
  private let source: SourceText?

  init(_ range: SourceRange?) { source = range?.owner }

  static func == (left: KeptSource, right: KeptSource) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// Collects diagnostics while reading continues.
package struct DiagnosticBag: Sendable {
  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var errorCount = 0
  private var known: Set<Diagnostic> = []

  package init() {}

  package var hasErrors: Bool { errorCount > 0 }

  /// Adds a diagnostic, once: one that an alias or a merged layer repeats is reported once.
  package mutating func add(_ diagnostic: Diagnostic) {
    guard known.insert(diagnostic).inserted else { return }
    diagnostics.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  package mutating func add(contentsOf others: some Sequence<Diagnostic>) {
    for diagnostic in others { add(diagnostic) }
  }

  package mutating func error(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange?, notes: [Diagnostic.Note] = [],
    help: String? = nil
  ) {
    add(.error(code, message, at: range, notes: notes, help: help))
  }

  package mutating func warning(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange?, notes: [Diagnostic.Note] = [],
    help: String? = nil
  ) {
    add(.warning(code, message, at: range, notes: notes, help: help))
  }
}
