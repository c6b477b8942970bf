import APIContracts
import Diagnostics
import RequestSpecs
import RunPlanning
import Templates
import Values

/// The contract of a file.
package struct FileContract: Sendable {
  let contract: APIContract
  /// Where the file, or what it extends, names the document.
  let range: SourceRange
}

/// A contract that cannot be had.
package struct ContractFailure: Sendable {
  /// Of the spec that names it.
  package let path: String
  package let diagnostics: [Diagnostic]
  /// Whether the network is to blame.
  package let isTransportError: Bool
}

extension RunContext {
  /// Reads the contracts of the files, those of running services too; what cannot be had is returned.
  package mutating func loadContracts(of files: [PlannedFile], from library: ContractLibrary) async -> [ContractFailure]
  {
    var failures: [ContractFailure] = []
    for file in files {
      guard let planned = file.contract else { continue }
      do throws(ContractFailure) {
        guard
          let contract = try await ContractLoading(file: file, planned: planned, context: self, library: library).load()
        else { continue }
        contracts[file.path] = FileContract(contract: contract, range: planned.choice.range)
      } catch {
        failures.append(error)
      }
    }
    return failures
  }
}

extension RunContext {
  /// How far the files' contracts have been exercised, each once, in the order of the files.
  package func coverage(of files: [PlannedFile]) -> [ContractCoverage] {
    var seen: Set<ObjectIdentifier> = []
    return files.compactMap { contracts[$0.path]?.contract }.filter { seen.insert(ObjectIdentifier($0)).inserted }
      .map(\.coverage)
  }
}

extension ContractFailure: Error {}

/// Reads the contract of one file.
private struct ContractLoading {
  /// The largest document that is fetched, in bytes.
  private static let sizeLimit: Int64 = 64 << 20

  let file: PlannedFile
  let planned: PlannedContract
  let context: RunContext
  let library: ContractLibrary

  /// Nil where the file turns out to have none.
  func load() async throws(ContractFailure) -> APIContract? {
    let prepared = PreparedFile(file, environment: context.environment, trace: context.trace)
    let scope = FileScope(
      environment: context.environment, names: prepared.names, projectValues: prepared.projectValues,
      secrets: SecretRegistry(copying: prepared.secrets), randomSeed: context.environment.seed,
      standsIn: context.isDryRun)
    let choice: ContractChoice
    do throws(TemplateError) {
      choice = try planned.choice.resolve(in: scope)
    } catch {
      throw failure(error, scope)
    }
    guard case .document(let text) = choice else { return nil }
    guard isAbsoluteURL(text.string) else {
      return try found(library.contract(file: text.string, from: planned.choice.range, spec: file.path))
    }
    // Whoever sends nothing fetches nothing.
    if context.isDryRun { return nil }
    if let known = library.known(text.string) { return try found(known) }
    return try await fetched(text, scope)
  }

  private func fetched(_ url: Text, _ scope: FileScope) async throws(ContractFailure) -> APIContract {
    let request = PreparedRequest(planned.request.planned(for: url), trace: TraceOptions(), readsBody: true)
    let resolved: ResolvedRequest
    var limits = context.defaults
    limits.maxBodyBytes = min(limits.maxBodyBytes, ContractLoading.sizeLimit)
    do throws(TemplateError) {
      resolved = try RequestResolver(request: request, scope: scope, defaults: limits).resolve()
    } catch {
      throw failure(error, scope)
    }
    let shown = resolved.shownURL
    let document: FetchedDocument
    do throws(DocumentFetchProblem) {
      document = try await context.fetch(
        request, resolved, in: scope, accept: "application/json, application/yaml;q=0.9, */*;q=0.8")
    } catch {
      throw failure(
        "the OpenAPI document at \(shown) could not be fetched: \(error.reason)", help: error.help,
        isTransportError: error.isTransportError)
    }
    return try found(
      library.contract(
        url: url.string, named: scope.registry.masked(shown), bytes: document.bytes, from: planned.choice.range))
  }

  // MARK: failures

  private func found(_ loaded: ContractLibrary.Loaded) throws(ContractFailure) -> APIContract {
    do throws(BrokenContract) {
      return try loaded.get()
    } catch {
      throw ContractFailure(path: file.path, diagnostics: error.diagnostics, isTransportError: false)
    }
  }

  private func failure(_ error: TemplateError, _ scope: FileScope) -> ContractFailure {
    let diagnostic = Diagnostic.error(
      scope.registry.masked(message: error.message), at: error.range ?? planned.choice.range, notes: error.notes,
      help: error.help.map(scope.registry.masked(message:)))
    return ContractFailure(path: file.path, diagnostics: [diagnostic], isTransportError: false)
  }

  private func failure(_ message: String, help: String?, isTransportError: Bool = false) -> ContractFailure {
    ContractFailure(
      path: file.path, diagnostics: [.error(message, at: planned.choice.range, help: help)],
      isTransportError: isTransportError)
  }
}
