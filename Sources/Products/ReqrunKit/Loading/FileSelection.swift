import OperatingSystem
import RequestSpecs
import RunReports
import Values

/// Selects whole files: those of a shard, and those that are not known to have passed in an earlier run.
struct FileSelection {
  /// The specs to load: those of the options, or else the files that did not pass.
  private(set) var sources: [SpecSource]
  /// The requests that did not pass in an earlier run, by the canonical paths of their files; nil without its report.
  private(set) var failed: [String: FailedRequests]?
  /// The canonical paths of files that passed in an earlier run, which are left out.
  private var passed: Set<String> = []
  private let only: Set<String>?
  private let shard: Shard?
  private let fileRoot: String?
  /// The durations of files in earlier runs; nil without a report.
  private var durations: FileDurations?

  /// Reads the reports of earlier runs.
  init(_ options: RunOptions, into bag: inout DiagnosticBag) {
    sources = options.specs
    only = options.onlyFiles
    shard = options.shard
    fileRoot = options.fileRoot
    if shard != nil { FileSelection.checkShard(options, into: &bag) }
    do throws(Values.Diagnostic) {
      if let path = options.rerunFailed { try readFailures(path, into: &bag) }
      for path in options.timings { try readTimings(path) }
    } catch {
      bag.add(error)
    }
  }

  /// Indicates whether the contents of files matter.
  var readsContents: Bool { shard != nil }

  /// Returns the canonical paths of the files to run.
  ///
  /// - Parameter files: each with the number of its requests; 0 for a file that is not a spec.
  func selected(among files: [(path: String, requests: Int)]) -> Set<String> {
    // What passed counts, too, where files are divided: else a report of one shard alone would move them.
    let all = shared(among: files).subtracting(passed)
    return only.map { all.intersection($0) } ?? all
  }

  /// Those of the shard, or all.
  private func shared(among files: [(path: String, requests: Int)]) -> Set<String> {
    guard let shard else { return Set(files.map(\.path)) }
    let root = FileSelection.root(of: files.map(\.path), fileRoot)
    let weighted = files.map { file -> (key: String, weight: Duration?) in
      let key = file.path.hasPrefix(root) ? String(file.path.dropFirst(root.count)) : file.path
      guard file.requests > 0, let durations else { return (key, .seconds(file.requests)) }
      return (key, durations.duration(of: key))
    }
    let places = Sharding.shards(of: weighted, count: shard.count)
    return Set(zip(files, places).filter { $1 == shard.number }.map(\.0.path))
  }

  /// The directory to which names of files are the same on all machines and from all working directories: the file
  /// root, else that of the project around all files, else the one that they have in common. It ends with a slash.
  private static func root(of paths: [String], _ fileRoot: String?) -> String {
    if let root = fileRoot.flatMap(canonicalPath) { return root.hasSuffix("/") ? root : root + "/" }
    let folders = paths.filter { $0.hasPrefix("/") }.map { $0.split(separator: "/").dropLast() }
    guard var common = folders.first else { return "/" }
    for folder in folders.dropFirst() {
      common = common.prefix(zip(common, folder).prefix { $0 == $1 }.count)
    }
    let root = defaultFileRoot("/" + common.map { $0 + "/" }.joined() + "x")
    return root.hasSuffix("/") ? root : root + "/"
  }

  private mutating func readFailures(_ path: String, into bag: inout DiagnosticBag) throws(Values.Diagnostic) {
    let report = try EarlierReport(path: path)
    let takesFiles = sources.isEmpty
    let help = "name the files to run: those that passed are left out"
    if takesFiles, !report.isComplete {
      throw .error(.unreadableFile, "the run of \(path) could not read all of its files", at: nil, help: help)
    }
    var found: [String: FailedRequests] = [:]
    for file in report.files {
      let place = canonicalPath(file.path)
      guard let requests = file.failed else {
        if let place { passed.insert(place) }
        continue
      }
      if let place {
        found[place] = requests
        if takesFiles { sources.append(.path(file.path)) }
      } else if takesFiles {
        bag.error(.missingFile, "\(file.path), which did not pass in \(path), is gone", at: nil, help: help)
      } else {
        bag.warning(.missingFile, "\(file.path), which did not pass in \(path), is gone", at: nil)
      }
    }
    passed.subtract(found.keys)
    failed = found
  }

  private mutating func readTimings(_ path: String) throws(Values.Diagnostic) {
    var found = durations ?? FileDurations()
    for file in try EarlierReport(path: path).files {
      if let duration = file.duration { found.add(duration, of: file.path) }
    }
    durations = found
  }

  /// Rejects options that need the results of all files.
  private static func checkShard(_ options: RunOptions, into bag: inout DiagnosticBag) {
    if options.minCoverage != nil {
      bag.error(
        .invalidOption,
        "--min-coverage goes with all files, not with --shard: each shard covers only a part of the operations",
        at: nil, help: "give it to `reqrun merge-reports`, with the JSON reports of all shards")
    }
    if options.rerunFailed != nil, options.specs.isEmpty {
      bag.error(
        .invalidOption, "--shard divides the files that are named, and --rerun-failed takes those of its report",
        at: nil, help: "name the files; or leave out --shard, since the report of a shard has its files alone")
    }
    if options.prune {
      bag.error(
        .invalidOption,
        "--prune goes with all files, not with --shard: snapshots that other shards use would be removed", at: nil,
        help: "leave out one of them")
    }
  }
}

/// The durations of files in earlier runs, found by the ends of their paths: a report has them as they were given,
/// relative to another directory.
private struct FileDurations {
  private var entries: [Substring: [(path: [Substring], duration: Duration)]] = [:]

  mutating func add(_ duration: Duration, of path: String) {
    let path = FileDurations.components(path)
    guard let name = path.last else { return }
    entries[name, default: []].removeAll { $0.path == path }
    entries[name, default: []].append((path, duration))
  }

  /// The duration of the file whose path has the most in common; nil if there is none, or more than one.
  func duration(of key: String) -> Duration? {
    let path = FileDurations.components(key)
    guard let name = path.last, let entries = entries[name] else { return nil }
    var best: (length: Int, duration: Duration?) = (0, nil)
    for entry in entries {
      let length = zip(path.reversed(), entry.path.reversed()).prefix { $0 == $1 }.count
      guard length == min(path.count, entry.path.count), length >= best.length else { continue }
      best = (length, length == best.length ? nil : entry.duration)
    }
    return best.duration
  }

  private static func components(_ path: String) -> [Substring] {
    Array(path.split(separator: "/").filter { $0 != "." }.drop { $0 == ".." })
  }
}
