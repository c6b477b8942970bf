import APIContracts
import OperatingSystem
import RequestSpecs
import RunReports
import SpecExecution
import Values

/// The contents of specs, as far as they are known without sending anything.
public struct SpecListing: Sendable {
  /// A request that would run.
  public struct Request: Sendable, CustomStringConvertible {
    /// The path of the file as it was given.
    public let path: String
    /// The plan; it contains the values of secrets.
    fileprivate let planned: PlannedRequest

    /// The first line in its file, counted from 1.
    public var line: Int { planned.line }
    /// The stage of the request in its file.
    public var stage: RequestResult.Stage { RequestResult.Stage(planned.stage) }
    /// The request's own name, or method and URL as written.
    public var name: String { concealingSecrets(in: withoutUserinfo(planned.staticName)) }
    /// The name of its flow; nil for a request of the file itself.
    public var flow: String? { planned.flowName.map { concealingSecrets(in: withoutUserinfo($0)) } }
    /// The tags.
    public var tags: [String] { planned.tags }

    fileprivate var listed: ListingReport.Request {
      let address = concealingSecrets(in: withoutUserinfo(planned.staticAddress)).split(separator: " ", maxSplits: 1)
      let isSent = planned.spec.use == nil
      return ListingReport.Request(
        file: path, line: line, stage: planned.stage.rawValue, flow: flow, name: name,
        method: isSent ? address.first.map(String.init) : nil,
        url: isSent ? address.dropFirst().last.map { $0.trimming { $0 == "\"" || $0 == "'" } }.map(String.init) : nil,
        tags: tags)
    }

    /// One line: place, stage, flow, name, method and URL, and tags.
    public var description: String {
      let stage = planned.stage == .requests ? "" : "[\(planned.stage.rawValue)] "
      let flowName = flow.map { "\($0) › " } ?? ""
      let address = planned.spec.name == nil ? "" : "  " + concealingSecrets(in: withoutUserinfo(planned.staticAddress))
      let tagList = tags.isEmpty ? "" : "  #" + tags.joined(separator: " #")
      return withoutWorkflowCommands(
        sanitizedForTerminal("\(path):\(line): \(stage)\(flowName)\(name)\(address)\(tagList)"))
    }
  }

  /// The requests, in the order of their files.
  public internal(set) var requests: [Request] = []
  /// The variables of the files, if they were asked for.
  public internal(set) var variables: [Variable] = []
  /// The paths of the files whose variables are listed.
  var variablePaths: [String] = []
  /// The number of files that would run.
  public internal(set) var fileCount = 0
  /// The number of contracts that were checked by themselves.
  public internal(set) var contractCount = 0
  /// The number of files that are unreadable or invalid.
  public internal(set) var unreadableFiles = 0
  /// Indicates whether nothing would run, though there is no error.
  public internal(set) var selectedNothing = false
  /// Problems with files and options.
  public internal(set) var diagnostics: [Diagnostic] = []

  /// The forms for programs in which a listing can be written.
  public enum Format: String, Sendable, CaseIterable {
    /// One JSON document, of the form that ``Runner/listingSchema`` describes.
    case json
    /// The Static Analysis Results Interchange Format (SARIF 2.1.0).
    case sarif
    /// Annotations of GitHub Actions, as many as it shows.
    case github
  }

  /// The listing as programs read it.
  ///
  /// - Parameters:
  ///   - listsRequests: whether JSON has the requests.
  ///   - summary: the meaning of a diagnostic's code in one sentence, for SARIF.
  public func data(
    as format: Format, listsRequests: Bool = false, summary: (String) -> String? = { _ in nil }
  ) -> [UInt8] {
    let report = ListingReport(
      fileCount: fileCount, requestCount: requests.count, requests: listsRequests ? requests.map(\.listed) : [],
      problems: diagnostics.map { ($0.internalForm, $0.internalForm.edit.map { [$0] } ?? $0.triedEdits) })
    return switch format {
    case .json: report.json
    case .sarif: report.sarif(version: Runner.version) { summary($0.rawValue) }
    case .github: Array(diagnostics.annotations(workspace: environmentSetting("GITHUB_WORKSPACE")).utf8)
    }
  }

  /// The numbers of what was checked; empty if that is nothing.
  package var checkedText: String {
    let files = fileCount > 0 ? ["\(counted(fileCount, "file")) with \(counted(requests.count, "request"))"] : []
    return (files + (contractCount > 0 ? [counted(contractCount, "contract")] : [])).joined(separator: ", ")
  }

  /// The exit code for it: 0, 2 a file is invalid, 4 nothing was selected.
  public var exitCode: Int32 { unreadableFiles > 0 ? 2 : selectedNothing ? 4 : 0 }
}

