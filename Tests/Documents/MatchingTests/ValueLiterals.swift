import DocumentQueries
import Matching
import Values

/// Tables read better with plain literals.
extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: Value...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, Value)...) { self = .mapping(Mapping(elements)) }
}

/// A number as written.
func decimal(_ lexeme: String) -> Value { .number(number(lexeme)) }

func number(_ lexeme: String) -> Number { Number(lexeme: lexeme) }

func date(_ text: String) -> Value { .date(timestamp(text)) }

func timestamp(_ text: String) -> Timestamp {
  guard let timestamp = Timestamp(rfc3339: text) else { preconditionFailure("\(text) is not a date") }
  return timestamp
}

func expression(_ pattern: String) -> RegularExpression {
  do { return try RegularExpression(pattern) } catch { preconditionFailure("\(error.message)") }
}

/// The values that a query which isn't singular found.
func found(_ values: Value...) -> MatchSubject { .list(EagerList(values.map { ConcreteValue($0) })) }

func header(_ lines: Text...) -> MatchSubject { .lines(lines) }

extension MatchFailure {
  /// The failure as a report would draw it, secrets masked.
  var drawing: String {
    var lines = [predicate.masked, "  expected: \(expected.masked)", "  actual:   \(actual.masked)"]
    if let mark { lines.append(mark.drawing(under: actual, at: "  actual:   ".count)) }
    for difference in differences {
      let sign =
        switch difference.kind {
        case .missing: "-"
        case .unexpected: "+"
        case .changed: "~"
        }
      if !difference.lines.isEmpty {
        lines.append("  \(difference.path)")
        for line in difference.lines {
          let sign = line.side == .same ? " " : line.side == .expected ? "-" : "+"
          lines.append("    \(sign) \(line.text.masked)")
        }
        continue
      }
      let sides = [difference.expected, difference.actual].compactMap { $0?.masked }.joined(separator: " → ")
      let note = difference.note.map { " (\($0))" } ?? ""
      lines.append("  \(sign) \(difference.path): \(sides)\(note)")
    }
    if moreDifferences > 0 { lines.append("  and \(moreDifferences) more") }
    if let hint { lines.append("  hint: \(hint)") }
    return lines.joined(separator: "\n")
  }
}

func drawings(_ predicates: [Predicate], _ subject: MatchSubject, path: String = "$", unit: String = "") -> String {
  failures(of: predicates, against: subject, path: path, unit: unit).map(\.drawing).joined(separator: "\n")
}

extension Mark {
  func drawing(under text: Text, at column: Int) -> String {
    let part = Array(text.string.utf8)[range]
    let before = String(decoding: Array(text.string.utf8)[..<range.lowerBound], as: UTF8.self)
    let carets = String(repeating: "^", count: max(1, String(decoding: part, as: UTF8.self).count))
    return String(repeating: " ", count: column + before.count) + carets + (label.map { " \($0)" } ?? "")
  }
}
