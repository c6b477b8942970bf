import DocumentQueries
import Values

/// Files of REST Client, of the HTTP Client of JetBrains, and of httpyac.
enum HTTPFileImport {
  static let kind = ImportReader(
    extensions: ["http", "rest", "json"], recognizes: isRequests, read: read)

  private static func isRequests(_ source: ImportSource) -> Bool {
    if ["http", "rest"].contains(source.fileExtension) { return true }
    guard source.path == "requests" || source.fileExtension.isEmpty || source.fileExtension == "txt" else {
      return false
    }
    let start = String(decoding: source.bytes.prefix(1 << 14), as: UTF8.self)
    return start.split(whereSeparator: \.isNewline).contains { HTTPFile.isRequestLine(String($0)) }
  }

  private static func isEnvironment(_ source: ImportSource) -> Bool {
    let name = source.path.split(separator: "/").last.map { String($0).lowercased() } ?? ""
    return name.hasSuffix(".env.json")
  }

  private static func isPrivate(_ source: ImportSource) -> Bool {
    source.path.lowercased().hasSuffix("private.env.json")
  }

  private static func read(
    _ sources: [ImportSource], _ selection: ImportSelection, _ bag: inout DiagnosticBag
  ) -> ImportedCollection? {
    var collection = ImportedCollection()
    let files = sources.filter { $0.fileExtension != "json" }
    let environments = sources.filter(isEnvironment)
    // Private values replace those of others.
    for source in environments.filter({ !isPrivate($0) }) + environments.filter(isPrivate) {
      guard let root = collection.read([source], &bag, { $0.json(into: &$1)?.root }).first else { continue }
      readEnvironments(root, isPrivate: isPrivate(source), into: &collection)
    }
    let shared = Set((collection.variables + collection.environments.flatMap(\.variables)).map(\.name))
    let root = files.commonDepth
    let written = collection.read(files, &bag) { source, bag -> (source: ImportSource, file: HTTPFile)? in
      guard !source.bytes.contains(0) else {
        return source.refused(
          "is not a file of requests: it has zero bytes", help: "name a file of text, such as api.http", &bag)
      }
      let file = HTTPFile(source.text)
      for problem in file.problems {
        source.addError(
          problem.message, at: { $0.lineBytes(problem.line - 1) }, help: problem.help, isWarning: problem.isWarning,
          &bag)
      }
      return file.problems.allSatisfy(\.isWarning) ? (source: source, file: file) : nil
    }
    let imports = HTTPFileImports(written.map { ($0.source.path, $0.file) })
    // The places of files, and of named requests in them.
    var places: [Int: (file: Int, requests: [String: Int])] = [:]
    for index in imports.order {
      let (source, content) = written[index]
      var names = HTTPFileNames(
        content.blocks, variables: shared.union(content.variables.map(\.name)),
        imported: imports.requests(importedBy: index))
      let (file, requests) = file(source, content, below: root, names: &names)
      places[index] = (collection.files.count, requests)
      collection.files.append(file)
      for capture in names.captures where requests[capture.request] == nil {
        guard let place = imports.owner(of: capture.request, importedBy: index).flatMap({ places[$0] }),
          let request = place.requests[capture.request]
        else { continue }
        collection.files[place.file].requests[request].captures.set(capture.name, capture.source)
      }
      warn(of: file, source, &bag)
    }
    if files.isEmpty {
      bag.error(.importSource, "none of the files has requests", at: nil, help: "name a file such as api.http")
      return nil
    }
    return collection
  }

  // MARK: files

  /// Warns of methods that are most likely misspelt.
  private static func warn(of file: ImportedFile, _ source: ImportSource, _ bag: inout DiagnosticBag) {
    for request in file.requests {
      guard let method = request.method?.literal, !HTTPFile.methods.contains(method),
        let near = nearestWord(to: method, among: HTTPFile.methods)
      else { continue }
      bag.warning(
        .suspiciousRequest,
        "\(sanitizedForTerminal(source.path)): `\(sanitizedForTerminal(method))` is sent as it is written", at: nil,
        help: "did you mean `\(near)`?")
    }
  }

