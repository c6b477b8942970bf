import Values

/// Reads the files of Hurl.
enum HurlImport {
  static let kind = ImportReader(
    extensions: ["hurl"], recognizes: { $0.fileExtension == "hurl" }, read: read)

  @Sendable static func read(
    _ sources: [ImportSource], _ selection: ImportSelection, _ bag: inout DiagnosticBag
  ) -> ImportedCollection? {
    var collection = ImportedCollection()
    let isTable = { (source: ImportSource) in source.fileExtension != "hurl" && sources.count > 1 }
    let files = sources.filter { !isTable($0) }
    let depth = files.commonDepth
    collection.files = collection.read(files, &bag) { file($0, below: depth, &$1) }
    let tables = sources.filter(isTable).map { ImportedEnvironment(name: $0.stem, variables: variables($0.text)) }
    if tables.count == 1 { collection.variables = tables[0].variables } else { collection.environments = tables }
    collection.sharesCaptures = false
    return collection
  }

  /// The lines `name=value` of a file of variables.
  private static func variables(_ text: String) -> [ImportedVariable] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      let line = String(line).trimmed
      guard !line.hasPrefix("#"), let (name, value) = line.pair(at: "=") else { return nil }
      return name.isEmpty ? nil : ImportedVariable(name: name, value: typed(ImportedText(value)))
    }
  }

  /// A value that Hurl takes for a number, a boolean or null has that type.
  static func typed(_ text: ImportedText) -> ImportedValue {
    guard let literal = text.literal else { return .text(text) }
    switch literal {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .node(.null)
    default: break
    }
    var reader = HurlReader(bytes: Array(literal.utf8))
    let digits = literal.drop { $0 == "-" }
    if reader.number() != nil, reader.isAtEnd, !digits.hasPrefix("0") || digits.hasPrefix("0.") || digits == "0" {
      return .node(.number(literal))
    }
    if literal.count > 1, literal.hasPrefix("\""), literal.hasSuffix("\"") {
      return .text(String(literal.dropFirst().dropLast()))
    }
    return .text(literal)
  }

  // MARK: files

  private static func file(
    _ source: ImportSource, below depth: Int, _ bag: inout DiagnosticBag
  ) -> ImportedFile? {
    let parser = HurlParser(Array(source.text.utf8))
    if let (range, message, help) = parser.failure {
      source.addError(message, at: { _ in range }, help: help, &bag)
      return nil
    }
    let folders = source.path.split(separator: "/").dropLast().dropFirst(depth).map(String.init)
    var file = ImportedFile(path: folders + [source.stem])
    file.comments = parser.comments
    var variables = HurlVariables(parser.entries)
    file.variables = variables.shared
    let names = parser.entries.reduce(into: Set<String>()) { names, entry in
      names.formUnion(entry.names)
      names.formUnion(entry.response?.captures.map(\.name) ?? [])
    }
    var taken = names.union(variables.shared.map(\.name))
    var lost: Set<String> = []
    for (index, entry) in parser.entries.enumerated() {
      var request = entry.request(taken: &taken, lost: &lost)
      variables.apply(to: &request, of: entry, at: index)
      file.requests.append(request)
    }
    return file
  }
}

extension HurlEntry {
  /// The entry as a request.
  fileprivate func request(taken: inout Set<String>, lost: inout Set<String>) -> ImportedRequest {
    var request = request
    if !options.contains(where: { $0.name == "path-as-is" }) { request.url = request.url.withoutDotSegments }
    let (name, comments) = Self.title(self.comments)
    request.name = name
    request.comments = comments + innerComments
    if !query.isEmpty {
      let members = query.map { (key: $0.name, value: ImportedValue.text($0.value)) }.grouped()
      request.settings.set(.query, .keyed(members.map { ($0, $1.count == 1 ? $1[0] : .list($1)) }))
    }
    request.body =
      request.body ?? (multipart.isEmpty ? form.isEmpty ? nil : .form(form) : .multipart(multipart))
    if let response {
      var checks = HurlChecks(taken: taken, lost: lost)
      checks.read(response)
      lost = checks.lost
      taken.formUnion(checks.captures.map(\.key))
      request.captures = checks.captures
      request.expect = checks.expect
      request.untranslated += checks.untranslated
    }
    // Hurl checks what is written, and nothing else.
    if !request.expect.contains(where: { $0.key == "status" }) { request.settings.set(.validate, .text("none")) }
    apply(to: &request)
    return request
  }

