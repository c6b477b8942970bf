import Diagnostics
import RequestSpecs
import Templates
import Values

/// The names that templates of a file can read, their sources, and names that have none.
struct NameTable {
  private let requests: [PlannedRequest]
  private let flows: [FlowSpec]
  /// Names that have a value before the first request: variables, secrets, and what the command and the run set.
  private let declared: Set<String>
  /// The names among them that come from other files, which run before.
  private let needed: NeededNames
  /// The requests that capture a name, in order.
  private let suppliers: [String: [Int]]
  /// The names that unreadable keys would have declared.
  private let missed: MissedNames
  private let environments: ProjectEnvironments?
  /// The requests with variables of their own, by the names of these.
  private let owners: [String: Int]
  /// References that have been reported; those in defaults are shared by many requests.
  private var reported: Set<SourceRange> = []

  init(
    declared: Set<String>, needed: NeededNames = NeededNames(), requests: [PlannedRequest], flows: [FlowSpec] = [],
    missed: MissedNames, environments: ProjectEnvironments? = nil
  ) {
    self.flows = flows
    self.declared = declared.union(needed.names)
    self.needed = needed
    self.environments = environments
    self.requests = requests
    self.missed = missed
    var suppliers: [String: [Int]] = [:]
    var owners: [String: Int] = [:]
    for (index, request) in requests.enumerated() {
      for name in request.captureNames where suppliers[name]?.last != index {
        suppliers[name, default: []].append(index)
      }
      for entry in request.spec.variables.entries where owners[entry.key.text] == nil { owners[entry.key.text] = index }
    }
    self.owners = owners
    self.suppliers = suppliers
  }

  // MARK: Requests

  /// Checks the names that requests and flows read, in their order, and those in defaults that no request takes.
  mutating func checkRequests(defaults: RequestSettings?, into bag: inout DiagnosticBag) {
    var known = declared
    /// The names that are known outside of flows.
    var knownToFile = declared
    var flow: Int?
    for (index, request) in requests.enumerated() {
      if request.flow != flow {
        if flow == nil { knownToFile = known }
        known = knownToFile
        flow = request.flow
        if let flow { begin(flows[flow], at: index, &known, into: &bag) }
      }
      let names = request.spec.name?.templates ?? []
      var own = request.spec.variables.names
      if !own.isEmpty { checkVariables(of: request, at: index, known: known, into: &bag) }
      if request.settings.repetitionBox?.content.poll.value != nil { own.insert("poll_round") }
      guard let rows = request.spec.rows else {
        let added = own.filter { known.insert($0).inserted }
        for template in request.sendingTemplates + names {
          check(template, known: known, at: index, into: &bag)
        }
        checkCaptureOrder(of: request, known: known, into: &bag)
        known.formUnion(request.captureNames)
        for template in request.settings.checkingTemplates { check(template, known: known, at: index, into: &bag) }
        if !added.isEmpty { known.subtract(added.subtracting(request.captureNames)) }
        continue
      }
      for template in rows.sourceTemplates { check(template, known: known, at: index, into: &bag) }
      if rows.next != nil { checkRowCount(of: request, into: &bag) }
      var inRow = known.union(rowNames)
      for template in rows.rowTemplates { check(template, known: inRow, at: index, into: &bag) }
      inRow.formUnion(own)
      for template in request.sendingTemplates + names {
        check(template, known: inRow, at: index, into: &bag)
      }
      checkCaptureOrder(of: request, known: inRow, into: &bag)
      inRow.formUnion(request.captureNames)
      for template in request.settings.checkingTemplates { check(template, known: inRow, at: index, into: &bag) }
      known.formUnion(request.captureNames)
    }
    var all = flows.reduce(declared.union(suppliers.keys).union(owners.keys)) { $0.union($1.variables.names) }
    if flows.contains(where: { $0.rows != nil }) || requests.contains(where: { $0.spec.rows != nil }) {
      all.formUnion(rowNames)
    }
    for defaults in ([defaults] + flows.map(\.defaults)).compactMap(\.self) {
      for template in defaults.sendingTemplates + defaults.checkingTemplates {
        for reference in template.references where !isKnown(reference, among: all) {
          reportUnknown(reference, among: all, into: &bag)
        }
      }
    }
  }

