import Diagnostics
import Matching
import RunEvents
import Values

/// The objects of the JSON report for assertions and diagnostics.
enum JSONResultRecords {
  static let passed = ReportRecord<PassedAssertion>(
    .text("subject", "The subject, such as json $.user.id") { $0.subject },
    .optionalText("path", "The path or the name in the subject, such as $.user.id") { subjectPath($0.subject) },
    .optionalText("predicate", "The predicates that hold, such as equals 1") {
      $0.predicate.isEmpty ? nil : $0.predicate
    },
    .object("place", "The place of the expectation", place) { $0.range?.fragment })

  static let assertion = ReportRecord<AssertionReport>(
    .text("subject", "The subject, such as json $.user.id") { $0.subject },
    .optionalText("path", "The path or the name in the subject, such as $.user.id") { subjectPath($0.subject) },
    .text("message", "The failure in one line") { $0.message },
    .optionalText("predicate", "The predicate that failed, such as equals 1") {
      $0.mismatch.predicate.isEmpty ? nil : $0.mismatch.predicate
    },
    .text("expected", "The expected value, shortened") { $0.mismatch.expected },
    .text("actual", "The actual value, shortened") { $0.mismatch.actual },
    .object("mark", "The relevant part of the actual value", mark) { MarkedText($0.mismatch.mark, $0.mismatch.actual) },
    .optionalText("summary", "The differences in one line") { $0.mismatch.summary },
    .list("differences", "The first differences of structures, or of texts of several lines", of: difference) {
      $0.mismatch.differences
    },
    .optionalInteger("more_differences", "The number of further differences", 1...Int.max) {
      $0.mismatch.moreDifferences > 0 ? $0.mismatch.moreDifferences : nil
    },
    .optionalText("hint", "Advice on what to write or to check, one hint per line") { $0.mismatch.hint },
    .object("place", "The place of the expectation", place) { $0.range?.fragment },
    .list("notes", "How a value from elsewhere applies to the request", of: note) { $0.notes },
    .optionalText("declared", "The place of the expectation in another document") { $0.place },
    .optionalText("body", "The beginning of the body of an error response") { $0.body },
    .texts("dependents", "The subjects that fail for the same reason") { $0.dependents })

  static let difference = ReportRecord<Mismatch<String>.Difference>(
    .text("path", "The place in the actual structure as a JSONPath") { $0.path },
    .required("kind", "The kind of difference", .words(["missing", "unexpected", "changed"])) {
      .text(Text("\($0.kind)"))
    },
    .optionalText("expected", "The expected value; missing if nothing was expected") { $0.expected },
    .optionalText("actual", "The actual value; missing if nothing is there") { $0.actual },
    .object("mark", "The relevant part of the actual value", mark) { MarkedText($0.mark, $0.actual ?? "") },
    .optionalText("note", "A remark, such as that only letter case differs") { $0.note },
    .optionalInteger("count", "The number of equal missing items", 2...Int.max) { $0.count > 1 ? $0.count : nil },
    .list("lines", "The differing lines, with a few around them", of: line) { $0.lines })

  static let line = ReportRecord<Mismatch<String>.Line>(
    .required("side", "The text that the line belongs to", .words(["same", "expected", "actual"])) {
      .text(Text("\($0.side)"))
    },
    .text("text", "The line") { $0.text })

  static let mark = ReportRecord<MarkedText>(
    .count("start", "The start, in Unicode characters from the start of the text") { $0.characters.lowerBound },
    .count("end", "The end, in Unicode characters from the start of the text") { $0.characters.upperBound },
    .optionalText("label", "A remark on it") { $0.label })

  static let diagnostic = ReportRecord<Diagnostic>(
    .required("severity", "The seriousness", .words(["error", "warning"])) { .text(Text($0.severity.rawValue)) },
    .text("message", "The problem in one sentence") { $0.message },
    .object("place", "Where it is", place) { $0.range?.fragment },
    .list("notes", "Explanations", of: note) { $0.notes },
    .optionalText("help", "How to fix it") { $0.help })

