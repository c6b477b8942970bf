import RequestSpecs
import TestSupport
import Testing
import Values

/// A text with marks, and what must be said of each marked span, as `message | help`, in the order of the marks;
/// warnings begin with `warning: `.
struct DiagnosticCase: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String
  let messages: [String]

  init(_ name: String, _ text: String, _ messages: String...) {
    self.name = name
    self.text = text
    self.messages = messages
  }

  var testDescription: String { name }

  /// The case's request, after its URL.
  static func request(_ name: String, _ lines: String, _ messages: String...) -> DiagnosticCase {
    let indented = lines.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    return DiagnosticCase(name, "requests:\n  - url: http://h\n\(indented)\n", messages: messages)
  }

  /// The case's expectations.
  static func expect(_ name: String, _ lines: String, _ messages: String...) -> DiagnosticCase {
    let indented = lines.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
    return DiagnosticCase(name, "requests:\n  - url: http://h\n    expect:\n\(indented)\n", messages: messages)
  }

  private init(_ name: String, _ text: String, messages: [String]) {
    self.name = name
    self.text = text
    self.messages = messages
  }

  func check(asProject: Bool = false) {
    let marked = MarkedText(text)
    var bag = DiagnosticBag()
    _ = LoadedFile.read(bytes: Array(marked.text.utf8), path: "spec.yaml", asProject: asProject, into: &bag)
    #expect(bag.diagnostics.map(\.line) == messages)
    let byPlace = bag.diagnostics.compactMap { $0.range?.bytes }.sorted { $0.lowerBound < $1.lowerBound }
    let expected = marked.spans.sorted { $0.lowerBound < $1.lowerBound }
    #expect(byPlace == expected, "at \(bag.diagnostics.map { $0.range?.location ?? "nowhere" })")
  }
}

extension Diagnostic {
  var line: String {
    (severity == .warning ? "warning: " : "") + message + (help.map { " | \($0)" } ?? "")
  }
}

/// Reads a spec without errors.
func readSpec(_ text: String) throws -> SpecFile {
  var bag = DiagnosticBag()
  let loaded = LoadedFile.read(bytes: Array(text.utf8), path: "spec.yaml", asProject: false, into: &bag)
  #expect(bag.diagnostics.map(\.line) == [])
  guard case .spec(let file)? = loaded else { throw NotASpec() }
  return file
}

struct NotASpec: Error {}
