import OperatingSystem
import Values
import YAMLNodes

/// Trials of changes to one text: the changed text is read, and what is wrong with it is compared.
package struct EditTrials {
  private let options: RunOptions
  private let text: SourceText
  /// The messages of what is wrong with the text as it is.
  private let known: [String]
  /// The number of changes that may still be tried, since each reads the text.
  private var left: Int

  /// - Parameter known: the messages of what is wrong with the text as it is.
  package init(_ options: RunOptions, of text: SourceText, known: [String], limit: Int = 12) {
    (self.options, self.text, self.known, left) = (options, text, known, limit)
  }

  /// The changes of which each solves a problem, and nothing else is wrong after it.
  package mutating func edits(solving problem: Values.Diagnostic) async -> [TextEdit] {
    if let edit = problem.edit { return [edit] }
    var edits: [TextEdit] = []
    for edit in problem.possibleEdits.prefix(left) where !edits.contains(edit) {
      left -= 1
      if await newProblems(after: [edit], solving: problem).isEmpty { edits.append(edit) }
    }
    return edits
  }

  /// The problems that the text would have after changes, and hasn't now or shouldn't have any more.
  package func newProblems(
    after edits: [TextEdit], solving problem: Values.Diagnostic? = nil
  ) async -> [Values.Diagnostic] {
    var known = known
    if let message = problem?.message {
      // It isn't a problem of the text when that is read alone.
      guard let index = known.firstIndex(of: message) else { return problem.map { [$0] } ?? [] }
      known.remove(at: index)
    }
    return await Self.problems(of: text.applying(edits), options).filter { new in
      guard let index = known.firstIndex(of: new.message) else { return true }
      known.remove(at: index)
      return false
    }
  }

  /// Reads a text in place of its file.
  fileprivate static func problems(of text: SourceText, _ options: RunOptions) async -> [Values.Diagnostic] {
    var options = options
    options.specs = [.text(String(decoding: text.utf8, as: UTF8.self), name: text.name)]
    options.contractUse = .checked
    options.openTexts[canonicalPath(text.name) ?? text.name] = text.utf8
    return await Runner(options).inspect().diagnostics.filter { $0.range?.source.name == text.name }
  }
}

extension Runner {
  /// Finds the changes that solve problems, of the first hundred files with problems.
  ///
  /// - Parameter listing: the result of ``check()``.
  package func findEdits(for listing: inout SpecListing) async {
    var trials: [String: EditTrials] = [:]
    for (index, problem) in listing.diagnostics.enumerated() {
      let problem = problem.internalForm
      guard problem.edit == nil, !problem.possibleEdits.isEmpty, let source = problem.range?.source else { continue }
      if trials[source.name] == nil {
        if trials.count == 100 { break }
        let known = await EditTrials.problems(of: source, options).map(\.message)
        trials[source.name] = EditTrials(options, of: source, known: known)
      }
      listing.diagnostics[index].triedEdits = await trials[source.name]?.edits(solving: problem) ?? []
    }
  }
}
