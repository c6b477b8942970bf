import HTTPSemantics
import Values

extension Value {
  /// Indicates a value other than a list or a mapping.
  var isScalar: Bool {
    switch self {
    case .list, .mapping: false
    default: true
    }
  }
}

extension ParameterForm {
  /// The value in the place of `{name}` in a path, percent-encoded.
  func pathText(_ value: Value, name: String) -> String {
    if mediaType != nil { return encoded(contentText(value)) }
    switch style {
    case .label: return "." + list(value, separator: isExploded ? "." : ",", encoded)
    case .matrix: return matrix(value, name: name)
    default: return list(value, separator: separator, encoded)
    }
  }

  /// The percent-encoded delimiter of the style.
  private var separator: String {
    switch style {
    case .spaceDelimited: "%20"
    case .tabDelimited: "%09"
    case .pipeDelimited: "%7C"
    default: ","
    }
  }

  private func matrix(_ value: Value, name: String) -> String {
    switch value {
    case .list(let items) where isExploded:
      return items.map { ";\(encoded(name))=\(encoded(itemText($0)))" }.joined()
    case .mapping(let mapping) where isExploded:
      return mapping.members.map { ";\(encoded($0.key.string))=\(encoded(text($0.value)))" }.joined()
    default: return ";\(encoded(name))=\(list(value, separator: ",", encoded))"
    }
  }

  /// The pairs of a query or of cookies, percent-encoded; none for an empty list.
  func pairs(_ value: Value, name: String) -> [(name: String, value: String)] {
    if mediaType != nil { return [(encoded(name), encoded(contentText(value)))] }
    switch (value, style) {
    case (.mapping(let mapping), .deepObject):
      return mapping.members.flatMap { nested($0.value, name: "\(name)[\($0.key.string)]") }
    case (.mapping(let mapping), _) where isExploded:
      return mapping.members.map { (encoded($0.key.string), encoded(text($0.value))) }
    case (.list(let items), .deepObject): return items.flatMap { nested($0, name: name + "[]") }
    case (.list(let items), _) where isExploded: return items.map { (encoded(name), encoded(itemText($0))) }
    case (.list(let items), _) where items.isEmpty: return []
    default: return [(encoded(name), list(value, separator: separator, encoded))]
    }
  }

  /// The values by their names in the query, where these are sent as ``pairs(_:name:)`` says if they are encoded as usual:
  /// lists as repeated names, mappings in brackets. Nil if others are.
  func plainPairs(_ value: Value, name: String) -> [(name: String, value: Value)]? {
    if mediaType != nil { return [(name, .text(contentText(value)))] }
    switch value {
    case .mapping(let mapping):
      guard !mapping.isEmpty, mapping.members.allSatisfy({ $0.value.isScalar }) else { return nil }
      if style == .deepObject { return [(name, value)] }
      return isExploded ? mapping.members.map { ($0.key.string, $0.value) } : nil
    case .list(let items):
      guard isExploded, style != .deepObject, !items.isEmpty, items.allSatisfy(\.isScalar) else { return nil }
      return [(name, value)]
    default: return [(name, value)]
    }
  }

  /// The members of objects within objects in brackets, as servers with `deepObject` read them.
  private func nested(_ value: Value, name: String) -> [(name: String, value: String)] {
    switch value {
    case .mapping(let mapping): mapping.members.flatMap { nested($0.value, name: "\(name)[\($0.key.string)]") }
    case .list(let items): items.enumerated().flatMap { nested($1, name: "\(name)[\($0)]") }
    default: [(encoded(name), encoded(text(value)))]
    }
  }

  /// The value of a header.
  func headerText(_ value: Value) -> String {
    mediaType != nil ? contentText(value) : list(value, separator: percentDecoded(separator)) { $0 }
  }

  private func list(_ value: Value, separator: String, _ write: (String) -> String) -> String {
    switch value {
    case .list(let items): items.map { write(itemText($0)) }.joined(separator: separator)
    case .mapping(let mapping):
      mapping.members.map { member in
        write(member.key.string) + (isExploded ? "=" : separator) + write(text(member.value))
      }.joined(separator: separator)
    default: write(text(value))
    }
  }

  private func text(_ value: Value) -> String { value.asText.string }

  /// An item, which may be a list of Swagger 2.0 with a delimiter of its own.
  private func itemText(_ item: Value) -> String {
    guard case .list = item else { return text(item) }
    func joined(_ value: Value, _ shape: SchemaTypes, _ depth: Int) -> String {
      guard depth < 8, case .list(let items) = value, let delimiter = shape.delimiter else { return text(value) }
      return items.map { joined($0, shape.items, depth + 1) }.joined(separator: delimiter)
    }
    return joined(item, shape.items, 0)
  }
  private func contentText(_ value: Value) -> String {
    if !isJSON(mediaType ?? ""), case .text(let text) = value { text.string } else { value.jsonText().string }
  }
  private func encoded(_ text: String) -> String { percentEncoded(text, allowed: .unreserved) }
}
