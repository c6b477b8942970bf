import JSONSchemas
import RequestSpecs
import SpecExecution
import Values

/// The treatment of remote schemas.
enum SchemaNetwork: Sendable {
  /// References to them are errors.
  case refused
  /// References to them are allowed, but nothing is sent now.
  case silent
  case fetched
}

/// URLs of schemas, and the paths of the specs that need them.
struct WantedSchemas {
  private(set) var urls: [String] = []
  private(set) var specs: Set<String> = []

  mutating func add(_ urls: [String], for spec: String) {
    self.urls += urls.filter { !self.urls.contains($0) }
    specs.insert(spec)
  }
}

/// Fetches schemas, each once per run: at most 100 of them, in two minutes.
struct RemoteSchemas {
  static let countLimit = 100
  static let timeLimit = Duration.seconds(120)
  private static let jobs = 8

  let context: RunContext
  let request: DocumentRequest
  private var count = 0
  private let start = ContinuousClock.now
  /// Messages about those that could not be fetched.
  private(set) var transportFailures: Set<String> = []

  init(context: RunContext, request: DocumentRequest) {
    self.context = context
    self.request = request
  }

  /// Fetches the schemas, and adds them to the library.
  mutating func fetch(_ urls: [String], into library: SchemaLibrary) async {
    var rest = urls[...]
    while !rest.isEmpty {
      let some = rest.prefix(RemoteSchemas.jobs)
      rest = rest.dropFirst(some.count)
      guard count + some.count <= RemoteSchemas.countLimit else {
        refuse(some, "schemas refer to more than \(RemoteSchemas.countLimit) others of the network", library)
        continue
      }
      guard ContinuousClock.now - start < RemoteSchemas.timeLimit else {
        refuse(some, "fetching schemas takes more than two minutes", library)
        continue
      }
      count += some.count
      for (url, result) in await fetched(some) { add(result, at: url, to: library) }
    }
  }

  private func fetched(
    _ urls: ArraySlice<String>
  ) async -> [(String, Result<FetchedDocument, DocumentFetchProblem>)] {
    await withTaskGroup(of: (String, Result<FetchedDocument, DocumentFetchProblem>).self) { group in
      for url in urls {
        group.addTask { await fetched(url) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func fetched(_ url: String) async -> (String, Result<FetchedDocument, DocumentFetchProblem>) {
    do throws(DocumentFetchProblem) {
      return (url, .success(try await context.fetchSchema(at: url, by: request)))
    } catch {
      return (url, .failure(error))
    }
  }

  private mutating func add(
    _ result: Result<FetchedDocument, DocumentFetchProblem>, at url: String, to library: SchemaLibrary
  ) {
    switch result {
    case .success(let document): library.add(read(document, from: url), at: url)
    case .failure(let problem):
      let message = "the schema \(url) could not be fetched: \(problem.reason)"
      if problem.isTransportError { transportFailures.insert(message) }
      library.add(.failure(SchemaFetchProblem(.unresolvedReference, message, help: problem.help)), at: url)
    }
  }

  private func refuse(_ urls: ArraySlice<String>, _ reason: String, _ library: SchemaLibrary) {
    for url in urls {
      library.add(
        .failure(
          SchemaFetchProblem(
            .unresolvedReference, "the schema \(url) is not fetched: \(reason)", help: "save it in a file")),
        at: url)
    }
  }

  /// Relative references in it are relative to the URL after redirects (RFC 3986, 5.1.3).
  private func read(_ fetched: FetchedDocument, from url: String) -> Result<SchemaDocument, SchemaFetchProblem> {
    let location = fetched.url.string
    var bag = DiagnosticBag()
    let isYAML =
      [".yaml", ".yml"].contains { fetched.url.path.lowercased().hasSuffix($0) }
      || fetched.contentType?.lowercased().contains("yaml") ?? false
    let document =
      isYAML
      ? SchemaDocument(yaml: fetched.bytes, url: location, name: url, into: &bag)
      : SchemaDocument(jsonBytes: fetched.bytes, url: location, name: url, into: &bag)
    guard let document else {
      return .failure(SchemaFetchProblem(.unreadableFile, "\(url) cannot be read", diagnostics: bag.diagnostics))
    }
    return .success(document)
  }
}
