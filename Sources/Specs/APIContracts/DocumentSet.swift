import DocumentQueries
import HTTPSemantics
import JSONSchemas
internal import Synchronization
import Values

/// Reads a file that a document refers to, given the reference as written and the location of its file.
package typealias DocumentReading =
  @Sendable (_ reference: String, _ base: String) throws(ContractReadingProblem) -> DocumentBytes

/// The content of a contract's file, and its name.
package struct DocumentBytes: Sendable {
  package let bytes: [UInt8]
  package let name: String
  package let location: String

  package init(_ bytes: [UInt8], name: String, location: String) {
    self.bytes = bytes
    self.name = name
    self.location = location
  }
}

/// The reason why a file cannot be read; without a place.
package struct ContractReadingProblem: Error, Sendable {
  package let message: String
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

/// The files of one contract, each read once, and the references between them.
package final class DocumentSet: Sendable {
  package let main: DocumentFile
  private let files: DocumentFiles
  private let schemas: SchemaCompilation
  private let names = Mutex(NameChecks())
  /// The files as written, if these are translations.
  private let written: DocumentSet?

  /// - Parameter format: the role of `format` in schemas.
  package convenience init(
    main bytes: DocumentBytes, format: SchemaOptions.FormatMode = .assertion, reading: @escaping DocumentReading
  ) throws(ContractProblem) {
    let main = try DocumentFile.read(bytes.bytes, name: bytes.name, location: bytes.location).get()
    let files = DocumentFiles(main: main) { (reference, base) throws(ContractProblem) in
      do throws(ContractReadingProblem) {
        let content = try reading(reference, base)
        return (content.location, { DocumentFile.read(content.bytes, name: content.name, location: content.location) })
      } catch {
        throw ContractProblem(.error(.unresolvedReference, error.message, at: nil, help: error.help))
      }
    }
    guard SwaggerTranslation.isSwagger(main.root) else {
      self.init(main, files, format: format)
      return
    }
    let written = DocumentSet(main, files, format: format)
    let translated = try SwaggerTranslation.translated(main, of: written).get()
    let translations = DocumentFiles(main: translated) { (reference, base) throws(ContractProblem) in
      let file = try files.file(reference, base: base)
      return (file.location, { SwaggerTranslation.translated(file, of: written) })
    }
    self.init(translated, translations, format: format, written: written)
  }

  private init(
    _ main: DocumentFile, _ files: DocumentFiles, format: SchemaOptions.FormatMode, written: DocumentSet? = nil
  ) {
    self.main = main
    self.files = files
    self.written = written
    let isVersion30 = main.root["openapi"]?.scalarText?.hasPrefix("3.0") ?? false
    let options = SchemaOptions(dialect: isVersion30 ? .openAPI30 : .openAPI31, format: format)
    schemas = SchemaCompilation(options: options) {
      (location) throws(ContractReadingProblem) in
      do throws(ContractProblem) {
        return try files.file(location, base: main.location)
      } catch {
        throw ContractReadingProblem(error.message, help: error.diagnostic.help)
      }
    }
  }

  /// The value itself, or the target of its `$ref`, after any number of references.
  package func resolved(_ node: DocumentNode) throws(ContractProblem) -> DocumentNode {
    var current = node
    for _ in 0..<64 {
      guard let reference = current["$ref"] else { return current }
      guard let text = reference.string else {
        throw ContractProblem(.unresolvedReference, "`$ref` is text", at: reference)
      }
      current = try target(of: text, from: reference)
    }
    var problem = ContractProblem(.circularReference, "the references lead in a circle", at: node)
    problem.isCircle = true
    throw problem
  }

  /// The target of a reference.
  ///
  /// - Parameter place: the node that contains it.
  private func target(of reference: String, from place: DocumentNode) throws(ContractProblem) -> DocumentNode {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let file = parts[0].isEmpty ? place.file : try file(String(parts[0]), from: place)
    guard parts.count > 1, !parts[1].isEmpty else { return file.root }
    guard parts[1].hasPrefix("/") else {
      throw ContractProblem(
        .unresolvedReference, "the reference \"\(reference)\" is not a JSON Pointer", at: place, help: "write #/…")
    }
    var current = file.root
    for raw in parts[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let token = percentDecoded(raw).replacing("~1", with: "/").replacing("~0", with: "~")
      let item = Int(token).flatMap { current.node[$0] }.map { DocumentNode(file: file, node: $0) }
      guard let next = current[token] ?? item else {
        let near = nearestWord(to: token, among: current.node.members.map(\.key))
        throw ContractProblem(
          .unresolvedReference,
          "the reference \"\(reference)\" leads nowhere: there is no `\(token)` in \(current.pointer)"
            + (file === place.file ? "" : " of \(file.name)"),
          at: place, help: near.map { "did you mean `\($0)`?" })
      }
      current = next
    }
    return current
  }

  private func file(_ reference: String, from place: DocumentNode) throws(ContractProblem) -> DocumentFile {
    do throws(ContractProblem) {
      return try files.file(reference, base: place.file.location)
    } catch {
      // An error in the other file has its place there.
      guard error.diagnostic.range == nil else { throw error }
      throw ContractProblem(
        .unresolvedReference, "\"\(reference)\": \(error.diagnostic.message)", at: place, help: error.diagnostic.help)
    }
  }

  /// The document before a translation.
  var asWritten: DocumentNode { (written ?? self).main.root }

  /// The files of a document of Swagger 2.0 as written; none of another document.
  var filesAsWritten: [DocumentFile] { written?.allFiles ?? [] }

  /// The document as it is used, with all files that references lead to.
  var allFiles: [DocumentFile] {
    [main] + readAll().locations.dropFirst().compactMap { try? files.file($0, base: main.location) }
  }

  /// Reads all files that references lead to, and returns their locations, and the references to files that cannot be
  /// read.
  package func readAll() -> (locations: [String], missing: [ContractProblem]) {
    if let written { return written.readAll() }
    var locations = [main.location]
    var missing: [ContractProblem] = []
    var pending = [main]
    while let next = pending.popLast() {
      for position in 0..<next.json.nodeCount {
        let node = next.json.node(at: position)
        // A member's name comes before its value.
        guard node.isString("$ref"), position + 1 < next.json.nodeCount else { continue }
        let value = DocumentNode(file: next, node: next.json.node(at: position + 1))
        guard let reference = value.string, let path = reference.split(separator: "#").first,
          !reference.hasPrefix("#")
        else { continue }
        do throws(ContractProblem) {
          let found = try file(String(path), from: value)
          guard !locations.contains(found.location) else { continue }
          locations.append(found.location)
          pending.append(found)
        } catch {
          if !missing.contains(where: { $0.diagnostic.message == error.diagnostic.message }) { missing.append(error) }
        }
      }
    }
    return (locations, missing)
  }

  /// Warnings about the names and the schemas that were read.
  var schemaWarnings: [Diagnostic] { names.withLock { $0.warnings } + schemas.warnings }

  /// Warns of names in an object that are near known ones: they check nothing.
  func check(_ node: DocumentNode, _ object: NameChecks.Object) { names.withLock { $0.check(node, object) } }

  /// The schema at a node; for a mere reference its target's, which others may share.
  func compiled(_ node: DocumentNode) throws(ContractProblem) -> CompiledSubschema {
    guard node.node.count == 1, node["$ref"] != nil else { return try schemas.compiled(node) }
    var target = node
    do throws(ContractProblem) {
      target = try resolved(node)
    } catch {
      // The schema compiler reports all other errors of references better: they may use anchors.
      if error.isCircle { throw error }
    }
    return try schemas.compiled(target)
  }
}

/// The files of a contract by location, each read once.
private final class DocumentFiles: Sendable {
  /// Finds the location of a file, and reads it.
  typealias Source =
    @Sendable (_ reference: String, _ base: String) throws(ContractProblem) -> (
      location: String, read: () -> Result<DocumentFile, ContractProblem>
    )

  private let source: Source
  private let known: Mutex<[String: Result<DocumentFile, ContractProblem>]>

  init(main: DocumentFile, source: @escaping Source) {
    self.source = source
    known = Mutex([main.location: .success(main)])
  }

  /// The file that a reference leads to; a problem without a place gets that of the reference.
  func file(_ reference: String, base: String) throws(ContractProblem) -> DocumentFile {
    if let found = known.withLock({ $0[reference] ?? $0[base + "\n" + reference] }) { return try found.get() }
    let result: Result<DocumentFile, ContractProblem>
    var location: String?
    do throws(ContractProblem) {
      let found = try source(reference, base)
      location = found.location
      result = known.withLock { $0[found.location] } ?? found.read()
    } catch {
      result = .failure(error)
    }
    known.withLock { known in
      known[base + "\n" + reference] = result
      if let location { known[location] = result }
    }
    return try result.get()
  }
}
