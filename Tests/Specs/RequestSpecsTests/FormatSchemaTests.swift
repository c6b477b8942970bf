import DocumentQueries
import Foundation
import JSONSchemas
import RequestSpecs
import TestSupport
import Testing
import Values
import YAMLNodes

/// The format's schema against the reader, on the examples and the specs of the end-to-end cases.
@Suite("The format's schema") struct FormatSchemaTests {
  private static func schema() throws -> CompiledSchema {
    let text = FormatSchema.text
    let source = SourceText(name: "schema.json", text: text)
    let document = SchemaDocument(url: "test:/schema", json: try JSONDocument(parsing: text), source: source)
    var compiler = SchemaCompiler(
      options: SchemaOptions(dialect: .draft7),
      fetch: { url throws(SchemaFetchProblem) in throw SchemaFetchProblem(.unresolvedReference, "there is no \(url)") })
    let id = compiler.schema(at: document.root, of: document)
    let set = compiler.finish()
    #expect(compiler.problems.map(\.message) == [])
    return CompiledSchema(set: set, id: id)
  }

  /// The beginnings of what the reader says of keys, types and words.
  private static let structural = [
    "unknown key", "expected ", "unknown value", "is a mapping, found", "is a list", "takes text, numbers",
    "methods are", "is not a predicate", "is read as predicates", "unknown predicate", "unknown cookie attribute",
    "takes no template", "is text, found", "is text or a list",
  ]

  /// A case's spec with its placeholders filled in.
  private static func filled(_ bytes: [UInt8]) -> [UInt8] {
    guard let text = String(data: Data(bytes), encoding: .utf8) else { return bytes }
    return Array(text.replacing(/\{\{(demo|fault|other|tmp)\}\}/, with: "http://127.0.0.1:1").utf8)
  }

  @Test("what the reader accepts is valid, and what it refuses for a key, a type or a word is not")
  func agreesWithTheReader() throws {
    let schema = try Self.schema()
    var (accepted, refused, found) = (0, 0, 0)
    var missed: [String] = []
    for (path, content) in Repository.yamlFiles(in: ["Examples", "Tests/Products/EndToEndTests/Cases"]) {
      let bytes = Self.filled(content)
      var bag = DiagnosticBag()
      let isProject = path.hasSuffix("/reqrun.yaml") || path.hasSuffix("/reqrun.yml")
      switch LoadedFile.read(bytes: bytes, path: path, asProject: isProject, into: &bag) {
      case .spec, .project: break
      case .contract, .other, nil: continue
      }
      var problems = DiagnosticBag()
      guard let json = YAMLReader.json(bytes: bytes, name: path, into: &problems).json,
        let document = try? JSONDocument(parsing: json)
      else { continue }
      let isValid = schema.validate(document.root).isValid
      let errors = bag.diagnostics.filter { $0.severity == .error }.map(\.message)
      if errors.isEmpty {
        accepted += 1
        #expect(isValid, "\(path) is accepted, and not valid: \(schema.validate(document.root).failures)")
      } else if errors.contains(where: { error in Self.structural.contains { error.contains($0) } }) {
        refused += 1
        if isValid { missed.append("\(path): \(errors)") } else { found += 1 }
      }
    }
    print("the schema: \(accepted) specs that are accepted are valid; \(found) of \(refused) that are refused are not")
    #expect(accepted > 300)
    #expect(refused > 50)
    #expect(found * 10 >= refused * 9, "\(found) of \(refused) are found:\n\(missed.joined(separator: "\n"))")
  }
}
