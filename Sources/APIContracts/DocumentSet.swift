internal import Diagnostics
internal import HTTPMessages
internal import JSONQueries
package import JSONSchemas
internal import Synchronization

/// Reads a file that a document refers to: the reference as it stands there, and the location of the file it stands in.
package typealias DocumentReading =
  @Sendable (_ reference: String, _ base: String) throws(ContractReadingProblem) -> DocumentBytes

/// The content of a file of a contract, and how it is called.
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

/// Why a file cannot be read; without a place.
package struct ContractReadingProblem: Error, Sendable {
  package let message: String
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

/// The files of one contract, each read once, and the references among them.
package final class DocumentSet: Sendable {
  package let main: DocumentFile
  private let files: DocumentFiles
  private let schemas: SchemaCompilation

  /// - Parameter format: what `format` of schemas is.
  package init(
    main bytes: DocumentBytes, format: SchemaOptions.FormatMode = .assertion, reading: @escaping DocumentReading
  ) throws(ContractProblem) {
    let main = try DocumentFile.read(bytes.bytes, name: bytes.name, location: bytes.location).get()
    let files = DocumentFiles(main: main, reading: reading)
    self.main = main
    self.files = files
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

  /// The value itself, or what its `$ref` leads to, however many there are in a row.
  func resolved(_ node: DocumentNode) throws(ContractProblem) -> DocumentNode {
    var current = node
    for _ in 0..<64 {
      guard let reference = current["$ref"] else { return current }
      guard let text = reference.string else { throw ContractProblem("`$ref` is text", at: reference) }
      current = try target(of: text, from: reference)
    }
    var problem = ContractProblem("the references lead in a circle", at: node)
    problem.isCircle = true
    throw problem
  }

  /// What a reference leads to.
  ///
  /// - Parameter place: where it stands.
  private func target(of reference: String, from place: DocumentNode) throws(ContractProblem) -> DocumentNode {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let file = parts[0].isEmpty ? place.file : try file(String(parts[0]), from: place)
    guard parts.count > 1, !parts[1].isEmpty else { return file.root }
    guard parts[1].hasPrefix("/") else {
      throw ContractProblem("the reference \"\(reference)\" is no JSON Pointer", at: place, help: "write #/…")
    }
    var current = file.root
    for raw in parts[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let token = percentDecoded(raw).replacing("~1", with: "/").replacing("~0", with: "~")
      let item = Int(token).flatMap { current.node[$0] }.map { DocumentNode(file: file, node: $0) }
      guard let next = current[token] ?? item else {
        let near = nearestWord(to: token, among: current.node.members.map(\.key))
        throw ContractProblem(
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
      // What is wrong in the other file has its place there.
      guard error.diagnostic.range == nil else { throw error }
      throw ContractProblem("\"\(reference)\": \(error.diagnostic.message)", at: place, help: error.diagnostic.help)
    }
  }

  /// The schema at a node; that of a mere reference is what it leads to, which others refer to as well.
  func compiled(_ node: DocumentNode) throws(ContractProblem) -> CompiledSchema {
    guard node.node.count == 1, node["$ref"] != nil else { return try schemas.compiled(node) }
    var target = node
    do throws(ContractProblem) {
      target = try resolved(node)
    } catch {
      // Whatever else is wrong with a reference, schemas know better: they may be named by anchors.
      if error.isCircle { throw error }
    }
    return try schemas.compiled(target)
  }
}

/// The files of a contract by their locations, each read once.
private final class DocumentFiles: Sendable {
  private let reading: DocumentReading
  private let known: Mutex<[String: Result<DocumentFile, ContractProblem>]>

  init(main: DocumentFile, reading: @escaping DocumentReading) {
    self.reading = reading
    known = Mutex([main.location: .success(main)])
  }

  /// The file that a reference leads to; a problem without a place is that of the reference.
  func file(_ reference: String, base: String) throws(ContractProblem) -> DocumentFile {
    if let found = known.withLock({ $0[reference] ?? $0[base + "\n" + reference] }) { return try found.get() }
    let result: Result<DocumentFile, ContractProblem>
    var location: String?
    do throws(ContractReadingProblem) {
      let content = try reading(reference, base)
      location = content.location
      result =
        known.withLock { $0[content.location] }
        ?? DocumentFile.read(content.bytes, name: content.name, location: content.location)
    } catch {
      result = .failure(ContractProblem(.error(error.message, at: nil, help: error.help)))
    }
    known.withLock { known in
      known[base + "\n" + reference] = result
      if let location { known[location] = result }
    }
    return try result.get()
  }
}
