import Diagnostics
import RunPlanning
import RunReports
import RunScopes
import SpecExecution
import Values

/// The contents of specs, as far as they are known without sending anything.
public struct SpecListing: Sendable {
  /// A request that would run.
  public struct Request: Sendable, CustomStringConvertible {
    /// The path of the file as it was given.
    public let path: String
    /// The first line in its file, counted from 1.
    public let line: Int
    /// The stage of the request in its file.
    public let stage: RequestResult.Stage
    /// The request's own name, or method and URL as written.
    public let name: String
    /// The name of its flow; nil for a request of the file itself.
    public let flow: String?
    /// The tags.
    public let tags: [String]
    /// One line: place, stage, flow, name, method and URL, and tags.
    public let description: String
  }

  /// The requests, in the order of their files.
  public internal(set) var requests: [Request] = []
  /// The number of files that would run.
  public internal(set) var fileCount = 0
  /// The number of files that are unreadable or invalid.
  public internal(set) var unreadableFiles = 0
  /// Indicates whether nothing would run, though there is no error.
  public internal(set) var selectedNothing = false
  /// Problems with files and options.
  public internal(set) var diagnostics: [Diagnostic] = []

  /// The exit code for it: 0, 2 a file is invalid, 4 nothing was selected.
  public var exitCode: Int32 { unreadableFiles > 0 ? 2 : selectedNothing ? 4 : 0 }
}

extension Runner {
  /// Reads and validates all specs without sending anything.
  public func check() async -> SpecListing {
    await listing { session, _ in session.nothingSelected.flatMap { $0.isOfEmptyDirectory ? $0.diagnostic : nil } }
  }

  /// Reads and validates all specs, and fails if no request is selected.
  public func list() async -> SpecListing {
    await listing { session, plans in
      plans.allSatisfy { $0.selectedCount == 0 } ? await session.reasonForNothing() : nil
    }
  }

  /// - Parameter nothing: returns the reason why nothing would run.
  private func listing(
    _ nothing: (PlanningSession, [PlannedFile]) async -> Diagnostics.Diagnostic?
  ) async -> SpecListing {
    var session = PlanningSession(options: options)
    let plans = await session.plan(startsServer: false)
    var listing = SpecListing()
    listing.fileCount = plans.count
    let running = plans.filter { $0.selectedCount > 0 }.withWholeNeeds.withNeeded
    listing.requests = running.flatMap { plan in plan.requestSteps.map { SpecListing.Request($0.request, in: plan) } }
    listing.unreadableFiles = session.unreadableFiles
    listing.diagnostics = session.bag.diagnostics.map { Diagnostic($0) }
    if session.unreadableFiles == 0, let reason = await nothing(session, plans) {
      listing.selectedNothing = reason.severity == .error
      listing.diagnostics.append(Diagnostic(reason))
    }
    return listing
  }

  /// The tags and the names by which requests can be selected, each once, for completion; errors in files don't matter
  /// here.
  package func selectable() async -> (tags: [String], names: [String]) {
    var session = PlanningSession(options: options)
    _ = await session.plan(startsServer: false)
    guard let all = session.nothingSelected else { return ([], []) }
    return (all.tags.map { sanitizedForTerminal($0) }, all.names.map { sanitizedForTerminal($0) })
  }
}

extension SpecListing.Request {
  fileprivate init(_ request: PlannedRequest, in plan: PlannedFile) {
    path = plan.path
    line = request.line
    stage = RequestResult.Stage(request.stage)
    name = concealingSecrets(in: withoutUserinfo(request.staticName))
    tags = request.tags
    flow = request.flowName.map { concealingSecrets(in: withoutUserinfo($0)) }
    let stage = request.stage == .requests ? "" : "[\(request.stage.rawValue)] "
    let tagList = request.tags.isEmpty ? "" : "  #" + request.tags.joined(separator: " #")
    let address = request.spec.name == nil ? "" : "  " + request.staticAddress
    let text = [request.flowName.map { "\($0) › " } ?? "", request.staticName, address].map {
      concealingSecrets(in: withoutUserinfo($0))
    }.joined()
    description = withoutWorkflowCommands(
      sanitizedForTerminal("\(plan.path):\(request.line): \(stage)\(text)\(tagList)"))
  }
}
