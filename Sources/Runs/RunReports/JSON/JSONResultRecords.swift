import Matching
import SpecExecution
import Values

/// The objects of the JSON report for assertions and diagnostics.
enum JSONResultRecords {
  static let passed = ReportRecord<PassedAssertion>(
    PassedAssertion(subject: "", range: nil),
    .required("subject", "The subject, such as json $.user.id", \.subject, .text),
    .derived("path", "The path or the name in the subject, such as $.user.id", .text, isOptional: true) {
      subjectPath($0.subject)
    },
    .optional("predicate", "The predicates that hold, such as equals 1", \.predicate, .text, unless: ""),
    .place("The place of the expectation", \.range))

  static let skipped = ReportRecord<SkippedAssertions>(
    SkippedAssertions(subjects: [], range: nil),
    .list("subjects", "The subjects, such as json $.user.id", \.subjects, .text),
    .place("The place of the condition", \.range))

  static let assertion = ReportRecord<AssertionReport>(
    AssertionReport(subject: "", range: nil, expected: "", actual: ""),
    .required("subject", "The subject, such as json $.user.id", \.subject, .text),
    .derived("path", "The path or the name in the subject, such as $.user.id", .text, isOptional: true) {
      subjectPath($0.subject)
    },
    .derived("message", "The failure in one line", .text) { $0.message },
    .optional("predicate", "The predicate that failed, such as equals 1", \.mismatch.predicate, .text, unless: ""),
    .required("expected", "The expected value, shortened", \.mismatch.expected, .text),
    .required("actual", "The actual value, shortened", \.mismatch.actual, .text),
    .mark("The relevant part of the actual value", \.mismatch.mark) { $0.mismatch.actual },
    .optional("summary", "The differences in one line", \.mismatch.summary, .text),
    .list(
      "differences", "The first differences of structures, or of texts of several lines", \.mismatch.differences,
      difference.form),
    .optional(
      "more_differences", "The number of further differences", \.mismatch.moreDifferences, .ordinal, unless: 0),
    .optional("hint", "Advice on what to write or to check, one hint per line", \.mismatch.hint, .text),
    .place("The place of the expectation", \.range),
    .list("notes", "How a value from elsewhere applies to the request", \.notes, note.form),
    .optional("declared", "The place of the expectation in another document", \.place, .text),
    .optional("body", "The beginning of the body of an error response", \.body, .text),
    .list("dependents", "The subjects that fail for the same reason", \.dependents, .text))

  static let difference = ReportRecord<Mismatch<String>.Difference>(
    Mismatch<String>.Difference(path: "", kind: .changed),
    .required("path", "The place in the actual structure as a JSONPath", \.path, .text),
    .required("kind", "The kind of difference", \.kind, .word),
    .optional("expected", "The expected value; missing if nothing was expected", \.expected, .text),
    .optional("actual", "The actual value; missing if nothing is there", \.actual, .text),
    .mark("The relevant part of the actual value", \.mark) { $0.actual ?? "" },
    .optional("note", "A remark, such as that only letter case differs", \.note, .text),
    .optional("count", "The number of equal missing items", \.count, .integer(2...Int.max), unless: 1),
    .list("lines", "The differing lines, with a few around them", \.lines, line.form))

  static let line = ReportRecord<Mismatch<String>.Line>(
    Mismatch<String>.Line(.same, ""), .required("side", "The text that the line belongs to", \.side, .word),
    .required("text", "The line", \.text, .text))

  static let mark = ReportRecord<CharacterMark>(
    CharacterMark(), .required("start", "The start, in Unicode characters from the start of the text", \.start, .count),
    .required("end", "The end, in Unicode characters from the start of the text", \.end, .count),
    .optional("label", "A remark on it", \.label, .text))

  static let diagnostic = ReportRecord<Diagnostic>(
    Diagnostic(.error, nil, "", at: nil), .required("severity", "The seriousness", \.severity, .word),
    .optional("code", "The kind of mistake, which `reqrun help CODE` explains", \.codeName, .text),
    .required("message", "The problem in one sentence", \.message, .text), .place("Where it is", \.range),
    .list("notes", "Explanations", \.notes, note.form), .optional("help", "How to fix it", \.help, .text))

  static let note = ReportRecord<Diagnostic.Note>(
    Diagnostic.Note(""), .required("message", "The explanation", \.message, .text), .place("Where it is", \.range))

  static let place = ReportRecord<SourceFragment>(
    SourceFragment(name: "", start: SourcePosition(line: 1, column: 1)),
    .required("file", "The path of the file", \.name, .text),
    .required("line", "The line, counted from 1", \.start.line, .position),
    .required("column", "The column in characters, counted from 1", \.start.column, .position),
    .optional("last_line", "The last line of a longer place", \.lastLine, .position),
    .optional(
      "text", "The line, with *** in place of secrets; of a long one the part around the place", \.text,
      ReportForm<String>.text.converted(
        { $0 }, { $0.utf8.contains(0x0A) || $0.utf8.count >= 1 << 24 ? nil : $0 }, fault: "not a line")),
    .custom("mark", "The place in this text", mark.form) { fragment in
      fragment.text.flatMap { CharacterMark(Mark(range: fragment.mark), in: $0) }
    } read: { (fragment, node, mark) throws(ReportFault) in
      fragment.mark = try node.mark(mark, in: fragment.text ?? "").range
    })

