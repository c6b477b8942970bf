import JSONSchemas
import OperatingSystem
import RequestSpecs
import SpecExecution
import Values

/// The files and URLs of the schemas in one compilation.
final class SchemaDocuments {
  private let access: FileAccess
  private let network: SchemaNetwork
  /// Documents by their absolute paths and URLs.
  private(set) var known: [String: Result<SchemaDocument, SchemaFetchProblem>]
  /// The URLs to fetch before everything is known.
  private(set) var wanted: [String] = []
  /// Indicates whether schemas refer to further documents.
  private(set) var lacksSome = false
  /// The folders of files by those of the URLs in their `$id`: relative references lead to files beside them.
  private var folders: [(url: String, path: String)] = []

  init(access: FileAccess, network: SchemaNetwork, known: [String: Result<SchemaDocument, SchemaFetchProblem>]) {
    self.access = access
    self.network = network
    self.known = known
  }

  func document(at url: String) throws(SchemaFetchProblem) -> SchemaDocument {
    if let path = SchemaURL.path(of: url) { return try file(path, for: url) }
    for folder in folders where url.hasPrefix(folder.url) {
      let path = folder.path + url.dropFirst(folder.url.count)
      if pathKind(path) == .file { return try file(path, for: url) }
    }
    if SchemaURL.isRemote(url) { return try remote(url) }
    throw SchemaFetchProblem(.unresolvedReference, "there is no schema \(url) among the files", help: resourcesHelp)
  }

  private func remote(_ url: String) throws(SchemaFetchProblem) -> SchemaDocument {
    let shown = withoutUserinfo(url)
    if shown != url {
      throw SchemaFetchProblem(
        .unresolvedReference, "the URL of a schema has no user name and password: \(shown)",
        help: "save the schema in a file, and name that file")
    }
    switch network {
    case .refused:
      throw SchemaFetchProblem(
        .unresolvedReference, "there is no schema \(url) among the files: nothing is fetched from the network",
        help: "\(resourcesHelp); or allow it with --remote-schemas")
    case .silent:
      lacksSome = true
      throw SchemaFetchProblem(
        .unresolvedReference,
        "the schema \(url) is not fetched, for nothing is sent now: what refers to it is not looked at",
        severity: .warning)
    case .fetched:
      if let found = known[url] { return try found.get() }
      lacksSome = true
      wanted.append(url)
      throw SchemaFetchProblem(.unresolvedReference, "the schema \(url) has not been fetched yet", severity: .warning)
    }
  }

  private var resourcesHelp: String {
    "save it in a file with this `$id`, and name that file: `schema: {file: …, resources: [that file]}`"
  }

  private func file(_ path: String, for url: String) throws(SchemaFetchProblem) -> SchemaDocument {
    let name = pathFromHere(path)
    let location: String
    do throws(DecodingProblem) {
      location = try access.locate(path, beside: path)
    } catch {
      throw SchemaFetchProblem(
        error.code,
        pathKind(path) == .nothing
          ? "there is no file \(name) for this reference" : "\(name) lies outside the file root",
        help: pathKind(path) == .nothing ? "references are relative to the file that holds them" : error.help)
    }
    if let found = known[location] {
      let document = try found.get()
      remember(document, at: location)
      return document
    }
    do throws(SchemaFetchProblem) {
      let document = try read(location, name)
      known[location] = .success(document)
      remember(document, at: location)
      return document
    } catch {
      known[location] = .failure(error)
      throw error
    }
  }

  private func read(_ path: String, _ name: String) throws(SchemaFetchProblem) -> SchemaDocument {
    let bytes: [UInt8]
    do throws(DecodingProblem) {
      bytes = try access.read(path, beside: path)
    } catch {
      throw SchemaFetchProblem(error.code, error.message, help: error.help)
    }
    var bag = DiagnosticBag()
    guard let document = SchemaDocument(bytes: bytes, url: SchemaURL.file(path), name: name, into: &bag) else {
      throw SchemaFetchProblem(.unreadableFile, "\(name) cannot be read", diagnostics: bag.diagnostics)
    }
    return document
  }

  private func remember(_ document: SchemaDocument, at path: String) {
    guard let id = document.root[member: "$id"]?.value.asText.string, let url = SchemaURL.folder(of: id),
      !folders.contains(where: { $0.url == url })
    else { return }
    folders.append((url, parentDirectory(of: path) + "/"))
  }
}
