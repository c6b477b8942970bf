import DocumentQueries
import Values

/// The form of a member's value in a JSON report: it is written so, and read so again. Everything that is read is
/// checked, since a report may come from anywhere.
struct ReportForm<Content>: Sendable {
  let shape: SchemaShape
  let kind: ValueKind
  /// Describes any other value in an error, such as `no text`.
  let fault: String
  /// Ends the documentation of a member, such as `, in seconds`.
  var unit = ""
  let write: @Sendable (Content, inout JSONLine) -> Void
  private let parse: @Sendable (ReportNode) throws(ReportFault) -> Content?

  /// - Parameter read: returns the value of a node of that kind; nil if it has another form.
  init(
    shape: SchemaShape, kind: ValueKind, fault: String, write: @escaping @Sendable (Content, inout JSONLine) -> Void,
    read: @escaping @Sendable (ReportNode) throws(ReportFault) -> Content?
  ) {
    (self.shape, self.kind, self.fault, self.write, parse) = (shape, kind, fault, write, read)
  }

  func read(_ node: ReportNode) throws(ReportFault) -> Content {
    guard node.json.kind == kind, let content = try parse(node) else { throw node.fault(fault) }
    return content
  }

  /// The same form for another type.
  ///
  /// - Parameters:
  ///   - decode: returns nil for what has no value of that type.
  ///   - other: the description of such a value; nil for that of this form.
  func converted<Other>(
    shape otherShape: SchemaShape? = nil, _ encode: @escaping @Sendable (Other) -> Content,
    _ decode: @escaping @Sendable (Content) -> Other?, fault other: String? = nil
  ) -> ReportForm<Other> {
    ReportForm<Other>(shape: otherShape ?? shape, kind: kind, fault: fault) {
      write(encode($0), &$1)
    } read: { node throws(ReportFault) in
      guard let content = decode(try read(node)) else { throw node.fault(other ?? fault) }
      return content
    }
  }

  /// One of these values, each as a word.
  static func words(
    _ all: [Content], _ word: @escaping @Sendable (Content) -> String
  ) -> ReportForm where Content: Sendable {
    ReportForm<String>.text.converted(
      shape: .words(all.map(word)), word, { text in all.first { word($0) == text } }, fault: "none of the known words")
  }

  static func list<Item>(of item: ReportForm<Item>) -> ReportForm where Content == [Item] {
    let items = [.text: "texts", .mapping: "objects"][item.kind].map { "not a list of \($0)" } ?? "not a list"
    return ReportForm(shape: .list(of: item.shape, atLeast: 1), kind: .list, fault: "not a list") { content, line in
      line.beginList()
      for element in content {
        line.next()
        item.write(element, &line)
      }
      line.endList()
    } read: { node throws(ReportFault) in
      var content: [Item] = []
      content.reserveCapacity(node.json.count)
      for element in node.json.items {
        guard element.kind == item.kind else { throw node.fault(items) }
        content.append(try item.read(node.with(element)))
      }
      return content
    }
  }
}

extension ReportForm where Content: CaseIterable & RawRepresentable<String> & Sendable {
  /// One of the values of an enumeration.
  static var word: ReportForm { words(Array(Content.allCases)) { $0.rawValue } }
}

extension ReportForm<String> {
  static var text: ReportForm {
    ReportForm(shape: .text, kind: .text, fault: "not text") {
      $1.text($0)
    } read: {
      $0.json.string
    }
  }
}

extension ReportForm<Bool> {
  static var boolean: ReportForm {
    ReportForm(shape: .boolean, kind: .boolean, fault: "neither true nor false") {
      $1.literal($0 ? "true" : "false")
    } read: {
      $0.json.isBoolean(true)
    }
  }
}

extension ReportForm<Int> {
  /// The greatest number that is read of anything that is counted: sums of all in any number of reports are integers.
  private static var greatestCount: Int { 1_000_000_000 }

