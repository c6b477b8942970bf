import DocumentQueries
import HTTPSemantics
import JSONSchemas
internal import Synchronization
import Values
import YAMLNodes

/// A parsed file of a contract, JSON or YAML.
package final class DocumentFile: Sendable {
  /// The path or URL for messages.
  package let name: String
  /// The base of relative references in the file: an absolute path or a URL.
  package let location: String
  let source: SourceText
  let json: JSONDocument
  /// The JSON as written, and the position in it of each node of ``json``; nil if they are the same.
  private let written: (json: JSONDocument, origins: [Int])?
  /// Indicates whether the JSON is the file itself; for YAML only the lines are the same.
  private let isJSON: Bool
  private let schemas = Mutex<SchemaDocument?>(nil)

  private init(
    name: String, location: String, source: SourceText, json: JSONDocument, isJSON: Bool,
    written: (json: JSONDocument, origins: [Int])? = nil
  ) {
    self.name = name
    self.location = location
    self.source = source
    self.json = json
    self.isJSON = isJSON
    self.written = written
  }

  /// The file in other words, with the places of its own.
  ///
  /// - Parameter origins: the position in ``json`` that each node of the other one comes from.
  func translated(to other: JSONDocument, origins: [Int]) -> DocumentFile {
    DocumentFile(
      name: name, location: location, source: source, json: other, isJSON: isJSON, written: (json, origins))
  }

  var isTranslated: Bool { written != nil }

  /// The node as written.
  fileprivate func original(_ node: JSONNode) -> JSONNode {
    written.map { $0.json.node(at: $0.origins[node.position]) } ?? node
  }

  /// Parses JSON if the bytes look like it, else YAML.
  static func read(
    _ bytes: [UInt8], name: String, location: String
  ) -> Result<DocumentFile, ContractProblem> {
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let first = content.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      do throws(JSONParseError) {
        let json = try JSONDocument(parsing: content)
        let source = SourceText(name: name, utf8: content)
        return .success(DocumentFile(name: name, location: location, source: source, json: json, isJSON: true))
      } catch {
        // A YAML flow mapping may be at the beginning of a file, too.
        guard isYAML(name) else {
          let source = SourceText(name: name, utf8: content)
          let offset = min(error.offset, content.count)
          let diagnostic = Diagnostic.error(
            .invalidContract, "the document is not JSON: \(error.message)",
            at: SourceRange(source, offset..<min(offset + 1, content.count)))
          return .failure(ContractProblem(diagnostic))
        }
      }
    }
    if first == UInt8(ascii: "<") {
      let source = SourceText(name: name, utf8: content)
      return .failure(
        ContractProblem(
          .error(
            .invalidContract, "this looks like HTML or XML, not like an OpenAPI document",
            at: SourceRange(source, 0..<0), help: "name the JSON or YAML document itself, not the page that shows it")))
    }
    var bag = DiagnosticBag()
    let (source, json) = YAMLReader.json(bytes: bytes, name: name, into: &bag)
    if let error = bag.diagnostics.first(where: { $0.severity == .error }) { return .failure(ContractProblem(error)) }
    guard let json, let document = try? JSONDocument(parsing: json) else {
      return .failure(
        ContractProblem(.error(.limitExceeded, "the document nests too deep", at: SourceRange(source, 0..<0))))
    }
    return .success(DocumentFile(name: name, location: location, source: source, json: document, isJSON: false))
  }

  private static func isYAML(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

  package var root: DocumentNode { DocumentNode(file: self, node: json.root) }

  /// The file as a source of schemas.
  var schemaDocument: SchemaDocument {
    schemas.withLock { known in
      if let known { return known }
      let url = location.hasPrefix("/") ? "file://" + DocumentFile.escaped(location) : location
      let document = SchemaDocument(url: url, json: json, source: source, places: places)
      known = document
      return document
    }
  }

  /// The path or URL of a document that a schema refers to.
  static func location(ofURL url: String) -> String {
    url.hasPrefix("file://") ? percentDecoded(url.dropFirst(7)) : url
  }

  private static func escaped(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("#", with: "%23").replacing("?", with: "%3F").replacing(" ", with: "%20")
  }

  /// The place of each node; nil if those of the JSON are the same.
  private var places: [Range<Int>]? {
    guard let written else { return isJSON ? nil : linePlaces(of: json) }
    if isJSON { return written.origins.map { written.json.node(at: $0).byteRange } }
    let lines = linePlaces(of: written.json)
    return written.origins.map { lines[$0] }
  }

  /// The line of each node: the lines of the JSON are those of the file.
  private func linePlaces(of json: JSONDocument) -> [Range<Int>] {
    var places: [Range<Int>] = []
    places.reserveCapacity(json.nodeCount)
    let text = json.utf8
    var (line, offset) = (0, 0)
    let last = source.lineIndex(at: source.utf8.count)
    for position in 0..<json.nodeCount {
      let start = json.node(at: position).byteRange.lowerBound
      while offset < start {
        if text[offset] == 0x0A { line += 1 }
        offset += 1
      }
      places.append(trimmedLine(min(line, last)))
    }
    return places
  }

  private func trimmedLine(_ line: Int) -> Range<Int> {
    let bytes = source.lineBytes(line)
    let indent = source.utf8[bytes].prefix { $0 == 0x20 }.count
    return min(bytes.lowerBound + indent, bytes.upperBound)..<bytes.upperBound
  }

  /// The place of a node in the file: the first of its lines.
  fileprivate func range(of node: JSONNode) -> SourceRange {
    let node = original(node)
    guard isJSON else {
      return SourceRange(source, trimmedLine(min(node.line - 1, source.lineIndex(at: source.utf8.count))))
    }
    let bytes = node.byteRange
    let line = source.lineBytes(source.lineIndex(at: bytes.lowerBound))
    return SourceRange(source, bytes.lowerBound..<max(bytes.lowerBound, min(bytes.upperBound, line.upperBound)))
  }
}