  /// A file, and the places of its named requests.
  private static func file(
    _ source: ImportSource, _ written: HTTPFile, below root: Int, names: inout HTTPFileNames
  ) -> (file: ImportedFile, requests: [String: Int]) {
    let folders = source.path.split(separator: "/").dropLast().dropFirst(root).map(String.init)
    var file = ImportedFile(path: folders.filter { $0 != ".." && $0 != "." } + [source.stem])
    if !written.namespaces.isEmpty {
      file.defaults.set(.namespaces, .mapping(written.namespaces.map { ($0.name, .text($0.value)) }))
    }
    // Later values are those of the requests after them.
    var later: [(variable: ImportedVariable, block: Int)] = []
    for (name, value, block) in written.variables {
      let variable = ImportedVariable(name: name, value: .text(names.text(value, at: nil)))
      if file.variables.contains(where: { $0.name == name }) {
        later.append((variable, block))
      } else {
        file.variables.append(variable)
      }
    }
    var requests: [Int: Int] = [:]
    // The places of the WebSockets that later requests go on with, by their URLs.
    var open: [String: Int] = [:]
    for (index, block) in written.blocks.enumerated() {
      guard !block.requestLine.isEmpty else {
        file.untranslated += block.others
        // Scripts that stand alone set variables of the file.
        var effects = ScriptEffects()
        for script in block.before + block.after {
          effects.read(ImportedScript(dialect: .http, text: script, isTest: false), isShared: false)
        }
        file.variables.addMissing(effects.variables)
        file.untranslated += effects.untranslated
        continue
      }
      guard var request = HTTPFileRequest.read(block, at: index, names: &names) else {
        let reason = block.requestLine.hasPrefix("curl ") ? "commands of curl" : "requests of other protocols"
        file.untranslated += block.others
        file.untranslated.remark(reason, block.requestLine)
        continue
      }
      let read = request.readVariables
      for (variable, block) in later where block <= index && read.contains(variable.name) {
        request.variables.removeAll { $0.name == variable.name }
        let isFirst = file.variables.contains { $0.name == variable.name && $0.value.isSame(as: variable.value) }
        if !isFirst { request.variables.append(variable) }
      }
      let url = request.url.source
      // What a request in between captures is not known at the first one.
      func readsCaptures(behind place: Int) -> Bool {
        file.requests[(place + 1)...].contains { $0.captures.contains { read.contains($0.key) } }
          || names.captures.contains { capture in
            read.contains(capture.name) && (names.place(of: capture.request).flatMap { requests[$0] } ?? -1) > place
          }
      }
      if let place = open[url], !readsCaptures(behind: place), file.requests[place].goOn(with: request) {
        requests[index] = place
        continue
      }
      if request.keepsStreaming { open[url] = file.requests.count }
      requests[index] = file.requests.count
      file.requests.append(request)
    }
    addCaptures(names, of: requests, to: &file)
    let tags = written.blocks.enumerated().flatMap { index, block in
      block.tags.filter { $0.name == "name" }.compactMap { tag in requests[index].map { (tag.value, $0) } }
    }
    return (file, Dictionary(tags, uniquingKeysWith: { one, _ in one }))
  }

  /// - Parameter requests: the places of the requests in the file, by their blocks.
  private static func addCaptures(_ names: HTTPFileNames, of requests: [Int: Int], to file: inout ImportedFile) {
    for capture in names.captures {
      guard let place = names.place(of: capture.request).flatMap({ requests[$0] }) else { continue }
      file.requests[place].captures.set(capture.name, capture.source)
    }
    // A variable of the file can't read a response: it is a capture itself.
    for index in file.variables.indices.reversed() {
      guard case .text(let text) = file.variables[index].value, text.parts.count == 1,
        case .variable(let name) = text.parts[0],
        let capture = names.captures.first(where: { $0.name == name }),
        let place = names.place(of: capture.request).flatMap({ requests[$0] })
      else { continue }
      file.requests[place].captures.removeAll { $0.key == name }
      file.requests[place].captures.set(file.variables[index].name, capture.source)
      file.variables.remove(at: index)
    }
  }

  // MARK: environments

  /// Reads `http-client.env.json`; all values of `http-client.private.env.json` are secrets.
  private static func readEnvironments(
    _ root: JSONNode, isPrivate: Bool, into collection: inout ImportedCollection
  ) {
    for (name, members) in root.members where members.kind == .mapping {
      var variables: [ImportedVariable] = []
      for (key, value) in members.members {
        if ["Security", "SSLConfiguration"].contains(key) || value.kind == .mapping && key.hasPrefix("$") {
          collection.untranslated.remark("settings of environments", "\(name): \(key)")
          continue
        }
        let written = ImportedValue(value) { text in
          .text(
            ImportedText(placeholdersIn: text) { part in
              part.hasPrefix("$") ? HTTPFileFunctions.part(part) ?? .unknown("{{\(part)}}") : .variable(part)
            })
        }
        variables.append(ImportedVariable(name: key, value: written, isSecret: isPrivate))
      }
      if name == "$shared" {
        collection.variables.addMissing(variables)
        continue
      }
      if let index = collection.environments.firstIndex(where: { $0.name == name }) {
        for variable in variables {
          collection.environments[index].variables.removeAll { $0.name == variable.name && isPrivate }
          collection.environments[index].variables.append(variable)
        }
      } else {
        collection.environments.append(ImportedEnvironment(name: name, variables: variables))
      }
    }
  }
}
