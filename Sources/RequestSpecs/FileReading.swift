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
    let (source, root) = YAMLReader.read(bytes: bytes, name: path, into: &syntax)
    // An OpenAPI document beside the specs is no spec, however it is written.
    if let root, !asProject, root.isOpenAPIDocument { return .other }
    bag.add(contentsOf: syntax.diagnostics)
    guard let root else { return nil }
    var reader = SpecReader()
    let result =
      asProject
      ? LoadedFile.project(reader.projectFile(root, source: source, path: path))
      : reader.specFile(root, source: source, path: path)
    bag.add(contentsOf: reader.bag.diagnostics)
    switch result {
    case .spec(var file):
      file.hasErrors = bag.errorCount > errorsBefore
      file.knowsAllNames = reader.missedKeys.isDisjoint(with: keysThatBringNames)
      file.knowsAllDefaults = file.knowsAllDefaults && !reader.missedKeys.contains("defaults")
      return .spec(file)
    case .project(var project):
      project.hasErrors = bag.errorCount > errorsBefore
      return .project(project)
    case .other: return .other
    }
  }
}

/// Keys whose content declares names that templates read.
private let keysThatBringNames: Set<String> = [
  "variables", "secrets", "extends", "capture", "use", "needs", "each",
]

/// Keys of a request without which what stands elsewhere looks wrong.
private let keysThatOthersNeed: Set<String> = ["url", "base_url", "path", "expect", "use"]

private let fileKeys = KeyTable(
  known: [
    "name", "description", "tags", "extends", "variables", "secrets", "openapi", "defaults", "setup", "requests",
    "teardown",
  ],
  later: ["needs"],
  synonyms: ["request": "requests", "vars": "variables", "tests": "requests", "before": "setup", "after": "teardown"],
  advice: [
    "environments": "environments belong in the project file `reqrun.yaml`",
    "demo": "it belongs in the project file `reqrun.yaml`",
  ])

/// A file of one request has its keys beside the file's own.
private let singleRequestKeys = KeyTable(
  known: fileKeys.known.filter { $0 != "requests" } + requestKeys.known.filter { !fileKeys.known.contains($0) },
  later: fileKeys.later + requestKeys.later, synonyms: requestKeys.synonyms, advice: requestKeys.advice,
  usual: requestKeys.usual)

private let projectKeys = KeyTable(
  known: ["name", "description", "variables", "secrets", "openapi", "defaults", "demo"],
  later: ["environments"],
  advice: Dictionary(
    uniqueKeysWithValues: ["setup", "requests", "teardown", "url"].map {
      ($0, "a project file has no requests of its own: write them in a spec file beside it")
    }))

extension SpecReader {
  mutating func specFile(_ root: YAMLNode, source: SourceText, path: String) -> LoadedFile {
    guard isUsable(root) else { return .other }
    guard let members = root.members else {
      bag.error(
        "a spec file is a mapping with `requests` or `url`, found \(root.kindPhrase)", at: root.range,
        help: root.items == nil ? "write `url: …`, or `requests:` and a list" : "write the list under `requests:`")
      return .other
    }
    let names = Set(members.map(\.key))
    var file = SpecFile(source: source, path: path)
    if names.contains("url") {
      singleRequest(root, members, &file)
    } else if names.contains("requests") {
      visit(root, as: "a spec file", keys: fileKeys) { reader, member in reader.fileKey(member, &file) }
    } else if let member = members.first(where: isNearlyRequests) {
      let keys = nearestOfRequests(member) == "url" ? singleRequestKeys : fileKeys
      for member in members where !(keys.known + keys.later).contains(member.key) && !member.key.hasPrefix("x-") {
        unknownKey(member, of: "a spec file", keys: keys)
      }
      return .other
    } else {
      // A helper such as common.yaml has only what others extend.
      guard !names.isDisjoint(with: ["variables", "secrets", "defaults", "extends", "openapi"]) else { return .other }
      visit(root, as: "a spec file", keys: fileKeys) { reader, member in reader.fileKey(member, &file) }
    }
    return .spec(file)
  }

  private func isNearlyRequests(_ member: YAMLMember) -> Bool {
    ["requests", "url"].contains(nearestOfRequests(member))
  }

  private func nearestOfRequests(_ member: YAMLMember) -> String? {
    fileKeys.synonyms[member.key] ?? nearestWord(to: member.key, among: ["requests", "url"])
  }

  private mutating func singleRequest(_ root: YAMLNode, _ members: [YAMLMember], _ file: inout SpecFile) {
    var request = RequestDraft(range: root.range)
    if let member = members.first(where: { $0.key == "requests" }) {
      bag.error(
        "a file has either `url` at the top or `requests`, not both", at: member.keyRange,
        help: "move `url` and what belongs to it into the list")
    }
    let others = YAMLNode(content: .mapping(members.filter { $0.key != "requests" }), range: root.range)
    visitRequest(
      others, as: "a spec file with `url` at the top", keys: singleRequestKeys, into: &request
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
    case "tags": file.tags = stringList(node, as: "tags").map(\.value)
    case "extends": file.extends = stringList(node, as: "extends")
    case "variables": file.variables = variables(node)
    case "secrets": file.secrets = secrets(node)
    case "openapi": file.contract = contract(node)
    case "defaults":
      let shared = sharedRequest(node)
      file.defaults = shared.settings
      file.hasDefaults = true
      file.knowsAllDefaults = shared.isWhole
    case "setup": file.setup = requests(node, key: "setup")
    case "teardown": file.teardown = requests(node, key: "teardown")
    default: file.requests = requests(node, key: "requests")
    }
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
      bag.error(
        "`\(key)` is a list of requests, found \(node.kindPhrase)", at: node.range, notes: useNote(node),
        help: "begin each request with `- `")
      return []
    }
    return requestsSideBySide(items) ?? items.compactMap { request($0) }
  }

  private mutating func request(_ item: YAMLNode) -> RequestSpec? {
    guard isUsable(item) else { return nil }
    guard item.members != nil else {
      bag.error(
        "a request is a mapping, found \(item.kindPhrase)", at: item.range, notes: useNote(item),
        help: item.plainText?.hasPrefix("http") ?? false
          ? "put `url: ` before it" : "write `url: …`, and below it what else belongs to the request")
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