  /// Reports `row_count` where only the last response tells it.
  private mutating func checkRowCount(of request: PlannedRequest, into bag: inout DiagnosticBag) {
    let templates = request.templates + request.settings.checkingTemplates
    for reference in templates.flatMap(\.references) where reference.name == "row_count" {
      guard reported.insert(reference.range).inserted else { continue }
      bag.error(
        "`row_count` is not known before the last row of `next`", at: reference.range, help: "read `row_index`")
    }
  }

  /// Checks that no capture reads itself, or one that the request takes after it.
  ///
  /// - Parameter known: the names known before the captures.
  private mutating func checkCaptureOrder(
    of request: PlannedRequest, known: Set<String>, into bag: inout DiagnosticBag
  ) {
    let entries = request.settings.capture.entries
    for (position, entry) in entries.enumerated() {
      for reference in entry.value?.templates.flatMap(\.references) ?? [] where !known.contains(reference.name) {
        guard let place = entries.firstIndex(where: { $0.key.text == reference.name }), place >= position,
          !reference.hasDefault, reported.insert(reference.range).inserted
        else { continue }
        let name = reference.name
        bag.error(
          place == position
            ? "the capture `\(name)` reads itself, and has no value before"
            : "`\(name)` is captured only after `\(entry.key.text)`: captures are taken in their order",
          at: reference.range,
          notes: place == position ? [] : [Diagnostic.Note("captured here", at: entries[place].key.range)],
          help: place == position
            ? "capture it by an earlier request, too, or declare its first value under `variables:`"
            : "move `\(name)` before `\(entry.key.text)`")
      }
    }
  }

  /// Checks the variables of a request: captures have other names, and none reads itself.
  ///
  /// - Parameter known: the names known before the request.
  private mutating func checkVariables(
    of request: PlannedRequest, at index: Int, known: Set<String>, into bag: inout DiagnosticBag
  ) {
    for entry in request.spec.variables.entries {
      let name = entry.key.text
      let isOwn = request.captureNames.contains(name)
      let earlier = suppliers[name]?.first { $0 < index && sees(index, $0) }
      guard let supplier = isOwn ? index : earlier else { continue }
      bag.error(
        isOwn
          ? "the request captures `\(name)`, too" : "request \(requests[supplier].label) captures `\(name)`, too",
        at: entry.key.range,
        notes: [Diagnostic.Note("captured here", at: captureRange(name, in: requests[supplier]))],
        help: "use another name for one of the two")
    }
    checkCircles(
      among: request.spec.variables.entries.map {
        Declaration(name: $0.key.text, range: $0.key.range, template: $0.value)
      }, into: &bag)
  }

  /// Checks the names that a flow itself reads.
  ///
  /// - Parameters:
  ///   - index: the index of its first request.
  ///   - known: the names known outside of it; gets its own.
  private mutating func begin(
    _ flow: FlowSpec, at index: Int, _ known: inout Set<String>, into bag: inout DiagnosticBag
  ) {
    for entry in flow.variables.entries {
      guard let supplier = suppliers[entry.key.text]?.first(where: { requests[$0].flow == nil && $0 < index }) else {
        continue
      }
      bag.error(
        "the file's `setup` captures `\(entry.key.text)`, too", at: entry.key.range,
        notes: [Diagnostic.Note("captured here", at: captureRange(entry.key.text, in: requests[supplier]))],
        help: "use another name for one of the two")
    }
    if let rows = flow.rows {
      for template in rows.sourceTemplates { check(template, known: known, at: index, into: &bag) }
      known.formUnion(rowNames)
      for template in rows.rowTemplates { check(template, known: known, at: index, into: &bag) }
    }
    known.formUnion(flow.variables.names)
    checkDeclarations(flow.variables, [], reading: known, in: requests[index].flow, into: &bag)
    for template in (flow.name?.templates ?? []) + flow.conditionTemplates {
      check(template, known: known, at: index, into: &bag)
    }
  }

  /// Returns whether a request can read what another one captures: flows don't see each other's captures, and the file
  /// doesn't see theirs.
  private func sees(_ reader: Int, _ supplier: Int) -> Bool {
    let flow = requests[supplier].flow
    return flow == nil || flow == requests[reader].flow
  }

