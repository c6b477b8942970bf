import APIContracts
import Testing
import Values

/// The rows that are made of each keyword: `+` before a value that the schema allows, `-` before another.
struct BoundaryRowsTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let schema: String
    let expected: [String]

    init(_ name: String, _ schema: String, _ expected: [String]) {
      testDescription = name
      self.schema = schema
      self.expected = expected
    }
  }

  private func boundaries(_ declaration: String, path: String = "/x") throws -> OperationBoundaries {
    let api = try contract(
      """
      openapi: 3.1.0
      info: {title: t, version: "1"}
      paths:
        \(path):
          post:
            \(declaration)
            responses: {200: {description: ok}}
      """)
    let operation = try #require(api.operations.first)
    let time = ExampleTime(limit: .seconds(60))
    let example = try #require(try operation.example(in: api.documents, within: time))
    return try #require(try operation.boundaries(of: example, in: api.documents, within: time))
  }

  private func shown(_ rows: [BoundaryRow]) -> [String] {
    rows.map { "\($0.isAllowed ? "+" : "-")\($0.value.jsonText().string)" }
  }

  @Test(arguments: members) func makesRowsOfMembers(_ testCase: Case) throws {
    let body = "{type: object, required: [m], properties: {m: \(testCase.schema)}}"
    let made = try boundaries("requestBody: {content: {application/json: {schema: \(body)}}}")
    #expect(shown(made.fields.first { $0.label == "body.m" }?.rows ?? []) == testCase.expected)
  }

  private static let notText = ["-5", "-true", #"-{"key":"value"}"#, "-[]", "-null"]
  private static let notNumber = [#"-"string""#, #"-{"key":"value"}"#, "-[]", "-null"]

  static let members = [
    Case("minLength", "{type: string, minLength: 2}", [#"-"s""#, #"-"""#, #"+"st""#, #"+"str""#] + notText),
    Case("maxLength", "{type: string, maxLength: 3}", [#"-"strr""#, #"+"str""#, #"+"st""#] + notText),
    Case("pattern", "{type: string, pattern: '^[a-c]+$'}", [#"-"!""#, #"-"""#] + notText),
    Case("format", "{type: string, format: uuid}", [#"-"no uuid""#] + notText.dropFirst(2)),
    Case("enum", "{enum: [a, b]}", [#"+"a""#, #"+"b""#, #"-"a_other""#]),
    Case(
      "minimum and maximum", "{type: integer, minimum: 3, maximum: 9}",
      ["-2", "+3", "+4", "-10", "+9", "+8", "-4.5"] + notNumber.dropLast() + ["-true", "-null"]),
    Case(
      "exclusive bounds", "{type: number, exclusiveMinimum: 0, exclusiveMaximum: 10}",
      ["-0", "+1", "-10", "+9"] + notNumber),
    Case("multipleOf", "{type: number, multipleOf: 5}", ["-7.5"] + notNumber.dropLast() + ["-true", "-null"]),
    Case(
      "null is allowed", "{type: [boolean, 'null']}",
      ["+true", "+false", #"-"string""#, #"-{"key":"value"}"#, "-[]", "-5", "+null"]),
    Case(
      "one alternative beside null", "{anyOf: [{type: integer, minimum: 1}, {type: 'null'}]}",
      ["-0", "+1", "+2", "-2.5"] + notNumber.dropLast() + ["+null"]),
    Case(
      "lengths of lists", "{type: array, items: {type: integer}, minItems: 1, maxItems: 2}",
      ["-[]", "+[1]", "+[1,1]", "-[1,1,1]", #"-"string""#, #"-{"key":"value"}"#, "-5", "-true", "-null"]),
    Case(
      "negative lengths", "{type: array, items: {type: string, maxLength: -5}, maxItems: -5}",
      [#"-"string""#, #"-{"key":"value"}"#, "-5", "-true", "-null"]),
    Case("a default", "{type: integer, default: 7}", ["-2.5", "+7"] + notNumber),
    Case(
      "an object", "{type: object, required: [a, b], properties: {a: {}, b: {}}}",
      [#"-"string""#, #"-{"key":"value"}"#, "-[]", "-{}", "-5", "-true", "-null"]),
    Case("anything", "{}", []),
  ]

  @Test(arguments: parameters) func makesRowsOfParameters(_ testCase: Case) throws {
    let made = try boundaries("parameters: [\(testCase.schema)]", path: "/x/{id}")
    #expect(shown(made.fields.flatMap(\.rows)) == testCase.expected)
  }

  static let parameters = [
    Case(
      "a number of a query", "{name: q, in: query, schema: {type: integer, maximum: 5}}",
      ["-6", "+5", "+4", "-2.5", #"-"string""#, #"-"true""#, #"-"null""#, #"-["string","string"]"#]),
    Case("any text of a query is a text", "{name: q, in: query, schema: {type: string}}", []),
    Case("a list of one text", "{name: q, in: query, schema: {type: array, items: {type: string}}}", []),
    Case(
      "no empty segment", "{name: id, in: path, required: true, schema: {type: string, minLength: 1}}",
      [#"+"s""#, #"+"st""#]),
    Case(
      "an identifier", "{name: id, in: path, required: true, schema: {type: integer}}",
      ["-2.5", #"+"9223372036854775808""#, #"-"string""#, #"-"true""#, #"-"null""#, #"-"1,2""#]),
    Case(
      "a header", "{name: X-A, in: header, schema: {type: string, enum: [a]}}",
      [#"+"a""#, #"-"a_other""#, #"-"2.5""#, #"-"5""#, #"-"true""#, #"-"null""#]),
    Case(
      "a cookie without what must be encoded", "{name: c, in: cookie, schema: {enum: [a, 'b c']}}",
      [#"+"a""#, #"-"a_other""#]),
  ]

  @Test(arguments: ["application/x-www-form-urlencoded", "multipart/form-data"])
  func makesRowsOfForms(_ type: String) throws {
    let schema = """
      {type: object, required: [a, f], properties: {a: {type: string, minLength: 1}, b: {type: string, minLength: 1}, \
      n: {type: integer, minimum: 2}, f: {type: string, format: binary}, \
      o: {type: object, properties: {c: {type: integer}}}}}
      """
    let made = try boundaries("requestBody: {required: true, content: {\(type): {schema: \(schema)}}}")
    #expect(
      made.fields.map { "\($0.label) \($0.isRequired) \(shown($0.rows).joined(separator: " "))" }
        == [
          #"form a true -"" +"s" +"st""#, #"form b false +"s" +"st""#,
          #"form n false -1 +2 +3 -3.5 -"string" -"true" -"null""#,
        ])
  }

  @Test func aLoneFieldIsNotMissingFromAnOptionalForm() throws {
    let schema = "{type: object, required: [a], properties: {a: {type: integer}}}"
    let content = "content: {application/x-www-form-urlencoded: {schema: \(schema)}}"
    #expect(try boundaries("requestBody: {\(content)}").fields.map(\.isRequired) == [false])
    #expect(try boundaries("requestBody: {required: true, \(content)}").fields.map(\.isRequired) == [true])
  }

  @Test func makesWholeBodies() throws {
    let schema = """
      {type: object, additionalProperties: false, required: [a], properties: {a: {type: object, required: [b], \
      properties: {b: {type: boolean}}}}}
      """
    let made = try boundaries("requestBody: {required: true, content: {application/json: {schema: \(schema)}}}")
    #expect(
      made.bodies.map { "\($0.name) \($0.value.jsonText().string)" } == [
        #"body: no object "string""#, #"body: an object {"key":"value"}"#, "body: a list []", "body: a number 5",
        "body: a boolean true", "body: null null", "body.a missing {}",
        #"body.a.b missing {"a":{}}"#, #"body: an additional property {"a":{"b":true},"unexpected":"x"}"#,
      ])
    #expect(made.more == 0)
    #expect(made.needsBody)
  }

  @Test func optionalObjectsHaveRowsWithin() throws {
    let inner = "{type: object, required: [b], properties: {b: {type: boolean}}}"
    let schema = "{type: object, required: [a], properties: {a: {type: integer, default: 3}, o: \(inner)}}"
    let made = try boundaries("requestBody: {content: {application/json: {schema: \(schema)}}}")
    let field = made.fields.first { $0.label == "body.o.b" }
    #expect(field?.body.jsonText().string == #"{"a":3,"o":{"b":true}}"#)
    #expect(made.bodies.contains { $0.name == "body.o.b missing" && !$0.isAllowed })
    #expect(!made.needsBody)
  }

  @Test func namesOptionalParametersOfTheExample() throws {
    let made = try boundaries(
      "parameters: [{name: q, in: query, example: 1, schema: {type: integer}}, {name: r, in: query, schema: {}}]")
    #expect(made.optional.map { "\($0)" } == [#"query("q")"#])
  }

  @Test func boundsTheNumberOfRows() throws {
    let members = (0..<100).map { "m\($0): {type: integer, minimum: 1}" }.joined(separator: ", ")
    let made = try boundaries(
      "requestBody: {content: {application/json: {schema: {type: object, properties: {\(members)}}}}}")
    #expect(made.fields.reduce(made.bodies.count) { $0 + $1.rows.count } == 200)
    #expect(made.more > 0)
  }
}
