import DocumentQueries
import HTTPSemantics
import RequestSpecs
import SpecExecution
import Values

extension SpecForm {
  /// A collection for Postman (v2.1) with a folder for each file, and an environment for its secrets.
  package static let postman = SpecForm(supports: { PostmanCollectionWriter.name(of: $0) != nil }) { files, words in
    var collection = PostmanCollectionWriter(words)
    for file in files { collection.add(file) }
    return collection.finished(files)
  }
}

/// A collection for Postman that sends the requests of specs.
private struct PostmanCollectionWriter {
  private let words: ExportWords
  private var export = SpecExport()
  private var folders: [Value] = []
  /// The values of collection variables by their names, in their order.
  private var variables: [(name: String, value: Value)] = []
  private var places: [String: Int] = [:]
  /// The values of variables so far, as their definitions.
  private var values: [String: String] = [:]
  private var captures = KnownCaptures()

  init(_ words: ExportWords) { self.words = words }

  static func name(of function: ExportFunction) -> String? {
    switch function {
    case .uuid: "$guid"
    case .now: "$isoTimestamp"
    case .timestamp: "$timestamp"
    case .randomInteger(0, 1000): "$randomInt"
    case .randomInteger, .randomText: nil
    }
  }

  private var curly: CurlyRendering {
    CurlyRendering(words: words, function: { PostmanCollectionWriter.name(of: $0) }, json: { "{{\($0)_json}}" })
  }

  mutating func add(_ file: ExportedFile) {
    captures = KnownCaptures()
    // Values that are made are made anew for each file, others stay.
    values = values.filter { !$0.value.contains("{{$") }
    let wanted = file.capturesAsJSON
    let items = file.requests.compactMap { item($0, wanted) }
    export.add(file)
    guard !items.isEmpty else { return }
    folders.append(jsonObject(["name": .text(file.name), "item": .list(items)]))
  }

  func finished(_ files: [ExportedFile]) -> SpecExport {
    var export = export
    let title = files.count == 1 ? files[0].title ?? files[0].heading : "Specs"
    let collection = jsonObject([
      "info": jsonObject([
        "name": .text(title),
        "schema": .text("https://schema.getpostman.com/json/collection/v2.1.0/collection.json"),
      ]),
      "item": .list(folders),
      "variable": variables.isEmpty
        ? nil
        : .list(variables.map { jsonObject(["key": .text($0.name), "value": $0.value]) }),
    ])
    export.files.append(("postman_collection.json", collection.document))
    guard !export.environment.isEmpty else { return export }
    let secrets = export.environment.map { name in
      jsonObject([
        "key": .text(exportedName(name)), "value": .text(""), "type": .text("secret"), "enabled": .bool(true),
      ])
    }
    let environment = jsonObject([
      "name": .text(title), "values": .list(secrets), "_postman_variable_scope": .text("environment"),
    ])
    export.files.append(("postman_environment.json", environment.document))
    return export
  }

  // MARK: requests

  private mutating func item(_ request: ExportedRequest, _ wantedJSON: Set<String>) -> Value? {
    if let reason = unsendable(request) {
      export.remarks.leaveOut(request, reason)
      return nil
    }
    for reason in unsaid(request) { export.remarks.add(reason, request) }
    let before = prerequest(request)
    let after = test(request, wantedJSON)
    var events: [Value] = []
    for (name, lines) in [("prerequest", before), ("test", after)] where !lines.isEmpty {
      events.append(
        jsonObject([
          "listen": .text(name),
          "script": jsonObject(["type": .text("text/javascript"), "exec": .list(texts: lines)]),
        ]))
    }
    let writer = PostmanRequestWriter(request, words, curly)
    for reason in writer.missing { export.remarks.add(reason, request) }
    export.files += [writer.file].compactMap(\.self)
    return jsonObject([
      "name": .text(request.label), "event": events.isEmpty ? nil : .list(events), "request": writer.value,
      "response": .list([]), "protocolProfileBehavior": writer.behavior,
    ])
  }

  private func unsendable(_ request: ExportedRequest) -> String? {
    if let reason = request.obstacle(for: "Postman", after: captures) { return reason }
    switch request.request.credentials {
    case .negotiate?, .netrc?: return "Postman lacks its authentication"
    default: return nil
    }
  }

  private func unsaid(_ request: ExportedRequest) -> [String] {
    let resolved = request.request
    var reasons = request.keysThatClientsLack
    if resolved.transfer != nil { reasons.append("`download`") }
    if case .none = resolved.session.cookies { reasons.append("`session.cookies: none`") }
    var options = resolved.outgoing.options
    options.tls.verifies = true
    if !options.isPlain { reasons.append("settings of the connection") }
    let timeout = request.step.settings.timeout
    if timeout.resource.value != nil || timeout.connect.value != nil || timeout.request.value != nil {
      reasons.append("`timeout`")
    }
    return reasons + request.linkRemarks(words)
  }

  /// Sets the variables that have another value from here on.
  private mutating func prerequest(_ request: ExportedRequest) -> [String] {
    var lines: [String] = []
    for variable in request.variables {
      let name = exportedName(variable.name)
      let text = variable.value.asText.string
      let definition = curly(text)
      let before = values[name]
      if before == definition, !variable.isOfRequest { continue }
      values[name] = definition
      let isComputed = words.values(in: text).contains { if case .function = $0.plain { true } else { false } }
      if let place = places[name] {
        let isUnchanged = before == nil && variables[place].value.asText.string == definition
        if !isComputed, !variable.isOfRequest, isUnchanged { continue }
      } else {
        let isPlain = !isComputed && !variable.isOfRequest
        let isOpen = ExportWords.hasWord(text[...])
        places[name] = variables.count
        variables.append((name, isPlain ? (isOpen ? .text(definition) : variable.value.plainJSON) : .text("")))
        if isPlain { continue }
      }
      lines.append(
        "pm.collectionVariables.set(\(ScriptText.quoted(name)), pm.variables.replaceIn(\(ScriptText.quoted(definition))))"
      )
    }
    return lines
  }

  private mutating func test(_ request: ExportedRequest, _ wantedJSON: Set<String>) -> [String] {
    var lines: [String] = []
    let script = ScriptText(curly: curly, client: .postman)
    if let status = request.checks.status { lines += script.test("status", script.status(status)) }
    for check in request.checks.checks {
      if let condition = script.condition(check) {
        lines += script.test(check.label, condition)
      } else {
        export.remarks.add("`expect.\(check.key)` in Postman", request)
      }
    }
    for capture in request.checks.captures {
      guard let value = script.value(of: capture) else {
        export.remarks.add("`capture` of \(capture.key) in Postman", request)
        continue
      }
      captures.add(capture.name)
      let name = exportedName(capture.name)
      lines.append(script.set(name, value))
      if wantedJSON.contains(capture.name) { lines.append(script.set("\(name)_json", "JSON.stringify(\(value))")) }
    }
    return lines
  }
}

extension Value {
  /// The value as JSON has it.
  fileprivate var plainJSON: Value {
    switch self {
    case .text, .number, .bool, .null: self
    default: .text(asText)
    }
  }
}