  private func isKnown(_ reference: TemplateReference, among names: Set<String>) -> Bool {
    reference.name == "env" || names.contains(reference.name)
  }

  private mutating func check(
    _ template: Template, known: Set<String>, at index: Int, into bag: inout DiagnosticBag
  ) {
    for reference in template.references {
      if let member = reference.member, let yielded = needed.members[reference.name], !yielded.contains(member) {
        reportMember(member, of: reference, among: yielded, into: &bag)
      }
      if isKnown(reference, among: known) { continue }
      let suppliers = suppliers[reference.name] ?? []
      guard let supplier = suppliers.first(where: { $0 >= index && sees(index, $0) }) else {
        if let other = suppliers.first, !sees(index, other) {
          reportOutOfSight(reference, supplier: other, into: &bag)
        } else {
          reportUnknown(reference, among: known, into: &bag)
        }
        continue
      }
      // It is declared, if not yet set: that is the purpose of `default`.
      guard !reference.hasDefault, reported.insert(reference.range).inserted else { continue }
      reportTooEarly(reference, at: index, supplier: supplier, into: &bag)
    }
  }

  private mutating func reportMember(
    _ member: String, of reference: TemplateReference, among yielded: [String], into bag: inout DiagnosticBag
  ) {
    guard reported.insert(reference.range).inserted else { return }
    bag.error(
      "the need `\(reference.name)` captures no `\(jsonEscaped(member))`", at: reference.range,
      notes: needed.places[reference.name].map { [Diagnostic.Note("its file is named here", at: $0)] } ?? [],
      help: suggestion(member, among: yielded)
        ?? (yielded.isEmpty ? "its file captures nothing" : "it captures \(yielded.prefix(8).joined(separator: ", "))"))
  }

