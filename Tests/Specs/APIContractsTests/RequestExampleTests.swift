import APIContracts
import Testing
import Values

/// Requests made from declarations, each valid by its own document.
struct RequestExampleTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// The lines of an operation, of a schema or of parameters.
    let yaml: String
    let expected: String

    init(_ name: String, _ yaml: String, _ expected: String) {
      testDescription = name
      self.yaml = yaml
      self.expected = expected
    }
  }

  private static func indented(_ text: String, _ width: Int) -> String {
    text.split(separator: "\n").map { String(repeating: " ", count: width) + $0 }.joined(separator: "\n")
  }

  private func example(_ operation: String, version: String = "3.1.0", path: String = "/x") throws -> RequestExample {
    let api = try contract(
      """
      openapi: \(version)
      info: {title: t, version: "1"}
      paths:
        \(path):
          post:
      \(RequestExampleTests.indented(operation, 6))
            responses: {200: {description: ok}}
      components:
        schemas:
          Node: {type: object, required: [id], properties: {id: {type: integer}, next: {$ref: "#/components/schemas/Node"}}}
          Endless: {type: object, required: [next], properties: {next: {$ref: "#/components/schemas/Endless"}}}
          Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {cat: "#/components/schemas/Cat"}}}
          Cat: {allOf: [{$ref: "#/components/schemas/Pet"}, {type: object, required: [lives], properties: {lives: {type: integer, minimum: 9}}}]}
      """)
    let operation = try #require(api.operations.first)
    return try #require(try operation.example(in: api.documents, within: ExampleTime(limit: .seconds(60))))
  }

  @Test(arguments: schemas) func makesJSON(_ testCase: Case) throws {
    let made = try example(
      "requestBody:\n  content:\n    application/json:\n      schema:\n"
        + RequestExampleTests.indented(testCase.yaml, 8))
    guard case .json(let value, _)? = made.body else {
      #expect(testCase.expected == "none: \(made.problems.map(\.reason).joined())")
      return
    }
    #expect(value.jsonText().string == testCase.expected)
    #expect(made.problems.isEmpty, "\(made.problems)")
  }

  static let schemas = [
    Case(
      "required properties alone", "{type: object, required: [b], properties: {a: {type: string}, b: {type: boolean}}}",
      #"{"b":true}"#),
    Case(
      "all of them where none is required", "{type: object, properties: {a: {type: string}, b: {type: integer}}}",
      #"{"a":"string","b":1}"#),
    Case(
      "optional ones with an example",
      "{type: object, required: [a], properties: {a: {type: string}, b: {type: integer, example: 7}, c: {type: string}}}",
      #"{"a":"string","b":7}"#),
    Case(
      "read-only ones never",
      "{type: object, required: [id, a], properties: {id: {type: integer, readOnly: true}, a: {type: string}}}",
      #"{"a":"string"}"#),
    Case("an example of the schema", "{type: object, example: {a: 1}, properties: {a: {type: integer}}}", #"{"a":1}"#),
    Case(
      "a text of JSON in place of an example", #"{example: '{"a": 1}', properties: {a: {type: integer}}}"#, #"{"a":1}"#),
    Case("a text that is meant", #"{type: string, example: '{"a": 1}'}"#, #""{\"a\": 1}""#),
    Case(
      "a part of an example that is invalid",
      "{type: object, required: [a, b], example: {a: 1, b: x}, properties: {a: {type: integer}, b: {type: integer}}}",
      #"{"a":1,"b":1}"#),
    Case(
      "a required property that an example lacks",
      "{type: object, required: [a, b], example: {a: 1}, properties: {a: {type: integer}, b: {type: string, format: date}}}",
      #"{"a":1,"b":"2026-01-31"}"#),
    Case(
      "default, const and enum",
      "{type: object, required: [a, b, c], properties: {a: {type: string, default: x}, b: {const: 5}, c: {enum: [null, one]}}}",
      #"{"a":"x","b":5,"c":"one"}"#),
    Case(
      "bounds of numbers",
      "{type: array, minItems: 4, prefixItems: [{type: integer, minimum: 10}, {type: number, exclusiveMinimum: 0, maximum: 0.5}, {type: integer, multipleOf: 7, minimum: 8}, {type: integer, maximum: -3}]}",
      "[10,0.5,28,-6]"),
    Case(
      "bounds of texts",
      "{type: array, minItems: 3, prefixItems: [{type: string, minLength: 9}, {type: string, maxLength: 2}, {type: string, pattern: '^[A-Z]{2}-\\d{3}$'}]}",
      ##"["stringstr","st","BB-333"]"##),
    Case(
      "formats",
      "{type: array, prefixItems: [{type: string, format: date-time}, {type: string, format: email}, {type: string, format: uuid}, {type: string, format: ipv4}]}",
      #"["2026-01-31T12:00:00Z","ann@example.com","3fa85f64-5717-4562-b3fc-2c963f660002","192.0.2.1"]"#),
    Case("items that must differ", "{type: array, minItems: 3, uniqueItems: true, items: {type: integer}}", "[1,2,3]"),
    Case("a circle ends where it may", "{$ref: '#/components/schemas/Node'}", #"{"id":1}"#),
    Case(
      "one that can't end", "{$ref: '#/components/schemas/Endless'}", "none: no example could be made of its schema"),
    Case("the first alternative that is not null", "{oneOf: [{type: 'null'}, {type: string}]}", #""string""#),
    Case("alternatives of an alternative", "{anyOf: [{oneOf: [{const: A}, {const: B}]}]}", #""A""#),
    Case("alternatives of which one must not match", "{oneOf: [{type: number}, {type: integer}]}", "1.5"),
    Case("a discriminator", "{$ref: '#/components/schemas/Cat'}", #"{"kind":"cat","lives":9}"#),
    Case("a map", "{type: object, minProperties: 2, additionalProperties: {type: integer}}", #"{"key1":1,"key2":1}"#),
  ]

  @Test(arguments: parameters) func writesParameters(_ testCase: Case) throws {
    let place = testCase.yaml.contains("in: path")
    let made = try example(
      "parameters:\n" + RequestExampleTests.indented(testCase.yaml, 2), path: place ? "/x/{p}" : "/x")
    let query = made.query.map { pair in
      switch pair {
      case .plain(let name, let value): "?\(name)=\(value.asText.string)"
      case .sent(let name, let value): "&\(name)=\(value)"
      }
    }
    let all =
      made.path.map { "/\($0.sent)" } + query + made.headers.map { "\($0.name): \($0.value)" }
      + made.cookies.map { "cookie \($0.name)=\($0.value)" } + made.omitted.map { "without \($0)" }
    #expect(all.joined(separator: " ") == testCase.expected)
    #expect(made.problems.isEmpty, "\(made.problems)")
  }

  private static let list = "schema: {type: array, items: {type: string}}, example: [a, b c]"
  private static let object =
    "schema: {type: object, properties: {r: {type: integer}, g: {type: integer}}}, example: {r: 1, g: 2}"

  static let parameters = [
    Case(
      "optional ones without an example", "- {name: q, in: query, schema: {type: string}}", "without query parameter q"),
    Case(
      "the first of several examples",
      "- {name: q, in: query, schema: {type: string}, examples: {one: {value: x}, two: {value: y}}}", "?q=x"),
    Case(
      "a text of JSON that is meant", #"- {name: q, in: query, schema: {type: string}, example: '{"a":1}'}"#,
      #"?q={"a":1}"#),
    Case("a default", "- {name: q, in: query, schema: {type: integer, default: 20}}", "?q=20"),
    Case("simple", "- {name: p, in: path, required: true, \(list)}", "/a,b%20c"),
    Case("label", "- {name: p, in: path, required: true, style: label, \(list)}", "/.a,b%20c"),
    Case("label, exploded", "- {name: p, in: path, required: true, style: label, explode: true, \(list)}", "/.a.b%20c"),
    Case("matrix", "- {name: p, in: path, required: true, style: matrix, \(object)}", "/;p=r,1,g,2"),
    Case(
      "matrix, exploded", "- {name: p, in: path, required: true, style: matrix, explode: true, \(object)}", "/;r=1;g=2"),
    Case("simple object, exploded", "- {name: p, in: path, required: true, explode: true, \(object)}", "/r=1,g=2"),
    Case("form, exploded by default", "- {name: q, in: query, \(list)}", #"?q=["a","b c"]"#),
    Case("form", "- {name: q, in: query, explode: false, \(list)}", "&q=a,b%20c"),
    Case("form with an object", "- {name: q, in: query, \(object)}", "?r=1 ?g=2"),
    Case("spaceDelimited", "- {name: q, in: query, style: spaceDelimited, explode: false, \(list)}", "&q=a%20b%20c"),
    Case("pipeDelimited", "- {name: q, in: query, style: pipeDelimited, explode: false, \(list)}", "&q=a%7Cb%20c"),
    Case("deepObject", "- {name: q, in: query, style: deepObject, explode: true, \(object)}", #"?q={"r":1,"g":2}"#),
    Case(
      "JSON", "- {name: q, in: query, content: {application/json: {schema: {type: object}, example: {a: [1]}}}}",
      #"?q={"a":[1]}"#),
    Case("header", "- {name: X-A, in: header, required: true, \(list)}", "X-A: a,b c"),
    Case("cookie", "- {name: c, in: cookie, required: true, explode: false, \(object)}", "cookie c=r,1,g,2"),
  ]
}
