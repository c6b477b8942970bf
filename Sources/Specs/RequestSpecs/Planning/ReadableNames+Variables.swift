import Templates
import Values

extension ReadableNames {
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
      for reference in declaration.references {
        record(reference, among: names, at: nil)
        if isKnown(reference, among: names) { continue }
        if let supplier = suppliers[reference.name]?.first(where: { flow == nil || requests[$0].flow == flow }) {
          guard reported.insert(reference.range).inserted else { continue }
          bag.error(
            .unavailableName,
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

  mutating func checkCircles(among declarations: [Declaration], into bag: inout DiagnosticBag) {
    for circle in circles(among: declarations) where reported.insert(circle[0].range).inserted {
      bag.error(
        .circularReference,
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

  /// Checks the names in a request's mocked responses, which read what was sent, too.
  mutating func checkMocks(
    of request: PlannedRequest, at index: Int, known: Set<String>, into bag: inout DiagnosticBag
  ) {
    for template in request.spec.mocks.flatMap(\.templates) {
      check(template, known: known.union([MockSpec.requestName]), at: index, into: &bag)
    }
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
  var names: Set<String> { Set(entries.map(\.key.text)).union(unreadableKeys) }
}
