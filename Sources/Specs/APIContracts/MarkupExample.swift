import Values

/// Writes a value as XML, by the `xml` of its schemas.
struct MarkupExample {
  private let documents: DocumentSet

  static func text(_ value: Value, _ schema: DocumentNode, _ documents: DocumentSet) -> String {
    let layers = SchemaLayers(schema, documents)
    let name = layers.names.first?.name ?? "root"
    return MarkupExample(documents: documents).element(value, layers, name: name)
  }

  private func element(_ value: Value, _ layers: SchemaLayers?, name: String) -> String {
    let name = tag(layers, name)
    var opening = name
    if let namespace = layers?.first("xml")?["namespace"]?.string {
      let prefix = layers?.first("xml")?["prefix"]?.string.map { ":" + $0 } ?? ""
      opening += " xmlns\(prefix)=\"\(escaped(namespace))\""
    }
    switch value {
    case .mapping(let mapping):
      let schemas = Dictionary(layers?.properties ?? [], uniquingKeysWith: { first, _ in first })
      var content = ""
      for member in mapping.members {
        let inner = schemas[member.key.string].map { SchemaLayers($0, documents) }
        if inner?.first("xml")?["attribute"]?.isTrue ?? false {
          opening += " \(tag(inner, member.key.string))=\"\(escaped(member.value.asText.string))\""
        } else {
          content += child(member.value, inner, name: member.key.string)
        }
      }
      return "<\(opening)>\(content)</\(name)>"
    case .list(let items): return "<\(opening)>\(list(items, layers, name: name))</\(name)>"
    case .null: return "<\(opening)/>"
    default: return "<\(opening)>\(escaped(value.asText.string))</\(name)>"
    }
  }

  /// A member: a list is an element around its items only where the schema says so.
  private func child(_ value: Value, _ layers: SchemaLayers?, name: String) -> String {
    guard case .list(let items) = value else { return element(value, layers, name: name) }
    let isWrapped = layers?.first("xml")?["wrapped"]?.isTrue ?? false
    let content = list(items, layers, name: isWrapped ? name : tag(layers, name))
    return isWrapped ? "<\(tag(layers, name))>\(content)</\(tag(layers, name))>" : content
  }

  private func list(_ items: [Value], _ layers: SchemaLayers?, name: String) -> String {
    let schema = layers?.first("items").map { SchemaLayers($0, documents) }
    return items.map { element($0, schema, name: name) }.joined()
  }

  private func tag(_ layers: SchemaLayers?, _ name: String) -> String {
    let xml = layers?.first("xml")
    let prefix = xml?["prefix"]?.string.map { $0 + ":" } ?? ""
    return prefix + (xml?["name"]?.string ?? name)
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
