import Diagnostics

extension DiagnosticBag {
  /// The first diagnostics of each file, in order, and how many more there are by file: nobody reads ten thousand.
  func firstOfEachFile(atMost limit: Int) -> (shown: [Diagnostic], rest: [(name: String, count: Int)]) {
    var counts: [String: Int] = [:]
    var names: [String] = []
    let shown = diagnostics.filter { diagnostic in
      guard let name = diagnostic.range?.source.name else { return true }
      let count = counts[name, default: 0] + 1
      counts[name] = count
      if count == limit + 1 { names.append(name) }
      return count <= limit
    }
    return (shown, names.map { ($0, (counts[$0] ?? limit) - limit) })
  }
}
