import DocumentQueries
import Values
import YAMLNodes

extension SchemaDocument {
  /// Reads a file: YAML if its name ends in `.yaml` or `.yml`, else JSON. Problems are added to the bag.
  ///
  /// - Parameter name: the name for messages, such as `schemas/user.yaml`.
  package convenience init?(bytes: [UInt8], url: String, name: String, into bag: inout DiagnosticBag) {
    let ending = name.lowercased()
    if ending.hasSuffix(".yaml") || ending.hasSuffix(".yml") {
      self.init(yaml: bytes, url: url, name: name, into: &bag)
    } else {
      self.init(jsonBytes: bytes, url: url, name: name, into: &bag)
    }
  }

  package convenience init?(jsonBytes bytes: [UInt8], url: String, name: String, into bag: inout DiagnosticBag) {
    let source = SourceText(name: name, utf8: bytes)
    do throws(JSONParseError) {
      self.init(url: url, json: try JSONDocument(parsing: bytes), source: source)
    } catch {
      let start = min(error.offset, bytes.count)
      bag.error(
        .invalidSchema, "\(name) is not JSON: \(error.message)",
        at: SourceRange(source, start..<min(start + 1, bytes.count)))
      return nil
    }
  }

  package convenience init?(yaml bytes: [UInt8], url: String, name: String, into bag: inout DiagnosticBag) {
    let errors = bag.errorCount
    let (source, root) = YAMLReader.read(bytes: bytes, name: name, into: &bag)
    defer { withExtendedLifetime(source) {} }
    guard bag.errorCount == errors else { return nil }
    guard let root else {
      bag.error(.invalidSchema, "\(name) is empty", at: SourceRange(source, 0..<0))
      return nil
    }
    self.init(node: root, url: url, source: source, into: &bag)
  }

  /// Takes a part of a YAML file, such as a schema in a spec.
  package convenience init?(node: YAMLNode, url: String, source: SourceText, into bag: inout DiagnosticBag) {
    var writer = JSONWriter()
    let errors = bag.errorCount
    writer.write(node, into: &bag)
    // The writer's output is valid JSON, except for a text that is too large.
    guard bag.errorCount == errors else { return nil }
    do throws(JSONParseError) {
      self.init(url: url, json: try JSONDocument(parsing: writer.text), source: source, places: writer.places)
    } catch {
      bag.error(.limitExceeded, error.message, at: node.range)
      return nil
    }
  }
}

/// Writes YAML nodes as JSON, and their source places in the order of the parsed document's nodes.
private struct JSONWriter {
  var text: [UInt8] = []
  var places: [Range<Int>] = []

  mutating func write(_ node: YAMLNode, into bag: inout DiagnosticBag) {
    places.append(node.range.bytes)
    if let tag = node.localTag {
      bag.error(.misplacedTag, "the tag `!\(tag)` has no meaning in JSON", at: node.range, help: "remove the tag")
    }
    switch node.content {
    case .scalar(let scalar): write(scalar, node, into: &bag)
    case .sequence(let items):
      text.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        write(item, into: &bag)
      }
      text.append(UInt8(ascii: "]"))
    case .mapping(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        places.append(member.keyRange.bytes)
        quote(member.key)
        text.append(UInt8(ascii: ":"))
        write(member.value, into: &bag)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  private mutating func write(_ scalar: YAMLScalar, _ node: YAMLNode, into bag: inout DiagnosticBag) {
    switch scalar.meaning {
    case .null: text += Array("null".utf8)
    case .bool(let value): text += Array((value ? "true" : "false").utf8)
    case .number(let lexeme): text += Array(lexeme.utf8)
    case .text(let string), .timestamp(let string): quote(string)
    case .binary(let bytes): quote(base64Encoded(bytes))
    case .nonFinite(let string):
      quote(string)
      bag.error(
        .invalidValue, "`\(string)` cannot be written as JSON", at: node.range, help: "quote it to mean the text")
    }
  }

  private mutating func quote(_ string: String) {
    text.append(UInt8(ascii: "\""))
    text += Array(jsonEscaped(string).utf8)
    text.append(UInt8(ascii: "\""))
  }
}