  static func integer(_ range: ClosedRange<Int>) -> ReportForm {
    integer(range, reading: range.lowerBound...min(range.upperBound, max(greatestCount, positions.upperBound)))
  }

  private static func integer(_ range: ClosedRange<Int>, reading: ClosedRange<Int>) -> ReportForm {
    ReportForm(
      shape: .integer(range), kind: .number,
      fault: "not an integer from \(reading.lowerBound) to \(reading.upperBound)"
    ) {
      $1.literal(String($0))
    } read: { node in
      Int(node.json.string).flatMap { reading.contains($0) ? $0 : nil }
    }
  }

  static var count: ReportForm { integer(0...Int.max, reading: 0...greatestCount) }
  /// The number of a thing, counted from 1.
  static var ordinal: ReportForm { integer(1...Int.max, reading: 1...greatestCount) }
  /// The number of a line or a column.
  static var position: ReportForm { integer(positions) }
  static var status: ReportForm { integer(0...999) }
  /// A size in bytes.
  static var size: ReportForm { integer(0...Int.max, reading: 0...Int.max) }

  private static var positions: ClosedRange<Int> { 1...Int(Int32.max) }
}

extension ReportForm<Int64> {
  /// A size in bytes.
  static var size: ReportForm { ReportForm<Int>.size.converted({ Int(clamping: $0) }, { Int64($0) }) }
}

extension ReportForm<Int32> {
  static var signal: ReportForm { ReportForm<Int>.integer(1...31).converted({ Int($0) }, { Int32($0) }) }
  /// The exit code of a run: its own, or that of a signal.
  static var exitCode: ReportForm {
    ReportForm<Int>.integer(0...159).converted(
      shape: .any([.integer(0...5), .integer(129...159)]), { Int($0) },
      { $0 <= 5 || $0 > 128 ? Int32($0) : nil }, fault: "not an exit code of a run")
  }
}

extension ReportForm<Timestamp> {
  static var time: ReportForm {
    var form = ReportForm<String>.text.converted(
      { exactTimeText($0) }, { Timestamp(rfc3339: $0) }, fault: "not a date and time")
    form.unit = ", in UTC"
    return form
  }
}

extension ReportForm<Duration> {
  static var duration: ReportForm {
    var form = ReportForm(shape: .number, kind: .number, fault: "not a number of seconds from 0 to 1000000000") {
      $1.literal(exactSecondsText($0))
    } read: {
      exactDuration($0.json.string) ?? roundedDuration($0.json.string)
    }
    form.unit = ", in seconds"
    return form
  }
}

/// Seconds with nine decimals, or six if these are exact.
private func exactSecondsText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let decimals = nineDigits(attoseconds / 1_000_000_000)
  return "\(seconds)." + (decimals.hasSuffix("000") ? decimals.dropLast(3) : decimals[...])
}

/// The duration of seconds with at most nine decimals.
private func exactDuration(_ text: String) -> Duration? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count <= 2, let seconds = Int64(parts[0]), (0...1_000_000_000).contains(seconds),
    parts.count == 1 || parts[1].utf8.count <= 9, let fraction = parts.count == 1 ? 0 : Int64(parts[1])
  else { return nil }
  let scale = (parts.count == 1 ? 0 : parts[1].utf8.count)..<9
  return .seconds(seconds) + .nanoseconds(scale.reduce(fraction) { value, _ in value * 10 })
}

/// The same as other programs may write it, such as `2.7e-05`.
private func roundedDuration(_ text: String) -> Duration? {
  guard let seconds = Double(text), (0...1e9).contains(seconds) else { return nil }
  return .nanoseconds(Int64((seconds * 1e9).rounded()))
}

/// A date and time with nine decimals, such as `2024-05-01T10:00:00.000000000Z`.
private func exactTimeText(_ time: Timestamp) -> String {
  Timestamp(seconds: time.seconds).iso8601.dropLast() + "." + nineDigits(Int64(time.nanoseconds)) + "Z"
}

private func nineDigits(_ number: Int64) -> String {
  let digits = String(max(0, number))
  return String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
}
