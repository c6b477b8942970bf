import DocumentQueries
import JSONSchemas
import Testing

@Suite("Drafts") struct DraftTests {
  @Test(
    "Draft 4 has keywords of its own",
    arguments: [
      (#"{"minimum": 1, "exclusiveMinimum": true}"#, "1", false),
      (#"{"minimum": 1, "exclusiveMinimum": false}"#, "1", true),
      (#"{"maximum": 1, "exclusiveMaximum": true}"#, "1", false), (#"{"exclusiveMaximum": true}"#, "1", true),
      (#"{"type": "integer"}"#, "1", true), (#"{"type": "integer"}"#, "-12345678901234567890", true),
      (#"{"type": "integer"}"#, "1.0", false), (#"{"type": "integer"}"#, "1e2", false),
      (#"{"type": ["integer", "null"]}"#, "1.0", false), (#"{"type": "number"}"#, "1.0", true),
      (#"{"const": 1}"#, "2", true), (#"{"contains": {"type": "null"}}"#, "[1]", true),
      (#"{"propertyNames": {"maxLength": 1}}"#, #"{"ab": 1}"#, true),
      (#"{"if": {}, "then": {"type": "null"}}"#, "1", true),
      (#"{"items": [{"type": "null"}], "additionalItems": false}"#, "[null, 1]", false),
      (#"{"dependencies": {"a": ["b"]}}"#, #"{"a": 1}"#, false),
      (#"{"additionalProperties": false}"#, #"{"a": 1}"#, false),
      (
        ##"{"id": "http://x/y", "items": {"$ref": "#a"}, "definitions": {"a": {"id": "#a", "type": "null"}}}"##, "[1]",
        false
      ),
      (
        ##"{"id": "http://x/y/", "items": {"$ref": "http://x/y/z"}, "definitions": {"a": {"id": "z", "type": "null"}}}"##,
        "[1]", false
      ), (##"{"properties": {"id": {"type": "null"}, "$ref": {"type": "null"}}}"##, ##"{"id": 1}"##, false),
      (##"{"$ref": "#/definitions/a", "type": "null", "definitions": {"a": {"type": "number"}}}"##, "1", true),
      (##"{"$ref": "http://json-schema.org/draft-04/schema#"}"##, #"{"required": []}"#, false),
      (##"{"$ref": "http://json-schema.org/draft-04/schema#"}"##, #"{"type": "null"}"#, true),
      (#"{"format": "ipv4"}"#, #""1.2.3""#, false),
    ])
  func draft4(keywords: String, instance: String, expected: Bool) throws {
    let named = ##"{"$schema": "http://json-schema.org/draft-04/schema#", "## + keywords.dropFirst()
    for schema in [try compiled(named), try compiled(keywords, .draft4)] {
      #expect(schema.validate(try JSONDocument(parsing: instance).root).isValid == expected)
    }
  }

  @Test(
    "Draft 3 and unknown ones are errors",
    arguments: ["http://json-schema.org/draft-03/schema#", "http://json-schema.org/draft-05/schema#"])
  func unknownDrafts(url: String) throws {
    let problems = try compilation(#"{"$schema": "\#(url)", "type": "null"}"#).1
    #expect(problems.map(\.message) == ["the draft `\(url)` is not known here"])
  }

  @Test("A document without a draft has that of the schema that refers to it")
  func referredDocuments() throws {
    let others = ["http://x/list": #"{"items": [{"type": "null"}], "additionalItems": false}"#]
    let schema = try compiled(
      #"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "http://x/list"}"#, others: others)
    #expect(!schema.validate(try JSONDocument(parsing: "[null, 1]").root).isValid)
    #expect(try compilation(#"{"$ref": "http://x/list"}"#, others: others).1.count == 1)
  }
}
