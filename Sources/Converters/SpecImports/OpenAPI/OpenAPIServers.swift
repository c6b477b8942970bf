import APIContracts

/// The servers of a document: the base of all URLs as a variable, and an environment for each of several.
struct OpenAPIServers {
  private struct Server {
    let url: ImportedText
    let description: String
    let variables: [ImportedVariable]
    let isRelative: Bool
    let source: String
  }

  private let servers: [Server]
  /// The name of the variable that URLs begin with.
  private let name: String

  var base: ImportedText { ImportedText(.variable(name)) }

  /// The place of a server whose document doesn't say where it is.
  private let origin: String
  private let isPlaceholder: Bool

  /// - Parameter origin: what relative URLs are relative to; nil for a document in a file.
  init(_ node: DocumentNode?, name: String, origin: String?) {
    self.name = name
    self.origin = origin ?? OpenAPIServers.placeholder
    isPlaceholder = origin == nil
    servers = (node?.items ?? []).compactMap { OpenAPIServers.server($0, origin) }
  }

  private static func server(_ node: DocumentNode, _ origin: String?) -> Server? {
    guard var url = node["url"]?.scalarText else { return nil }
    let source = url
    while url.hasSuffix("/") { url.removeLast() }
    let declared = node["variables"]?.members ?? []
    let text = ImportedText(url, between: "{", "}") { name in
      ImportedText(declared.contains { $0.key == name } ? .variable(name) : .text("{\(name)}"))
    }
    let isRelative = !url.contains("://") && !url.hasPrefix("{")
    let variables = declared.map { name, variable in
      ImportedVariable(
        name: name,
        value: .text(variable["default"]?.scalarText ?? variable["enum"]?.items.first?.scalarText ?? ""))
    }
    return Server(
      url: isRelative
        ? ImportedText(origin ?? placeholder) + (url.hasPrefix("/") || url.isEmpty ? text : ImportedText("/") + text)
        : text,
      description: node["name"]?.string ?? node["description"]?.string ?? "", variables: variables,
      isRelative: isRelative, source: source)
  }

  private static let placeholder = "http://localhost:8080"

  /// The URL of a server that a path or an operation has for itself, with the usual values of its variables.
  static func url(ofOwn node: DocumentNode?) -> ImportedText? {
    guard let server = node?.items.first.flatMap({ server($0, nil) }) else { return nil }
    if server.isRelative { return nil }
    return server.url.replacingParts { part in
      guard case .variable(let name) = part,
        case .node(let value)? = server.variables.first(where: { $0.name == name })?.value
      else { return nil }
      return ImportedText(value.scalar?.text ?? "")
    }
  }

  func declare(in collection: inout ImportedCollection, untranslated: inout [Untranslated]) {
    guard let first = servers.first else {
      collection.variables.addMissing([ImportedVariable(name: name, value: .text(ImportedText(origin)))])
      guard isPlaceholder else { return }
      untranslated.remark("servers without a host", "servers: none, so base_url is a placeholder")
      return
    }
    for server in servers where server.isRelative && isPlaceholder {
      untranslated.remark("servers without a host", "\(server.source), so base_url is a placeholder")
    }
    guard servers.count > 1 else {
      collection.variables.addMissing([ImportedVariable(name: name, value: .text(first.url))] + first.variables)
      return
    }
    // Variables with the same value everywhere are those of all environments.
    let common = first.variables.filter { variable in
      servers.allSatisfy { $0.variables.contains { $0.name == variable.name && $0.literal == variable.literal } }
    }
    collection.variables.addMissing(common)
    for (server, title) in zip(servers, names) {
      let own = server.variables.filter { variable in !common.contains { $0.name == variable.name } }
      collection.environments.append(
        ImportedEnvironment(
          name: title, variables: [ImportedVariable(name: name, value: .text(server.url))] + own))
    }
  }

  // MARK: names of environments

  private static let usual = [
    "production", "staging", "sandbox", "development", "testing", "local", "test", "mock", "demo", "beta",
  ]

  /// A name for each server: the usual word in its description, a short description, or its host.
  private var names: [String] {
    var taken: Set<String> = []
    return servers.map { server in taken.insertUnique { numbered(name(of: server), $0, separator: "-") } }
  }

  private func name(of server: Server) -> String {
    let words = server.description.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if let word = OpenAPIServers.usual.first(where: { words.contains($0) }) { return word == "testing" ? "test" : word }
    if !words.isEmpty, words.count <= 3 { return words.joined(separator: "-") }
    var host = server.source
    if let scheme = host.firstRange(of: "://") { host = String(host[scheme.upperBound...]) }
    host = String(host.prefix { $0 != "/" && $0 != ":" })
    if host == "localhost" || host == "127.0.0.1" { return "local" }
    let name = host.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    return name.isEmpty ? "server" : name
  }
}
