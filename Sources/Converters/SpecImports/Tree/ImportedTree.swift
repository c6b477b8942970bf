import DocumentQueries

/// A collection of Postman, Insomnia or Bruno: folders and requests, and what they say of the requests within.
struct ImportedTree {
  enum Tool { case postman, insomnia, bruno }

  let tool: Tool
  var name: String?
  /// The name of the file for requests in no folder.
  var fileName: String
  /// The folder that holds the files of this collection, if there are several.
  var path: [String] = []
  var root = ImportedFolder()
  /// The texts that requests elsewhere read of a response, by the identifier of its request.
  var captures: [String: [(key: String, value: ImportedValue)]] = [:]
  /// The document, in which the uses of variables that scripts set are counted.
  var source: JSONNode?
}

struct ImportedFolder {
  enum Item {
    case folder(ImportedFolder)
    /// A request that is read once it is reached: a large collection is not in memory twice.
    case request(() -> ImportedItem)
    /// An item that has no form in a spec.
    case other(Untranslated)
  }

  var scope = ImportedScope()
  /// The name of its file, if it isn't that of the folder.
  var fileName: String?
  var items: [Item] = []
}

/// A request, without what it inherits.
struct ImportedItem {
  var scope: ImportedScope
  var request: ImportedRequest
  /// The type of the body where no header names one.
  var bodyType: String?
  var identifier = ""
  var source: JSONNode?
}

/// The parts that a collection, a folder and a request have in common.
struct ImportedScope {
  var name = ""
  var description: String?
  /// Nil inherits.
  var auth: ImportedAuth?
  var headers: [ImportedRequest.Header] = []
  var variables: [ImportedVariable] = []
  var scripts: [ImportedScript] = []
  var comments: [String] = []
  var untranslated: [Untranslated] = []
}

/// The credentials that a folder or a request has, or that it has none.
enum ImportedAuth {
  enum Place {
    case header, cookie, query
    /// The query within the URL, in the octets of the source.
    case url
  }

  case nothing
  case credentials(ImportedCredentials)
  /// A value that is sent in a place of its own.
  case key(ImportedText, value: ImportedText, Place)

  /// Credentials, or none where a spec can't say them.
  init(_ credentials: ImportedCredentials?) {
    self = credentials.map { .credentials($0) } ?? .nothing
  }

  /// A token in an `Authorization` header, behind a word.
  ///
  /// - Parameter kind: what a literal token is, such as `token`.
  static func token(_ token: ImportedText, prefix: ImportedText, kind: String) -> ImportedAuth {
    if prefix.literal == "Bearer" { return .credentials(.bearer(token)) }
    let value = prefix.isEmpty ? token : prefix + ImportedText(" ") + token.secret(kind)
    return .key("Authorization", value: value, .header)
  }
}

extension ImportedRequest {
  /// The path of a file; of an absolute path, which is that of another machine, the name.
  mutating func localFile(_ path: String) -> String {
    let isAbsolute = ["/", "../", "\\"].contains(where: path.hasPrefix) || path.contains(":\\")
    guard isAbsolute, let name = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last else { return path }
    comments.append("\(name) was \(path)")
    return String(name)
  }

  /// Adds credentials.
  ///
  /// - Parameter replaces: whether they stand in place of the headers in which they are sent.
  mutating func add(_ auth: ImportedAuth, replaces: Bool) {
    if replaces {
      let replaced = auth.sentHeaders
      for header in headers where replaced.contains(header.name.source.lowercased()) {
        comments.append("\(header.name.source) of the source is replaced by its credentials")
      }
      headers.removeAll { replaced.contains($0.name.source.lowercased()) }
    }
    switch auth {
    case .nothing: break
    case .credentials(let credentials): self.credentials = credentials
    case .key(let name, let value, .header): headers.append(Header(name: name, value: value))
    case .key(let name, let value, .cookie): cookies.append(Pair(name: name, value: value))
    case .key(let name, let value, .query): settings.addQuery(name, value)
    case .key(let name, let value, .url): url = url.withQuery(name, value)
    }
  }
}

extension ImportedAuth {
  /// The headers in which it is sent, in lower case.
  fileprivate var sentHeaders: Set<String> {
    switch self {
    case .nothing: []
    case .credentials(.aws): ["authorization", "x-amz-date", "x-amz-security-token", "x-amz-content-sha256"]
    case .credentials: ["authorization"]
    case .key(let name, _, .header): [name.source.lowercased()]
    // A token that the query has.
    case .key("access_token", _, .url): ["authorization"]
    case .key: []
    }
  }
}

extension ImportedSettings {
  /// Adds a pair to `query`, whose name may be a template.
  fileprivate mutating func addQuery(_ name: ImportedText, _ value: ImportedText) {
    if let name = name.literal { return set(.query, name, .text(value)) }
    let members = self[.query]?.members ?? []
    set(.query, .keyed(members.map { (ImportedText($0.key), $0.value) } + [(name, .text(value))]))
  }
}

extension ImportedText {
  /// The URL with a pair in its query, in place of others of its name.
  fileprivate func withQuery(_ name: ImportedText, _ value: ImportedText) -> ImportedText {
    let (address, fragment) = halves(at: "#")
    let (start, query) = address.halves(at: "?")
    let pairs = query.map { $0.isEmpty ? [] : $0.split(separator: "&") } ?? []
    let others = pairs.filter { $0.halves(at: "=").before != name }
    return start + "?" + (others + [name + "=" + value]).joined(by: "&") + (fragment.map { "#" + $0 } ?? "")
  }
}
