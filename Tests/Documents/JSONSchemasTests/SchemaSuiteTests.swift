import DocumentQueries
import Foundation
import JSONSchemas
import TestSupport
import Testing
import Values

/// The JSON Schema Test Suite.
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
struct SchemaSuiteTests {
  @Test(arguments: ["draft2020-12", "draft7"])
  func required(draft: String) throws {
    let run = try SuiteRun(draft, "required", format: .annotation)
    run.expectFailures([])
    #expect(run.count == (draft == "draft7" ? 927 : 1299))
  }

  @Test(arguments: ["draft2020-12", "draft7"])
  func optional(draft: String) throws {
    let run = try SuiteRun(draft, "optional", format: .assertion)
    run.expectFailures([])
    #expect(run.count == (draft == "draft7" ? 118 : 162))
  }

  @Test(arguments: ["draft2020-12", "draft7"])
  func formats(draft: String) throws {
    let run = try SuiteRun(draft, "format", format: .assertion)
    run.expectFailures([])
    #expect(run.count == (draft == "draft7" ? 676 : 764))
  }
}

/// Whether the folder has the suite of draft 4, too.
private let hasDraft4 =
  conformanceRoot.map { FileManager.default.fileExists(atPath: $0 + "/json-schema/draft4") } ?? false

@Suite("The test suite of draft 4", .enabled(if: hasDraft4, "there is no draft4 in the folder of REQRUN_CONFORMANCE"))
struct Draft4SuiteTests {
  @Test(
    arguments: [
      ("required", .annotation, 618), ("optional", .annotation, 100), ("format", .assertion, 219),
    ] as [(String, SchemaOptions.FormatMode, Int)])
  func run(file: String, format: SchemaOptions.FormatMode, count: Int) throws {
    let run = try SuiteRun("draft4", file, format: format)
    run.expectFailures([])
    #expect(run.count == count)
  }
}

/// One file of the suite, run.
private struct SuiteRun {
  var count = 0
  var failed: [String] = []

  func expectFailures(_ known: [String]) {
    for name in failed where !known.contains(name) { Issue.record("\(name)") }
    for name in known where !failed.contains(name) { Issue.record("no longer fails: \(name)") }
  }

  init(_ draft: String, _ file: String, format: SchemaOptions.FormatMode) throws {
    let root = try #require(conformanceRoot) + "/json-schema/"
    func read(_ path: String) throws -> JSONDocument {
      try JSONDocument(parsing: Array(try Data(contentsOf: URL(filePath: root + path))))
    }
    let remotes = try read("remotes.json")
    let groups = try read("\(draft)/\(file).json")
    let dialects = ["draft4": SchemaDialect.draft4, "draft7": .draft7]
    let options = SchemaOptions(dialect: dialects[draft] ?? .draft202012, format: format)
    for (number, group) in groups.root.items.enumerated() {
      guard let schema = group[member: "schema"] else { continue }
      let name =
        (group[member: "file"]?.value.asText.string ?? "") + ": "
        + (group[member: "description"]?.value.asText.string ?? "")
      let document = try schemaDocument(schema.text, url: "test:/\(number)")
      var compiler = SchemaCompiler(
        options: options,
        fetch: { url throws(SchemaFetchProblem) in
          guard let remote = remotes.root[member: url], let document = try? schemaDocument(remote.text, url: url)
          else { throw SchemaFetchProblem(.unresolvedReference, "no remote \(url)") }
          return document
        })
      let id = compiler.schema(at: document.root, of: document)
      let set = compiler.finish()
      for test in group[member: "tests"]?.items ?? [] {
        count += 1
        guard let data = test[member: "data"] else { continue }
        let isValid = test[member: "valid"]?.text == "true"
        let result = set.validate(data, against: id)
        let errors = compiler.problems.filter { $0.severity == .error }
        let problems = errors.map(\.message).joined(separator: "; ")
        if result.isValid != isValid || !problems.isEmpty && !file.hasPrefix("optional") {
          failed.append(
            "\(name): \(test[member: "description"]?.value.asText.string ?? "")"
              + (problems.isEmpty ? "" : " [\(problems)]"))
        }
      }
    }
  }
}
