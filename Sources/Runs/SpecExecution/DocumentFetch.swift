import HTTPSemantics
import RequestSpecs
import Templates
import Values

package struct FetchedDocument: Sendable {
  package let bytes: [UInt8]
  /// The target of the last redirect.
  package let url: HTTPURL
  package let contentType: String?
}

/// The reason why a document could not be fetched.
package struct DocumentFetchProblem: Error, Sendable {
  /// The reason, such as `the response has the status 404`.
  package let reason: String
  package let help: String?
  /// Indicates whether the network is the cause.
  package let isTransportError: Bool
}

extension RunContext {
  /// Fetches a document for a scope, in which its secrets are registered.
  ///
  /// - Parameter accept: the accepted media types.
  func fetch(
    _ request: RequestStep, _ resolved: ResolvedRequest, in scope: FileScope, accept: String
  ) async throws(DocumentFetchProblem) -> FetchedDocument {
    resolved.register(in: scope.registry)
    let collector = ResponseCollector(request.interest, budget: storage)
    let client = HTTPClient(transport: transport(request.transport.kind))
    var outgoing = resolved.outgoing
    outgoing.headers.set("Accept", accept)
    let result = await control.supervise(.request, on: executor) { [outgoing] in
      await client.result(of: outgoing, isChecked: false, into: collector)
    }
    switch result {
    case .failure(let problem):
      if problem.error.kind == .cancelled, control.phase >= .draining {
        throw DocumentFetchProblem(reason: control.reason, help: nil, isTransportError: true)
      }
      let masked = { (text: String) in scope.registry.masked(resolved.masked(text)) }
      throw DocumentFetchProblem(
        reason: masked(problem.error.message),
        help: problem.error.kind == .tooLarge ? "save it in a file" : problem.error.help.map(masked),
        isTransportError: true)
    case .success(let response):
      guard (200..<300).contains(response.head.status) else {
        throw DocumentFetchProblem(
          reason: "the response has the status \(response.head.status)",
          help: "name the document's own URL; it is fetched without the headers and credentials of `defaults`",
          isTransportError: false)
      }
      guard let bytes = collector.wholeBody() else {
        throw DocumentFetchProblem(
          reason: collector.storageProblem ?? "it could not be stored", help: nil, isTransportError: false)
      }
      return FetchedDocument(
        bytes: bytes, url: response.finalURL, contentType: response.head.headers.first("Content-Type"))
    }
  }

  /// The schema at a URL, up to 16 MiB; limited to half a minute unless the command line has a timeout.
  package func fetchSchema(
    at url: String, by request: DocumentRequest
  ) async throws(DocumentFetchProblem) -> FetchedDocument {
    let planned = request.planned(for: Text(url))
    let prepared = RequestStep(planned, needs: [], readsBody: true)
    let names = DeclaredNames(path: planned.request.spec.range.source.name)
    let registry = SecretRegistry()
    environment.registerProxies(in: registry)
    let scope = FileScope(
      environment: environment, names: names, secrets: registry, seed: RandomSeed(environment.seed))
    var limits = defaults
    limits.maxBodyBytes = min(limits.maxBodyBytes, 16 << 20)
    limits.resourceTimeout = .seconds(30)
    let resolved: ResolvedRequest
    do throws(TemplateError) {
      resolved = try RequestResolver(request: prepared, scope: scope, defaults: limits).resolve()
    } catch {
      throw DocumentFetchProblem(reason: error.message, help: error.help, isTransportError: false)
    }
    return try await fetch(
      prepared, resolved, in: scope,
      accept: "application/schema+json, application/json, application/yaml;q=0.9, */*;q=0.8")
  }
}
