import Templates
import Values

extension FileScope {
  package func note(_ doubt: Doubt, at range: SourceRange) { note(doubt, of: "`default`", at: range) }

  func note(_ doubt: Doubt, of subject: String, at range: SourceRange) {
    state.withLock { state in
      if state.doubts.count < 8, !state.doubts.contains(where: { $0.range == range }) {
        state.doubts.append((doubt, subject, range))
      }
    }
  }

  /// The warnings about what a request sends, each once.
  func takeWarnings(in extent: SourceRange) -> [AssertionReport] {
    let doubts = state.withLock { state in
      if state.doubts.isEmpty { return state.doubts }
      let own = state.doubts.partition { $0.range.isInSameSource(as: extent) && extent.bytes.overlaps($0.range.bytes) }
      defer { state.doubts.removeSubrange(own...) }
      return Array(state.doubts[own...])
    }
    if doubts.isEmpty { return [] }
    var warnings = ResponseWarnings(registry: registry)
    for (doubt, subject, range) in doubts { warnings.report(doubt, of: subject, at: range) }
    return warnings.warnings
  }
}
