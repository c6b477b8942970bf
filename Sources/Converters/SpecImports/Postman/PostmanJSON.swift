import DocumentQueries

/// Members of Postman's documents.
extension JSONNode {
  /// The text of a scalar, with numbers and booleans as they are written; nil for null, lists and mappings.
  var scalarText: String? {
    switch kind {
    case .text: string
    case .number, .boolean: text
    default: nil
    }
  }

  /// The text of a member that is a scalar.
  func text(_ name: String) -> String? { self[member: name]?.scalarText }

  func isTrue(_ name: String) -> Bool { self[member: name]?.isBoolean(true) ?? false }

  /// Indicates that an entry of a list is switched off.
  var isDisabled: Bool { isTrue("disabled") || self[member: "enabled"]?.isBoolean(false) ?? false }

  /// A member of a list of `{key, value}`, or of a mapping, as the versions of the format have it.
  func parameter(_ name: String) -> String? {
    kind == .list ? items.last { $0.text("key") == name }?.text("value") : text(name)
  }

  /// A description, which is a text or an object. Its lines have no blanks at their ends, so that it is a block in YAML.
  var descriptionText: String? {
    let node = self[member: "description"]
    let text = node?.scalarText ?? node?.text("content")
    guard let text, !text.trimmed.isEmpty else { return nil }
    return text.trimmed.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { line in line[..<(line.lastIndex { $0 != " " && $0 != "\t" }.map(line.index(after:)) ?? line.startIndex)] }
      .joined(separator: "\n")
  }
}
