import RequestSpecs
import Values

/// The reason why there are not the rows that there should be.
struct RowsFailure {
  var subject = "next"
  let expected: String
  let actual: String
  let help: String

  /// No response has a value for the next row; nil for a source that an only page lacks.
  static func missing(_ next: CaptureSpec) -> RowsFailure? {
    let mayEnd = next.sources.contains { source in
      switch source.subject {
      case .header, .link: true
      default: false
      }
    }
    return mayEnd
      ? nil
      : RowsFailure(
        expected: "a value from \(next.label), or null, in one response at least", actual: "none has it",
        help: "if the first page may be the last, write `default: null` in `next`")
  }

  static func few(_ count: Int, min: Int) -> RowsFailure {
    RowsFailure(
      subject: "each", expected: "at least \(counted(min, "row"))",
      actual: count == 0 ? "no rows" : counted(count, "row"),
      help: "`each: {…, min: \(count)}` allows that")
  }
}

/// The rows of a request each of which the response to the one before yields.
struct NextRows {
  private let max: Int
  private var next: Value? = .null
  private var count = 0
  /// Indicates whether a response had a value for the next row, even if it ends them.
  private(set) var isFound = false
  /// The rows that yielded a value.
  private var rows: [String: Int] = [:]

  init(max: Int) {
    self.max = max
  }

  /// The next row; nil if no response has yielded it.
  mutating func take() -> Value? {
    guard let row = next else { return nil }
    next = nil
    count += 1
    return row
  }

  /// Takes the value that the response to the last row yields.
  mutating func follow(_ value: Value?) -> RowsFailure? {
    guard let value else { return nil }
    isFound = true
    if isEnd(value) { return nil }
    let text = value.asText
    if let row = rows[text.string] {
      let isMapping = value.kind == .mapping
      return RowsFailure(
        expected: "a value that did not come before, or none", actual: "\(shown(text)), as after row \(row)",
        help: isMapping
          ? "the value is a mapping: take the member of it that leads to the next page"
          : "let the request send the value, such as with `query: {cursor: \"${{ row }}\"}`")
    }
    guard count < max else {
      return RowsFailure(
        expected: "none after \(counted(max, "row"))", actual: shown(text),
        help: "`each: {next: …, max: …}` allows more")
    }
    rows[text.string] = count - 1
    next = value
    return nil
  }

  private func shown(_ text: Text) -> String {
    "\"\(jsonEscaped(String(text.masked.prefix(200))))\""
  }

  private func isEnd(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .text(let text): text.isEmpty
    case .list(let items): items.isEmpty
    default: false
    }
  }
}