  private mutating func reportOutOfSight(
    _ reference: TemplateReference, supplier: Int, into bag: inout DiagnosticBag
  ) {
    guard reported.insert(reference.range).inserted else { return }
    let request = requests[supplier]
    let flow = request.flow.flatMap { flows[$0].name?.range.text }
    bag.error(
      "`\(reference.name)` is captured only in the flow\(flow.map { " \"\($0)\"" } ?? ""), and nothing outside of it "
        + "sees its captures",
      at: reference.range, notes: [Diagnostic.Note("captured here", at: captureRange(reference.name, in: request))],
      help: "capture it in this flow, too, or in the file's `setup`")
  }

  private func reportTooEarly(
    _ reference: TemplateReference, at index: Int, supplier: Int, into bag: inout DiagnosticBag
  ) {
    let reader = requests[index]
    var notes: [Diagnostic.Note] = []
    if !reader.spec.range.contains(reference.range) {
      notes.append(Diagnostic.Note("read by this request", at: reader.spec.range.firstLine))
    }
    guard supplier != index else {
      bag.error(
        "`\(reference.name)` is captured only from the response to this request", at: reference.range, notes: notes,
        help: "capture it by a request before this one, or declare its first value under `variables:`")
      return
    }
    notes.append(Diagnostic.Note("captured here", at: captureRange(reference.name, in: requests[supplier])))
    bag.error(
      "`\(reference.name)` is captured only later, by request \(requests[supplier].label)", at: reference.range,
      notes: notes,
      help: "move request \(requests[supplier].label) before this one, or write `${{ \(reference.name) | default(…) }}`"
    )
  }

  /// The place at which a request captures a name.
  private func captureRange(_ name: String, in request: PlannedRequest) -> SourceRange {
    request.settings.capture.entries.first { $0.key.text == name }?.key.range ?? request.spec.range.firstLine
  }

  private mutating func reportUnknown(
    _ reference: TemplateReference, among names: Set<String>, into bag: inout DiagnosticBag
  ) {
    guard reported.insert(reference.range).inserted else { return }
    if rowNames.contains(reference.name) {
      bag.error(
        "there is no `\(reference.name)` here: only what runs for each row has it", at: reference.range,
        help: flows.first?.isWholeFile == true
          ? "the `each` of a file runs its `requests`; `setup` and `teardown` run once"
          : "write `each:` in the request, in its flow, or beside `requests:`")
    } else if let flow = flows.first(where: { $0.variables.names.contains(reference.name) }) {
      let place = flow.variables.entries.first { $0.key.text == reference.name }?.key.range
      bag.error(
        flow.isWholeFile
          ? "`\(reference.name)` depends on the row, and the file's `setup` and `teardown` run once, without one"
          : "`\(reference.name)` is a variable of the flow in line \(flow.range.start.line) alone",
        at: reference.range, notes: place.map { [Diagnostic.Note("declared here", at: $0)] } ?? [],
        help: flow.isWholeFile
          ? "read there what is the same for all rows"
          : "declare it in the `variables` of the file, or in this flow, too")
    } else if let owner = owners[reference.name] {
      let place = requests[owner].spec.variables.entries.first { $0.key.text == reference.name }?.key.range
      bag.error(
        "`\(reference.name)` is a variable of request \(requests[owner].label) alone", at: reference.range,
        notes: place.map { [Diagnostic.Note("declared here", at: $0)] } ?? [],
        help: "declare it in the `variables` of the file, or in this request, too")
    } else if reference.name == "poll_round" {
      bag.error("`poll_round` is there only in a request with `poll`", at: reference.range)
    } else if reference.name == "demo" {
      bag.error(
        "there is no variable `demo`", at: reference.range,
        help: "start the demo server with --demo, or write `demo: true` in the project file")
    } else if reference.name == "environment" {
      bag.error(
        "there is no variable `environment`, for the project has no environments", at: reference.range,
        help: "write `environments: {local: {variables: {…}}, …}` in the project file, and choose one with --env")
    } else if missed.contains(reference.name) {
      return
    } else if let environments, let message = environments.message(on: reference) {
      bag.add(message)
    } else {
      bag.add(TemplateError.unknownName(reference.name, at: reference.range, among: names).diagnostic)
    }
  }

  /// Checks the names in the contract's location, which is resolved before the first request.
  mutating func checkContract(_ templates: [Template], into bag: inout DiagnosticBag) {
    for reference in templates.flatMap(\.references) {
      if let need = needed.places[reference.name] {
        guard reported.insert(reference.range).inserted else { continue }
        bag.error(
          "`openapi` cannot read `\(reference.name)`, which comes from another file", at: reference.range,
          notes: [Diagnostic.Note("it is needed here", at: need)], help: "the document is read before any request")
        continue
      }
      if isKnown(reference, among: declared) { continue }
      guard let supplier = suppliers[reference.name]?.first else {
        reportUnknown(reference, among: declared, into: &bag)
        continue
      }
      guard reported.insert(reference.range).inserted else { continue }
      bag.error(
        "`openapi` cannot read `\(reference.name)`, which request \(requests[supplier].label) captures",
        at: reference.range,
        notes: [Diagnostic.Note("captured here", at: captureRange(reference.name, in: requests[supplier]))],
        help: "the document is read before the first request")
    }
  }

  /// Checks the names in `with`, whose values are known before the needs run.
  mutating func checkArguments(of needs: [LoadedNeed], into bag: inout DiagnosticBag) {
    for entry in needs.flatMap({ $0.spec.file.arguments.entries }) {
      for reference in (entry.value?.templates ?? []).flatMap(\.references) {
        if let need = needed.places[reference.name] {
          bag.error(
            "`with` cannot read `\(reference.name)`, which comes from a need", at: reference.range,
            notes: [Diagnostic.Note("it is needed here", at: need)],
            help: "needs don't wait for each other: write `needs` in the file that reads it")
        } else if !isKnown(reference, among: declared) {
          guard let supplier = suppliers[reference.name]?.first else {
            reportUnknown(reference, among: declared, into: &bag)
            continue
          }
          bag.error(
            "`with` cannot read `\(reference.name)`, which request \(requests[supplier].label) captures",
            at: reference.range,
            notes: [Diagnostic.Note("captured here", at: captureRange(reference.name, in: requests[supplier]))],
            help: "needs run before the file")
        }
      }
    }
  }

  // MARK: Variables

  /// Checks the declarations of one layer: variables and secrets may read each other, never captures, and not in a
  /// circle.
  ///
  /// - Parameter flow: the flow that declares them; nil for the file. They may read the captures of the file's setup.
  mutating func checkDeclarations(
    _ variables: KeyedSettings<ValueTemplate>, _ secrets: [SecretDeclaration], reading names: Set<String>,
    in flow: Int? = nil, into bag: inout DiagnosticBag
  ) {
    var declarations = variables.entries.map {
      Declaration(name: $0.key.text, range: $0.key.range, template: $0.value)
    }
    declarations += secrets.map { Declaration(name: $0.name, range: $0.range, template: $0.value) }
    for declaration in declarations {
      for reference in declaration.references where !isKnown(reference, among: names) {
        if let supplier = suppliers[reference.name]?.first(where: { flow == nil || requests[$0].flow == flow }) {
          guard reported.insert(reference.range).inserted else { continue }
          bag.error(
            "a variable cannot read `\(reference.name)`, which request \(requests[supplier].label) captures",
            at: reference.range,
            notes: [Diagnostic.Note("captured here", at: captureRange(reference.name, in: requests[supplier]))],
            help: "variables are evaluated once, before the captures: write the template in the request")
        } else {
          reportUnknown(reference, among: names, into: &bag)
        }
      }
    }
    checkCircles(among: declarations, into: &bag)
  }

  private mutating func checkCircles(among declarations: [Declaration], into bag: inout DiagnosticBag) {
    for circle in circles(among: declarations) where reported.insert(circle[0].range).inserted {
      bag.error(
        "these read each other in a circle: \(circle.map { "`\($0.name)`" }.joined(separator: " → "))",
        at: circle[0].range)
    }
  }

  // MARK: Rows

  /// The captures of a request with rows that become lists; for rows without a known number only those that something
  /// reads.
  func keptCaptures(of request: PlannedRequest) -> [String] {
    guard let rows = request.spec.rows else { return [] }
    let names = request.captureNames.filter { $0 != RowsSpec.nextCapture }
    guard rows.isStream else { return names }
    var read: Set<String> = []
    for other in requests where other !== request {
      for template in other.templates { read.formUnion(template.references.map(\.name)) }
    }
    return names.filter(read.contains)
  }

  // MARK: Selection

  /// The requests before others whose captures these read, directly or indirectly.
  func suppliers(of readers: Set<Int>) -> Set<Int> {
    var result: Set<Int> = []
    var pending = Array(readers)
    while let index = pending.popLast() {
      let request = requests[index]
      for name in Set(request.templates.flatMap(\.references).map(\.name)) {
        for supplier in suppliers[name] ?? []
        where supplier < index && sees(index, supplier) && result.insert(supplier).inserted {
          pending.append(supplier)
        }
      }
    }
    return result
  }
}

