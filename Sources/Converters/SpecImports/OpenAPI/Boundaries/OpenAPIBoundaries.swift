import APIContracts
import Values

/// Makes requests whose rows are at the bounds of an operation's schemas, and beyond them.
struct OpenAPIBoundaries {
  /// The imported request of an operation.
  struct Place {
    let file: [String]
    let request: ImportedRequest
    /// The members of its body that take their values from captures and variables.
    let bodyLinks: [String: ImportedText]
    /// The variable with the identifier that it chooses.
    let chosen: ImportedVariable?

    /// The members of the body for rows, each of which creates something else.
    var rowLinks: [String: ImportedText] {
      guard let chosen, request.method?.literal == "POST", case .text(let value) = chosen.value else {
        return bodyLinks
      }
      return bodyLinks.mapValues { $0 == ImportedText(.variable(chosen.name)) ? value : $0 }
    }
  }

  static let cut = "boundaries that take too long"

  let contract: APIContract
  let order: OperationOrder
  /// The imported requests by the labels of their operations.
  let requests: [String: Place]
  let time: ExampleTime

  /// The file beside an imported one; nil without rows.
  func file(beside file: ImportedFile) -> ImportedFile? {
    var result = ImportedFile(path: file.path)
    result.ending = ".boundaries"
    result.name = "\(file.name ?? file.path.last ?? ""): boundaries"
    result.settings = file.settings
    result.variables = file.variables
    // A row that fails says nothing of the others.
    result.defaults.set(.continueOnFailure, .bool(true))
    var creators = Creators(of: self)
    var rows: [ImportedRequest] = []
    var writers: [String: OpenAPIBoundaryRequests] = [:]
    let operations = contract.operations.filter { requests[$0.label]?.file == file.path }
    // Deletions come last: the others need the resources.
    for operation in operations.filter({ $0.method != "DELETE" }) + operations.filter({ $0.method == "DELETE" }) {
      guard let place = requests[operation.label] else { continue }
      let links = creators.links(for: operation)
      do throws(ContractProblem) {
        guard let example = try operation.example(in: contract.documents, within: time),
          let found = try operation.boundaries(of: example, in: contract.documents, within: time)
        else {
          result.untranslated.remark(OpenAPIBoundaries.cut, operation.label)
          continue
        }
        let writer = OpenAPIBoundaryRequests(
          operation: operation, request: place.request, example: example, links: links,
          needsCredentials: contract.needsCredentials(operation), bodyLinks: place.rowLinks)
        rows += writer.requests(found)
        writers[operation.label] = writer
        if found.more > 0 {
          result.untranslated.remark("boundaries beyond 200 of an operation", "\(operation.label): \(found.more) more")
        }
      } catch {
        // The import itself has the remark.
        continue
      }
    }
    var paths: Set<String> = []
    for operation in contract.operations where paths.insert(operation.path).inserted {
      let methods = undeclaredMethods(of: operation.path)
      guard let writer = writers[operation.label], !methods.isEmpty else { continue }
      // Deletions stay behind them.
      rows.insert(writer.request(undeclared: methods), at: rows.firstIndex(where: \.isTeardown) ?? rows.endIndex)
    }
    guard !rows.isEmpty else { return nil }
    result.requests = creators.requests + rows
    return result
  }

  /// The methods that neither a path nor another one that matches it declares; but DELETE, which may delete everything.
  private func undeclaredMethods(of path: String) -> [String] {
    ["PATCH", "PUT", "POST", "QUERY", "TRACE"].filter { method in
      if case .otherMethods = contract.match(method: method, path: path) { true } else { false }
    }
  }
}

extension APIContract {
  /// Returns whether an operation is refused without credentials.
  fileprivate func needsCredentials(_ operation: Operation) -> Bool {
    let requirements = security(of: operation)
    return !requirements.isEmpty && requirements.allSatisfy { $0.node.count > 0 }
  }
}

/// The requests that make what other operations need in their paths.
private struct Creators {
  private let boundaries: OpenAPIBoundaries
  private(set) var requests: [ImportedRequest] = []
  /// The captures by the operation that makes what they identify, and the parameter.
  private var known: [String: String] = [:]
  private var added: [String: Int] = [:]

  init(of boundaries: OpenAPIBoundaries) { self.boundaries = boundaries }

  /// The captures that the parameters of a path take their values from.
  mutating func links(for operation: Operation) -> [String: String] {
    var result: [String: String] = [:]
    for (name, maker, collection) in boundaries.order.creators(above: operation) {
      if maker === operation {
        result[name] = boundaries.requests[maker.label]?.chosen?.name
        continue
      }
      let type = boundaries.contract.type(ofParameter: name, of: operation)
      result[name] = capture(of: name, type, from: maker, String(collection))
    }
    return result
  }

  /// The capture of a parameter from the request that posts to a collection.
  private mutating func capture(
    of name: String, _ type: String?, from maker: Operation, _ collection: String
  ) -> String? {
    let key = maker.label + " " + name
    if let known = known[key] { return known }
    guard let place = boundaries.requests[maker.label] else { return nil }
    if let chosen = place.chosen {
      _ = index(of: maker, place.request)
      known[key] = chosen.name
      return chosen.name
    }
    guard let response = maker.successResponse,
      let member = boundaries.contract.identifier(name, type: type, of: collection, inContent: response.node)
    else { return nil }
    let index = index(of: maker, place.request)
    let capture = "made_" + snakeCase(name)
    let name = known.values.contains(capture) ? "\(capture)_\(known.count + 1)" : capture
    requests[index].captures.append((name, .text(member.reduce("$") { $0 + jsonPathSegment($1) })))
    known[key] = name
    return name
  }

  /// The place of the request that makes something, which is added once.
  private mutating func index(of maker: Operation, _ original: ImportedRequest) -> Int {
    if let known = added[maker.label] { return known }
    // Its own path may need something, too; paths get shorter.
    let links = links(for: maker)
    var request = original
    request.captures = []
    request.comments = []
    request.untranslated = []
    request.link(links)
    added[maker.label] = requests.count
    requests.append(request)
    return requests.count - 1
  }
}

extension ImportedRequest {
  /// Takes the values of parameters in the path from captures.
  mutating func link(_ links: [String: String]) {
    var pairs = settings[.path]?.members ?? []
    for (index, pair) in pairs.enumerated() {
      if let capture = links[pair.key] { pairs[index].value = .text(ImportedText(.variable(capture))) }
    }
    if !pairs.isEmpty { settings.set(.path, .mapping(pairs)) }
  }
}
