import DocumentQueries
import HTTPSemantics
import Values

/// The serialization of a value in a URL or a header: `style` and `explode`, or a media type.
struct ParameterForm: Sendable {
  enum Style: String, Sendable {
    case matrix, label, form, simple, spaceDelimited, pipeDelimited, deepObject
    /// `tsv` of Swagger 2.0.
    case tabDelimited
  }

  let style: Style
  let isExploded: Bool
  /// The media type of `content`.
  let mediaType: String?
  private let schemaNode: DocumentNode?
  private let documents: DocumentSet

  init(_ node: DocumentNode, _ location: ParameterContract.Location, _ documents: DocumentSet) {
    let usual: Style = location == .query || location == .cookie ? .form : .simple
    style = node["style"]?.string.flatMap { Style(rawValue: $0) } ?? usual
    isExploded = node["explode"].map(\.isTrue) ?? (style == .form)
    mediaType = node["content"]?.members.first?.key
    schemaNode = ParameterForm.schema(of: node)
    self.documents = documents
  }

  /// The schema of a parameter or a header, possibly in the one media type of its `content`.
  static func schema(of node: DocumentNode) -> DocumentNode? {
    node["schema"] ?? node["content"]?.members.first?.value["schema"]
  }

  var shape: SchemaTypes { SchemaTypes(schemaNode, documents) }

  /// - Parameter prefersText: whether a value of ambiguous type is text.
  func reading(prefersText: Bool) -> Reading { Reading(self, prefersText: prefersText) }

  /// Reads values, each text as the type that its schema expects.
  struct Reading {
    let form: ParameterForm
    let shape: SchemaTypes
    let prefersText: Bool

    init(_ form: ParameterForm, prefersText: Bool) {
      self.form = form
      self.prefersText = prefersText
      shape = form.shape
    }

    fileprivate var isArray: Bool { shape.types.contains("array") }
    fileprivate var isObject: Bool { shape.types.contains("object") }
  }
}

extension ParameterForm.Reading {
  // MARK: places

  /// The value in a segment of a path or a part of one, percent-encoded.
  func value(ofPath raw: String, name: String) -> Value {
    if form.mediaType != nil { return content(percentDecoded(raw)) }
    switch form.style {
    case .label:
      let text = raw.hasPrefix(".") ? raw.dropFirst() : raw[...]
      // RFC 6570 puts commas between the items of a list that isn't exploded; OpenAPI 3.0 showed dots.
      let separator = form.isExploded || !text.contains(",") ? Character(".") : ","
      return value(ofList: text, separator: separator, decode: percentDecoded)
    case .matrix: return value(ofMatrix: raw, name: name)
    default: return delimited(raw[...], decode: percentDecoded)
    }
  }

  /// `;color=blue;color=black`, `;color=R,100,G,200`, `;R=100;G=200`
  private func value(ofMatrix raw: String, name: String) -> Value {
    let parts = raw.split(separator: ";")
    if form.isExploded, isObject { return object(ofPairs: parts, decode: percentDecoded) }
    let values = parts.map { part in
      part.hasPrefix(name + "=") ? part.dropFirst(name.count + 1) : part == name ? "" : part
    }
    if form.isExploded, isArray { return .list(values.map { scalar(percentDecoded($0), shape.items) }) }
    return value(ofList: values.first ?? "", separator: ",", decode: percentDecoded)
  }

  /// A header's value, as written.
  func value(ofHeader text: String) -> Value {
    if form.mediaType != nil { return content(text) }
    return delimited(text[...]) { trimmingBlanks($0) }
  }

  /// The value from the pairs of a query or of cookies; nil without the parameter.
  ///
  /// - Parameter pairs: percent-encoded.
  func value(of name: String, in pairs: [(name: Substring, value: Substring)], decode: @escaping (Substring) -> String)
    -> Value?
  {
    let own = pairs.filter { decode($0.name) == name }.map(\.value)
    if form.mediaType != nil { return own.first.map { content(decode($0)) } }
    if isObject {
      if form.style == .deepObject { return deepObject(name, in: pairs, decode: decode) }
      if form.isExploded {
        let names = Set(shape.propertyNames)
        let members = pairs.filter { names.contains(decode($0.name)) }
        guard !members.isEmpty else { return nil }
        return object(members.map { (decode($0.name), decode($0.value)) })
      }
    }
    guard let first = own.first else { return nil }
    if form.isExploded, isArray { return .list(own.map { scalar(decode($0), shape.items) }) }
    return delimited(form.style == .spaceDelimited ? first.replacing("+", with: " ") : first, decode: decode)
  }

