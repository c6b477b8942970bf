import OperatingSystem
import Synchronization

/// The files that specs use, directly or by files that they name, and their states when they were last used.
package final class UsedFiles: Sendable {
  private struct State {
    /// The files that each file names, by its canonical path; those that no file names have an empty one.
    var uses: [String: Set<String>] = [:]
    var stamps: [String: FileStamp] = [:]
  }

  private let state = Mutex(State())
  private let here = canonicalPath(".") ?? "/"

  package init() {}

  /// - Parameters:
  ///   - path: the file, relative to the working directory.
  ///   - source: the file that names it; empty if all specs use it.
  package func add(_ path: String, of source: String) {
    let path = absolute(path)
    let source = source.isEmpty ? "" : canonical(absolute(source))
    let stamp = FileStamp(of: path)
    state.withLock { state in
      state.stamps[path] = stamp
      // A file that is named by an absolute path alone has an unknown user.
      state.uses[source == canonical(path) ? "" : source, default: []].insert(path)
    }
  }

  /// Notes the current state of a spec itself, and forgets what it names.
  package func restart(_ spec: String) {
    let stamp = FileStamp(of: spec)
    state.withLock { state in
      state.uses[spec] = []
      state.stamps[spec] = stamp
    }
  }

  package func remove(_ spec: String) {
    state.withLock { state in
      state.uses[spec] = nil
      state.stamps[spec] = nil
    }
  }

  /// Notes the current states of these files.
  package func accept(_ paths: Set<String>) {
    let stamps = paths.map { ($0, FileStamp(of: $0)) }
    state.withLock { state in for (path, stamp) in stamps { state.stamps[path] = stamp } }
  }

  var all: Set<String> { state.withLock { Set($0.stamps.keys) } }

  /// The files whose state is another than at their last use.
  var changed: Set<String> {
    let stamps = state.withLock { $0.stamps }
    return Set(stamps.filter { FileStamp(of: $0.key) != $0.value }.keys)
  }

  /// The specs that use one of these files.
  ///
  /// - Parameter specs: the canonical paths of all specs.
  package func users(of changed: Set<String>, among specs: Set<String>) -> Set<String> {
    let uses = state.withLock { $0.uses }
    let files = specs.map { (spec: $0, files: closure(of: $0, uses)) }
    let known = files.reduce(into: Set<String>()) { $0.formUnion($1.files) }
    let ofAll = (uses[""] ?? []).subtracting(known)
    if !ofAll.isDisjoint(with: changed) { return specs }
    return Set(files.filter { !$0.files.isDisjoint(with: changed) }.map(\.spec))
  }

  /// The spec, and all files that it uses.
  private func closure(of spec: String, _ uses: [String: Set<String>]) -> Set<String> {
    var result: Set<String> = [spec]
    var pending = [spec]
    while let file = pending.popLast() {
      for used in uses[canonical(file)] ?? [] where result.insert(used).inserted { pending.append(used) }
    }
    return result
  }

  private func canonical(_ path: String) -> String { canonicalPath(path) ?? path }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(here)/\(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)"
  }
}
