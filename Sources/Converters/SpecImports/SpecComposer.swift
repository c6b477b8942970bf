import RequestSpecs
import Values
import YAMLNodes

/// The specs that an import becomes.
package struct ComposedImport: Sendable {
  /// The files with their paths below one directory.
  package internal(set) var files: [(path: String, bytes: [UInt8])] = []
  /// The number of requests.
  package internal(set) var requests = 0
  /// Everything that could not be translated.
  package internal(set) var untranslated: [Untranslated] = []
  /// The credentials that stand in the sources, by the names under which specs read them from the environment.
  package internal(set) var secrets: [(name: String, value: String)] = []
  /// The files that specs send, with the paths as the specs have them.
  package internal(set) var sentFiles: [(spec: String, path: String)] = []
  /// The names that specs read from the environment, since the sources have no value for them.
  package internal(set) var missing: [String] = []
}

/// Writes imported collections as specs, as a person would.
package struct SpecComposer {
  var names = ImportNames()
  /// The names in the source that have a value in all files, and whether it is a text.
  var shared: [String: Bool] = [:]
  /// The variables that stand in place of secrets.
  var credentialVariables: Set<String> = []
  /// The secrets to look for in all texts.
  var knownSecrets = SecretFilter(secrets: [])
  /// The variables that are made of captures.
  var derived = DerivedVariables()
  /// The names that parts of the source set which aren't translated.
  private var lost: Set<String> = []
  /// The files that capture a name of the source, in order.
  var captures: [String: [String]] = [:]
  private(set) var collection: ImportedCollection
  /// The files that requests send, each with the path of its spec.
  var sentFiles: [(spec: String, path: String)] = []
  private var paths: ImportPaths
  var result = ComposedImport()

  package static func compose(_ collection: consuming ImportedCollection) -> ComposedImport {
    var composer = SpecComposer(collection: collection)
    composer.compose()
    return composer.result
  }

  private init(collection: consuming ImportedCollection) {
    (self.collection, paths) = (collection, ImportPaths(taken: collection.takenPaths))
    self.collection.files.removeAll { $0.requests.isEmpty && $0.untranslated.isEmpty }
  }

  private mutating func compose() {
    collection.files.changeRequests { $0.prepare() }
    let captured = collection.files.capturedNames
    derived.take(from: &collection.variables, captured: captured)
    collection.environments.take(&derived, captured: captured)
    lost = Set(collection.lostNames.subtracting(captured).sorted().map { names.variable($0) })
    let hasProject = collection.files.count > 1 || !collection.environments.isEmpty
    if hasProject { shareVariables() }
    if !hasProject, !collection.files.isEmpty {
      putCollectionIntoOnlyFile()
    } else {
      for variable in collection.variables + (collection.environments.first?.variables ?? []) {
        shared[variable.name] = variable.isText
      }
    }
    let settings = hasProject ? SharedSettings(takingFrom: &collection.files, except: ownNames) : SharedSettings()
    var project = SpecDraft(path: "reqrun.yaml", declared: shared, lost: lost)
    project.members = title(collection.name, collection.description)
    if hasProject { declare(collection.variables, in: &project) }
    project.remarks += collection.untranslated
    project.endComments()
    project.defaults = defaults(settings, [], &project)
    sieve(&project)
    var drafts: [SpecDraft] = []
    for index in collection.files.indices { drafts.append(draft(at: index)) }
    findCredentialVariables(&drafts, &project)
    var environments = environments(&project)
    sieveAgain(&drafts, &project, &environments)
    let secrets = KnownSecrets(result.secrets + names.secrets)
    var projectFile: ProjectFile?
    if hasProject {
      shareNames(of: &drafts, with: &project)
      result.missing += project.missing
      result.untranslated += project.untranslated
      let text = project.text(of: 0..<0, environments: environments, secrets: secrets).bytes
      result.files.append((project.path, text))
      var bag = DiagnosticBag()
      if case .project(let file)? = LoadedFile.read(bytes: text, path: project.path, asProject: true, into: &bag) {
        projectFile = file
      }
    }
    for index in drafts.indices {
      for request in drafts[index].requests.indices { drafts[index].requests[request].write() }
      write(&drafts[index], below: projectFile, secrets)
      drafts[index].requests = []
    }
    for attachment in collection.attachments {
      if let path = paths.attachment(attachment.path) {
        result.files.append((path, attachment.bytes))
      } else {
        result.untranslated.remark("files outside the directory", attachment.path)
      }
    }
    if drafts.isEmpty, !hasProject { result.untranslated += collection.untranslated }
    result.secrets += names.secrets
    result.sentFiles = sentFiles
  }

  private mutating func putCollectionIntoOnlyFile() {
    collection.files[0].name = collection.files[0].name ?? collection.name
    collection.files[0].description = collection.files[0].description ?? collection.description
    collection.files[0].variables = collection.variables + collection.files[0].variables
    collection.files[0].untranslated = collection.untranslated + collection.files[0].untranslated
    collection.untranslated = []
  }

  /// Makes the project's variables of those that all files have alike.
  private mutating func shareVariables() {
    guard collection.files.count > 1 else { return }
    for variable in collection.files[0].variables
    where !collection.variables.contains(where: { $0.name == variable.name }) {
      let isShared = collection.files.allSatisfy { file in
        file.variables.contains { $0.name == variable.name && $0.value.isSame(as: variable.value) }
          && !file.requests.contains { $0.captures.contains { $0.key == variable.name } }
      }
      guard isShared else { continue }
      collection.variables.append(variable)
      for file in collection.files.indices { collection.files[file].variables.removeAll { $0.name == variable.name } }
    }
  }

  /// The names that have another value in each file, or in each request.
  private var ownNames: Set<String> {
    var names: Set<String> = []
    for file in collection.files {
      names.formUnion(file.variables.map(\.name))
      for request in file.requests { names.formUnion(request.captures.map(\.key) + request.variables.map(\.name)) }
    }
    return names
  }

  private func title(_ name: String?, _ description: String?) -> [(key: String, value: YAMLNode)] {
    [("name", name), ("description", description)].compactMap { key, text in
      text.flatMap { $0.trimmed.isEmpty ? nil : (key, .text(escaped($0.trimmed))) }
    }
  }

  // MARK: names

  /// Declares variables in a file, or in the project: those with credentials as secrets.
  private mutating func declare(_ variables: [ImportedVariable], in draft: inout SpecDraft) {
    let (texts, secrets) = declarations(variables, &draft)
    draft.variables += texts
    draft.secrets += secrets
  }

  private mutating func declarations(
    _ variables: [ImportedVariable], _ draft: inout SpecDraft
  ) -> (variables: [(key: String, value: YAMLNode)], secrets: [String]) {
    var values: [(key: String, value: YAMLNode)] = []
    var secrets: [String] = []
    for variable in variables {
      let name = names.variable(variable.name)
      let text = variable.literal
      let isCaptured = captures[variable.name] != nil
      let isCredential = isSecretName(variable.name) || credentialVariables.contains(name)
      let isSecret = variable.isSecret || isCredential && text != nil
      if isSecret, !(isCaptured && text?.isEmpty ?? true) {
        if !secrets.contains(name) { secrets.append(name) }
        if let text, !text.isEmpty { result.secrets.append((name, text)) } else { result.missing.append(name) }
      } else {
        values.removeAll { $0.key == name }
        values.append((name, node(variable.value, &draft)))
      }
    }
    return (values, secrets)
  }

  private mutating func environments(_ project: inout SpecDraft) -> [(key: String, value: YAMLNode)] {
    var members: [(key: String, value: YAMLNode)] = []
    defer { project.own = [:] }
    for environment in collection.environments {
      project.own = Dictionary(environment.variables.map { ($0.name, $0.isText) }, uniquingKeysWith: { $1 })
      let (values, secrets) = declarations(environment.variables, &project)
      var content: [(key: String, value: YAMLNode)] = []
      if !values.isEmpty { content.append(("variables", .mapping(values))) }
      if !secrets.isEmpty { content.append(("secrets", .list(secrets.map { .text($0) }))) }
      var name = environment.name.trimmed
      while name.isEmpty || members.contains(where: { $0.key == name }) { name += name.isEmpty ? "environment" : "-2" }
      members.append((name, .mapping(content)))
    }
    return members
  }

  /// Declares names that more than one file reads in the project, others in the file that reads them.
  private mutating func shareNames(of drafts: inout [SpecDraft], with project: inout SpecDraft) {
    var counts: [String: Int] = [:]
    for draft in drafts { for name in draft.missing + draft.credentials { counts[name, default: 0] += 1 } }
    func isShared(_ name: String) -> Bool {
      counts[name, default: 0] > 1 || project.missing.contains(name) || project.credentials.contains(name)
    }
    for index in drafts.indices {
      for name in drafts[index].missing where isShared(name) && !project.missing.contains(name) {
        project.missing.append(name)
      }
      for name in drafts[index].credentials where isShared(name) && !project.credentials.contains(name) {
        project.credentials.append(name)
      }
      drafts[index].missing.removeAll(where: isShared)
      drafts[index].credentials.removeAll(where: isShared)
    }
  }

  // MARK: files

  /// Makes the draft of a file, whose requests are then gone: large ones are not in memory twice.
  private mutating func draft(at index: Int) -> SpecDraft {
    var files = [collection.files[index]]
    collection.files[index].requests = []
    let settings = SharedSettings(takingFrom: &files)
    var requests = files[0].requests
    files[0].requests = []
    let outer = derived
    defer { derived = outer }
    derived.take(from: &files[0].variables, captured: collection.files.capturedNames.union(captures.keys))
    let file = files[0]
    var declared = shared
    for variable in file.variables { declared[variable.name] = variable.isText }
    var draft = SpecDraft(
      path: paths.path(of: file.path.map(concealed), ending: file.ending), declared: declared, lost: lost)
    draft.members = title(file.name, file.description)
    draft.comments = file.comments
    draft.earlierCaptures = captures
    declare(file.variables, in: &draft)
    for (key, value) in file.settings { draft.members.append((key.rawValue, node(value, &draft))) }
    draft.defaults = defaults(settings, file.defaults, &draft)
    sieve(&draft)
    draft.remarks += file.untranslated
    draft.endComments()
    for index in requests.indices {
      let composed = requestNode(requests[index], &draft).mappingMembers { sieved($0, $1, &draft) }
      draft.requests.append(
        DraftRequest(
          node: composed, isSetup: requests[index].isSetup, isTeardown: requests[index].isTeardown,
          comments: requests[index].comments, untranslated: draft.takeRemarks()))
      requests[index] = ImportedRequest(url: ImportedText())
    }
    if collection.sharesCaptures {
      for name in draft.captured { captures[name, default: []].append(draft.path) }
    }
    return draft
  }

  private mutating func defaults(
    _ shared: SharedSettings, _ own: ImportedSettings, _ draft: inout SpecDraft
  ) -> [(key: String, value: YAMLNode)] {
    var members: [(key: String, value: YAMLNode)] = []
    if let base = shared.baseURL { members.append(("base_url", .text(text(base, &draft)))) }
    if !shared.headers.isEmpty { members.append(("headers", headers(shared.headers, &draft))) }
    if let credentials = shared.credentials { members.append(("auth", node(credentials.value, &draft))) }
    for (key, value) in own + shared.settings { members.append((key.rawValue, node(value, &draft))) }
    return members
  }

  /// Writes a spec. Requests that no spec can say become comments.
  private mutating func write(_ draft: inout SpecDraft, below project: ProjectFile?, _ secrets: KnownSecrets) {
    // A large spec is checked in pieces, since it takes more memory when it is read than as text.
    for start in stride(from: 0, to: draft.requests.count, by: Self.checkedRequests) {
      let piece = start..<min(start + Self.checkedRequests, draft.requests.count)
      // Some errors show only once others are gone.
      for _ in 0..<Self.maxChecks {
        let written = draft.text(of: piece, secrets: secrets)
        let problems = Self.problems(of: written.bytes, draft.path, below: project)
        if problems.isEmpty || !draft.leaveOut(problems, of: piece, at: written.requests) { break }
      }
    }
    let written = draft.text(of: draft.requests.indices, secrets: secrets)
    result.requests += draft.requests.count { !$0.text.isEmpty }
    for request in draft.requests { result.untranslated += request.untranslated }
    result.untranslated += draft.untranslated
    result.missing += draft.missing.filter { !result.missing.contains($0) }
    result.files.append((draft.path, written.bytes))
  }

  /// The maximum number of times that requests are checked.
  private static let maxChecks = 5
  /// The number of requests that are checked together.
  private static let checkedRequests = 500

  /// The errors of a spec, with those of its requests together with the project's defaults.
  private static func problems(of text: [UInt8], _ path: String, below project: ProjectFile?) -> [Diagnostic] {
    var bag = DiagnosticBag()
    if case .spec(let file)? = LoadedFile.read(bytes: text, path: path, asProject: false, into: &bag), !bag.hasErrors {
      LoadedSpec(file: file, bases: [], project: project, lines: []).checkRequests(into: &bag)
    }
    return bag.diagnostics.filter { $0.severity == .error }
  }
}
