import DocumentQueries
import JSONSchemas
import Values

/// The reasons why a text isn't valid by a JSON Schema of draft-07.
package func schemaProblems(of text: String, _ schema: String) throws -> [String] {
  try schemaProblems(ofLines: [text], schema)
}

/// The reasons why texts aren't all valid by a JSON Schema of draft-07.
package func schemaProblems(ofLines texts: [String], _ schema: String) throws -> [String] {
  let source = SourceText(name: "schema.json", text: schema)
  let document = SchemaDocument(url: "test:/schema", json: try JSONDocument(parsing: schema), source: source)
  var compiler = SchemaCompiler(
    options: SchemaOptions(dialect: .draft7),
    fetch: { url throws(SchemaFetchProblem) in throw SchemaFetchProblem(.unresolvedReference, "there is no \(url)") })
  let id = compiler.schema(at: document.root, of: document)
  let set = compiler.finish()
  let compiled = CompiledSchema(set: set, id: id)
  return try compiler.problems.map(\.message)
    + texts.flatMap { compiled.validate(try JSONDocument(parsing: $0).root).failures.map { "\($0)" } }
}