  /// `color[R]=100&color[G]=200`
  private func deepObject(
    _ name: String, in pairs: [(name: Substring, value: Substring)], decode: (Substring) -> String
  ) -> Value? {
    var members: [(String, String)] = []
    for pair in pairs {
      let key = decode(pair.name)
      guard key.hasPrefix(name + "["), key.hasSuffix("]") else { continue }
      members.append((String(key.dropFirst(name.count + 1).dropLast()), decode(pair.value)))
    }
    return members.isEmpty ? nil : object(members)
  }

  // MARK: values

  /// An array or object by the delimiter of its style, which may be percent-encoded in a URL.
  private func delimited(_ raw: Substring, decode: (Substring) -> String) -> Value {
    switch form.style {
    case .spaceDelimited: value(ofList: raw.replacing("%20", with: " "), separator: " ", decode: decode)
    case .tabDelimited: value(ofList: raw.replacing("%09", with: "\t"), separator: "\t", decode: decode)
    case .pipeDelimited:
      value(ofList: raw.replacing("%7C", with: "|").replacing("%7c", with: "|"), separator: "|", decode: decode)
    default: value(ofList: raw, separator: ",", decode: decode)
    }
  }

  /// An array or object whose items or members are delimited.
  private func value(
    ofList raw: Substring, separator: Character, decode: (Substring) -> String
  ) -> Value {
    let parts = raw.isEmpty ? [] : raw.split(separator: separator, omittingEmptySubsequences: false)
    if isArray { return .list(parts.map { scalar(decode($0), shape.items) }) }
    guard isObject else { return scalar(decode(raw), shape) }
    if form.isExploded { return object(ofPairs: parts, decode: decode) }
    var members: [(String, String)] = []
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      members.append((decode(parts[index]), decode(parts[index + 1])))
    }
    return object(members)
  }

  private func object(ofPairs parts: [Substring], decode: (Substring) -> String) -> Value {
    object(
      parts.map { part in
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (decode(pair[0]), pair.count > 1 ? decode(pair[1]) : "")
      })
  }

  /// An object; duplicate members become an array.
  private func object(_ members: [(String, String)]) -> Value {
    var result = Mapping()
    for (name, text) in members {
      let property = shape.property(name)
      let isList = property.types.contains("array")
      let item = scalar(text, isList ? property.items : property)
      if isList, case .list(let items)? = result[name] {
        result[name] = .list(items + [item])
      } else {
        result[name] = isList ? .list([item]) : item
      }
    }
    return .mapping(result)
  }

  private func scalar(_ text: String, _ shape: SchemaTypes, depth: Int = 0) -> Value {
    let types = shape.types
    if depth < 8, types.contains("array"), let delimiter = shape.delimiter {
      let parts = text.isEmpty ? [] : text.split(separator: delimiter, omittingEmptySubsequences: false)
      return .list(parts.map { scalar(String($0), shape.items, depth: depth + 1) })
    }
    let mayBeText = types.isEmpty || types.contains("string")
    if mayBeText, prefersText || types.isEmpty || types.count == 1 { return .text(text) }
    if types.contains("integer") || types.contains("number"), let number = Number(parsing: text) {
      return .number(number)
    }
    if types.contains("boolean"), text == "true" || text == "false" { return .bool(text == "true") }
    if types.contains("null"), !mayBeText, text.isEmpty || text == "null" { return .null }
    return .text(text)
  }

  private func content(_ text: String) -> Value {
    guard isJSON(form.mediaType ?? ""), let document = try? JSONDocument(parsing: text) else { return .text(text) }
    return document.root.value
  }
}
