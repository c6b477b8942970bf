import Values
import YAMLNodes

extension SpecReader {
  /// Notes the parts of the file that could not be read.
  mutating func note(_ missing: BrokenPieces) {
    if missing.isEmpty { return }
    self.missing = missing
    missedNames.add(missing.words)
  }

  /// Returns whether a part of a mapping or list could not be read.
  func isIncomplete(_ node: YAMLNode) -> Bool { missing?.isIncomplete(node.range) ?? false }

  /// The diagnostics, without consequences of parts that could not be read.
  var diagnostics: [Diagnostic] {
    guard let missing else { return bag.diagnostics }
    return bag.diagnostics.filter { !($0.range.map(missing.explain) ?? false) }
  }

  /// Notes that a key was meant, but could not be read.
  mutating func miss(_ key: String, _ value: YAMLNode) {
    missedKeys.insert(key)
    missedNames.add(value, under: key)
  }
}

extension YAMLNode {
  /// Indicates whether the value is missing.
  var isMissing: Bool {
    hasError && scalar.map { $0.text.isEmpty && $0.style == .plain } == true
  }
}

/// A help text that names the nearest of the known words.
package func suggestion(_ word: String, among known: [String]) -> String? {
  nearestWord(to: word, among: known).map { "did you mean `\($0)`?" }
}
