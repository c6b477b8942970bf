import Diagnostics
import OperatingSystem
import RunPlanning
import RunReports

/// Selects whole files: those of a shard, and those that failed in an earlier run.
struct FileSelection {
  /// The specs to load: those of the options, or else the files that failed.
  private(set) var sources: [SpecSource]
  /// The requests that failed in an earlier run, by the canonical paths of their files; nil selects the others, too.
  private(set) var failed: [String: FailedRequests]?
  /// Indicates whether a file that failed doesn't exist any more.
  private(set) var hasGoneFiles = false
  private let only: Set<String>?
  private let shard: Shard?
  /// The directory to which the keys of files are relative.
  private let root: String
  /// The durations of files in earlier runs, by their keys; nil without a report.
  private var durations: [String: Duration]?

  /// Reads the reports of earlier runs.
  init(_ options: RunOptions, into bag: inout DiagnosticBag) {
    sources = options.specs
    only = options.onlyFiles
    shard = options.shard
    root = canonicalPath(options.fileRoot ?? ".") ?? "."
    if shard != nil { FileSelection.checkShard(options, into: &bag) }
    do throws(Diagnostics.Diagnostic) {
      if let path = options.rerunFailed { try readFailures(path, into: &bag) }
      for path in options.timings { try readTimings(path) }
    } catch {
      bag.add(error)
    }
  }

  /// Indicates whether the contents of files matter: only specs are balanced, not other files of a directory.
  var readsContents: Bool { shard != nil && durations != nil }

  /// Returns the canonical paths of the files to run.
  func selected(among files: [(path: String, isSpec: Bool)]) -> Set<String> {
    let all = shared(among: files)
    return only.map { all.intersection($0) } ?? all
  }

  /// Those of the shard, or all.
  private func shared(among files: [(path: String, isSpec: Bool)]) -> Set<String> {
    let files = files.filter { failed?.keys.contains($0.path) != false }
    guard let shard else { return Set(files.map(\.path)) }
    var result = Set(
      files.filter { Sharding.shard(of: key(of: $0.path), count: shard.count) == shard.number }.map(\.path))
    guard let durations else { return result }
    let specs = files.filter(\.isSpec).map(\.path)
    let weighted = specs.map { path in (key: key(of: path), duration: durations[key(of: path)]) }
    for (path, place) in zip(specs, Sharding.shards(of: weighted, count: shard.count)) {
      if place == shard.number { result.insert(path) } else { result.remove(path) }
    }
    return result
  }

  /// The same name of a file on all machines: its path relative to the file root or the working directory.
  private func key(of path: String) -> String {
    let path = canonicalPath(path) ?? path
    let prefix = root.hasSuffix("/") ? root : root + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  private mutating func readFailures(_ path: String, into bag: inout DiagnosticBag) throws(Diagnostics.Diagnostic) {
    var found: [String: FailedRequests] = [:]
    var paths: [SpecSource] = []
    for file in try EarlierReport(path: path).files {
      guard let requests = file.failed else { continue }
      guard let place = canonicalPath(file.path) else {
        bag.warning("\(file.path), which failed in \(path), is gone", at: nil)
        hasGoneFiles = true
        continue
      }
      found[place] = requests
      paths.append(.path(file.path))
    }
    failed = found
    if sources.isEmpty { sources = paths }
  }

  private mutating func readTimings(_ path: String) throws(Diagnostics.Diagnostic) {
    var found = durations ?? [:]
    for file in try EarlierReport(path: path).files {
      if let duration = file.duration { found[key(of: file.path)] = duration }
    }
    durations = found
  }

  /// Rejects options that need the results of all files.
  private static func checkShard(_ options: RunOptions, into bag: inout DiagnosticBag) {
    if options.minCoverage != nil {
      bag.error(
        "--min-coverage goes with all files, not with --shard: each shard covers only a part of the operations",
        at: nil, help: "leave out one of them")
    }
    if options.prune {
      bag.error(
        "--prune goes with all files, not with --shard: snapshots that other shards use would be removed", at: nil,
        help: "leave out one of them")
    }
  }
}
