import DocumentQueries
import JSONSchemas
import Testing
import Values

struct FailureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let instance: String
    /// Pointer, keyword, what is expected; a missing value is `-`.
    let failures: [String]

    init(_ schema: String, _ instance: String, _ failures: String...) {
      self.schema = schema
      self.instance = instance
      self.failures = failures
    }

    var testDescription: String { "\(schema) \(instance)" }
  }

  @Test(arguments: [
    Case(#"{"multipleOf": 0.01}"#, "4.02"),
    Case(#"{"multipleOf": 0.01}"#, "4.025", " multipleOf a multiple of 0.01"),
    Case(#"{"multipleOf": 1e-400}"#, "1e400"),
    Case(#"{"multipleOf": 12345678901234567890123}"#, "24691357802469135780246"),
    Case(
      #"{"multipleOf": 12345678901234567890123}"#, "24691357802469135780247",
      " multipleOf a multiple of 12345678901234567890123"),
    Case(#"{"maximum": 12345678901234567890}"#, "12345678901234567891", " maximum at most 12345678901234567890"),
    Case(#"{"enum": [1.0, {"a": [2]}]}"#, #"{"a": [2.0]}"#),
    Case(#"{"const": "é"}"#, #""e\u0301""#, " const \(Excerpt("\"é\"", limit: 60))"),
    Case(#"{"maxLength": 1}"#, #""\ud83d\ude00""#),
    Case(#"{"properties": {"a/b": {"items": {"type": "string"}}}}"#, #"{"a/b": ["x", 1]}"#, "/a~1b/1 type a string"),
    Case(
      #"{"required": ["a", "b"], "properties": {"a": {"type": ["integer", "null"]}}}"#, "{}",
      "/a required an integer or null", "/b required a value"),
    Case(
      #"{"allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": false}"#, #"{"a": 1, "b": 2}"#,
      "/a type a string", "/b unevaluatedProperties -"),
    Case(#"{"propertyNames": {"pattern": "^a"}}"#, #"{"b": 1}"#, "/b pattern a string that matches /^a/"),
    Case(
      #"{"contains": {"const": 1}, "minContains": 2}"#, "[1]", " minContains at least 2 items that `contains` allows"),
    Case(
      #"{"pattern": "(a+)+$"}"#, "\"\(String(repeating: "a", count: 40))b\"", " pattern a string that matches /(a+)+$/"),
    Case(#"{"type": "string", "minLength": 3, "enum": ["abc"]}"#, "1", " type a string"),
  ])
  func failures(of test: Case) throws {
    let result = try compiled(test.schema).validate(try JSONDocument(parsing: test.instance).root)
    #expect(result.problem == nil)
    #expect(result.failures.map { "\($0.pointer) \($0.keyword) \($0.expected ?? "-")" } == test.failures)
  }

  @Test func countsWhatItDoesNotList() throws {
    let items = (0..<1000).map(String.init).joined(separator: ",")
    let result = try compiled(#"{"items": {"type": "string"}}"#).validate(
      try JSONDocument(parsing: "[\(items)]").root, limit: 5)
    #expect(result.failures.count == 5 && result.more == 995)
  }

  @Test func namesTheNearestBranch() throws {
    let schema = try compiled(
      ##"""
      {"anyOf": [{"$ref": "#/$defs/cat"}, {"$ref": "#/$defs/dog"}],
       "$defs": {"cat": {"properties": {"kind": {"const": "cat"}}, "required": ["lives"]},
                 "dog": {"properties": {"kind": {"const": "dog"}, "age": {"type": "integer"}, "name": {"type": "string"}}}}}
      """##)
    let result = schema.validate(try JSONDocument(parsing: #"{"kind": "dog", "age": "1", "name": 2}"#).root)
    let nearest = try #require(result.failures.first?.nearest)
    #expect(nearest.name == "dog (2 of 2)")
    #expect(nearest.failures.map(\.pointer) == ["/age", "/name"])
  }

  @Test func aMessageLeavesOutWhatTheOtherSideSets() throws {
    let document = try schemaDocument(
      ##"""
      {"required": ["id", "password"], "properties": {"id": {"$ref": "#/x/id"}, "password": {"writeOnly": true}},
       "x": {"id": {"type": "integer", "readOnly": true}}}
      """##, url: "test:/api")
    var compiler = SchemaCompiler(
      options: SchemaOptions(dialect: .openAPI30),
      fetch: { url throws(SchemaFetchProblem) in throw SchemaFetchProblem(.unresolvedReference, url) })
    compiler.add(document, isSchema: false)
    let id = compiler.schema(at: document.root, of: document)
    let set = compiler.finish()
    #expect(compiler.problems.isEmpty)
    let empty = try JSONDocument(parsing: "{}").root
    #expect(set.validate(empty, against: id, direction: .request).failures.map(\.pointer) == ["/password"])
    #expect(set.validate(empty, against: id, direction: .response).failures.map(\.pointer) == ["/id"])
    #expect(set.validate(empty, against: id).failures.count == 2)
  }

  @Test(arguments: [
    (#"{"type": "string", "nullable": true}"#, "null", true),
    (#"{"type": "string"}"#, "null", false),
    (#"{"minimum": 1, "exclusiveMinimum": true}"#, "1", false),
    (#"{"minimum": 1, "exclusiveMinimum": false}"#, "1", true),
    (##"{"allOf": [{"$ref": "#/a", "type": "string"}], "a": {"type": "integer"}}"##, "1", true),
    (#"{"const": 1, "if": false, "patternProperties": {"a": false}}"#, #"{"a": 1}"#, true),
    (#"{"type": "integer", "format": "int32"}"#, "2147483648", false),
    (#"{"type": "integer", "format": "int64"}"#, "9223372036854775807", true),
  ])
  func openAPI30(schema: String, instance: String, isValid: Bool) throws {
    let result = try compiled(schema, .openAPI30).validate(try JSONDocument(parsing: instance).root)
    #expect(result.isValid == isValid)
  }
}
