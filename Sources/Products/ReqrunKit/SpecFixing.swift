import OperatingSystem
import Values

/// The result of correcting files.
public struct FixResult: Sendable {
  /// The changes that were made, in their order.
  public internal(set) var fixes: [(edit: Diagnostic.Edit, original: String)] = []
  /// The problems that are left.
  public internal(set) var listing: SpecListing

  /// The changes as text, one per line.
  public var text: String {
    fixes.map { edit, original in
      let line = "\(edit.location): \(original) is now \(edit.text)"
      return withoutWorkflowCommands(sanitizedForTerminal(line)) + "\n"
    }.joined()
  }
}

extension Runner {
  /// Makes the changes that errors suggest. A file that has these errors still, or more of others, is restored, and
  /// changed without what didn't help.
  ///
  /// - Parameter listing: the result of ``check()``.
  public func fix(_ listing: SpecListing) async -> FixResult {
    var result = FixResult(listing: listing)
    var refused: Set<Diagnostic> = []
    // What one change uncovers is corrected by the next.
    for _ in 0..<20 {
      let changes = changes(result.listing, except: refused)
      let written = changes.filter { write($0.corrected, to: $0.path, for: &result) }
      if written.isEmpty { break }
      let before = result.listing
      result.listing = await check()
      var isRestored = false
      for change in written {
        let (old, new) = (before.errors(in: change.path), result.listing.errors(in: change.path))
        let left = change.errors.filter { error in new.contains { $0.message == error.message } }
        if left.isEmpty, new.count <= old.count {
          result.fixes += change.fixes
        } else {
          refused.formUnion(left.isEmpty ? change.errors : left)
          isRestored = write(change.original, to: change.path, for: &result) || isRestored
        }
      }
      if isRestored { result.listing = await check() }
    }
    return result
  }

  /// A file with the changes that its errors suggest.
  private struct Change {
    var path: String
    var original: [UInt8]
    var corrected: [UInt8]
    var fixes: [(edit: Diagnostic.Edit, original: String)] = []
    var errors: [Diagnostic] = []
  }

  private func changes(_ listing: SpecListing, except refused: Set<Diagnostic>) -> [Change] {
    let fixable = listing.diagnostics.compactMap { problem in
      problem.severity == .error && !refused.contains(problem)
        ? problem.internalForm.edit.map { (problem: problem, edit: $0) } : nil
    }
    return Dictionary(grouping: fixable) { $0.edit.range.source.name }.sorted { $0.key < $1.key }.compactMap {
      // Offsets are those of UTF-8; a file in another encoding, or in memory, isn't changed.
      guard let source = $1.first?.edit.range.source,
        case .success(source.utf8) = readFile($0, limit: SpecLoader.sizeLimit)
      else { return nil }
      var change = Change(path: $0, original: source.utf8, corrected: source.utf8)
      var start = source.utf8.count
      for (problem, edit) in $1.sorted(by: { $0.edit.range.bytes.lowerBound > $1.edit.range.bytes.lowerBound })
      where edit.range.bytes.upperBound <= start {
        start = edit.range.bytes.lowerBound
        change.corrected.replaceSubrange(edit.range.bytes, with: edit.text.utf8)
        change.fixes.insert((Diagnostic.Edit(edit), edit.range.text), at: 0)
        change.errors.append(problem)
      }
      return change
    }
  }

  /// Returns whether a file could be written.
  private func write(_ bytes: [UInt8], to path: String, for result: inout FixResult) -> Bool {
    guard let problem = write(bytes, to: path) else { return true }
    result.listing.diagnostics.append(
      Diagnostic(.error(.unwritableFile, "\(path) cannot be written: \(problem.reason)", at: nil)))
    return false
  }
}

extension SpecListing {
  fileprivate func errors(in path: String) -> [Diagnostic] {
    diagnostics.filter { $0.severity == .error && $0.path == path }
  }
}
