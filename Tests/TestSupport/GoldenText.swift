import Foundation

/// Text that a program is to write, line by line; `<any>` in a line matches the rest of it.
package struct GoldenText: Sendable {
  private let lines: [Substring]

  package init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// How the actual text differs, drawn as a diff; nil if it doesn't.
  package func difference(from actual: String) -> String? {
    let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let changes = actualLines.difference(from: lines) { golden, actual in GoldenText.matches(golden, actual) }
    guard !changes.isEmpty else { return nil }
    let removed = Set(changes.removals.compactMap { if case .remove(let offset, _, _) = $0 { offset } else { nil } })
    let inserted = Set(changes.insertions.compactMap { if case .insert(let offset, _, _) = $0 { offset } else { nil } })
    var drawing: [String] = []
    var position = 0
    for (index, line) in lines.enumerated() {
      if removed.contains(index) {
        drawing.append("- \(line)")
        continue
      }
      while inserted.contains(position) {
        drawing.append("+ \(actualLines[position])")
        position += 1
      }
      drawing.append("  \(line)")
      position += 1
    }
    drawing += actualLines[min(position, actualLines.count)...].map { "+ \($0)" }
    return drawing.prefix(400).joined(separator: "\n")
  }

  /// The actual text as a golden file: lines that this one matches with an `<any>` keep it.
  package func recording(_ actual: String) -> String {
    let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let changes = actualLines.difference(from: lines) { golden, actual in GoldenText.matches(golden, actual) }
    let removed = Set(changes.removals.compactMap { if case .remove(let offset, _, _) = $0 { offset } else { nil } })
    let inserted = Set(changes.insertions.compactMap { if case .insert(let offset, _, _) = $0 { offset } else { nil } })
    var kept = lines.indices.filter { !removed.contains($0) }.map { lines[$0] }[...]
    return actualLines.indices.map { inserted.contains($0) ? actualLines[$0] : kept.popFirst() ?? "" }
      .joined(separator: "\n")
  }

  private static func matches(_ golden: Substring, _ actual: Substring) -> Bool {
    guard let wildcard = golden.range(of: "<any>") else { return golden == actual }
    return actual.hasPrefix(golden[..<wildcard.lowerBound])
  }
}
