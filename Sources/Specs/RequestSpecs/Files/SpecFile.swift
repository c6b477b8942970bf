import DocumentQueries
import Values
import YAMLNodes

/// A compiled pattern of `matches` or `regex`.
package typealias PatternSpec = RegularExpression

/// A spec file: typed and validated, but not yet merged.
package struct SpecFile: Sendable {
  package let source: SourceText
  /// The path as given, for reports; relative paths inside are relative to its directory.
  package let path: String
  package var name: String?
  package var description: String?
  package var tags: [String] = []
  package var extends: [Located<String>] = []
  /// The files that run once before it.
  package var needs: [NeedSpec] = []
  package var variables = KeyedSettings<ValueTemplate>()
  package var secrets: [SecretDeclaration] = []
  package var contract = Setting<Field<ContractChoice>>.inherited
  package var defaults: RequestSettings?
  package var setup: [RequestSpec] = []
  package var requests: [RequestSpec] = []
  package var teardown: [RequestSpec] = []
  /// The rows for which ``requests`` run.
  package var rows: RowsSpec?
  /// Independent tests, in place of ``requests``.
  package var flows: [FlowSpec] = []
  /// The keys whose content is the file's own, such as `setup`: files that extend it don't inherit it.
  package var ownKeys: [Located<String>] = []
  /// Indicates whether the file has errors: then it is checked further, but never run.
  package var hasErrors = false
  /// The names that unreadable keys would have declared.
  package var missedNames = MissedNames()
  /// Names in the notation of other tools, in texts.
  var foreignTemplates: [ForeignTemplate] = []
  /// Indicates whether the defaults are complete.
  package var knowsAllDefaults = true

  /// Gives rows to `requests`, or to the flows without any.
  package mutating func give(_ rows: RowsSpec) {
    for index in flows.indices where flows[index].rows == nil { flows[index].rows = rows }
    if let first = requests.first { run(for: rows, at: first.range) }
  }

  /// Makes `requests` a flow that runs for rows.
  mutating func run(for rows: RowsSpec, at range: SourceRange) {
    var flow = FlowSpec(range: range)
    flow.isWholeFile = true
    flow.rows = rows
    flow.requests = requests
    requests = []
    flows = [flow]
  }

  mutating func noteOwnKey(_ member: YAMLMember) {
    ownKeys.append(Located(member.key, at: member.keyRange))
  }

  /// All requests, in running order.
  package var allRequests: [RequestSpec] { setup + flows.flatMap(\.allRequests) + requests + teardown }
}

/// `reqrun.yaml`: settings that all specs below it share.
package struct ProjectFile: Sendable {
  package let source: SourceText
  package let path: String
  package var variables = KeyedSettings<ValueTemplate>()
  package var secrets: [SecretDeclaration] = []
  package var contract = Setting<Field<ContractChoice>>.inherited
  package var defaults: RequestSettings?
  package var runsDemo = false
  package var mock: ProjectMock?
  package var environments: [EnvironmentEntry] = []
  package var defaultEnvironment: Located<String>?
  /// The names that unreadable keys would have declared.
  package var missedNames = MissedNames()
  /// Indicates whether the file has errors: then nothing below it runs.
  package var hasErrors = false
}

/// A name whose value is secret: from the environment, or from a template.
package struct SecretDeclaration: Sendable {
  package let name: String
  package let range: SourceRange
  /// The value; nil is the environment variable of that name.
  package let value: ValueTemplate?
}

/// The part of a file that a request belongs to.
package enum RequestStage: String, Sendable, Hashable, CaseIterable {
  case setup, requests, teardown
}

/// A request in a file.
///
/// A class, since its settings are large and everything that is planned from it uses them.
package final class RequestSpec: Sendable {
  package let name: Field<Text>?
  package let description: String?
  package let tags: [String]
  /// The variables that only the request reads.
  package let variables: KeyedSettings<ValueTemplate>
  /// The rows for which it runs; nil runs it once.
  package let rows: RowsSpec?
  /// The responses that a mock gives to requests like this one.
  package let mocks: [MockSpec]
  package let settings: RequestSettings
  /// The file that runs here, instead of a request.
  package let use: UseSpec?
  /// Indicates whether its URL and expectations are complete, so that a missing part isn't just misspelt.
  package let isWhole: Bool
  /// The place of the request, from its first to its last line.
  package let range: SourceRange

  /// Creates a request that isn't in any file.
  package convenience init(at range: SourceRange) {
    self.init(RequestDraft(range: range))
  }

  init(_ draft: consuming RequestDraft) {
    name = draft.name
    description = draft.description
    tags = draft.tags
    variables = draft.variables
    rows = draft.rows
    mocks = draft.mocks
    if let next = draft.rows?.next { draft.settings.capture(next, as: RowsSpec.nextCapture) }
    settings = draft.settings
    use = draft.use.spec
    isWhole = draft.isWhole
    range = draft.range
  }
}

/// A ``RequestSpec`` while it is read.
struct RequestDraft {
  var name: Field<Text>?
  var description: String?
  var tags: [String] = []
  var variables = KeyedSettings<ValueTemplate>()
  var rows: RowsSpec?
  var mocks: [MockSpec] = []
  var settings = RequestSettings()
  var use = UseDraft()
  var isWhole = true
  let range: SourceRange
}

/// The kind of a YAML file.
package enum LoadedFile: Sendable {
  case spec(SpecFile)
  case project(ProjectFile)
  /// An OpenAPI document, which specs may name.
  case contract
  /// Another kind of file: its description for messages, and the name of the tool whose file it is.
  case other(String, tool: String?)

  /// The description of a file that is neither a spec nor a project file; nil for those.
  package var foreignDescription: String? {
    switch self {
    case .spec, .project: nil
    case .contract: "it is an OpenAPI document"
    case .other(let description, _): description
    }
  }
}

package let projectFileNames = ["reqrun.yaml", "reqrun.yml"]

package func isProjectName(_ path: String) -> Bool {
  projectFileNames.contains { path == $0 || path.hasSuffix("/\($0)") }
}
