import Diagnostics
import Values

/// An object of the JSON report, as a table of its members: the writer and the report's JSON Schema read it.
struct ReportRecord<Subject>: Sendable {
  struct Member: Sendable {
    let name: String
    /// One line, without a full stop.
    let documentation: String
    let shape: ValueShape
    let isOptional: Bool
    /// Nil leaves the member out.
    let value: @Sendable (Subject) -> Value?
  }

  let members: [Member]

  init(_ members: Member...) { self.members = members }

  var shape: ValueShape {
    .keys(
      members.map { ValueShape.Key($0.name, $0.documentation, $0.shape) },
      needed: members.filter { !$0.isOptional }.map(\.name))
  }

  func value(of subject: Subject) -> Value {
    .mapping(
      Mapping(members.compactMap { member in member.value(subject).map { (member.name, $0) } }))
  }

  /// The object as JSON in one line.
  func text(of subject: Subject) -> String { reportText(value(of: subject)) }
}

extension ReportRecord.Member {
  static func required(
    _ name: String, _ documentation: String, _ shape: ValueShape, _ value: @escaping @Sendable (Subject) -> Value
  ) -> Self {
    Self(name: name, documentation: documentation, shape: shape, isOptional: false) { value($0) }
  }

  static func optional(
    _ name: String, _ documentation: String, _ shape: ValueShape, _ value: @escaping @Sendable (Subject) -> Value?
  ) -> Self {
    Self(name: name, documentation: documentation, shape: shape, isOptional: true, value: value)
  }

  static func text(
    _ name: String, _ documentation: String, _ value: @escaping @Sendable (Subject) -> String
  ) -> Self {
    required(name, documentation, .text) { .text(value($0)) }
  }

  static func optionalText(
    _ name: String, _ documentation: String, _ value: @escaping @Sendable (Subject) -> String?
  ) -> Self {
    optional(name, documentation, .text) { value($0).map { .text($0) } }
  }

  static func count(
    _ name: String, _ documentation: String, _ value: @escaping @Sendable (Subject) -> Int
  ) -> Self {
    required(name, documentation, .integer(0...Int.max)) { .integer(value($0)) }
  }

  /// Objects of another record; left out if there are none.
  static func list<Item>(
    _ name: String, _ documentation: String, of record: ReportRecord<Item>,
    _ items: @escaping @Sendable (Subject) -> [Item]
  ) -> Self {
    optional(name, documentation, .list(of: record.shape, atLeast: 1)) { subject in
      let items = items(subject)
      return items.isEmpty ? nil : .list(items.map { record.value(of: $0) })
    }
  }

  static func object<Item>(
    _ name: String, _ documentation: String, _ record: ReportRecord<Item>,
    _ item: @escaping @Sendable (Subject) -> Item?
  ) -> Self {
    optional(name, documentation, record.shape) { item($0).map { record.value(of: $0) } }
  }

  static func time(
    _ name: String, _ documentation: String, _ value: @escaping @Sendable (Subject) -> Timestamp?
  ) -> Self {
    optional(name, documentation + ", in UTC", .text) { value($0).map { .text(Text(exactTimeText($0))) } }
  }

  static func duration(
    _ name: String, _ documentation: String, _ value: @escaping @Sendable (Subject) -> Duration
  ) -> Self {
    required(name, documentation + ", in seconds", .number) { .number(Number(lexeme: exactSecondsText(value($0)))) }
  }

  static func optionalDuration(
    _ name: String, _ documentation: String, _ value: @escaping @Sendable (Subject) -> Duration?
  ) -> Self {
    optional(name, documentation + ", in seconds", .number) {
      value($0).map { .number(Number(lexeme: exactSecondsText($0))) }
    }
  }

  /// True, or left out.
  static func flag(
    _ name: String, _ documentation: String, _ value: @escaping @Sendable (Subject) -> Bool
  ) -> Self {
    optional(name, documentation, .boolean) { value($0) ? .bool(true) : nil }
  }

  static func optionalInteger(
    _ name: String, _ documentation: String, _ range: ClosedRange<Int>,
    _ value: @escaping @Sendable (Subject) -> Int?
  ) -> Self {
    optional(name, documentation, .integer(range)) { value($0).map { .integer($0) } }
  }

  /// Texts; left out if there are none.
  static func texts(
    _ name: String, _ documentation: String, _ value: @escaping @Sendable (Subject) -> [String]
  ) -> Self {
    optional(name, documentation, .list(of: .text, atLeast: 1)) { subject in
      let texts = value(subject)
      return texts.isEmpty ? nil : .list(texts.map { .text(Text($0)) })
    }
  }
}

/// JSON in one line, without characters that a terminal or a CI runner would obey.
func reportText(_ value: Value) -> String {
  sanitizedForTerminal(value.jsonText().string, as: .escape)
}

/// Seconds with nine decimals, or six if these are exact.
func exactSecondsText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let decimals = nineDigits(attoseconds / 1_000_000_000)
  return "\(seconds)." + (decimals.hasSuffix("000") ? decimals.dropLast(3) : decimals[...])
}

/// A date and time with nine decimals, such as `2024-05-01T10:00:00.000000000Z`.
private func exactTimeText(_ time: Timestamp) -> String {
  Timestamp(seconds: time.seconds).iso8601.dropLast() + "." + nineDigits(Int64(time.nanoseconds)) + "Z"
}

private func nineDigits(_ number: Int64) -> String {
  let digits = String(max(0, number))
  return String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
}
