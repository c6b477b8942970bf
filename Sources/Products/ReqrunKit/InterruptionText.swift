import Diagnostics
import RunReports

/// What is told when a run is asked to end and has something to wait for.
func interruptionText(waitingFor names: [String], signal: Int32) -> String? {
  guard let first = names.first else { return nil }
  let others = names.count == 1 ? "" : " and \(names.count - 1) more"
  let again = signal == 2 ? "Ctrl-C again" : "a second signal"
  let name = elided(sanitizedForTerminal(first), to: 60)
  return "interrupted: waits up to 5 s for \(name)\(others), then for teardowns; \(again) ends it at once"
}