  static let surroundings = ReportRecord<PlaceSurroundings>(
    PlaceSurroundings(place: "", lines: []),
    .required("place", "The place as file:line:column", \.place, .text),
    .list("lines", "The lines before and after that of the place", \.lines, sourceLine.form))

  static let sourceLine = ReportRecord<SourceLine>(
    SourceLine(number: 1, text: ""), .required("line", "The number, counted from 1", \.number, .position),
    .required("text", "The line, with *** in place of secrets, shortened", \.text, .text))
}

extension ReportRecord.Member {
  fileprivate static func place(_ documentation: String, _ range: Path<SourceRange?>) -> Self {
    custom("place", documentation, JSONResultRecords.place.form) {
      $0[keyPath: range]?.fragment
    } read: { (subject, node, fragment) throws(ReportFault) in
      subject[keyPath: range] = node.reading.range(of: fragment)
    }
  }

  /// - Parameter text: returns the text that the mark is in.
  fileprivate static func mark(
    _ documentation: String, _ path: Path<Mark?>, in text: @escaping @Sendable (Subject) -> String
  ) -> Self {
    custom("mark", documentation, JSONResultRecords.mark.form) {
      CharacterMark($0[keyPath: path], in: text($0))
    } read: { (subject, node, mark) throws(ReportFault) in
      subject[keyPath: path] = try node.mark(mark, in: text(subject))
    }
  }

  /// The lines around places, which are read before the places.
  static func surroundings(
    _ documentation: String, of places: @escaping @Sendable (Subject) -> [SourceRange]
  ) -> Self {
    let form = ReportForm<[PlaceSurroundings]>.list(of: JSONResultRecords.surroundings.form)
    let member = derived("surroundings", documentation, form, isOptional: true) {
      let all = PlaceSurroundings.of(places($0))
      return all.isEmpty ? nil : all
    }
    return Self(
      name: member.name, documentation: documentation, shape: member.shape, isOptional: true, isReadFirst: true,
      write: member.write
    ) { (node, _) throws(ReportFault) in
      let all = try node.value(member.name, form) ?? []
      node.reading.surroundings = Dictionary(all.map { ($0.place, Array($0.lines.prefix(10))) }) { $1 }
    }
  }
}

/// The lines around a place.
struct PlaceSurroundings {
  private static let limit = 50

  /// The place as `file:line:column`.
  var place: String
  var lines: [SourceLine]

  /// The lines around places, of each place once.
  static func of(_ places: [SourceRange]) -> [PlaceSurroundings] {
    var known: Set<SourceRange> = []
    return places.compactMap { place in
      guard known.count < limit, known.insert(place).inserted else { return nil }
      let lines = place.linesAround()
      return lines.isEmpty ? nil : PlaceSurroundings(place: place.location, lines: lines)
    }
  }
}

extension Diagnostic {
  /// Its place, and those of its notes.
  var places: [SourceRange] { [range].compactMap(\.self) + notes.compactMap(\.range) }
}

extension StepReport {
  /// The places of its problem, its failures and its warnings.
  var places: [SourceRange] {
    if problem == nil, failures.isEmpty, warnings.isEmpty { return [] }
    let assertions = failures + warnings
    let notes = assertions.flatMap { $0.notes.compactMap(\.range) }
    return (problem?.places ?? []) + assertions.compactMap(\.range) + notes
  }
}

/// A mark in Unicode scalars: JSON knows no bytes.
struct CharacterMark {
  var start = 0
  var end = 0
  var label: String?

  init() {}

  /// Nil without a mark within the text.
  init?(_ mark: Mark?, in text: String) {
    guard let mark, mark.range.upperBound <= text.utf8.count else { return nil }
    func count(_ offset: Int) -> Int { text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } }
    (start, end, label) = (count(mark.range.lowerBound), count(mark.range.upperBound), mark.label)
  }

  /// The mark in bytes; nil if it isn't within the text.
  func mark(in text: String) -> Mark? {
    let scalars = text.unicodeScalars
    guard start <= end,
      let first = scalars.index(scalars.startIndex, offsetBy: start, limitedBy: scalars.endIndex),
      let last = scalars.index(first, offsetBy: end - start, limitedBy: scalars.endIndex)
    else { return nil }
    func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
    return Mark(range: offset(first)..<offset(last), label: label)
  }
}

/// The path or the name in a subject; nil for a subject that has none.
private func subjectPath(_ subject: String) -> String? {
  guard let space = subject.firstIndex(of: " ") else { return nil }
  let kinds: Set<Substring> = ["json", "xpath", "header", "cookie", "trailer", "certificate"]
  return kinds.contains(subject[..<space]) ? String(subject[subject.index(after: space)...]) : nil
}

extension Diagnostic {
  /// The code by its name; an unknown one, of a later version, is none.
  fileprivate var codeName: String? {
    get { code?.rawValue }
    set { code = newValue.flatMap(DiagnosticCode.init) }
  }
}
