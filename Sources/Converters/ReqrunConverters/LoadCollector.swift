import OperatingSystem
import ReqrunKit
import RequestSpecs
import RunReports
import SpecExecution
import SpecExports
import Synchronization
import Templates
import Values

/// Collects the resolved requests of a dry run: a file for each spec, or for each flow of it.
final class LoadCollector: RunReports.Reporter {
  private struct State {
    var files: [FileKey: LoadFile] = [:]
    var order: [FileKey] = []
    var paths: [Int: LoadFile] = [:]
    var groups = StepGroups()
    var rows: [StepID: LoadRows] = [:]
    /// The reasons why groups of rows can't be played.
    var unplayedRows: [StepID: String] = [:]
    /// The groups of the last request: that of its rows, and that of the step that uses its file.
    var last: (rows: StepID?, use: StepID?) = (nil, nil)
    var remarks: [String] = []
  }

  private let tags: [String: [String]]
  private let needs: LoadNeeds
  private let names: LoadNames
  private let paths: Set<String>
  private let state = Mutex(State())
  let count = RequestCount()

  init(plans: [PlannedFile], needs: LoadNeeds, names: LoadNames) {
    self.needs = needs
    self.names = names
    paths = Set(plans.map(\.path))
    tags = Dictionary(
      plans.map { plan in
        let all = plan.requestSteps.map { Set($0.request.tags) }
        return (plan.path, (all.first.map { all.reduce($0) { $0.intersection($1) } } ?? []).sorted())
      }, uniquingKeysWith: { first, _ in first })
  }

  var remarks: [String] { state.withLock { $0.remarks } }

  /// The files with requests; each flow begins with the setup of its file.
  var files: [LoadFile] {
    state.withLock { state in
      let flows = Set(state.order.filter { $0.flow != nil }.map(\.position))
      var files: [LoadFile] = []
      for key in state.order {
        guard var file = state.files[key], paths.contains(file.path) else { continue }
        if key.flow == nil, flows.contains(key.position) { continue }
        if key.flow != nil, let shared = state.files[FileKey(position: key.position, flow: nil)] {
          // The rows of both are in one list.
          let (rows, uses) = (file.rows.count, file.uses.count)
          file.rows += shared.rows
          file.uses += shared.uses
          func moved(_ stage: RequestStage) -> [LoadFile.Request] {
            shared.requests.filter { $0.step.stage == stage }.map { request in
              LoadFile.Request(
                step: request.step, resolved: request.resolved, scope: request.scope, path: request.path,
                rows: request.rows.map { $0 + rows }, use: request.use.map { $0 + uses })
            }
          }
          file.requests = moved(.setup) + file.requests + moved(.teardown)
        }
        file.needs = (needs.needs[file.path] ?? []).map { need in
          // Its teardown runs at another position.
          let all = state.order.compactMap { state.files[$0] }.filter { $0.path == need.path }
          let requests = all.map { $0.requests.filter { $0.step.stage != .teardown } }.first { !$0.isEmpty }
          return LoadFile.Need(name: need.name, path: need.path, requests: requests ?? [])
        }
        files.append(file)
      }
      return files
    }
  }

  func sink(at position: Int) -> (any FileEventSink)? { EventSink(take: receive) }

  private func receive(_ event: FileEvent) {
    state.withLock { state in
      switch event {
      case .started(let start):
        state.paths[start.position] = LoadFile(
          path: start.path, name: start.name, weight: LoadCollector.weight(of: start.path), tags: tags[start.path] ?? []
        )
      case .groupStarted(let group):
        state.groups.add(group)
      case .stepFinished(let report):
        guard let file = state.paths[report.id.file], paths.contains(file.path), let reason = report.unresolved else {
          return
        }
        let place = "\(report.path ?? file.path):\(report.line): \(report.name)"
        state.remarks.append("\(place) is left out: \(reason)")
      default: break
      }
    }
  }

  /// Notes all rows of a group.
  func add(_ spec: RowsSpec, _ rows: Result<[Value], TemplateError>, of group: StepID) {
    state.withLock { state in
      switch rows {
      case .success(let values): state.rows[group] = LoadRows(spec: spec, values: values)
      case .failure(let error): state.unplayedRows[group] = error.message
      }
    }
  }

  func add(_ step: RequestStep, _ report: StepReport, _ resolved: ResolvedRequest, in scope: FileScope) {
    guard count.take() else { return }
    state.withLock { state in
      guard let file = state.paths[report.id.file] else { return }
      let around = state.groups.around(report)
      let path = report.path ?? file.path
      let all = around.filter { $0.group.kind == .rows }
      if let reason = all.compactMap({ state.unplayedRows[$0.id] }).first {
        state.remarks.append("\(path):\(step.line): \(report.name) is left out: \(reason)")
        return
      }
      let flow = around.firstIndex { $0.group.kind == .flow }
      let inner = around[..<(flow ?? around.endIndex)].filter { $0.group.kind == .rows }
      if inner.count > 1 {
        state.remarks.append("\(path):\(step.line): \(report.name) is left out: rows within rows can't be played")
        return
      }
      let key = FileKey(position: report.id.file, flow: flow.map { around[$0].id })
      if state.files[key] == nil {
        state.order.append(key)
        state.files[key] = flow.map { LoadCollector.file(file, ofFlow: $0, around, state.rows) } ?? file
      }
      // The requests of one group follow one another.
      let use = around[..<(flow ?? around.endIndex)].last { $0.group.kind == .use }
      let isSame = state.last == (inner.first?.id, use?.id)
      state.last = (inner.first?.id, use?.id)
      if !isSame, let rows = inner.first.flatMap({ state.rows[$0.id] }) { state.files[key]?.rows.append(rows) }
      if !isSame, let use {
        state.files[key]?.uses.append(names.outputs[file.path]?[use.group.line] ?? [])
      }
      var request = LoadFile.Request(
        step: step, resolved: resolved, scope: scope, path: path,
        rows: inner.isEmpty ? nil : state.files[key].map { $0.rows.count - 1 },
        use: use == nil ? nil : state.files[key].map { $0.uses.count - 1 })
      request.isOfFlow = flow != nil
      state.files[key]?.requests.append(request)
    }
  }

  /// The file of a flow.
  private static func file(
    _ file: LoadFile, ofFlow index: Int, _ around: [(id: StepID, group: GroupStart)], _ rows: [StepID: LoadRows]
  ) -> LoadFile {
    let outer = around.dropFirst(index + 1).first { $0.group.kind == .rows }
    let name = outer?.group.name ?? around[index].group.name
    var result = LoadFile(
      path: file.path, name: name.isEmpty ? file.name : name, weight: file.weight, tags: file.tags)
    result.rowsOfFlow = outer.flatMap { rows[$0.id] }
    return result
  }

  /// `x-weight` at the top of a file; 1 without it.
  private static func weight(of path: String) -> Int {
    guard case .success(let bytes) = readFile(path, limit: SpecLoader.sizeLimit) else { return 1 }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let values = lines.lazy.compactMap { $0.wholeMatch(of: /x-weight:\s*(\d{1,9})\s*(?:#.*)?/) }
    return values.first.flatMap { Int($0.output.1) } ?? 1
  }
}
