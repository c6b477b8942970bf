import Diagnostics
import JSONQueries
import JSONSchemas

/// The reasons why a text isn't valid by a JSON Schema of draft-07.
package func schemaProblems(of text: String, _ schema: String) throws -> [String] {
  let source = SourceText(name: "schema.json", text: schema)
  let document = SchemaDocument(url: "test:/schema", json: try JSONDocument(parsing: schema), source: source)
  var compiler = SchemaCompiler(
    options: SchemaOptions(dialect: .draft7),
    fetch: { url throws(SchemaFetchProblem) in throw SchemaFetchProblem("there is no \(url)") })
  let id = compiler.schema(at: document.root, of: document)
  let set = compiler.finish()
  let result = CompiledSchema(set: set, id: id).validate(try JSONDocument(parsing: text).root)
  return compiler.problems.map(\.message) + result.failures.map { "\($0)" }
}
