import Diagnostics
import OperatingSystem
import Templates
import Values
import YAMLNodes

extension LoadedFile {
  /// Reads a file's bytes into what it is; everything wrong with it goes to the bag.
  package static func read(
    bytes: [UInt8], path: String, asProject: Bool, into bag: inout DiagnosticBag
  ) -> LoadedFile? {
    let errorsBefore = bag.errorCount
    var syntax = DiagnosticBag()
    let (source, root, isWhole) = YAMLReader.readPieces(
      bytes: bytes, name: path, mayBeEmpty: asProject, into: &syntax)
    defer { withExtendedLifetime(source) {} }
    // What is no spec may be written as it likes.
    if let root, !asProject, let other = LoadedFile(foreign: root) { return other }
    bag.add(contentsOf: syntax.diagnostics)
    guard let root else {
      // An empty project file marks the root of its specs.
      return asProject && !syntax.hasErrors ? .project(ProjectFile(source: source, path: path)) : nil
    }
    var reader = SpecReader()
    if !isWhole {
      reader.missedKeys = ["requests", "url", "defaults"]
      reader.missedNames = .any
    }
    let result =
      asProject
      ? LoadedFile.project(reader.projectFile(root, source: source, path: path))
      : reader.specFile(root, source: source, path: path)
    bag.add(contentsOf: reader.bag.diagnostics)
    switch result {
    case .spec(var file):
      file.hasErrors = bag.errorCount > errorsBefore
      file.missedNames = reader.missedNames
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

/// Keys of a request without which what stands elsewhere looks wrong.
private let keysThatOthersNeed: Set<String> = ["url", "base_url", "path", "expect", "use"]

let fileKeys = KeyTable(
  known: [
    "name", "description", "tags", "extends", "variables", "secrets", "openapi", "defaults", "setup", "requests",
    "teardown",
  ],
  later: ["needs"], synonyms: ForeignWords.fileSynonyms, advice: ForeignWords.fileAdviceWithRequests,
  usual: ["requests", "variables", "defaults", "setup", "teardown", "extends"])

/// A file of one request has its keys beside the file's own.
private let singleRequestKeys = KeyTable(
  known: fileKeys.known.filter { $0 != "requests" } + requestKeys.known.filter { !fileKeys.known.contains($0) },
  later: fileKeys.later + requestKeys.later,
  synonyms: requestKeys.synonyms.merging(["vars": "variables", "before": "setup", "after": "teardown"]) { $1 },
  advice: requestKeys.advice.filter { !["vars", "before", "after"].contains($0.key) }, usual: requestKeys.usual)

private let projectKeys = KeyTable(
  known: ["name", "description", "variables", "secrets", "openapi", "defaults", "demo"],
  later: ["environments"],
  advice: Dictionary(
    uniqueKeysWithValues: ["setup", "requests", "teardown", "url"].map {
      ($0, "a project file has no requests of its own: write them in a spec file beside it")
    }))

extension SpecReader {
  mutating func specFile(_ root: YAMLNode, source: SourceText, path: String) -> LoadedFile {
    var file = SpecFile(source: source, path: path)
    guard isUsable(root), !reportUnseparated(root) else { return .spec(file) }
    guard let members = root.members else {
      bag.error(
        "a spec file is a mapping with `requests` or `url`, found \(root.kindPhrase)", at: root.range,
        help: root.items == nil ? "write `url: …`, or `requests:` and a list" : "write the list under `requests:`")
      return .spec(file)
    }
    if isSingleRequest(members) {
      singleRequest(root, members, &file)
    } else {
      visit(root, as: "a spec file", keys: fileKeys) { reader, member in reader.fileKey(member, &file) }
      checkStages(members)
    }
    return .spec(file)
  }

  /// Whether the keys of one request stand beside the file's own, if only `url` is missing or mistyped.
  private func isSingleRequest(_ members: [YAMLMember]) -> Bool {
    let names = Set(members.map(\.key))
    if names.contains("url") { return true }
    if names.contains("requests") || members.contains(where: { fileKeys.synonyms[$0.key] == "requests" }) {
      return false
    }
    return members.contains { member in
      let nearest = nearestWord(to: member.key, among: ["requests", "url"])
      return nearest == "url" || standardMethods.contains(member.key)
        || requestKeys.known.contains(member.key) && !fileKeys.known.contains(member.key)
    }
  }

  /// Setup and teardown surround requests: alone they would never run.
  private mutating func checkStages(_ members: [YAMLMember]) {
    if members.contains(where: { $0.key == "requests" }) || missedKeys.contains("requests") { return }
    guard let stage = members.first(where: { ["setup", "teardown"].contains($0.key) }) else { return }
    bag.error(
      "`\(stage.key)` runs around `requests`, and the file has none", at: stage.keyRange,
      help: "write the requests under `requests:`; a file for `extends` has `variables`, `secrets` and `defaults` only")
  }

  private mutating func singleRequest(_ root: YAMLNode, _ members: [YAMLMember], _ file: inout SpecFile) {
    var request = RequestDraft(range: root.range)
    if let url = members.first(where: { $0.key == "url" }) { noteOwnKey(url, &file) }
    if let member = members.first(where: { $0.key == "requests" }) {
      bag.error(
        "a file has either `url` at the top or `requests`, not both", at: member.keyRange,
        help: "move `url` and what belongs to it into the list")
    }
    let others = YAMLNode(content: .mapping(members.filter { $0.key != "requests" }), range: root.range)
    visitRequest(
      others, as: file.ownKeys.isEmpty ? "a spec file" : "a spec file with `url` at the top", keys: singleRequestKeys,
      into: &request
    ) { reader, member, request in
      if member.key == "name" {
        // The name of the file is that of its one request.
        request.name = reader.field(member.value, .scalarText)
        file.name = request.name?.literal?.string
      } else if fileKeys.known.contains(member.key) {
        reader.fileKey(member, &file)
      } else {
        reader.requestKey(member, &request)
      }
    }
    checkRequest(request, members: members)
    file.requests = [RequestSpec(request)]
  }

  mutating func projectFile(_ root: YAMLNode, source: SourceText, path: String) -> ProjectFile {
    var project = ProjectFile(source: source, path: path)
    visit(root, as: "the project file", keys: projectKeys) { reader, member in
      switch member.key {
      case "name", "description": _ = reader.plainText(member.value, as: member.key)
      case "variables": project.variables = reader.variables(member.value)
      case "secrets": project.secrets = reader.secrets(member.value)
      case "openapi": project.contract = reader.contract(member.value)
      case "defaults":
        project.defaults = reader.sharedRequest(member.value).settings
        project.hasDefaults = true
      default: project.runsDemo = reader.constant(member.value, as: member.key, .boolean) ?? false
      }
    }
    return project
  }

  private mutating func fileKey(_ member: YAMLMember, _ file: inout SpecFile) {
    let node = member.value
    switch member.key {
    case "name": file.name = constant(node, as: "name", .scalarText)?.string
    case "description": file.description = plainText(node, as: "description")
    case "tags":
      file.tags = tags(node)
      noteOwnKey(member, &file)
    case "extends": file.extends = stringList(node, as: "extends")
    case "variables": file.variables = variables(node)
    case "secrets": file.secrets = secrets(node)
    case "openapi": file.contract = contract(node)
    case "defaults":
      let shared = sharedRequest(node)
      file.defaults = shared.settings
      file.hasDefaults = true
      file.knowsAllDefaults = shared.isWhole
    case "setup":
      file.setup = requests(node, key: "setup")
      noteOwnKey(member, &file)
    case "teardown":
      file.teardown = requests(node, key: "teardown")
      noteOwnKey(member, &file)
    default:
      file.requests = requests(node, key: "requests")
      noteOwnKey(member, &file)
    }
  }

  private func noteOwnKey(_ member: YAMLMember, _ file: inout SpecFile) {
    file.ownKeys.append(Located(member.key, at: member.keyRange))
  }

  /// The defaults, as the request that they are the ground of.
  private mutating func sharedRequest(_ node: YAMLNode) -> RequestDraft {
    var shared = RequestDraft(range: node.range)
    readRequest(node, as: "`defaults`", keys: defaultsKeys, into: &shared)
    return shared
  }

  private mutating func readRequest(
    _ node: YAMLNode, as what: String, keys: KeyTable, into request: inout RequestDraft
  ) {
    visitRequest(node, as: what, keys: keys, into: &request) { $0.requestKey($1, &$2) }
    checkRequest(request, members: node.members ?? [])
  }

  /// Visits a request's keys and sees whether those are right without which others look wrong.
  private mutating func visitRequest(
    _ node: YAMLNode, as what: String, keys: KeyTable, into request: inout RequestDraft,
    _ body: (inout SpecReader, YAMLMember, inout RequestDraft) -> Void
  ) {
    let missedBefore = missedKeys
    missedKeys = []
    var isWhole = !node.hasError
    visit(node, as: what, keys: keys) { reader, member in
      let errorsBefore = reader.bag.errorCount
      body(&reader, member, &request)
      let isRight = reader.bag.errorCount == errorsBefore && !member.value.hasError
      if !isRight, keysThatOthersNeed.contains(member.key) { isWhole = false }
    }
    request.isWhole = isWhole && missedKeys.isDisjoint(with: keysThatOthersNeed)
    missedKeys.formUnion(missedBefore)
  }

  mutating func requests(_ node: YAMLNode, key: String) -> [RequestSpec] {
    guard isUsable(node) else { return [] }
    guard let items = node.items else {
      if let member = node.members?.first, let dash = member.key.unicodeScalars.first, dash.value > 0x7F,
        plainLooking(String(dash)) == "-"
      {
        bag.error(
          "\(characterName(dash)) is not the `-` of a list item", at: member.keyRange, help: "write `-` and a space")
        return []
      }
      if let member = node.members?.first, member.key.hasPrefix("-"), member.key.utf8.count > 1 {
        bag.error(
          "a space is missing after `-`", at: member.keyRange,
          help: "write `- \(jsonEscaped(String(member.key.dropFirst()))): …`")
        return []
      }
      bag.error(
        "`\(key)` is a list of requests, found \(node.kindPhrase)", at: node.range, notes: useNote(node),
        help: listInstead(of: node))
      return []
    }
    return requestsSideBySide(items) ?? items.compactMap { request($0) }
  }

  /// How requests are written that stand in a mapping.
  private func listInstead(of node: YAMLNode) -> String {
    guard let first = node.members?.first, first.value.members != nil else { return "begin each request with `- `" }
    return "write `- name: \(jsonEscaped(first.key))`, and below it the keys of the request"
  }

  /// Reports a text that was meant as a key and its value.
  private mutating func reportUnseparated(_ node: YAMLNode) -> Bool {
    guard let text = node.plainText else { return false }
    if let sign = text.unicodeScalars.first(where: { $0.value > 0x7F }), plainLooking(String(sign)) == ":" {
      bag.error("\(characterName(sign)) is not the `:` after a key", at: node.range, help: "write `:` and a space")
      return true
    }
    guard let colon = text.firstIndex(of: ":"), singleRequestKeys.known.contains(String(text[..<colon])) else {
      return false
    }
    let value = text[text.index(after: colon)...]
    let blank = value.unicodeScalars.first.flatMap { $0.properties.isWhitespace ? $0 : nil }
    bag.error(
      blank.map { "\(characterName($0)) is not the space after `\(text[...colon])`" }
        ?? "a space is missing after `\(text[...colon])`",
      at: node.range, help: "write `\(text[...colon]) \(value.drop { $0.isWhitespace })`")
    return true
  }

  private mutating func request(_ item: YAMLNode) -> RequestSpec? {
    guard isUsable(item) else { return nil }
    if reportUnseparated(item) { return nil }
    guard item.members != nil else {
      bag.error(
        "a request is a mapping, found \(item.kindPhrase)", at: item.range, notes: useNote(item),
        help: item.plainText.flatMap { ForeignWords.requestLine($0) }
          ?? "write `url: …`, and below it what else belongs to the request")
      return nil
    }
    var request = RequestDraft(range: item.range)
    readRequest(item, as: "a request", keys: requestKeys, into: &request)
    return RequestSpec(request)
  }

  /// The requests of a long list, read on all processors; nil where the list is short or there is something to say of
  /// it: what one request brings along may have been said of another already.
  private func requestsSideBySide(_ items: [YAMLNode]) -> [RequestSpec]? {
    let least = 64
    guard items.count >= 2 * least else { return nil }
    let pieces = mapPieces(of: items, least: least) { piece -> [RequestSpec]? in
      var reader = SpecReader()
      reader.isWithinDuring = isWithinDuring
      let requests = piece.compactMap { reader.request($0) }
      return reader.bag.diagnostics.isEmpty && reader.missedKeys.isEmpty ? requests : nil
    }
    var requests: [RequestSpec] = []
    for piece in pieces {
      guard let piece else { return nil }
      requests += piece
    }
    return requests
  }
}
