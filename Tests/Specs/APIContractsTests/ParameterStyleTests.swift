import APIContracts
import DocumentQueries
import Foundation
import TestSupport
import Testing
import Values

@Suite("Parameters of requests")
struct ParameterStyleTests {
  /// A document with one parameter that must have a value, and what is said of a request.
  private func warnings(
    _ location: String, _ style: String?, explode: Bool?, schema: String,
    request: (path: String, headers: [(String, String)])
  ) throws -> [String] {
    let name = location == "header" ? "X-Color" : "color"
    var parameter = "{name: \(name), in: \(location), required: true, schema: \(schema)"
    if let style { parameter += ", style: \(style)" }
    if let explode { parameter += ", explode: \(explode)" }
    let path = location == "path" ? "/a/{color}" : "/a"
    let contract = try contract(
      "openapi: 3.1.0\npaths:\n  \(path):\n    get: {parameters: [\(parameter)}], responses: {default: {}}}\n")
    return contract.check(try exchange("GET", request.path, sent: request.headers)).warnings.map(\.message)
  }

  private static let array = #"{type: array, items: {type: string}, const: ["blue", "black", "brown"]}"#
  private static let object =
    "{type: object, properties: {R: {type: integer}, G: {type: integer}, B: {type: integer}}, const: {R: 100, G: 200, B: 150}}"
  private static let text = "{type: string, const: blue}"

  struct Sample: CustomTestStringConvertible, Sendable {
    var location: String
    var style: String?
    var explode: Bool?
    var schema: String
    var sent: String

    var testDescription: String { "\(location) \(style ?? "-") \(explode.map { "\($0)" } ?? "-") \(sent)" }
  }

  /// The table of the specification's section on style values, and what its defaults come to.
  static let table: [Sample] = [
    Sample(location: "path", style: "matrix", explode: false, schema: text, sent: ";color=blue"),
    Sample(location: "path", style: "matrix", explode: false, schema: array, sent: ";color=blue,black,brown"),
    Sample(location: "path", style: "matrix", explode: false, schema: object, sent: ";color=R,100,G,200,B,150"),
    Sample(
      location: "path", style: "matrix", explode: true, schema: array, sent: ";color=blue;color=black;color=brown"),
    Sample(location: "path", style: "matrix", explode: true, schema: object, sent: ";R=100;G=200;B=150"),
    Sample(location: "path", style: "label", explode: false, schema: text, sent: ".blue"),
    Sample(location: "path", style: "label", explode: false, schema: array, sent: ".blue,black,brown"),
    Sample(location: "path", style: "label", explode: false, schema: array, sent: ".blue.black.brown"),
    Sample(location: "path", style: "label", explode: false, schema: object, sent: ".R,100,G,200,B,150"),
    Sample(location: "path", style: "label", explode: true, schema: array, sent: ".blue.black.brown"),
    Sample(location: "path", style: "label", explode: true, schema: object, sent: ".R=100.G=200.B=150"),
    Sample(location: "path", schema: text, sent: "blue"),
    Sample(location: "path", schema: array, sent: "blue,black,brown"),
    Sample(location: "path", schema: object, sent: "R,100,G,200,B,150"),
    Sample(location: "path", style: "simple", explode: true, schema: object, sent: "R=100,G=200,B=150"),
    Sample(location: "path", schema: "{type: string, const: a/b c}", sent: "a%2Fb%20c"),
    Sample(location: "query", schema: text, sent: "color=blue"),
    Sample(location: "query", schema: array, sent: "color=blue&color=black&color=brown"),
    Sample(location: "query", schema: object, sent: "R=100&G=200&B=150"),
    Sample(location: "query", style: "form", explode: false, schema: array, sent: "color=blue,black,brown"),
    Sample(location: "query", style: "form", explode: false, schema: object, sent: "color=R,100,G,200,B,150"),
    Sample(
      location: "query", style: "spaceDelimited", explode: false, schema: array, sent: "color=blue%20black%20brown"),
    Sample(location: "query", style: "spaceDelimited", explode: false, schema: array, sent: "color=blue+black+brown"),
    Sample(
      location: "query", style: "pipeDelimited", explode: false, schema: array, sent: "color=blue%7Cblack%7Cbrown"),
    Sample(location: "query", style: "pipeDelimited", explode: false, schema: array, sent: "color=blue|black|brown"),
    Sample(
      location: "query", style: "deepObject", explode: true, schema: object,
      sent: "color[R]=100&color%5BG%5D=200&color[B]=150"),
    Sample(location: "query", schema: "{type: string, const: a b&c}", sent: "color=a+b%26c"),
    Sample(location: "query", schema: "{type: integer, const: 12}", sent: "color=12"),
    Sample(location: "query", schema: "{type: boolean, const: true}", sent: "color=true"),
    Sample(location: "query", schema: "{type: [integer, 'null'], const: null}", sent: "color=null"),
    Sample(location: "query", schema: "{type: [string, integer], const: '7'}", sent: "color=7"),
    Sample(location: "query", schema: "{anyOf: [{type: integer}, {type: string}], const: 7}", sent: "color=7"),
    Sample(location: "query", schema: "{enum: [1, 2]}", sent: "color=2"),
    Sample(location: "query", schema: "{const: '2'}", sent: "color=2"),
    Sample(location: "header", schema: array, sent: "blue, black,brown"),
    Sample(location: "header", schema: object, sent: "R,100,G,200,B,150"),
    Sample(location: "header", style: "simple", explode: true, schema: object, sent: "R=100,G=200,B=150"),
    Sample(location: "cookie", schema: text, sent: "a=1; color=blue"),
    Sample(location: "cookie", style: "form", explode: false, schema: array, sent: "color=blue,black,brown"),
  ]