/// The contents of specs for an editor. The places of names that were recorded are valid as long as it lives.
package struct SpecInspection: Sendable {
  package let diagnostics: [Values.Diagnostic]
  /// The open texts that are specs or project files, by canonical path.
  package var openSpecs: Set<String> { preparation.openSpecs }
  /// The paths of the OpenAPI documents that were given as specs, which are checked by themselves.
  package var contractPaths: Set<String> { Set(preparation.contractPaths) }
  /// Returns whether the open text with a canonical path is not even YAML.
  package func isUnreadable(_ path: String) -> Bool { preparation.unreadableTexts.contains(path) }
  /// The names of the environments of all project files.
  package var environmentNames: [String] { preparation.environmentNames }
  /// The specs that were read, with those that they need and use.
  package var specs: [LoadedSpec] { preparation.specs }
  /// The contracts in files that they name, also of specs with errors, which have no plan.
  package var contracts: [APIContract] {
    for spec in specs {
      for choice in spec.layers.compactMap(\.contract.document) { _ = preparation.contract(choice, of: spec.file.path) }
    }
    return preparation.contracts.all
  }
  package let plans: [PlannedFile]
  fileprivate let options: RunOptions
  fileprivate let preparation: RunPreparation

  /// The variables of the file at a path as it was given, as far as they are known without a response.
  package func variables(ofFileAt path: String) -> [SpecListing.Variable] {
    let spec = specs.first { $0.id == nil && $0.file.path == path }
    guard let spec, let plan = plans.first(where: { $0.path == path }) else { return [] }
    return VariableEvaluation(options, preparation).variables(of: plan, spec)
  }
}

extension Runner {
  /// Reads and validates all specs without sending anything.
  public func check() async -> SpecListing {
    await listing(checksContracts: true) { preparation, _ in
      preparation.nothingSelected.flatMap { $0.isOfEmptyDirectory ? $0.diagnostic : nil }
    }
  }

  /// Reads and validates all specs, and fails if no request is selected.
  public func list() async -> SpecListing {
    await listing { preparation, plans in
      plans.allSatisfy { $0.selectedCount == 0 } ? await preparation.reasonForNothing() : nil
    }
  }

  /// Reads and validates all specs, and evaluates their variables as far as they are known without a response.
  public func listVariables() async -> SpecListing {
    await listing(withVariables: true) { preparation, _ in
      preparation.nothingSelected.flatMap { $0.isOfEmptyDirectory ? $0.diagnostic : nil }
    }
  }

  /// - Parameter nothing: returns the reason why nothing would run.
  private func listing(
    withVariables: Bool = false, checksContracts: Bool = false,
    _ nothing: (RunPreparation, [PlannedFile]) async -> Values.Diagnostic?
  ) async -> SpecListing {
    var options = options
    options.contractUse = checksContracts ? .checked : .rejected
    var preparation = RunPreparation(options: options)
    let plans = await preparation.plan(startsServer: false)
    if checksContracts { preparation.checkContracts() }
    var listing = SpecListing()
    listing.fileCount = plans.count
    listing.contractCount = preparation.checkedContracts
    let running = plans.filter { $0.selectedCount > 0 }.withWholeNeeds.withNeeded
    listing.requests = running.flatMap { plan in
      plan.requestSteps.map { SpecListing.Request(path: path(of: $0.request, in: plan), planned: $0.request) }
    }
    if withVariables {
      let evaluation = VariableEvaluation(options, preparation)
      let specs = Dictionary(preparation.specs.map { ($0.file.path, $0) }, uniquingKeysWith: { $1 })
      for plan in running {
        listing.variablePaths.append(plan.path)
        if let spec = specs[plan.path] { listing.variables += evaluation.variables(of: plan, spec) }
      }
    }
    listing.unreadableFiles = preparation.unreadableFiles
    listing.diagnostics = preparation.bag.diagnostics.map { Diagnostic($0) }
    if preparation.unreadableFiles == 0, let reason = await nothing(preparation, plans) {
      listing.selectedNothing = reason.severity == .error
      listing.diagnostics.append(Diagnostic(reason))
    }
    return listing
  }

  /// Reads and validates all specs, as ``check()`` does, for an editor.
  package func inspect() async -> SpecInspection {
    var preparation = RunPreparation(options: options)
    let plans = await preparation.plan(startsServer: false)
    preparation.checkContracts()
    return SpecInspection(
      diagnostics: preparation.bag.diagnostics, plans: plans, options: options, preparation: preparation)
  }

  /// The path of a request, which may be in a file that the plan's file uses.
  private func path(of request: PlannedRequest, in plan: PlannedFile) -> String {
    let source = request.spec.range.source
    return source === plan.source ? plan.path : source.name
  }

  /// The words of a kind that the specs offer, each once, for completion; errors in files don't matter here.
  package func candidates(_ kind: String) async -> [String] {
    var preparation = RunPreparation(options: options)
    _ = await preparation.plan(startsServer: false)
    let words =
      switch kind {
      case "tags": preparation.nothingSelected?.tags ?? []
      case "environments": preparation.environmentNames
      default: preparation.nothingSelected?.names ?? []
      }
    return words.map { sanitizedForTerminal($0) }
  }
}
