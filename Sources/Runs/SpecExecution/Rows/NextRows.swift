import Values

/// The rows of a request each of which the response to the one before yields.
struct NextRows {
  /// The reason why a value cannot be a row.
  struct Failure {
    let expected: String
    let actual: String
    let help: String
  }

  private let max: Int
  private var next: Value? = .null
  private var count = 0
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
  mutating func follow(_ value: Value?) -> Failure? {
    guard let value, !isEnd(value) else { return nil }
    let text = value.asText
    if let row = rows[text.string] {
      return Failure(
        expected: "a value that did not come before, or none", actual: "\(shown(text)), as after row \(row)",
        help: "let the request send the value, such as with `query: {cursor: \"${{ row }}\"}`")
    }
    guard count < max else {
      return Failure(
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
