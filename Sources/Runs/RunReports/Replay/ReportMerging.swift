import APIContracts
import SpecExecution
import Values

/// Several reports as that of one run: that of all shards.
struct ReportMerging {
  private typealias Run = (report: ReportReader, file: ReportReader.FileRun)

  private(set) var runs: [(report: ReportReader, file: ReportReader.FileRun)] = []
  private(set) var summary = RunSummary()
  /// The shards without a report.
  private var missing: [Int] = []
  /// The positions of the files of all shards.
  private let order: [String: Int]

  init(_ reports: [ReportReader]) throws(Diagnostic) {
    let all = reports.first?.summary.origin.allFiles ?? []
    order = Dictionary(all.enumerated().map { ($1, $0) }) { first, _ in first }
    missing = try ReportMerging.missingShards(reports)
    runs = try merged(reports)
    summarize(reports)
  }

  // MARK: Shards

  /// Checks that the reports are of the shards of one run; returns the shards without a report.
  private static func missingShards(_ reports: [ReportReader]) throws(Diagnostic) -> [Int] {
    guard let first = reports.first, reports.contains(where: { $0.summary.origin.shard != nil }) else { return [] }
    var known: [Int: ReportReader] = [:]
    var count = 0
    for report in reports {
      let parts = report.summary.origin.shard?.split(separator: "/").map { Int($0) } ?? []
      guard parts.count == 2, let number = parts[0], let total = parts[1], (1...10_000).contains(total),
        (1...total).contains(number)
      else { throw conflict(first, report, "only one of them is that of a shard") }
      guard count == 0 || total == count else { throw conflict(first, report, "one has \(count) shards, one \(total)") }
      count = total
      if let other = known.updateValue(report, forKey: number) {
        throw conflict(other, report, "both are of shard \(number)/\(total)")
      }
      guard report.summary.origin.allFiles == first.summary.origin.allFiles else {
        throw conflict(first, report, "their shards are parts of different files")
      }
    }
    return (1...count).filter { known[$0] == nil }
  }

  private static func conflict(_ first: ReportReader, _ second: ReportReader, _ reason: String) -> Diagnostic {
    .error(
      .invalidFile, "\(first.path) and \(second.path) cannot be merged: \(reason)", at: nil,
      help: "give the reports of the shards of one run, or of runs of different files")
  }

  // MARK: Files

  private struct Key: Hashable {
    let path: String
    let iteration: Int
    let variant: String?

    init(_ start: FileStart) { (path, iteration, variant) = (start.path, start.iteration, start.variant) }
  }