  /// A single line of comment is the request's name.
  private static func title(_ comments: [String]) -> (name: String?, comments: [String]) {
    let lines = comments.filter { !$0.trimmed.isEmpty }
    guard lines.count == 1, lines[0].utf8.count <= 72, !lines[0].contains("://"),
      lines[0].trimmed.first.map({ $0.isLetter || $0.isNumber }) ?? false
    else { return (nil, lines) }
    var name = lines[0].trimmed
    while let last = name.last, ":.".contains(last) { name.removeLast() }
    return (name, [])
  }
}

/// The variables that entries set for themselves and those after them.
struct HurlVariables {
  /// Variables with one value in the whole file.
  private(set) var shared: [ImportedVariable] = []
  /// The values that entries set, by the entry, for names that have several.
  private var own: [Int: [(name: String, value: ImportedValue)]] = [:]
  private var current: [(key: String, value: ImportedValue)] = []
  private var captured: Set<String> = []

  init(_ entries: [HurlEntry]) {
    var settings: [(name: String, value: ImportedText, entry: Int)] = []
    for (index, entry) in entries.enumerated() {
      for option in entry.options where option.name == "variable" {
        guard let (name, value) = option.value.split(at: "="), let name = name.trimmed.literal else { continue }
        settings.append((name, value.trimmed, index))
      }
    }
    let captured = Set(entries.flatMap { $0.response?.captures.map(\.name) ?? [] })
    for (name, value, index) in settings {
      let isOnly = settings.count { $0.name == name } == 1 && !captured.contains(name)
      if isOnly, !entries[..<index].contains(where: { $0.names.contains(name) }) {
        shared.append(ImportedVariable(name: name, value: HurlImport.typed(value)))
      } else {
        own[index, default: []].append((name, HurlImport.typed(value)))
      }
    }
  }

  /// Sets the variables that an entry reads, and that it or one before it has set.
  mutating func apply(to request: inout ImportedRequest, of entry: HurlEntry, at index: Int) {
    for (name, value) in own[index] ?? [] {
      if captured.contains(name) {
        request.remark("variables that replace captures", "variable: \(name)")
      } else {
        current.set(name, value)
      }
    }
    for capture in entry.response?.captures ?? [] {
      captured.insert(capture.name)
      if current.contains(where: { $0.key == capture.name }) {
        if own[index]?.contains(where: { $0.name == capture.name }) ?? false || entry.names.contains(capture.name) {
          request.remark("variables that replace captures", capture.source)
        }
        current.removeAll { $0.key == capture.name }
      }
    }
    let read = current.filter { entry.names.contains($0.key) || entry.asserted.contains($0.key) }
    request.variables = read.map { ImportedVariable(name: $0.key, value: $0.value) }
    // Rows are made before the request has its variables.
    if case .text(let count)? = request.settings[.each]?.members?.first?.value,
      let value = read.first(where: { count.parts == [.variable($0.key)] })?.value
    {
      request.settings.set(.each, "count", value)
      let names = request.readVariables.union(entry.asserted)
      request.variables.removeAll { !names.contains($0.name) }
    }
  }
}

extension HurlEntry {
  /// The names of variables that assertions and captures look at.
  fileprivate var asserted: Set<String> {
    let queries = (response?.asserts.map(\.query) ?? []) + (response?.captures.map(\.query) ?? [])
    return Set(
      queries.compactMap { query in
        guard query.word == "variable", case .text(let name)? = query.argument else { return nil }
        return name.literal
      })
  }
}
