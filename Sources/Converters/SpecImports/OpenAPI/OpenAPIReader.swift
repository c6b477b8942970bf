import APIContracts
import Values

/// Reads the operations of one document.
struct OpenAPIReader {
  let contract: APIContract
  /// The location of the document.
  let location: String
  /// The locations of the document, and of those that it refers to.
  let locations: [String]
  /// The folder for its files where there are several documents.
  let folder: String?
  let stem: String
  /// The scheme and the host of the document; nil for a file.
  let origin: String?
  /// References to files that were not given.
  let missing: [ContractProblem]

  private var root: DocumentNode { contract.documents.main.root }

  /// - Returns: The requests by the labels of their operations.
  func read(
    into collection: inout ImportedCollection, _ copies: OpenAPICopies, _ time: ExampleTime
  ) -> [String: OpenAPIBoundaries.Place] {
    let info = root["info"]
    collection.name = collection.name ?? info?["title"]?.string
    collection.description = collection.description ?? info?["description"]?.string.flatMap(firstParagraph)
    // The remarks on parts of no single operation are in the first file.
    var untranslated: [Untranslated] = []
    let servers = OpenAPIServers(
      root["servers"], name: folder.map { snakeCase($0) + "_base_url" } ?? "base_url", origin: origin)
    servers.declare(in: &collection, untranslated: &untranslated)
    let security = OpenAPISecurity(contract, base: servers.base)
    let order = OperationOrder(contract.operations)
    var links = OpenAPILinks(contract, order) { fileName(of: $0) }
    links.read()
    var files: [ImportedFile] = []
    var places: [String: Int] = [:]
    var requests: [String: OpenAPIBoundaries.Place] = [:]
    for name in contract.operations.map(fileName) where places[name] == nil {
      places[name] = files.count
      files.append(file(named: name, copies))
    }
    for operation in order.operations {
      guard let place = places[fileName(of: operation)] else { continue }
      let reader = OpenAPIRequest(
        operation: operation, documents: contract.documents, time: time, base: servers.base, security: security,
        links: links)
      var request = reader.request(&collection.attachments)
      // The teardown deletes it after a failure, too.
      request.isTeardown = order.isDeletion(operation) && links.isOwn(operation)
      requests[operation.label] = .init(
        file: files[place].path, request: request, bodyLinks: links.bodyMembers(of: operation),
        chosen: links.chosen[operation.label])
      files[place].requests.append(request)
    }
    for (name, place) in places {
      files[place].requests.putTeardownLast()
      files[place].variables = links.variables[name] ?? []
    }
    security.declare(in: &collection, untranslated: &untranslated)
    for (name, _) in root["webhooks"]?.members ?? [] {
      untranslated.remark("webhooks", name)
    }
    for problem in missing {
      untranslated.remark("references to missing files", problem.message)
    }
    if files.isEmpty { collection.untranslated += untranslated } else { files[0].untranslated = untranslated }
    collection.files += files
    return requests
  }

  /// The first tag of an operation, by which files are named; the title of the document without one.
  private func fileName(of operation: Operation) -> String {
    operation.node["tags"]?.items.first?.scalarText.flatMap { $0.isEmpty ? nil : $0 }
      ?? root["info"]?["title"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? stem
  }

  private func file(named name: String, _ copies: OpenAPICopies) -> ImportedFile {
    var file = ImportedFile(path: (folder.map { [$0] } ?? []) + [name])
    let tag = root["tags"]?.items.first { $0["name"]?.string == name }
    file.name = tag?["summary"]?.string ?? name
    file.description = tag?["description"]?.string.flatMap(firstParagraph)
    let up = String(repeating: "../", count: file.path.count - 1)
    file.settings.set(.openapi, .text(up + copies.path(of: location)))
    return file
  }
}

/// The first line of a text of Markdown, if it is a sentence for people.
private func firstParagraph(_ text: String) -> String? {
  let line = text.split(whereSeparator: \.isNewline).first.map { String($0).trimmed } ?? ""
  return line.isEmpty || line.hasPrefix("#") || line.hasPrefix("<") || line.count > 300 ? nil : line
}

extension [ImportedRequest] {
  /// Moves the requests of the teardown behind the others, the last of them first.
  fileprivate mutating func putTeardownLast() {
    let (others, teardown) = (filter { !$0.isTeardown }, filter(\.isTeardown))
    self = others + teardown.reversed()
  }
}
