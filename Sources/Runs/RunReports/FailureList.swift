import Diagnostics
import HTTPMessages
import RunEvents
import SpecExecution
import Synchronization
import Values

/// The failed requests of a run, listed again at its end, since nobody searches for them in long output.
final class FailureList: Sendable {
  private struct Entry {
    let position: Int
    let place: String
    let name: String
    let message: String
  }

  private struct State {
    /// The entries in the order of the output, no more than are shown.
    var entries: [Entry] = []
    var count = 0
    /// The number of requests reported after the last failure.
    var later = 0
  }

  private static let limit = 20
  /// The number of lines after which a single failure is out of sight.
  private static let sight = 15

  private let state = Mutex(State())

  /// - Parameters:
  ///   - name: the step's name, after those of the groups around it.
  ///   - position: the position of the file in the output.
  func add(_ report: StepReport, _ name: @autoclosure () -> String, of path: String, at position: Int) {
    guard report.outcome.isFailure else { return state.withLock { $0.later += 1 } }
    state.withLock { state in
      state.count += 1
      state.later = 0
      if state.entries.count == FailureList.limit, let last = state.entries.last, last.position <= position { return }
      let entry = Entry(
        position: position, place: "\(report.path ?? path):\(report.line)", name: name(),
        message: report.message ?? "failed")
      let index = state.entries.lastIndex { $0.position <= position }.map { $0 + 1 } ?? 0
      state.entries.insert(entry, at: index)
      if state.entries.count > FailureList.limit { state.entries.removeLast() }
    }
  }

  /// A line for each: place, name, and first failure. Empty for a single one that is still visible.
  func text(_ style: ConsoleStyle, width: Int?) -> String {
    let (entries, count, later) = state.withLock { ($0.entries, $0.count, $0.later) }
    guard count > 1 || count == 1 && later > FailureList.sight else { return "" }
    var text = "\n\(style.red("\(counted(count, "failed request")):"))\n"
    for entry in entries {
      let place = "  \(sanitizedForTerminal(entry.place))"
      var rest = "  \(sanitizedForTerminal(entry.name)): \(sanitizedForTerminal(entry.message))"
      if let width { rest = elided(rest, to: max(40, width - displayWidth(of: place))) }
      text += "\(style.bold(place))\(elided(rest, to: 300))\n"
    }
    if count > entries.count { text += "  … and \(count - entries.count) more\n" }
    return text
  }
}
