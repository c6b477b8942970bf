import OperatingSystem
import Templates
import Values
import YAMLNodes

extension LoadedFile {
  /// Reads a file's bytes; all problems are added to the bag.
  package static func read(
    bytes: [UInt8], path: String, asProject: Bool, into bag: inout DiagnosticBag
  ) -> LoadedFile? {
    let errorsBefore = bag.errorCount
    var syntax = DiagnosticBag()
    let (source, root, missing) = YAMLReader.readPieces(
      bytes: bytes, name: path, mayBeEmpty: asProject, into: &syntax)
    defer { withExtendedLifetime(source) {} }
    // A file that isn't a spec may have any style.
    if let root, !asProject, let other = LoadedFile(foreign: root, missing: missing.words) {
      return other
    }
    bag.add(contentsOf: syntax.diagnostics)
    guard let root else {
      // An empty project file marks the root of its specs.
      return asProject && !syntax.hasErrors ? .project(ProjectFile(source: source, path: path)) : nil
    }
    var reader = SpecReader()
    reader.isPrivate = isPrivateName(path)
    reader.note(missing)
    let result =
      asProject
      ? LoadedFile.project(reader.projectFile(root, source: source, path: path))
      : reader.specFile(root, source: source, path: path)
    bag.add(contentsOf: reader.diagnostics)
    switch result {
    case .spec(var file):
      file.hasErrors = bag.errorCount > errorsBefore
      file.missedNames = reader.missedNames
      file.foreignTemplates = reader.foreignTemplates
      file.knowsAllDefaults = file.knowsAllDefaults && !reader.missedKeys.contains("defaults")
      return .spec(file)
    case .project(var project):
      project.hasErrors = bag.errorCount > errorsBefore
      project.missedNames = reader.missedNames
      return .project(project)
    case .contract, .other: return result
    }
  }
}

/// Keys of a request without which others look wrong.
let keysThatOthersNeed: Set<String> = ["url", "base_url", "path", "expect", "stream", "use"]

let fileKeys: Keys<SpecFile> = Keys(
  [
    Key("name", "for people", synonyms: "title test_name", .constant(.scalarText)) { $0.name = $1?.string },
    Key("description", "for people", synonyms: "summary desc", .text) {
      $2.description = $0.plainText($1.value, as: "description")
    },
    Key(
      "tags", "a word or a list, without commas; its requests have them too", synonyms: "tag labels",
      SchemaShape.text.orList
    ) {
      $2.tags = $0.tags($1.value)
      $2.noteOwnKey($1)
    },
    Key(
      "extends",
      "a path or a list, relative to this file: takes their variables, secrets, contract and defaults; this file's "
        + "win, later ones win over earlier",
      SchemaShape.text.orList
    ) { $2.extends = $0.stringList($1.value, as: "extends") },
    Key(
      "needs",
      "spec files that run once before this one, which reads their captures: a path, a list of paths or of "
        + "`{use: …, with: …, share_cookies: true}`, or a mapping of names to them",
      needsShape
    ) {
      $2.needs = $0.needs($1.value)
      $2.noteOwnKey($1)
    },
    Key(
      "variables", "a mapping; names are letters, digits and `_`",
      synonyms: "vars var variable env environment globals params constants", variablesShape
    ) { $2.variables = $0.variables($1.value) },
    Key(
      "secrets", "a list of names, read from the environment; or a mapping of names to values", synonyms: "secret",
      secretsShape
    ) { $2.secrets = $0.secrets($1.value) },
    Key(
      "openapi",
      "an OpenAPI document that every response is checked against: a file, or the URL of a running service's; "
        + "`{document: …, format: annotation}`; `none`",
      synonyms: "contract swagger", ContractDraft.shape
    ) { $2.contract = $0.contract($1.value) },
    Key(
      "defaults", "request keys, merged under every request, including those of setup and teardown",
      synonyms: "default common shared base", defaultsKeys.shape()
    ) { reader, member, file in
      let shared = reader.sharedRequest(member.value)
      file.defaults = shared.settings
      file.knowsAllDefaults = shared.isWhole
    },
    Key(
      "setup", "requests; a failure here skips `requests`",
      synonyms: "before before_all beforeAll beforeall setUp set_up pre setup_steps", requestListShape
    ) {
      $2.setup = $0.requests($1.value, key: "setup")
      $2.noteOwnKey($1)
    },
    Key(
      "requests", "requests, in order; each sees the captures and cookies of those before it",
      synonyms: "request steps step stages stage scenarios scenario tests test testcases test_cases cases calls items "
        + "http https collection sequence actions",
      requestListShape
    ) {
      $2.requests = $0.requests($1.value, key: "requests")
      $2.noteOwnKey($1)
    },
    Key(
      "flows", "independent tests in place of `requests`, in order: see \"Flows\"", synonyms: "flow scenario_outline",
      .list(of: .named("flow") { flowKeys.shape(needed: ["requests"]) }, atLeast: 1)
    ) {
      $2.flows = $0.flows($1.value)
      $2.noteOwnKey($1)
    },
    Key(
      "each", "`requests` run once for each row: see \"Rows\"",
      synonyms: "loop for_each foreach with_items iteration iterations parameterize examples repeat data rows matrix",
      RowsDraft.shape
    ) {
      $2.rows = $0.rows($1.value)
      $2.noteOwnKey($1)
    },
    Key(
      "teardown", "requests that always run, each whatever happened before",
      synonyms: "after after_all afterAll afterall tearDown tear_down post cleanup finally", requestListShape
    ) {
      $2.teardown = $0.requests($1.value, key: "teardown")
      $2.noteOwnKey($1)
    },
  ],
  advice: MigrationHints.fileAdviceWithRequests,
  usual: ["requests", "variables", "defaults", "setup", "teardown", "extends"])