  /// A place in the order of the output: what others need precedes them, and its teardown follows them.
  private struct Place: Comparable {
    let iteration: Int
    let index: Int
    let phase: Int
    let count: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.iteration, left.index, left.phase, left.count) < (right.iteration, right.index, right.phase, right.count)
    }
  }

  /// The runs of all reports in the order that one run would have had. A file that others need ran in several shards,
  /// but counts once; if it failed in one of them, it has failed.
  private func merged(_ reports: [ReportReader]) throws(Diagnostic) -> [Run] {
    let (own, needed) = filesOfBothKinds(reports)
    var kept: [Key: (run: Run, place: Place)] = [:]
    var count = 0
    for report in reports {
      let places = places(of: report.files.map(\.start), from: count)
      count += places.count
      for (file, place) in zip(report.files, places) {
        let start = file.start
        if start.part == nil ? own.contains(start.path) : needed.contains(start.path) && isWithoutValues(start) {
          continue
        }
        guard let (run, other) = kept[Key(start)] else {
          kept[Key(start)] = ((report, file), place)
          continue
        }
        guard run.report !== report, start.part != nil else {
          throw ReportMerging.conflict(run.report, report, "\(start.path) ran in both")
        }
        kept[Key(start)] = (
          !file.end.counts.isGood && run.file.end.counts.isGood ? (report, file) : run,
          start.part == .teardown ? max(other, place) : min(other, place)
        )
      }
    }
    return kept.values.sorted { $0.place < $1.place }.map(\.run)
  }

  /// The files that others need in one shard, and that ran for themselves in their own: those whose runs for themselves
  /// are left out, since one run has none, and those whose other runs are, since only the own run has failed.
  private func filesOfBothKinds(_ reports: [ReportReader]) -> (own: Set<String>, needed: Set<String>) {
    var good: (own: [String: Bool], needed: [String: Bool]) = ([:], [:])
    for file in reports.flatMap(\.files) where isWithoutValues(file.start) {
      let (path, isGood) = (file.start.path, file.end.counts.isGood)
      if file.start.part == nil {
        good.own[path] = isGood && good.own[path] ?? true
      } else {
        good.needed[path] = isGood && good.needed[path] ?? true
      }
    }
    var result: (own: Set<String>, needed: Set<String>) = ([], [])
    for (path, isGood) in good.needed {
      guard let isOwnGood = good.own[path] else { continue }
      if isGood, !isOwnGood { result.needed.insert(path) } else { result.own.insert(path) }
    }
    return result
  }

  /// Returns whether a run has no values for its variables from a file that needs it.
  private func isWithoutValues(_ start: FileStart) -> Bool {
    start.variant == nil || start.part == .teardown && start.variant == FilePart.teardown.rawValue
  }

  /// The places of the runs of a report.
  private func places(of starts: [FileStart], from count: Int) -> [Place] {
    var places: [Place] = []
    for (offset, start) in starts.enumerated() {
      let count = count + offset
      let own = order.isEmpty ? 0 : index(of: start)
      if start.part == .teardown, !order.isEmpty {
        let previous = places.last
        places.append(Place(iteration: previous?.iteration ?? 1, index: previous?.index ?? 0, phase: 2, count: count))
      } else if let own {
        places.append(Place(iteration: order.isEmpty ? 0 : start.iteration, index: own, phase: 1, count: count))
      } else {
        let next = starts[offset...].lazy.compactMap { index(of: $0) }.first ?? order.count
        places.append(Place(iteration: start.iteration, index: next, phase: 0, count: count))
      }
    }
    return places
  }

  /// The position of a file that is an argument itself; nil for a run for others.
  private func index(of start: FileStart) -> Int? {
    start.part == .teardown || start.variant != nil ? nil : order[start.path]
  }

  // MARK: The summary

  private mutating func summarize(_ reports: [ReportReader]) {
    let all = reports.map(\.summary)
    summary.origin.version = joined(all.map(\.origin.version)) ?? ""
    summary.origin.host = joined(all.compactMap(\.origin.host))
    summary.origin.environment = joined(all.compactMap(\.origin.environment))
    let seeds = Set(all.map(\.origin.seed))
    summary.origin.seed = seeds.count == 1 ? all.first?.origin.seed : nil
    summary.origin.isDryRun = all.allSatisfy(\.origin.isDryRun)
    for run in runs { summary.counts.add(run.file.end.counts) }
    summary.files =
      Set(runs.filter { $0.file.start.part != .teardown }.map { [$0.file.start.path, $0.file.start.variant] })
      .count
    summary.start = all.compactMap(\.start).min()
    let ends = all.compactMap { summary in summary.start.flatMap { $0.advanced(by: summary.duration) } }
    if let start = summary.start, let end = ends.max() { summary.duration = end.duration(since: start) }
    summary.interruptedBy = all.lazy.compactMap(\.interruptedBy).first
    summary.exceededTime = all.compactMap(\.exceededTime).max()
    summary.minCoverage = all.compactMap(\.minCoverage).max()
    summary.prunesSnapshots = all.contains(where: \.prunesSnapshots)
    var broken: Set<String> = []
    for report in all {
      let again = report.brokenFiles.filter { !broken.insert($0.path).inserted }
      summary.brokenFiles += report.brokenFiles.filter { file in !again.contains { $0.path == file.path } }
      summary.unreadableFiles += max(0, report.unreadableFiles - again.count)
    }
    var snapshots: Set<String> = []
    summary.unusedSnapshots = all.flatMap(\.unusedSnapshots).filter { snapshots.insert($0).inserted }
    var reported: Set<Diagnostic> = []
    for report in all {
      guard let shard = report.origin.shard else { continue }
      reported.insert(.ofEmptyShard(shard))
    }
    for diagnostics in all.flatMap(\.diagnostics) {
      let new = diagnostics.filter { reported.insert($0).inserted }
      if !new.isEmpty { summary.diagnostics.append(new) }
    }
    summary.contracts = merged(all.flatMap(\.contracts))
    summary.exitCode = RunSummary.exitCode(ofParts: all.map(\.exitCode) + (missing.isEmpty ? [] : [2]))
    guard !missing.isEmpty, let shard = all.first?.origin.shard else { return }
    let total = shard.drop { $0 != "/" }
    let names = missing.prefix(20).map { "\($0)\(total)" }.joined(separator: ", ") + (missing.count > 20 ? ", …" : "")
    summary.origin.shard = joined(all.compactMap(\.origin.shard))
    summary.origin.allFiles = all.first?.origin.allFiles ?? []
    summary.diagnostics.append([
      .error(
        .invalidFile,
        "\(missing.count == 1 ? "the report of shard" : "the reports of shards") \(names) \(missing.count == 1 ? "is" : "are") missing",
        at: nil, help: "this is not the whole run: give the reports of all shards")
    ])
  }

  /// The different texts in their order; nil without any.
  private func joined(_ texts: [String]) -> String? {
    var seen: Set<String> = []
    let different = texts.filter { seen.insert($0).inserted }
    return different.isEmpty ? nil : different.joined(separator: ", ")
  }

  /// The coverage of each document by all parts.
  private func merged(_ contracts: [ContractCoverage]) -> [ContractCoverage] {
    var order: [[String?]] = []
    var parts: [[String?]: [ContractCoverage]] = [:]
    for contract in contracts {
      let key = [contract.document, contract.title, contract.apiVersion] + contract.operations.map(\.operation.label)
      if parts[key] == nil { order.append(key) }
      parts[key, default: []].append(contract)
    }
    return order.compactMap { key in
      guard let same = parts[key], let first = same.first else { return nil }
      return ContractCoverage(
        document: first.document, title: first.title, apiVersion: first.apiVersion,
        operations: first.operations.indices.map { index in merged(same.map { $0.operations[index] }) },
        unmatchedRequests: same.reduce(0) { $0 + $1.unmatchedRequests })
    }
  }

  private func merged(_ parts: [ContractCoverage.OperationCoverage]) -> ContractCoverage.OperationCoverage {
    var statuses: [(status: String, responses: Int)] = []
    var undeclared: [Int: Int] = [:]
    for part in parts {
      for entry in part.statuses {
        if let index = statuses.firstIndex(where: { $0.status == entry.status }) {
          statuses[index].responses += entry.responses
        } else {
          statuses.append(entry)
        }
      }
      for entry in part.undeclared { undeclared[entry.status, default: 0] += entry.responses }
    }
    var fields: [ContractCoverage.FieldCoverage] = []
    var indexes: [String: Int] = [:]
    for field in parts.flatMap(\.fields) {
      guard let index = indexes[field.name] else {
        indexes[field.name] = fields.count
        fields.append(field)
        continue
      }
      fields[index].requests += field.requests
      for (place, entry) in zip(fields[index].values.indices, field.values) {
        fields[index].values[place].requests += entry.requests
      }
    }
    return ContractCoverage.OperationCoverage(
      operation: parts[0].operation, requests: parts.reduce(0) { $0 + $1.requests }, statuses: statuses,
      undeclared: undeclared.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, fields: fields)
  }
}

extension Diagnostic {
  /// The warning that a shard has nothing to run.
  package static func ofEmptyShard(_ shard: String) -> Diagnostic {
    .warning(.nothingToRun, "nothing to run: shard \(shard) is empty, other shards have what is selected", at: nil)
  }
}
