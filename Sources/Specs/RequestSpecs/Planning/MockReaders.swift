import Templates

extension SpecLayers {
  /// Returns whether something of a plan reads the project's mock: its address, also by variables, or its calls.
  ///
  /// - Parameters:
  ///   - given: the names with a value of the command line.
  ///   - requests: the selected requests.
  func readMock(_ given: Set<String>, in requests: [PlannedRequest], _ needs: [PlannedNeed]) -> Bool {
    guard layers.contains(where: \.hasMock) else { return false }
    var names = Set(["mock"]).subtracting(given)
    func isRead(by templates: [Template]) -> Bool {
      templates.contains { $0.references.contains { names.contains($0.name) } }
    }
    let scopes = scopes + file.flows.map { scope(of: $0) }
    let variables = scopes.flatMap(\.variables.entries).map { ($0.key.text, $0.value?.templates ?? []) }
    let secrets = scopes.flatMap(\.secrets).map { ($0.name, $0.value?.templates ?? []) }
    var others = (variables + secrets).filter { !given.contains($0.0) && !$0.1.isEmpty }
    while let reader = others.firstIndex(where: { isRead(by: $0.1) }) { names.insert(others.remove(at: reader).0) }
    if isRead(by: contractTemplates + needs.flatMap(\.arguments.templates)) { return true }
    for flow in file.flows {
      let rows = flow.rows.map { $0.sourceTemplates + $0.rowTemplates } ?? []
      if isRead(by: flow.conditionTemplates + rows + (flow.name?.templates ?? [])) { return true }
    }
    return requests.contains { request in
      var readsCalls = false
      request.settings.forEachSubject { subject, _ in if case .calls = subject { readsCalls = true } }
      return readsCalls || isRead(by: request.templates)
    }
  }
}