extension KeyedSettings<ValueTemplate> {
  /// The names that it declares, also those with unreadable values.
  fileprivate var names: Set<String> { Set(entries.map(\.key.text)).union(unreadableKeys) }
}

extension SourceRange {
  fileprivate func contains(_ other: SourceRange) -> Bool {
    source === other.source && bytes.lowerBound <= other.bytes.lowerBound && other.bytes.upperBound <= bytes.upperBound
  }
}

extension ProjectEnvironments {
  /// The message on a name that only environments declare, and the chosen one does not; nil if none does.
  fileprivate func message(on reference: TemplateReference) -> Diagnostic? {
    let setters = declaring(reference.name)
    guard let first = setters.first else { return nil }
    let names = setters.map { "`\($0)`" }.joined(separator: ", ")
    let help =
      if chosen != nil {
        "set it in this environment, too, or choose another with --env, such as --env \(first)"
      } else if let missing {
        "add the environment `\(missing)` to the project file, or choose another with --env, such as --env \(first)"
      } else {
        "choose one with --env, such as --env \(first), or by `default_environment` in the project file"
      }
    return .error(
      "`\(reference.name)` is set only by the environment\(setters.count == 1 ? "" : "s") \(names)",
      at: reference.range,
      notes: chosen.map { [Diagnostic.Note("the run has the environment `\($0.value)`", at: $0.range)] } ?? [],
      help: help)
  }
}
