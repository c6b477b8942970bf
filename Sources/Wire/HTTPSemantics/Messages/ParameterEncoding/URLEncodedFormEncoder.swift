import Values

/// Encodes a mapping as `application/x-www-form-urlencoded`, byte for byte like Alamofire's encoder of that name.
///
/// Unlike there, an item that is dropped from a list doesn't split the object that follows it.
package struct URLEncodedFormEncoder: Sendable {
  private let options: EncodingOptions
  private let allowed: AllowedCharacters

  package init(options: EncodingOptions) {
    self.init(options: options, allowed: .formQuery)
  }

  /// An encoder that leaves other characters of keys and values as they are.
  package init(options: EncodingOptions, allowed: AllowedCharacters) {
    self.options = options
    self.allowed = allowed.inserting(" ")
  }

  /// The encoded pairs; secrets stay marked. Empty lists, empty mappings and dropped nulls give nothing.
  package func encode(_ parameters: Mapping) -> Text {
    guard let members = members(parameters) else { return Text("") }
    return joined(members.map { serialized($0.value, key: $0.key) })
  }

  // MARK: Collecting pairs

  private indirect enum Component {
    case text(Text)
    case list([Component])
    case object([(key: Text, value: Component)])
  }

  private func component(_ value: Value) -> Component? {
    switch value {
    case .null:
      switch options.nilEncoding {
      case .dropKey: nil
      case .dropValue: .text("")
      case .null: .text("null")
      }
    case .bool(let value):
      switch options.boolEncoding {
      case .literal: .text(value ? "true" : "false")
      case .numeric: .text(value ? "1" : "0")
      }
    case .number, .text: .text(value.asText)
    case .date(let date):
      .text(Text(options.dateEncoding.formText(date), isSecret: date.isSecret))
    case .data(let data):
      switch options.dataEncoding {
      case .base64: .text(value.asText)
      case .bytes:
        data.bytes.isEmpty ? nil : .list(data.bytes.map { .text(Text(String($0), isSecret: data.isSecret)) })
      }
    case .list(let items): list(items)
    case .mapping(let mapping): members(mapping).map { .object($0) }
    }
  }

  private func list(_ items: [Value]) -> Component? {
    let components = items.compactMap(component)
    return components.isEmpty ? nil : .list(components)
  }

  private func members(_ mapping: Mapping) -> [(key: Text, value: Component)]? {
    let members = mapping.members.compactMap { member in
      component(member.value).map { (key: member.key, value: $0) }
    }
    return members.isEmpty ? nil : members
  }

  // MARK: Writing

  private func serialized(_ component: Component, key: Text) -> Text {
    switch component {
    case .text(let value):
      return escaped(options.keyEncoding.encode(key)) + "=" + escaped(value)
    case .list(let items):
      return joined(
        items.enumerated().map { index, item in
          switch options.arrayEncoding {
          case .brackets: serialized(item, key: key + "[]")
          case .noBrackets: serialized(item, key: key)
          case .indexInBrackets: serialized(item, key: key + Text("[\(index)]"))
          }
        })
    case .object(let members):
      return joined(
        members.map { member in
          switch options.keyPathEncoding {
          case .brackets: serialized(member.value, key: key + "[" + member.key + "]")
          case .dots: serialized(member.value, key: key + "." + member.key)
          }
        })
    }
  }

  private func joined(_ segments: [Text]) -> Text {
    // All of it is percent-encoded and so ASCII: this order is that of the bytes.
    let ordered = options.sort ? segments.sorted { $0.string < $1.string } : segments
    var result = Text("")
    for (index, segment) in ordered.enumerated() {
      if index > 0 { result.append("&") }
      result.append(segment)
    }
    return result
  }

  private func escaped(_ text: Text) -> Text {
    text.mapRuns { run in
      let encoded = percentEncoded(run, allowed: allowed)
      guard encoded.utf8.contains(UInt8(ascii: " ")) else { return encoded }
      return encoded.split(separator: " ", omittingEmptySubsequences: false)
        .joined(separator: options.spaceEncoding == .plus ? "+" : "%20")
    }
  }
}
