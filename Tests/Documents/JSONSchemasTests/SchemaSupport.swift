import DocumentQueries
import JSONSchemas
import Testing
import Values

/// A schema's text, compiled; errors fail the test.
func compiled(
  _ text: String, _ dialect: SchemaDialect = .draft202012, others: [String: String] = [:]
) throws -> CompiledSchema {
  let (schema, problems) = try compilation(text, dialect, others: others)
  #expect(problems.filter { $0.severity == .error }.map(\.message) == [])
  return schema
}

/// A schema's text, compiled, and what is wrong with it. Others are found by their URLs.
func compilation(
  _ text: String, _ dialect: SchemaDialect = .draft202012, others: [String: String] = [:]
) throws -> (CompiledSchema, [Diagnostic]) {
  let document = try schemaDocument(text, url: "test:/schema")
  var compiler = SchemaCompiler(
    options: SchemaOptions(dialect: dialect),
    fetch: { url throws(SchemaFetchProblem) in
      guard let text = others[url], let document = try? schemaDocument(text, url: url) else {
        throw SchemaFetchProblem(.unresolvedReference, "there is no \(url)")
      }
      return document
    })
  let id = compiler.schema(at: document.root, of: document)
  let set = compiler.finish()
  return (CompiledSchema(set: set, id: id), compiler.problems)
}

func schemaDocument(_ text: String, url: String) throws -> SchemaDocument {
  SchemaDocument(url: url, json: try JSONDocument(parsing: text), source: SourceText(name: "schema.json", text: text))
}
