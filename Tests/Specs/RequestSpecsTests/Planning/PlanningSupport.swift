import HTTPSemantics
import RequestSpecs
import TestSupport
import Testing
import Values

/// Transports as a platform might have them.
enum Platforms {
  static let curl = TransportCapabilities(kind: .curl, unsoundness: nil, unsupported: [:])
  static let unsound = TransportCapabilities(
    kind: .urlsession, unsoundness: "it ends the process", unsupported: [.requestTarget: "it has none"])
  static let sound = TransportCapabilities(
    kind: .urlsession, unsoundness: nil,
    unsupported: [
      .requestTarget: "it has none", .repeatedHeaders: "it joins them", .transportHeaders: "it sets them",
      .subsecondTimeouts: "its clock is coarse", .bodyOnGet: "it refuses", .methodCase: "it shouts",
      .ipv6Literal: "it refuses",
      .responseDetails: "it tells neither",
    ])
}

/// Texts to load as a spec, the files it extends and its project, and what comes of planning them.
struct Planning {
  var bases: [String] = []
  var project: String?
  /// The chosen environment, and its private file.
  var environment: [String] = []
  var lines: [Int] = []
  var options = PlanningOptions()
  var capabilities = [Platforms.unsound, Platforms.curl]

  struct Result {
    let plan: PlannedFile?
    let diagnostics: [Diagnostic]
    let marks: [Range<Int>]

    var messages: [String] { diagnostics.map(\.line) }
  }

  /// Plans a spec, whose text may have marks.
  func plan(_ text: String) throws -> Result {
    let marked = MarkedText(text)
    var bag = DiagnosticBag()
    let loaded = try load(marked.text, &bag)
    let plan = Planner(options: options, capabilities: capabilities).plan(loaded, into: &bag)
    return Result(plan: plan, diagnostics: bag.diagnostics, marks: marked.spans)
  }

  /// The names that the layers of a spec declare or read.
  func settableNames(_ text: String) throws -> Set<String> {
    var bag = DiagnosticBag()
    let settable = SettableNames(of: try load(text, &bag))
    #expect(settable.isComplete && bag.diagnostics.isEmpty)
    return settable.names
  }

  private func load(_ text: String, _ bag: inout DiagnosticBag) throws -> LoadedSpec {
    let file = try #require(spec(text, "spec.yaml", &bag))
    var loadedBases: [SpecFile] = []
    for base in bases { loadedBases.append(try #require(spec(base, "base.yaml", &bag))) }
    var loadedProject: ProjectFile?
    if let project,
      case .project(let read)? = LoadedFile.read(
        bytes: Array(project.utf8), path: "reqrun.yaml", asProject: true, into: &bag)
    {
      loadedProject = read
    }
    var layers: [EnvironmentSpec] = []
    for (text, path) in zip(environment, ["env.yaml", "env.private.yaml"]) {
      layers.append(try #require(EnvironmentSpec.read(bytes: Array(text.utf8), path: path, into: &bag)))
    }
    return LoadedSpec(
      file: file, bases: loadedBases, project: loadedProject,
      environments: environment.isEmpty
        ? nil : ProjectEnvironments(chosen: Located("e", at: .none), layers: layers) { _ in [] },
      lines: lines)
  }

  private func spec(_ text: String, _ name: String, _ bag: inout DiagnosticBag) -> SpecFile? {
    if case .spec(let file)? = LoadedFile.read(bytes: Array(text.utf8), path: name, asProject: false, into: &bag) {
      return file
    }
    return nil
  }

  /// The single step of a plan without errors.
  func step(_ text: String) throws -> PlannedRequestStep {
    let result = try plan(text)
    #expect(result.messages == [])
    let plan = try #require(result.plan)
    // Tests look at places in it when nothing holds it any more.
    _ = Unmanaged.passRetained(plan.source)
    return try #require(plan.requestSteps.first)
  }

  func request(_ text: String) throws -> PlannedRequest { try step(text).request }
}

extension PlannedFile {
  /// The requests of the file itself, without those within others.
  var topRequests: [PlannedRequestStep] {
    steps.compactMap { if case .request(let step) = $0 { step } else { nil } }
  }
}
