import APIContracts
import HTTPSemantics
import JSONSchemas
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// The failure to load a contract.
package struct ContractFailure: Sendable {
  /// The path of the spec that names it.
  package let path: String
  package let diagnostics: [Diagnostic]
  /// Indicates whether the network is the cause.
  package let isTransportError: Bool
}

extension RunContext {
  /// Loads the contracts of the files, also those of running services; returns failures.
  package mutating func loadContracts(of files: [PlannedFile], from library: ContractLibrary) async -> [ContractFailure]
  {
    var failures: [ContractFailure] = []
    for file in files {
      if file.contracts.all.isEmpty { continue }
      do throws(ContractFailure) {
        var loaded = FileContracts(file: try await load(file.contracts.file, of: file, from: library))
        for (flow, planned) in file.contracts.flows {
          loaded.flows[flow] = .some(try await load(planned, of: file, from: library))
        }
        contracts[file.path] = loaded
      } catch {
        failures.append(error)
      }
    }
    return failures
  }

  private func load(
    _ planned: PlannedContract?, of file: PlannedFile, from library: ContractLibrary
  ) async throws(ContractFailure) -> FileContract? {
    guard let planned else { return nil }
    return try await ContractLoading(file: file, planned: planned, context: self, library: library).load()
  }
}

extension RunContext {
  /// The coverage of the files' contracts, each once, in the order of the files.
  package func coverage(of files: [PlannedFile]) -> [ContractCoverage] {
    distinctContracts(of: files).map { file in file.contract.coverage { text in file.registry.masked(text) } }
  }

  /// Warnings about fetched documents; those about files were reported during planning.
  package func warningsOfFetchedContracts(of files: [PlannedFile]) -> [Diagnostic] {
    distinctContracts(of: files).filter { isAbsoluteURL($0.contract.name) }.flatMap { file in
      file.contract.warnings.map(file.registry.concealing)
    }
  }

  /// Warnings about the schemas that responses were compared with.
  package func warningsOfSchemas(of files: [PlannedFile]) -> [Diagnostic] {
    distinctContracts(of: files).flatMap { file in file.contract.schemaWarnings.map(file.registry.concealing) }
  }

  private func distinctContracts(of files: [PlannedFile]) -> [FileContract] {
    var seen: Set<ObjectIdentifier> = []
    return files.flatMap { contracts[$0.path]?.all ?? [] }.filter {
      seen.insert(ObjectIdentifier($0.contract)).inserted
    }
  }
}

extension ContractFailure: Error {}

/// Loads one contract of a file.
private struct ContractLoading {
  /// The maximum size of a fetched document, in bytes.
  private static let sizeLimit: Int64 = 64 << 20

  let file: PlannedFile
  let planned: PlannedContract
  let context: RunContext
  let library: ContractLibrary

  /// Nil if there turns out to be none.
  func load() async throws(ContractFailure) -> FileContract? {
    let prepared = PreparedFile(file, environment: context.environment, needs: context.needs)
    let scope = FileScope(
      environment: context.environment, outer: prepared.outerScope, names: prepared.names,
      secrets: SecretRegistry(copying: prepared.secrets), seed: RandomSeed(context.environment.seed),
      standsIn: context.isDryRun)
    let choice: ContractChoice
    do throws(TemplateError) {
      choice = try planned.choice.resolve(in: scope)
    } catch {
      throw failure(error, scope)
    }
    guard case .document(let text, let format) = choice else { return nil }
    guard isAbsoluteURL(text.string) else {
      return try found(scope) {
        library.contract(file: text.string, format: format, from: planned.choice.range, spec: file.path)
      }
    }
    // Without sending, nothing is fetched.
    if context.isDryRun { return nil }
    scope.registry.add(text)
    if let known = library.known(text.string, format) { return try found(scope) { known } }
    return try await fetched(text, format, scope)
  }

  private func fetched(
    _ url: Text, _ format: SchemaOptions.FormatMode, _ scope: FileScope
  ) async throws(ContractFailure) -> FileContract {
    let request = RequestStep(planned.request.planned(for: url), needs: [], readsBody: true)
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
    return try found(scope) {
      library.contract(
        url: url.string, named: scope.registry.masked(shown), bytes: document.bytes, format: format,
        from: planned.choice.range)
    }
  }

  // MARK: failures

  private func found(
    _ scope: FileScope, _ load: () -> ContractLibrary.Loaded
  ) throws(ContractFailure) -> FileContract {
    let budget = context.control.evaluationBudget(.setup)
    let loaded = budget.limit(load)
    switch budget.exhaustion {
    case nil: break
    case .stopped: throw failure("the OpenAPI document was not read: \(context.control.reason)", help: nil)
    case .time:
      throw failure(
        "reading the OpenAPI document took longer than \(durationText(RunControl.evaluationLimit))",
        help: "name a smaller document")
    }
    do throws(BrokenContract) {
      return FileContract(contract: try loaded.get(), registry: scope.registry, range: planned.choice.range)
    } catch {
      throw ContractFailure(
        path: file.path, diagnostics: error.diagnostics.map(scope.registry.concealing), isTransportError: false)
    }
  }

  private func failure(_ error: TemplateError, _ scope: FileScope) -> ContractFailure {
    let diagnostic = Diagnostic.error(
      error.code, scope.registry.masked(message: error.message), at: error.range ?? planned.choice.range,
      notes: error.notes, help: error.help.map(scope.registry.masked(message:)))
    return ContractFailure(path: file.path, diagnostics: [diagnostic], isTransportError: false)
  }

  private func failure(_ message: String, help: String?, isTransportError: Bool = false) -> ContractFailure {
    ContractFailure(
      path: file.path, diagnostics: [.error(.failedRequest, message, at: planned.choice.range, help: help)],
      isTransportError: isTransportError)
  }
}
