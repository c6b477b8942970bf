import DocumentQueries
import Matching
import OperatingSystem
import Synchronization
import Values

/// A snapshot that a run has stored.
package struct SnapshotChange: Sendable, Hashable {
  package enum Kind: Sendable, Hashable { case written, updated }

  package var kind: Kind
  /// The file's name for messages.
  package var path: String

  package init(kind: Kind, path: String) {
    self.kind = kind
    self.path = path
  }
}

/// The snapshots of a run: compares bodies with them, and stores missing or changed ones if the user asked for that.
package final class SnapshotStore: Sendable {
  /// The result of a comparison.
  package enum Outcome: Sendable {
    case same
    case stored(SnapshotChange)
    case failed([MatchFailure])
  }

  private struct State {
    /// The files that this run has stored: each once.
    var stored: Set<String> = []
    /// The names that each folder's requests used, by folder.
    var names: [String: Set<SnapshotName>] = [:]
    var requests: [String: Set<Int>] = [:]
  }

  /// `--update-snapshots`
  package let updates: Bool
  private let state = Mutex(State())

  package init(updates: Bool) {
    self.updates = updates
  }

  /// Compares a body with the snapshot of a name.
  ///
  /// - Parameters:
  ///   - isGood: whether all other assertions of the request hold; otherwise its body isn't stored.
  ///   - request: the request's number in its file.
  package func check(
    _ body: SnapshotBody, as name: SnapshotName, in folder: SnapshotFolder, ignoring paths: [JSONPath], isGood: Bool,
    request: Int
  ) -> Outcome {
    guard updates else { return compare(body, name, folder, paths, .update) }
    return state.withLock { state in
      state.names[folder.path, default: []].insert(name)
      state.requests[folder.path, default: []].insert(request)
      let id = "\(folder.path)/\(name)"
      let isStored = state.stored.contains(id)
      let outcome = compare(body, name, folder, paths, isStored ? .rename : .fixRequest)
      guard case .failed = outcome, isGood, !isStored else { return outcome }
      state.stored.insert(id)
      return store(body, name, folder)
    }
  }

  /// The names that were used in a folder, and the numbers of their requests.
  package func used(in folder: SnapshotFolder) -> (names: Set<SnapshotName>, requests: Set<Int>) {
    state.withLock { ($0.names[folder.path] ?? [], $0.requests[folder.path] ?? []) }
  }

  // MARK: comparing

  /// The advice for a failure.
  private enum Advice {
    /// Update the snapshot: the run stores nothing.
    case update
    /// Use another name: the run has stored the snapshot already.
    case rename
    /// Fix the request: it fails otherwise.
    case fixRequest

    var ifMissing: String {
      self == .update ? "run once with --update-snapshots to store it" : ifDifferent
    }

    var ifDifferent: String {
      switch self {
      case .update: "if the new body is right, store it with --update-snapshots"
      case .rename: "this run has stored another body under this name; give one of the requests another `name`"
      case .fixRequest: "it was not stored, since the request fails otherwise"
      }
    }
  }

  private func compare(
    _ body: SnapshotBody, _ name: SnapshotName, _ folder: SnapshotFolder, _ paths: [JSONPath], _ advice: Advice
  ) -> Outcome {
    guard let kind = folder.kind(of: name) else {
      let path = folder.shownPath(of: name, body.kind)
      return failed("the snapshot \(path)", actual: "none is stored", advice.ifMissing)
    }
    let path = folder.shownPath(of: name, kind)
    let stored: SnapshotContent
    do throws(SnapshotProblem) {
      stored = try SnapshotContent(
        stored: try read(folder.path(of: name, kind)), as: kind, ignoring: kind == .json ? paths : [])
    } catch {
      return failed("the snapshot \(path)", actual: error.message, error.help)
    }
    let isComparable =
      switch (stored, body.content) {
      case (.json, .json), (.text, .text), (.binary, .binary): true
      default: false
      }
    guard isComparable else {
      return failed("\(stored.phrase), as in \(path)", actual: body.content.phrase, advice.ifDifferent)
    }
    var failures = Matching.failures(
      of: [Predicate(.equals, .value(stored.value))], against: .value(body.content.value))
    if failures.isEmpty { return .same }
    for index in failures.indices {
      failures[index].predicate = Text("equals \(path)")
      // Help of Matching that has spec code in backticks doesn't apply to snapshots.
      let hint = failures[index].hint.flatMap { $0.contains("`") ? nil : "\($0); " } ?? ""
      failures[index].hint = hint + advice.ifDifferent
    }
    return .failed(failures)
  }

  private func failed(_ expected: String, actual: String, _ hint: String?) -> Outcome {
    .failed([MatchFailure(predicate: "", expected: Text(expected), actual: Text(actual), hint: hint)])
  }

  private func read(_ path: String) throws(SnapshotProblem) -> [UInt8] {
    guard !isSymbolicLink(path), isRegularFile(path) else {
      throw SnapshotProblem("the file is not a regular one, or a symbolic link")
    }
    switch readFile(path, limit: SnapshotBody.limit) {
    case .success(let bytes): return bytes
    case .failure(let problem): throw SnapshotProblem("the file cannot be read: \(problem.reason)")
    }
  }

  // MARK: storing

  private func store(_ body: SnapshotBody, _ name: SnapshotName, _ folder: SnapshotFolder) -> Outcome {
    let old = folder.kind(of: name)
    let path = folder.path(of: name, body.kind)
    do {
      let bytes = try body.fileBytes()
      let file = try ReplacementFile(of: path)
      file.write(bytes)
      try file.commit()
    } catch let problem as SnapshotProblem {
      return failed("to store \(folder.shownPath(of: name, body.kind))", actual: problem.message, problem.help)
    } catch {
      let reason = (error as? SystemProblem)?.reason ?? "\(error)"
      return failed("to store \(folder.shownPath(of: name, body.kind))", actual: reason, nil)
    }
    for kind in SnapshotKind.allCases where kind != body.kind { removeFile(folder.path(of: name, kind)) }
    return .stored(
      SnapshotChange(kind: old == nil ? .written : .updated, path: folder.shownPath(of: name, body.kind)))
  }
}
