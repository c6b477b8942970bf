import CommandLineOptions
import Foundation
import ReqrunKit
import TestSupport
import Testing
import Values

private let table = CommandTable.reqrun

@Suite("Codes of diagnostics") struct DiagnosticPageTests {
  /// Those that `check` of a small spec does not find: of options, of other files, and of runs.
  static let withoutExample: Set<DiagnosticCode> = [
    .exposedFile, .failedRequest, .importSource, .incompleteConversion, .invalidFile, .invalidOption, .limitExceeded,
    .templateEvaluation, .textEncoding, .unsupported, .unwritableFile,
  ]

  @Test("the page has a section for each code, and for nothing else") func sections() throws {
    let page = Repository.root.appendingPathComponent(
      "Sources/Products/ReqrunKit/ReqrunKit.docc/Diagnostics.md")
    let headings = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
    #expect(headings == DiagnosticCode.allCases.map(\.rawValue))
  }

  @Test("the help explains each code, and SARIF has its first sentence", arguments: DiagnosticCode.allCases)
  func help(_ code: DiagnosticCode) throws {
    let text = table.helpText(on: code.rawValue, width: 1000)
    let summary = try #require(diagnosticSummary(code.rawValue))
    #expect(text.hasPrefix("\(code.rawValue)\n\n\(summary)"))
    #expect(try table.parse(["help", code.rawValue]).arguments == [code.rawValue])
  }

  @Test("the wrong example has the code, the right one nothing", arguments: DiagnosticCode.allCases)
  func examples(_ code: DiagnosticCode) async throws {
    let lines = table.helpText(on: code.rawValue, width: 1000).components(separatedBy: "\n")
      .filter { $0.hasPrefix("    ") || $0.isEmpty }.map { String($0.dropFirst(4)) }
    guard let start = lines.firstIndex(of: "# wrong") else {
      #expect(Self.withoutExample.contains(code))
      return
    }
    #expect(!Self.withoutExample.contains(code))
    var files: [(name: String, text: String)] = []
    for line in lines[start...] {
      if let match = line.wholeMatch(of: /# (wrong|right|[\w-]+\.[a-z]+)/) {
        files.append((String(match.1), ""))
      } else {
        files[files.count - 1].text += line + "\n"
      }
    }
    let others = files.dropFirst(2).map { ($0.name, $0.text) }
    for file in files.prefix(2) {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let isProject = file.text.contains("environment")
      let own =
        isProject
        ? [("reqrun.yaml", file.text), ("spec.yaml", "url: https://example.org\n")] : [("spec.yaml", file.text)]
      try folder.write(Dictionary(uniqueKeysWithValues: own + others))
      var options = RunOptions()
      options.specs = [.path("\(folder.path)/spec.yaml")]
      let found = await Runner(options).check().diagnostics
      let codes = Set(found.map(\.code))
      #expect(codes == (file.name == "wrong" ? [code.rawValue] : []), "\(file.name): \(found.map(\.description))")
    }
  }
}
