import RequestSpecs
import Synchronization

/// Finds the names that expressions of specs compute with, whose values an export must know.
package final class ExportScan: SourceRewriting {
  private struct State {
    /// The names by the paths of files.
    var computed: [String: Set<String>] = [:]
    /// The names that variables read, by their own names.
    var reads: [String: Set<String>] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package func replaced(_ bytes: [UInt8], path: String) -> [UInt8] {
    replacingTemplates(in: bytes, path: path) { template in
      let names = template.names
      state.withLock { state in
        let isValueForOthers = template.keys.contains("with")
        if isValueForOthers || template.expression.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
          state.computed[path, default: []].formUnion(names)
        }
        let below = template.keys.drop { $0 != "variables" && $0 != "with" }
        if let variable = below.dropFirst().first { state.reads[variable, default: []].formUnion(names) }
      }
      return nil
    }
  }

  /// The names of these files, and those that their values are made from.
  package func computed(in paths: [String]) -> Set<String> {
    state.withLock { state in
      var result = paths.reduce(into: Set<String>()) { $0.formUnion(state.computed[$1] ?? []) }
      var pending = Array(result)
      while let name = pending.popLast() {
        for read in state.reads[name] ?? [] where result.insert(read).inserted { pending.append(read) }
      }
      return result
    }
  }

  package var paths: [String] { state.withLock { Array($0.computed.keys) } }
}
