import DocumentQueries
import JSONSchemas
internal import Synchronization
import Values

/// A compiled schema, ready for validation.
struct CompiledSubschema: Sendable {
  let set: SchemaSet
  let id: SchemaID
}

/// The schemas of a contract's documents, compiled on demand, shared ones once.
final class SchemaCompilation: Sendable {
  private struct State {
    var compiler: SchemaCompiler
    /// All schemas so far. Only the last set is kept: with many schemas, sets would take more room than the documents.
    var set: SchemaSet?
    var known: [Key: Result<SchemaID, ContractProblem>] = [:]
    var problemCount = 0
  }

  private struct Key: Hashable {
    let file: ObjectIdentifier
    let position: Int
  }

  private let state: Mutex<State>

  /// - Parameter fetch: returns the file at an absolute path or a URL.
  init(
    options: SchemaOptions, fetch: @escaping @Sendable (String) throws(ContractReadingProblem) -> DocumentFile
  ) {
    state = Mutex(
      State(
        compiler: SchemaCompiler(options: options) { (url) throws(SchemaFetchProblem) in
          do throws(ContractReadingProblem) {
            return try fetch(DocumentFile.location(ofURL: url)).schemaDocument
          } catch {
            throw SchemaFetchProblem(.unresolvedReference, error.message, help: error.help)
          }
        }))
  }

  /// Warnings about schemas so far.
  var warnings: [Diagnostic] {
    state.withLock { $0.compiler.problems.filter { $0.severity == .warning } }
  }

  func compiled(_ node: DocumentNode) throws(ContractProblem) -> CompiledSubschema {
    try state.withLock { state in
      let key = Key(file: ObjectIdentifier(node.file), position: node.node.position)
      if let known = state.known[key], let set = state.set { return known.map { CompiledSubschema(set: set, id: $0) } }
      // Schemas are added in place if nobody else has the set.
      state.set = nil
      let document = node.file.schemaDocument
      state.compiler.add(document, isSchema: false)
      let id = state.compiler.schema(at: node.node, of: document)
      let set = state.compiler.finish()
      // A broken schema has no effect; the first schema that leads to it reports the error.
      let problems = state.compiler.problems
      let error = problems[state.problemCount...].first { $0.severity == .error }
      let result: Result<SchemaID, ContractProblem> = error.map { .failure(ContractProblem($0)) } ?? .success(id)
      state.problemCount = problems.count
      state.set = set
      state.known[key] = result
      return result.map { CompiledSubschema(set: set, id: $0) }
    }.get()
  }
}
