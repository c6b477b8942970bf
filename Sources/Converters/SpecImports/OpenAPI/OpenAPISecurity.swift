import APIContracts
import HTTPSemantics

/// The security schemes of a document, as credentials whose values are variables and secrets.
struct OpenAPISecurity {
  private struct Scheme {
    let name: String
    let node: DocumentNode
    /// The scopes that operations name.
    var scopes: [String] = []
  }

  private let contract: APIContract
  /// The beginning of URLs, for relative ones.
  private let base: ImportedText
  private var schemes: [Scheme] = []
  /// Indicates whether all operations with credentials have the same, which therefore are those of all.
  private var hasOneAuthentication = false

  private var root: DocumentNode { contract.documents.main.root }

  init(_ contract: APIContract, base: ImportedText) {
    self.base = base
    self.contract = contract
    for (name, node) in root["components"]?["securitySchemes"]?.members ?? [] {
      guard let node = try? contract.documents.resolved(node) else { continue }
      schemes.append(Scheme(name: name, node: node))
    }
    var used: Set<String> = []
    for operation in contract.operations {
      for (name, scopes) in requirement(of: operation) {
        used.insert(name)
        guard let index = schemes.firstIndex(where: { $0.name == name }) else { continue }
        for scope in scopes where !schemes[index].scopes.contains(scope) { schemes[index].scopes.append(scope) }
      }
    }
    hasOneAuthentication =
      schemes.count { scheme in
        used.contains(scheme.name)
          && ["http", "oauth2", "openidconnect"].contains(scheme.node["type"]?.string?.lowercased())
      } == 1
  }

  /// The first requirement that asks for something; empty without any.
  private func requirement(of operation: Operation) -> [(name: String, scopes: [String])] {
    let first = contract.security(of: operation).first { $0.node.count > 0 }
    return (first?.node.members ?? []).map { name, scopes in
      (name, scopes.kind == .list ? scopes.items.filter { $0.kind == .text }.map(\.string) : [])
    }
  }

  // MARK: requests

  /// Adds the credentials of an operation to its request.
  func apply(to request: inout ImportedRequest, of operation: Operation) {
    var found: [(scheme: String, credentials: ImportedCredentials)] = []
    for (name, _) in requirement(of: operation) {
      guard let scheme = schemes.first(where: { $0.name == name }) else {
        request.remark("unknown security schemes", name)
        continue
      }
      let auth = auth(of: scheme, &request.untranslated) { ImportedText(.variable(variableName($0, scheme))) }
      guard let auth else { continue }
      if case .credentials(let credentials) = auth { found.append((name, credentials)) }
      if case .key(let header, _, .header) = auth { request.headers.removeAll { $0.name.isHeader(header.source) } }
      request.add(auth, replaces: false)
    }
    // A request has one: a person has a password sooner than a client of the token's server.
    let chosen = found.first { if case .oauth2 = $0.credentials { false } else { true } } ?? found.first
    for (scheme, _) in found where scheme != chosen?.scheme {
      request.remark("security schemes", "\(scheme): credentials beside others")
    }
    request.credentials = chosen?.credentials ?? (hasOneAuthentication ? ImportedCredentials.none : nil)
  }

  /// The credentials of a scheme; nil with a remark if a spec has none of its kind.
  ///
  /// - Parameter variable: the variable for a word such as `password`.
  private func auth(
    of scheme: Scheme, _ remarks: inout [Untranslated], _ variable: (String) -> ImportedText
  ) -> ImportedAuth? {
    func remark(_ source: String) { remarks.remark("security schemes", source) }
    let node = scheme.node
    switch node["type"]?.string?.lowercased() {
    case "http":
      switch node["scheme"]?.string?.lowercased() {
      case let word? where word == "basic" || word == "digest":
        return .credentials(
          .account(
            word == "basic" ? .basic : .digest, username: variable("username"), password: variable("password")))
      case "bearer": return .credentials(.bearer(variable("token")))
      case "negotiate": return .credentials(.negotiate)
      case let word: remark("\(scheme.name): http \(word ?? "without a scheme")")
      }
    case "apikey":
      let places = ["query": ImportedAuth.Place.query, "cookie": .cookie]
      let place = places[node["in"]?.string ?? ""] ?? .header
      guard let name = node["name"]?.string, place == .query || isToken(name) else {
        remark("\(scheme.name): a key without a valid name")
        return nil
      }
      return .key(ImportedText(name), value: variable("api_key"), place)
    case "oauth2", "openidconnect": return oauth(scheme, &remarks, variable).map { .credentials($0) }
    default: remark("\(scheme.name): \(node["type"]?.string ?? "without a type")")
    }
    return nil
  }