let projectKeys: Keys<ProjectFile> = Keys(
  [
    Key("name", "for people", .text) { reader, member, _ in
      _ = reader.plainText(member.value, as: "name")
    },
    Key("description", "for people", .text) { reader, member, _ in
      _ = reader.plainText(member.value, as: "description")
    },
    Key("variables", "a mapping; names are letters, digits and `_`", variablesShape) {
      $2.variables = $0.variables($1.value)
    },
    Key("secrets", "a list of names, read from the environment; or a mapping of names to values", secretsShape) {
      $2.secrets = $0.secrets($1.value)
    },
    Key("openapi", "an OpenAPI document that every response is checked against", ContractDraft.shape) {
      $2.contract = $0.contract($1.value)
    },
    Key("defaults", "request keys, merged under every request below the project", defaultsKeys.shape()) {
      $2.defaults = $0.sharedRequest($1.value).settings
    },
    Key(
      "demo", "`true` starts the demo server for the run and sets `demo` to its address", .constant(.boolean)
    ) { $0.runsDemo = $1 ?? false },
    Key(
      "mock",
      "a server for the run, whose address is `mock`: `true` for one that receives webhooks, the files that it responds "
        + "from, or `{sources: …, stateful: true}`: see \"Mocks\"", ProjectMock.shape
    ) { $2.mock = $0.projectMock($1.value) },
    Key(
      "environments",
      "settings of which `--env` chooses one: a mapping of names to `{variables: …, secrets: …, defaults: …}`, or to "
        + "the path of such a file",
      synonyms: "environment env envs profiles stages", environmentsShape
    ) { $2.environments = $0.environments($1.value, of: $2.source) },
    Key(
      "default_environment", "the name of the environment without `--env`", synonyms: "defaultEnvironment default_env",
      .text
    ) { reader, member, project in
      project.defaultEnvironment = reader.stringList(member.value, as: "default_environment").first
    },
  ],
  advice: Dictionary(
    defaultsKeys.names.known.map { ($0, "write it under `defaults:`, for all requests") }
      + ["setup", "requests", "teardown", "url"].map {
        ($0, "a project file has no requests of its own: write them in a spec file beside it")
      }, uniquingKeysWith: { $1 }))

extension SpecReader {
  mutating func specFile(_ root: YAMLNode, source: SourceText, path: String) -> LoadedFile {
    var file = SpecFile(source: source, path: path)
    guard isUsable(root), !reportUnseparated(root) else { return .spec(file) }
    guard let members = root.members else {
      bag.error(
        .notASpec, "a spec file is a mapping with `requests` or `url`, found \(root.kindPhrase)", at: root.range,
        help: root.items == nil ? "write `url: …`, or `requests:` and a list" : "write the list under `requests:`")
      return .spec(file)
    }
    if let (tool, other) = root.foreignTests {
      bag.error(
        .notASpec, "this is a file of \(tool), and not a spec", at: other.keyRange,
        help: "write `requests:` in place of `\(other.key):`, with `url`, `expect` and `capture` in each")
    } else if isSingleRequest(members) {
      singleRequest(root, members, &file)
    } else {
      visit(root, as: "a spec file", keys: fileKeys, into: &file)
      checkStages(members)
      checkCommentedRequests(members, source)
      makeFlowOfRows(members, &file)
    }
    return .spec(file)
  }

