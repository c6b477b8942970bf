import Foundation
import RequestSpecs
import Values
import YAMLNodes

/// The files of a page, and parts of specs.
extension PageCheck {
  /// Returns whether it is a spec, which `reqrun check` is to check.
  mutating func checkFile(_ path: String, _ block: Page.Block) async throws -> Bool {
    let name = URL(fileURLWithPath: path).lastPathComponent
    switch name.split(separator: ".").last {
    case "json": checkJSON(block)
    case "sh": try await checkCommandLines(block.text, block)
    case "yaml", "yml":
      let isProject = name == "reqrun.yaml"
      if !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
        let (file, errors) = read(block.text, asProject: isProject)
        // The file of an environment reads like a spec without requests.
        if case .spec = file { return !path.hasSuffix(".private.yaml") }
        if isProject {
          for error in errors { report(error.message, block, line: error.line) }
          return false
        }
      }
      try await checkForeignYAML(block)
    default: break
    }
    return false
  }

  /// A file of another tool, such as a workflow: its texts may have command lines.
  private mutating func checkForeignYAML(_ block: Page.Block) async throws {
    var bag = DiagnosticBag()
    let root = YAMLReader.read(bytes: Array(block.text.utf8), name: page.path, into: &bag).root
    for error in bag.diagnostics { report(error.message, block, line: (error.range?.start.line ?? 1) - 1) }
    if let root { for text in texts(root) { try await checkCommandLines(text, block, isScript: false) } }
  }

  private func texts(_ node: YAMLNode) -> [String] {
    switch node.content {
    case .scalar(let scalar): scalar.text.contains("reqrun ") ? [scalar.text] : []
    case .sequence(let items): items.flatMap(texts)
    case .mapping(let members): members.flatMap { texts($0.value) }
    }
  }

  mutating func checkJSON(_ block: Page.Block) {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(block.text.utf8), options: .fragmentsAllowed)
    } catch {
      report("\(error)", block)
    }
  }

  private func read(_ text: String, asProject: Bool = false) -> (LoadedFile?, [(message: String, line: Int)]) {
    var bag = DiagnosticBag()
    let file = LoadedFile.read(bytes: Array(text.utf8), path: page.path, asProject: asProject, into: &bag)
    return (
      file,
      bag.diagnostics.filter { $0.severity == .error }.map { ($0.message, ($0.range?.start.line ?? 1) - 1) }
    )
  }

  /// Checks a part of a spec: it must be valid at one place of a spec at least.
  ///
  /// Where a key is there twice, and after `# or:`, the lines are alternatives.
  mutating func checkPart(_ block: Page.Block) {
    let lines = block.text.components(separatedBy: "\n").dropLast()
    let heads = lines.indices.filter { lines[$0].first.map { $0.isLetter || $0 == "$" } ?? false }
    let keys = heads.map { lines[$0].prefix { $0 != ":" } }
    var parts = [(start: 0, text: block.text)]
    if Set(keys).count < keys.count {
      parts = zip(heads, heads.dropFirst() + [lines.endIndex]).map {
        ($0, lines[$0..<$1].joined(separator: "\n") + "\n")
      }
    }
    for (index, line) in lines.enumerated() where line.hasPrefix("# or: ") {
      parts.append((index, line.dropFirst(6) + "\n"))
    }
    for part in parts {
      guard let errors = errors(ofPart: part.text) else { continue }
      for error in errors { report(error.message, block, line: part.start + error.line) }
    }
  }

  /// The errors at the place where it has the fewest; nil if it is valid at one.
  private func errors(ofPart text: String) -> [(message: String, line: Int)]? {
    func indented(_ depth: Int) -> String {
      text.components(separatedBy: "\n").map { String(repeating: " ", count: depth) + $0 }.joined(separator: "\n")
    }
    let request = "url: http://example.com\n"
    let places =
      text.hasPrefix("- ")
      ? [("requests:\n", indented(2), "")]
      : [
        ("", text, ""), ("", text, request), ("", text, "requests: [{url: http://example.com}]\n"),
        (request + "expect:\n", indented(2), ""), (request + "expect:\n  json:\n", indented(4), ""),
      ]
    var best: [(message: String, line: Int)]?
    for (before, text, after) in places {
      let (file, errors) = read(before + text + "\n" + after)
      guard case .spec = file else { continue }
      if errors.isEmpty { return nil }
      let lines = before.filter { $0 == "\n" }.count
      if errors.count < best?.count ?? .max { best = errors.map { ($0.message, max(0, $0.line - lines)) } }
    }
    let (_, errors) = read(text, asProject: true)
    return errors.isEmpty ? nil : best ?? errors
  }

  mutating func checkSpecs(_ specs: [String: Page.Block]) async throws {
    let (output, ending) = try await bash("reqrun check " + specs.keys.sorted().joined(separator: " "))
    guard ending != .exited(0) else { return }
    let block = specs.min { $0.key < $1.key }?.value
    if let block { report("`reqrun check` says\n\(output)", block) }
  }
}
