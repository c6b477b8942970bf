import RunReports
import Values

/// The message for a run that was interrupted and has to wait.
///
/// - Parameter width: the number of columns in a line.
package func interruptionText(waitingFor requests: [RunningRequest], signal: Int32, width: Int?) -> String? {
  guard let first = requests.first else { return nil }
  let others = requests.count == 1 ? "" : " and \(requests.count - 1) more"
  let again = signal == 2 ? "Ctrl-C again" : "a second signal"
  let name = elided(sanitizedForTerminal(first.name), to: 60)
  let text = "interrupted: waits up to 5 s for \(name)\(others), then for teardowns; \(again) ends it at once"
  return wrappedLines(text, width: max(width ?? .max, 40)).joined(separator: "\n")
}
