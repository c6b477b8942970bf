import Values

/// Variables from the command line and dotenv files, converted to the type of the variable that they replace.
struct CommandOverrides {
  let options: PlanningOptions

  /// - Parameters:
  ///   - variables: the variables that they may replace.
  ///   - secrets: the secrets of the innermost scope.
  func typed(
    like variables: KeyedSettings<ValueTemplate>, _ secrets: [SecretDeclaration], into bag: inout DiagnosticBag
  ) -> [String: Value] {
    guard !options.environmentFile.isEmpty || !options.variables.isEmpty else { return [:] }
    let declared = Dictionary(
      variables.entries.map { ($0.key.text, $0) }, uniquingKeysWith: { first, _ in first })
    let secrets = Set(secrets.map(\.name))
    var given: [String: CommandVariable] = [:]
    for variable in options.environmentFile + options.variables { given[variable.name] = variable }
    var result: [String: Value] = [:]
    for (name, variable) in given.sorted(by: { $0.key < $1.key }) {
      let value = typed(variable, like: declared[name], into: &bag)
      result[name] = secrets.contains(name) ? value?.tainted : value
    }
    return result
  }

  private func typed(
    _ variable: CommandVariable, like entry: KeyedSettings<ValueTemplate>.Entry?, into bag: inout DiagnosticBag
  ) -> Value? {
    guard variable.isText, case .text(let text) = variable.value, let declared = entry?.value?.literal else {
      return variable.value
    }
    if let value = value(text.string, like: declared) { return value }
    // The content of a dotenv file may be secret, and isn't shown.
    let given = variable.place.map { "what \($0) gives" } ?? "\"\(jsonEscaped(text.masked))\""
    let isCollection = declared.kind == .list || declared.kind == .mapping
    let looksLikeJSON = ["[", "{"].contains { text.string.hasPrefix($0) } && !text.string.contains("'")
    let json = isCollection && looksLikeJSON && variable.place == nil ? text.masked : "…"
    bag.error(
      .wrongType,
      "`\(variable.name)` is declared as \(declared.kind.phrase), and \(given) is \(isCollection ? "text" : "not")",
      at: entry?.key.range,
      help: "give it as JSON\(isCollection ? "" : " to change its type"): --var '\(variable.name):=\(json)'")
    return nil
  }

  private func value(_ text: String, like declared: Value) -> Value? {
    switch declared {
    case .number: Number(parsing: text).map { .number($0) }
    case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .null: text == "null" ? .null : nil
    case .date: Timestamp(rfc3339: text).map { .date($0) }
    case .list, .mapping: nil
    case .text, .data: .text(text)
    }
  }
}
