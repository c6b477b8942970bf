import DocumentQueries
import JSONSchemas
import OperatingSystem
import Synchronization
import Testing
import Values

struct DepthTests {
  @Test(arguments: [10, 500], [1, 2]) func deepValuesFitOnSmallStacks(depth: Int, last: Int) throws {
    let schema = try compiled(
      ##"""
      {"allOf": [{"$ref": "#/$defs/a"}],
       "$defs": {"a": {"properties": {"a": {"$ref": "#"}, "b": {"const": 1}}, "unevaluatedProperties": true}}}
      """##)
    let text = String(repeating: "{\"a\":", count: depth) + "{\"b\": \(last)}" + String(repeating: "}", count: depth)
    let instance = try JSONDocument(parsing: text)
    let result = Mutex<SchemaResult?>(nil)
    #expect(runOnStack(of: 512 << 10) { result.withLock { $0 = schema.validate(instance.root) } })
    let found = try #require(result.withLock { $0 })
    #expect(found.problem == nil)
    #expect(found.failures.map(\.pointer) == (last == 1 ? [] : [String(repeating: "/a", count: depth) + "/b"]))
  }

  @Test func circlesThatOnlyRunningFindsEnd() throws {
    let schema = try compiled(##"{"dependentSchemas": {"a": {"$ref": "#"}}}"##)
    let result = schema.validate(try JSONDocument(parsing: #"{"a": 1}"#).root)
    #expect(result.problem == "the schema leads back to itself without going deeper into the instance")
    #expect(!result.isValid)
    #expect(schema.validate(try JSONDocument(parsing: #"{"b": 1}"#).root).isValid)
  }

  @Test(arguments: [
    ##"{"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}}"##,
    ##"{"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}}"##,
    ##"{"properties": {"a": {"not": {"$ref": "#/$defs/a"}}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}"##,
  ])
  func circlesThatNothingLeadsIntoAreNoErrors(schema: String) throws {
    let schema = try compiled(schema)
    #expect(schema.validate(try JSONDocument(parsing: #"{"b": 1}"#).root).isValid)
    let result = schema.validate(try JSONDocument(parsing: #"{"a": 1}"#).root)
    #expect(result.problem == "the schema leads back to itself without going deeper into the instance")
  }

  @Test(arguments: [
    ##"{"$ref": "#"}"##, ##"{"allOf": [{"type": "string"}, {"$ref": "#"}]}"##, ##"{"not": {"$ref": "#"}}"##,
    ##"{"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}}"##,
  ])
  func circlesThatEveryValueLeadsInto(schema: String) throws {
    #expect(
      try compilation(schema).1.map(\.message) == [
        "the schema leads back to itself without going deeper into the instance: validation would never end"
      ])
  }

  @Test func circlesOfOpenAPIAskNothingMore() throws {
    let schema = try compiled(
      ##"""
      {"oneOf": [{"$ref": "#/$defs/dog"}], "required": ["kind"],
       "$defs": {"dog": {"allOf": [{"$ref": "#"}], "required": ["barks"]}}}
      """##, .openAPI31)
    #expect(schema.validate(try JSONDocument(parsing: #"{"kind": "dog", "barks": true}"#).root).isValid)
    #expect(!schema.validate(try JSONDocument(parsing: #"{"kind": "dog"}"#).root).isValid)
    #expect(!schema.validate(try JSONDocument(parsing: #"{"barks": true}"#).root).isValid)
  }
}
