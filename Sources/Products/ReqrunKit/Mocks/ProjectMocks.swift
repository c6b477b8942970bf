import LocalServer
import MockServer
import RequestSpecs
import SpecExecution
import Values

/// The mocks that the projects of a run start.
struct ProjectMocks {
  /// The mocks by the paths of the project files; without servers before they are started.
  private(set) var running: [String: RunningMock] = [:]
  private(set) var diagnostics: [Values.Diagnostic] = []
  private var projects: [ProjectFile] = []
  private var servers: [HTTPServer] = []

  init() {}

  init(of specs: [LoadedSpec], _ options: RunOptions) {
    for project in specs.compactMap(\.project) where project.mock != nil && running[project.source.name] == nil {
      running[project.source.name] = RunningMock(address: "http://127.0.0.1")
      projects.append(project)
    }
    for project in projects { check(project, options.fileAccess(project.path)) }
  }

  /// Checks that the sources are files that the project may read.
  private mutating func check(_ project: ProjectFile, _ access: FileAccess) {
    for source in project.mock?.sources ?? [] {
      let reference = FileReference(Text(source.value))
      guard let problem = access.problem(ofBody: reference, at: source.range) else { continue }
      diagnostics.append(.error(problem.code, problem.message, at: source.range, help: problem.help))
    }
  }

  /// Starts them; those whose sources have errors are not.
  ///
  /// - Parameter readers: the sources of the projects whose mocks are read.
  mutating func start(_ options: RunOptions, readBy readers: Set<String>) async {
    for project in projects
    where readers.contains(project.source.name) && diagnostics.allSatisfy({ $0.severity != .error }) {
      guard let mock = project.mock else { continue }
      let sources = await sources(of: mock, in: project, options)
      diagnostics += sources.diagnostics
      if sources.diagnostics.contains(where: { $0.severity == .error }) { return }
      let server = MockServer(sources, MockOptions(mock, seed: options.seed)) { _ in }
      do throws(ServerError) {
        let running = try HTTPServer.start("the mock") { server.respond($0) }
        servers.append(running)
        self.running[project.source.name] = RunningMock(address: running.address) { server.calls }
      } catch {
        diagnostics.append(
          .error(.unsupported, "the mock could not be started: \(error.message)", at: nil, help: error.help))
      }
    }
  }

  private func sources(of mock: ProjectMock, in project: ProjectFile, _ options: RunOptions) async -> MockSources {
    if mock.sources.isEmpty { return MockSources() }
    var own = RunOptions()
    let paths = mock.sources.map { path($0.value, beside: project.path) }
    for path in paths { options.usedFiles?.add(path, of: project.path) }
    own.specs = paths.map { .path($0) }
    (own.variables, own.secrets, own.envFiles) = (options.variables, options.secrets, options.envFiles)
    (own.environment, own.fileRoot, own.root) = (options.environment, options.fileRoot, options.root)
    (own.usedFiles, own.openTexts, own.demo) = (options.usedFiles, options.openTexts, options.demo)
    (own.seed, own.isSecretVariable) = (options.seed, options.isSecretVariable)
    // They are for the specs of the run, too.
    own.allowsUnreadVariables = true
    return await MockSources(reading: own)
  }

  func stop() { for server in servers { server.stop() } }
}