  static let note = ReportRecord<Diagnostic.Note>(
    .text("message", "The explanation") { $0.message }, .object("place", "Where it is", place) { $0.range?.fragment })

  static let place = ReportRecord<SourceFragment>(
    .text("file", "The path of the file") { $0.name },
    .required("line", "The line, counted from 1", .integer(JSONReportRecords.positions)) { .integer($0.start.line) },
    .required("column", "The column in characters, counted from 1", .integer(JSONReportRecords.positions)) {
      .integer($0.start.column)
    },
    .optionalInteger("last_line", "The last line of a longer place", JSONReportRecords.positions) { $0.lastLine },
    .optionalText("text", "The line, with *** in place of secrets; of a long one the part around the place") {
      $0.text
    },
    .object("mark", "The place in this text", mark) { fragment in
      fragment.text.map { MarkedText(range: fragment.mark, label: nil, text: $0) }
    })

  static let surroundings = ReportRecord<PlaceSurroundings>(
    .text("place", "The place as file:line:column") { $0.place.location },
    .list("lines", "The lines before and after that of the place", of: sourceLine) { $0.lines })

  static let sourceLine = ReportRecord<SourceLine>(
    .required("line", "The number, counted from 1", .integer(JSONReportRecords.positions)) { .integer($0.number) },
    .text("text", "The line, with *** in place of secrets, shortened") { $0.text })
}

/// The lines around a place.
struct PlaceSurroundings {
  private static let limit = 50

  let place: SourceRange
  let lines: [SourceLine]

  /// The lines around places, of each place once.
  static func of(_ places: [SourceRange]) -> [PlaceSurroundings] {
    var known: Set<SourceRange> = []
    return places.compactMap { place in
      guard known.count < limit, known.insert(place).inserted else { return nil }
      let lines = place.linesAround()
      return lines.isEmpty ? nil : PlaceSurroundings(place: place, lines: lines)
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

/// A part of a text.
struct MarkedText {
  /// The range in bytes of the text's UTF-8.
  let range: Range<Int>
  let label: String?
  let text: String

  init(range: Range<Int>, label: String?, text: String) {
    (self.range, self.label, self.text) = (range, label, text)
  }

  /// Nil without a mark within the text.
  init?(_ mark: Mark?, _ text: String) {
    guard let mark, mark.range.upperBound <= text.utf8.count else { return nil }
    self.init(range: mark.range, label: mark.label, text: text)
  }

  /// The range in Unicode scalars: JSON knows no bytes.
  var characters: Range<Int> {
    let bytes = text.utf8
    func count(_ offset: Int) -> Int { bytes.prefix(offset).count { $0 & 0xC0 != 0x80 } }
    return count(range.lowerBound)..<count(range.upperBound)
  }

  /// The range in bytes of a range in Unicode scalars; nil if the text is shorter.
  static func range(ofCharacters characters: Range<Int>, in text: String) -> Range<Int>? {
    var starts: [Int] = []
    var count = 0
    for (offset, byte) in text.utf8.enumerated() where byte & 0xC0 != 0x80 {
      if count == characters.lowerBound || count == characters.upperBound { starts.append(offset) }
      count += 1
    }
    if count == characters.lowerBound { starts.append(text.utf8.count) }
    if count == characters.upperBound, !characters.isEmpty { starts.append(text.utf8.count) }
    guard let first = starts.first, let last = starts.last, starts.count == (characters.isEmpty ? 1 : 2) else {
      return nil
    }
    return first..<last
  }
}

/// The path or the name in a subject; nil for a subject that has none.
private func subjectPath(_ subject: String) -> String? {
  guard let space = subject.firstIndex(of: " ") else { return nil }
  let kinds: Set<Substring> = ["json", "xpath", "header", "cookie", "trailer", "certificate"]
  return kinds.contains(subject[..<space]) ? String(subject[subject.index(after: space)...]) : nil
}
