import Templates
import Values

/// The names that templates of a file can read, their sources, and names that have none.
struct ReadableNames {
  let requests: [PlannedRequest]
  let flows: [FlowSpec]
  /// Names that have a value before the first request: variables, secrets, and what the command and the run set.
  let declared: Set<String>
  /// The names among them that come from other files, which run before.
  let needed: NeededNames
  /// The requests that capture a name, in order.
  let suppliers: [String: [Int]]
  /// The names that unreadable keys would have declared.
  let missed: MissedNames
  let environments: ProjectEnvironments?
  /// The requests with variables of their own, by the names of these.
  let owners: [String: Int]
  /// The names that no template has read so far.
  private(set) var unread: Set<String>
  /// The places of ``declared`` names; empty unless names are recorded.
  let declarations: [String: NameOrigin]
  let recorder: NameRecorder?
  /// The names that several requests capture, and the requests that read them.
  let recaptured: Set<String>
  var readers: [String: Set<Int>] = [:]
  /// References that have been reported; those in defaults are shared by many requests.
  var reported: Set<SourceRange> = []

  init(
    declared: Set<String>, needed: NeededNames = NeededNames(), requests: [PlannedRequest], flows: [FlowSpec] = [],
    missed: MissedNames, environments: ProjectEnvironments? = nil, declarations: [String: NameOrigin] = [:],
    recorder: NameRecorder? = nil
  ) {
    (self.declarations, self.recorder) = (declarations, recorder)
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
    recaptured = Set(suppliers.filter { $1.count > 1 }.keys)
    unread = []
    unread = allNames
  }

  /// The names that have a value somewhere in the file.
  var allNames: Set<String> {
    flows.reduce(into: declared.union(suppliers.keys).union(owners.keys)) { $0.formUnion($1.variables.names) }
  }

  /// These, and those of rows if there are any.
  var allNamesAndRows: Set<String> {
    let hasRows = flows.contains { $0.rows != nil } || requests.contains { $0.spec.rows != nil }
    return hasRows ? allNames.union(rowNames) : allNames
  }

  // MARK: Requests

  /// Checks the names that requests and flows read, in their order, and those in defaults that no request takes.
  mutating func checkRequests(defaults: RequestSettings?, into bag: inout DiagnosticBag) {
    var known = declared
    /// The names that are known outside of flows.
    var knownToFile = declared
    var flow: Int?
    /// The WebSocket during which requests are sent.
    var parent: Int?
    for (index, request) in requests.enumerated() {
      if request.flow != flow {
        if flow == nil { knownToFile = known }
        known = knownToFile
        flow = request.flow
        if let flow { begin(flows[flow], at: index, &known, into: &bag) }
      }
      if let number = request.parent, number != parent {
        // It comes after them, and what `send` captures before.
        parent = number
        known.formUnion(requests[index...].first { $0.number == number }?.messageCaptureNames ?? [])
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
        checkMocks(of: request, at: index, known: known, into: &bag)
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
      checkMocks(of: request, at: index, known: inRow, into: &bag)
      known.formUnion(request.captureNames)
    }
    let all = allNamesAndRows
    for defaults in ([defaults] + flows.map(\.defaults)).compactMap(\.self) {
      for template in defaults.sendingTemplates + defaults.checkingTemplates {
        for reference in template.references {
          record(reference, among: all, at: nil)
          if !isKnown(reference, among: all) { reportUnknown(reference, among: all, into: &bag) }
        }
      }
    }
  }

  /// Reports `row_count` where only the last response decides it.
  private mutating func checkRowCount(of request: PlannedRequest, into bag: inout DiagnosticBag) {
    let templates = request.templates + request.settings.checkingTemplates
    for reference in templates.flatMap(\.references) where reference.name == "row_count" {
      guard reported.insert(reference.range).inserted else { continue }
      bag.error(
        .unavailableName, "`row_count` is not known before the last row of `next`", at: reference.range,
        help: "read `row_index`")
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
          .unavailableName,
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
        .conflictingNames,
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
        .conflictingNames, "the file's `setup` captures `\(entry.key.text)`, too", at: entry.key.range,
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
  func sees(_ reader: Int, _ supplier: Int) -> Bool {
    let flow = requests[supplier].flow
    return flow == nil || flow == requests[reader].flow
  }

  /// Returns whether a name that a template reads is among those that have a value there, and notes that it is read.
  mutating func isKnown(_ reference: TemplateReference, among names: Set<String>) -> Bool {
    if !unread.isEmpty { unread.remove(reference.name) }
    return reference.name == "env" || names.contains(reference.name)
  }

  mutating func check(
    _ template: Template, known: Set<String>, at index: Int, into bag: inout DiagnosticBag
  ) {
    for reference in template.references {
      record(reference, among: known, at: index)
      if !recaptured.isEmpty, recaptured.contains(reference.name) { readers[reference.name, default: []].insert(index) }
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
}