/// A value in a file of a contract.
package struct DocumentNode: Sendable {
  package let file: DocumentFile
  package let node: JSONNode

  package var range: SourceRange { file.range(of: node) }

  /// The JSON Pointer of the value in its file as written, as a URI fragment.
  package var pointer: String {
    "#" + JSONPointer.pointer(to: file.original(node))
  }

  /// `openapi.yaml:41 #/paths/~1users/get`
  package var place: String { "\(file.name):\(range.start.line) \(pointer)" }

  package subscript(name: String) -> DocumentNode? {
    node[member: name].map { DocumentNode(file: file, node: $0) }
  }

  /// The members that aren't extensions (`x-…`), in order.
  package var members: [(key: String, value: DocumentNode)] {
    node.members.filter { !$0.key.hasPrefix("x-") }.map { ($0.key, DocumentNode(file: file, node: $0.value)) }
  }

  package var items: [DocumentNode] { node.items.map { DocumentNode(file: file, node: $0) } }
  package var isObject: Bool { node.kind == .mapping }
  /// The text; nil if the value isn't a string.
  package var string: String? { node.kind == .text ? node.string : nil }
  package var isTrue: Bool { node.kind == .boolean && node.text == "true" }
}

/// The reason why a contract cannot be used, with its place in the files.
package struct ContractProblem: Error, Sendable {
  package let diagnostic: Diagnostic
  /// Indicates whether references form a circle, and so lead to nothing.
  var isCircle = false

  package init(_ diagnostic: Diagnostic) {
    self.diagnostic = diagnostic
  }

  init(_ code: DiagnosticCode, _ message: String, at node: DocumentNode, help: String? = nil) {
    diagnostic = .error(code, message, at: node.range, help: help)
  }

  /// The message with its place, for output without source lines.
  package var message: String {
    guard let range = diagnostic.range else { return diagnostic.message }
    return "\(diagnostic.message) (\(range.location))"
  }
}