  private static let flows = ["clientCredentials", "password", "authorizationCode", "deviceAuthorization"]

  private func oauth(
    _ scheme: Scheme, _ remarks: inout [Untranslated], _ variable: (String) -> ImportedText
  ) -> ImportedCredentials? {
    let flows = scheme.node["flows"]
    let flow = OpenAPISecurity.flows.first { flows?[$0] != nil }
    var oauth = ImportedOAuth(grant: flow ?? "clientCredentials")
    func url(_ key: String) -> ImportedText? {
      flow.flatMap { flows?[$0]?[key]?.string }.map { url in
        let start = url.contains("://") ? ImportedText() : base + ImportedText(url.hasPrefix("/") ? "" : "/")
        return start + ImportedText(url)
      }
    }
    if let url = scheme.node["openIdConnectUrl"]?.string {
      let path = "/.well-known/openid-configuration"
      oauth.issuer = ImportedText(url.hasSuffix(path) ? String(url.dropLast(path.count)) : url)
    } else if flow == nil {
      // The implicit flow gives the token to a browser.
      return .bearer(variable("access_token"))
    }
    oauth.authorizationURL = url("authorizationUrl")
    oauth.deviceURL = url("deviceAuthorizationUrl")
    oauth.tokenURL = url("tokenUrl")
    oauth.clientID = variable("client_id")
    oauth.clientSecret = variable("client_secret")
    oauth.username = variable("username")
    oauth.password = variable("password")
    oauth.scopes = scheme.scopes
    return oauth.credentials(source: "\(scheme.name): oauth2", remarks: &remarks)
  }

  // MARK: variables

  private static let secrets = ["token", "api_key", "access_token", "client_secret", "password"]
  /// The names that variables of credentials have.
  static let words = Set(secrets + ["username", "client_id"])

  /// The variable of a scheme: its plain name, with that of the scheme where several have one.
  private func variableName(_ word: String, _ scheme: Scheme) -> String {
    let others = schemes.filter { words(of: $0).contains(word) }
    return others.count > 1 ? snakeCase(scheme.name) + "_" + word : word
  }

  /// The words of the variables that a scheme needs.
  private func words(of scheme: Scheme) -> Set<String> {
    var remarks: [Untranslated] = []
    switch auth(of: scheme, &remarks, { ImportedText(.variable($0)) }) {
    case .credentials(let credentials)?: return credentials.value.readVariables
    case .key(_, let value, _)?: return value.readVariables
    case .nothing?, nil: return []
    }
  }

  /// Declares the secrets of the schemes that operations use, and remarks on alternatives.
  func declare(in collection: inout ImportedCollection, untranslated: inout [Untranslated]) {
    var used: Set<String> = []
    var alternatives: [String] = []
    for operation in contract.operations {
      used.formUnion(requirement(of: operation).map(\.name))
      for other in contract.security(of: operation) {
        let names = other.node.members.map(\.key)
        if !names.isEmpty, names != requirement(of: operation).map(\.name) {
          let text = names.joined(separator: " and ")
          if !alternatives.contains(text) { alternatives.append(text) }
        }
      }
    }
    for scheme in schemes where used.contains(scheme.name) {
      let words = words(of: scheme)
      let names = OpenAPISecurity.secrets.filter(words.contains).map { variableName($0, scheme) }
      collection.variables.addMissing(names.map { ImportedVariable(name: $0, value: .text(""), isSecret: true) })
    }
    for text in alternatives {
      untranslated.remark("alternative security schemes", text)
    }
  }
}
