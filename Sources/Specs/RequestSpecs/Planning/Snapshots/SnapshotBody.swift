import DocumentQueries
import Values

/// A body to compare with a snapshot or to store as one, its secrets masked.
package struct SnapshotBody: Sendable {
  /// The maximum size of a body and of a file, in bytes.
  package static let limit = 16 << 20
  /// The replacement of ignored values in a stored snapshot.
  static let ignoredMark = "<ignored>"
  static let ignored = Value.text(ignoredMark)

  let kind: SnapshotKind
  let content: SnapshotContent
  private let form: Form

  private enum Form: Sendable {
    case json(JSONOmission, mask: @Sendable (Value) -> Value)
    case text(String)
  }

  /// - Parameters:
  ///   - paths: select the ignored values.
  ///   - mask: marks the secrets in a value.
  package init(
    json document: JSONDocument, ignoring paths: [JSONPath], mask: @escaping @Sendable (Value) -> Value
  ) throws(JSONPathError) {
    kind = .json
    let omission = try JSONOmission(paths, in: document)
    content = .json(masked(mask(omission.value(marker: SnapshotBody.ignored, keepsMembers: false))))
    form = .json(omission, mask: mask)
  }

  /// Takes a text whose secrets are marked.
  package init(text: Text, kind: SnapshotKind) {
    self.kind = kind
    let shown = text.masked
    content = .text(shown)
    form = .text(shown)
  }

  package init(binary bytes: [UInt8]) {
    kind = .binary
    let text = BinaryFacts.text(of: bytes)
    content = .binary(BinaryFacts.value(of: text))
    form = .text(text)
  }

  /// The bytes to store: JSON with sorted members and numbers as received, with a final line break; text as it is.
  func fileBytes() throws(SnapshotProblem) -> [UInt8] {
    guard case .json(let omission, let mask) = form else {
      guard case .text(let text) = form else { return [] }
      return Array(text.utf8)
    }
    let value = masked(mask(omission.value(marker: SnapshotBody.ignored, keepsMembers: true)))
    // Indentation can make a small value large.
    guard prettySize(of: value, depth: 0) <= SnapshotBody.limit else {
      throw SnapshotProblem(
        "stored as indented JSON it would take more than the \(SnapshotBody.limit >> 20) MiB that a snapshot may have",
        help: "compare it by `bytes: {sha256: …}`")
    }
    var style = JSONStyle(.pretty)
    style.sortsMembers = true
    return Array((value.jsonText(style).string + "\n").utf8)
  }
}

/// The value with secrets replaced by `***`.
private func masked(_ value: Value) -> Value {
  guard value.isSecret else { return value }
  switch value {
  case .text(let text): return .text(text.masked)
  case .number, .date, .data: return .text(Text.mask)
  case .list(let items): return .list(items.map(masked))
  case .mapping(let mapping):
    return .mapping(
      Mapping(mapping.members.map { Mapping.Member(key: Text($0.key.masked), value: masked($0.value)) }))
  case .null, .bool: return value
  }
}

/// The approximate number of bytes that the value takes as indented JSON.
private func prettySize(of value: Value, depth: Int) -> Int {
  switch value {
  case .list(let items):
    items.reduce(2 * depth + 4) { $0 + 2 * depth + 4 + prettySize(of: $1, depth: depth + 1) }
  case .mapping(let mapping):
    mapping.members.reduce(2 * depth + 4) {
      $0 + 2 * depth + 8 + $1.key.string.utf8.count + prettySize(of: $1.value, depth: depth + 1)
    }
  default: value.asText.string.utf8.count + 2
  }
}