  private func request(_ sample: Sample) -> (path: String, headers: [(String, String)]) {
    switch sample.location {
    case "path": ("/a/\(sample.sent)", [])
    case "query": ("/a?\(sample.sent)", [])
    case "header": ("/a", [("X-Color", sample.sent)])
    default: ("/a", [("Cookie", sample.sent)])
    }
  }

  @Test("A value is read as its style writes it", arguments: table)
  func styles(sample: Sample) throws {
    let found = try warnings(
      sample.location, sample.style, explode: sample.explode, schema: sample.schema, request: request(sample))
    #expect(found == [])
    let other = try warnings(
      sample.location, sample.style, explode: sample.explode,
      schema: "{allOf: [\(sample.schema), {not: \(sample.schema)}]}", request: request(sample))
    let label = sample.location == "header" ? "header X-Color" : "\(sample.location) parameter color"
    #expect(other == ["the request's \(label) breaks its schema"])
  }

  /// Expansions of RFC 6570 that are styles of OpenAPI, too.
  struct Expansion: CustomTestStringConvertible, Sendable {
    var template: String
    var `operator`: String
    var name: String
    var isExploded: Bool
    var value: String
    var texts: [String]

    var testDescription: String { "\(template) \(texts.first ?? "")" }
  }

  static let expansions: [Expansion] = {
    guard let root = conformanceRoot,
      let bytes = FileManager.default.contents(atPath: "\(root)/uri-template/spec-examples.json"),
      let document = try? JSONDocument(parsing: Array(bytes))
    else { return [] }
    var result: [Expansion] = []
    for group in document.root.members.map(\.value) {
      for test in group[member: "testcases"]?.items ?? [] {
        guard let template = test[0]?.string, let expected = test[1],
          let match = template.wholeMatch(of: /X?\{([.;?]?)(\w+)(\*?)\}/)
        else { continue }
        let name = String(match.2)
        guard let value = group[member: "variables"]?[member: name] else { continue }
        // A dot within a value cannot be told from one between values.
        if match.1 == ".", match.3 == "*", value.kind == .mapping { continue }
        result.append(
          Expansion(
            template: template, operator: String(match.1), name: name, isExploded: !match.3.isEmpty, value: value.text,
            texts: expected.kind == .list ? expected.items.map(\.string) : [expected.string]))
      }
    }
    return result
  }()

  @Test(
    "What RFC 6570 expands is read back",
    .enabled(if: !expansions.isEmpty, "REQRUN_CONFORMANCE is not set"), arguments: expansions)
  func readBack(expansion: Expansion) throws {
    let kind = expansion.value.first == "[" ? "array" : expansion.value.first == "{" ? "object" : "string"
    let properties = try JSONDocument(parsing: expansion.value).root.members.map { "\"\($0.key)\": {type: string}" }
    let schema =
      "{type: \(kind), const: \(expansion.value)"
      + (kind == "object" ? ", properties: {\(properties.joined(separator: ", "))}}" : "}")
    let (location, style) =
      switch expansion.operator {
      case "?": ("query", "form")
      case ".": ("path", "label")
      case ";": ("path", "matrix")
      default: ("path", "simple")
      }
    let path = location == "path" ? "/a/{\(expansion.name)}" : "/a"
    let contract = try contract(
      """
      openapi: 3.1.0
      paths:
        \(path):
          get:
            parameters:
              - {name: \(expansion.name), in: \(location), required: true, style: \(style), explode: \(expansion.isExploded), schema: \(schema)}
            responses: {default: {}}
      """)
    for text in expansion.texts {
      let sent = expansion.template.hasPrefix("X") ? String(text.dropFirst()) : text
      let found = contract.check(try exchange("GET", location == "path" ? "/a/\(sent)" : "/a\(sent)"))
      #expect(found.warnings.map(\.message) == [], "\(text): \(found.warnings.map(\.actual))")
      #expect(found.operation != nil)
    }
  }

  @Test(
    "Parameters that are missing, unknown, or not meant for a query",
    arguments: [
      ("/a", ["the request lacks the query parameter q"]),
      ("/a?q=1&limt=2", ["the request's query parameter `limt` is not declared"]),
      ("/a?q=1&key=2", []), ("/a?q=", []),
      ("/a?q[]=1", ["the request lacks the query parameter q"]),
      ("/a?q=1&&", []),
    ] as [(String, [String])])
  func presence(path: String, expected: [String]) throws {
    let contract = try contract(
      """
      openapi: 3.0.3
      paths:
        /a:
          parameters: [{$ref: '#/components/parameters/q'}, {name: limit, in: query, required: true}]
          get:
            parameters: [{name: limit, in: query}, {name: Authorization, in: header, required: true}]
            responses: {default: {description: d}}
      components:
        parameters: {q: {name: q, in: query, required: true, schema: {type: string}}}
        securitySchemes: {key: {type: apiKey, in: query, name: key}}
      """)
    #expect(contract.check(try exchange("GET", path)).warnings.map(\.message) == expected)
  }
}
