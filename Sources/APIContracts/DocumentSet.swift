internal import Diagnostics
internal import HTTPMessages
internal import JSONQueries
internal import JSONSchemas
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
  private let reading: DocumentReading
  private let files: Mutex<[String: Result<DocumentFile, ContractProblem>]>
  private let schemas = Mutex<SchemaCompilation?>(nil)

  package init(main bytes: DocumentBytes, reading: @escaping DocumentReading) throws(ContractProblem) {
    main = try DocumentFile.read(bytes.bytes, name: bytes.name, location: bytes.location).get()
    self.reading = reading
    files = Mutex([bytes.location: .success(main)])
  }

  /// The value itself, or what its `$ref` leads to, however many there are in a row.
  func resolved(_ node: DocumentNode) throws(ContractProblem) -> DocumentNode {
    var current = node
    for _ in 0..<64 {
      guard let reference = current["$ref"] else { return current }
      guard let text = reference.string else { throw ContractProblem("`$ref` is text", at: reference) }
      current = try target(of: text, from: reference)
    }
    throw ContractProblem("the references lead in a circle", at: node)
  }

  /// What a reference leads to.
  ///
  /// - Parameter place: where it stands.
  func target(of reference: String, from place: DocumentNode) throws(ContractProblem) -> DocumentNode {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let file = parts[0].isEmpty ? place.file : try file(String(parts[0]), from: place)
    guard parts.count > 1, !parts[1].isEmpty else { return file.root }
    guard parts[1].hasPrefix("/") else {
      throw ContractProblem("the reference \"\(reference)\" is no JSON Pointer", at: place, help: "write #/…")
    }
    var current = file.root
    for raw in parts[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let token = percentDecoded(raw).replacing("~1", with: "/").replacing("~0", with: "~")
      let next =
        current[token]
        ?? Int(token).flatMap { current.node[$0] }.map {
          DocumentNode(file: file, node: $0)
        }
      guard let next else {
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

  /// The schema at a node.
  func compiled(_ node: DocumentNode) throws(ContractProblem) -> CompiledSchema {
    let compilation = schemas.withLock { known in
      if let known { return known }
      let version = main.root["openapi"]?.scalarText ?? ""
      let new = SchemaCompilation(dialect: version.hasPrefix("3.0") ? .openAPI30 : .openAPI31) {
        [reading, main] (location) throws(ContractReadingProblem) in
        if location == main.location { return main }
        let content = try reading(location, main.location)
        switch DocumentFile.read(content.bytes, name: content.name, location: content.location) {
        case .success(let file): return file
        case .failure(let problem): throw ContractReadingProblem(problem.message, help: problem.diagnostic.help)
        }
      }
      known = new
      return new
    }
    return try compilation.compiled(node)
  }

  private func file(_ reference: String, from place: DocumentNode) throws(ContractProblem) -> DocumentFile {
    let key = place.file.location + "\n" + reference
    if let known = files.withLock({ $0[key] }) { return try known.get() }
    var result: Result<DocumentFile, ContractProblem>
    do throws(ContractReadingProblem) {
      let content = try reading(reference, place.file.location)
      result =
        files.withLock { $0[content.location] }
        ?? DocumentFile.read(content.bytes, name: content.name, location: content.location)
      files.withLock { [result] in $0[content.location] = result }
    } catch {
      result = .failure(
        ContractProblem(.error("\"\(reference)\": \(error.message)", at: place.range, help: error.help)))
    }
    files.withLock { [result] in $0[key] = result }
    return try result.get()
  }
}