  /// Returns whether a file has the keys of one request beside its own, if only `url` is missing or misspelt.
  private func isSingleRequest(_ members: [YAMLMember]) -> Bool {
    let names = Set(members.map(\.key))
    if names.contains("url") { return true }
    if names.contains("requests") || names.contains("flows")
      || members.contains(where: { ["requests", "flows"].contains(fileKeys.names.synonyms[$0.key]) })
    {
      return false
    }
    return members.contains { member in
      let nearest = nearestWord(to: member.key, among: ["requests", "url"])
      return nearest == "url" || requestKeys.names.synonyms[member.key] == "url" || standardMethods.contains(member.key)
        || requestKeys.names.contains(member.key) && !fileKeys.names.contains(member.key)
    }
  }

  /// Checks that a file has either `requests` or `flows`: setup and teardown without them would never run.
  private mutating func checkStages(_ members: [YAMLMember]) {
    let flows = members.first { $0.key == "flows" }
    if let requests = members.first(where: { $0.key == "requests" }) {
      guard let flows else { return }
      bag.error(
        .conflictingKeys, "a file has either `requests` or `flows`, not both", at: flows.keyRange,
        notes: [Diagnostic.Note("the requests stand here", at: requests.keyRange)],
        help: "make a flow of the requests, or move those that all flows need to `setup`")
      return
    }
    if flows != nil || !missedKeys.isDisjoint(with: ["requests", "flows"]) { return }
    guard let stage = members.first(where: { ["setup", "teardown"].contains($0.key) }) else { return }
    bag.error(
      .orphanedKey, "`\(stage.key)` runs around `requests` or `flows`, and the file has none", at: stage.keyRange,
      help: "write the requests under `requests:`; a file for `extends` has `variables`, `secrets` and `defaults` only")
  }

  /// Makes a file with `each` one flow.
  private mutating func makeFlowOfRows(_ members: [YAMLMember], _ file: inout SpecFile) {
    guard let member = members.first(where: { $0.key == "each" }) else { return }
    if let flows = members.first(where: { $0.key == "flows" }) {
      bag.error(
        .misplacedKey, "`each` stands beside `requests`, or in a flow, not beside `flows`", at: member.keyRange,
        notes: [Diagnostic.Note("the flows stand here", at: flows.keyRange)],
        help: "write it in the flows that run once for each row")
      return
    }
    guard let requests = members.first(where: { $0.key == "requests" }) else {
      if missedKeys.contains("requests") { return }
      bag.error(
        .orphanedKey, "`each` runs `requests`, and the file has none", at: member.keyRange,
        help: "write the requests under `requests:`; `extends` does not take over `each`")
      return
    }
    if let rows = file.rows { file.run(for: rows, at: requests.value.range) }
  }

  private mutating func singleRequest(_ root: YAMLNode, _ members: [YAMLMember], _ file: inout SpecFile) {
    var single = SingleRequest(file: file, request: RequestDraft(range: root.range))
    let url = members.first { $0.key == "url" }
    let own =
      url.map { [$0] } ?? members.filter { requestKeys.names.contains($0.key) && !fileKeys.names.contains($0.key) }
    for member in own { single.file.noteOwnKey(member) }
    if let member = members.first(where: { ["requests", "flows"].contains($0.key) }) {
      bag.error(
        .conflictingKeys, "a file has either `url` at the top or `\(member.key)`, not both", at: member.keyRange,
        help: "move `url` and what belongs to it into the list")
    }
    let others = YAMLNode(
      content: .mapping(members.filter { !["requests", "flows"].contains($0.key) }), range: root.range)
    single.request.isWhole = visitRequest(
      others, as: url == nil ? "a spec file" : "a spec file with `url` at the top",
      keys: singleRequestKeys, into: &single)
    checkRequest(single.request, members: members)
    // The file's name is that of its one request.
    single.file.name = single.request.name?.literal?.string
    single.file.requests = [RequestSpec(single.request)]
    file = single.file
  }
}
