import OperatingSystem
import RunReports
import Synchronization
import Values

/// Runs specs, and again those that a change affects, until it is interrupted.
package final class SpecWatcher: Sendable {
  private let options: RunOptions
  private let transports: TransportSet
  private let changes: SpecChanges
  private let isStopped = Mutex(false)
  private let interrupter = Interrupter()
  private let announce: @Sendable (String) -> Void

  /// - Parameter announce: receives what there is to say between the runs.
  package init(_ options: RunOptions, announce: @escaping @Sendable (String) -> Void) throws(WatchProblem) {
    self.options = options
    transports = TransportSet(options)
    self.announce = announce
    changes = try SpecChanges(options)
  }

  /// Runs until it is interrupted, and returns the exit code for the last results of all files.
  package func run() async -> Int32 {
    var results = WatchedResults()
    let used = changes.used
    var specs = changes.specFiles()
    var affected = Set(specs.keys)
    var isFirst = true
    while true {
      let result = await run(affected, of: specs, isFirst: isFirst, into: &results)
      if isStopped.withLock({ $0 }) { return result.signal.map { 128 + $0 } ?? results.exitCode }
      say(results, affected, of: specs, isFirst: isFirst)
      isFirst = false
      repeat {
        guard let changed = await changes.next(known: specs) else { return results.exitCode }
        let known = Set(specs.keys)
        specs = changes.specFiles()
        let gone = known.subtracting(specs.keys)
        for spec in gone {
          results.remove(spec)
          used.remove(spec)
        }
        affected = used.users(of: changed, among: Set(specs.keys)).union(Set(specs.keys).subtracting(known))
        used.accept(changed.subtracting(gone))
        if !affected.isEmpty { announce(header(changed, affected, of: specs)) }
      } while affected.isEmpty
    }
  }

  /// Interrupts the current run, and ends the watch.
  ///
  /// - Returns: the requests that have to be waited for.
  package func interrupt(signal: Int32) -> [RunningRequest] {
    isStopped.withLock { $0 = true }
    changes.stop()
    return interrupter.interrupt(signal: signal)
  }

  // MARK: Running

  private func run(
    _ affected: Set<String>, of specs: [String: String], isFirst: Bool, into results: inout WatchedResults
  ) async -> RunResult {
    for spec in affected { changes.used.restart(spec) }
    var options = options
    options.usedFiles = changes.used
    options.transports = transports
    options.onlyFiles = isFirst ? nil : affected
    options.collectsRequests = false
    let collector = FileResultCollector()
    options.reports.append(.custom(collector))
    let result = await Runner(options).run(interrupter: interrupter)
    results.update(affected, collector.results, result)
    return result
  }

  // MARK: Texts

  private func header(_ changed: Set<String>, _ affected: Set<String>, of specs: [String: String]) -> String {
    let files = changed.isEmpty ? affected.map { specs[$0] ?? $0 } : changed.map { specs[$0] ?? pathFromHere($0) }
    let names = files.sorted()
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    let text = sanitizedForTerminal(names.prefix(3).joined(separator: ", ")) + rest
    return "\n\(style.bold("\(text) changed"))\n"
  }

  private func say(
    _ results: WatchedResults, _ affected: Set<String>, of specs: [String: String], isFirst: Bool
  ) {
    var text = isFirst || results.specs.isSubset(of: affected) ? "" : "in all: \(results.text(style))\n"
    let failing = results.failing.subtracting(affected).map { specs[$0] ?? $0 }.sorted()
    for path in failing.prefix(20) { text += "  still failing: \(sanitizedForTerminal(path))\n" }
    if failing.count > 20 { text += "  and \(failing.count - 20) more\n" }
    let count = changes.used.all.count { !FileStamp(of: $0).isMissing }
    announce(text + style.dim("watching \(count) \(count == 1 ? "file" : "files"), Ctrl-C ends") + "\n")
  }

  private var style: ConsoleStyle { ConsoleStyle(isColored: options.isColored) }
}

/// Collects the results of files.
private final class FileResultCollector: Reporter {
  private let files = Mutex<[String: [RunEvent.Totals]]>([:])

  /// The results by canonical path, one for each repetition.
  var results: [String: [RunEvent.Totals]] { files.withLock { $0 } }

  func receive(_ event: RunEvent) {
    guard case .fileFinished(let file, let result) = event else { return }
    files.withLock { $0[canonicalPath(file.path) ?? file.path, default: []].append(result) }
  }
}
