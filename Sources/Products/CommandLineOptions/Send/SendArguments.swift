import YAMLNodes

/// The arguments of `reqrun send` and the options that say what is sent.
package struct SendArguments: Sendable {
  /// The form of the fields.
  package enum Form: String, Sendable {
    case json, form, multipart
  }

  /// The bodies that are compressed.
  package enum Compression: Sendable {
    case always, ifSmaller
  }

  /// The files that items name.
  package struct Files: Sendable {
    /// The directory for `~`; nil if there is none.
    let home: String?
    let read: @Sendable (_ path: String) throws(SendProblem) -> [UInt8]
    /// The path of a file as the spec has it, which is in another directory.
    package var written: @Sendable (_ path: String) -> String = { $0 }

    package init(home: String?, read: @escaping @Sendable (_ path: String) throws(SendProblem) -> [UInt8]) {
      self.home = home
      self.read = read
    }
  }

  /// The method as it was given; nil to take GET, or POST with a body.
  let method: String?
  let url: SendURL
  let items: [RequestItem]
  /// The form that an option names; nil for JSON where there are fields.
  package var form: Form?
  /// The text of the body (`--raw`).
  package var raw: String?
  /// A GraphQL query, whose variables are the fields; `@` and a path for one in a file.
  package var graphQL: String?
  /// The bytes of standard input; nil if it isn't the body.
  package var input: [UInt8]?
  package var compression: Compression?
  /// Indicates whether `.` and `..` in the path are sent.
  package var isPathAsIs = false
  /// Indicates whether the request is for a file: a text that is JSON becomes JSON, without its secrets.
  package var isSaved = false
  package var credentials: SendCredentials?
  /// `true` and `false` for options; nil follows as specs do.
  package var followsRedirects: Bool?
  package var maxRedirects: Int?
  /// The session of earlier requests; nil without one.
  package var session: SavedSession?
  /// The path of a download; nil for none.
  package var download: String?
  /// Indicates whether the response may take very long.
  package var isStream = false
  /// The names of variables that the command line or a file has.
  package var takenNames: Set<String> = []
  /// The names of the secrets of the command line or of a file by their values, as far as these are known.
  package var knownSecrets: [String: String] = [:]
  /// The variables of the command line, which a request for a file gets if it reads them.
  package var variables: [(key: String, value: YAMLNode)] = []
  /// The name of the request in a saved file.
  package var name: String?

  private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  /// - Parameter arguments: `[METHOD] URL [ITEM…]`.
  package init(_ arguments: [String]) throws(SendProblem) {
    var rest = arguments[...]
    guard let first = rest.popFirst() else {
      throw SendProblem("there is no URL", help: "write [METHOD] URL [ITEM…]")
    }
    if first.hasPrefix("{") {
      let url = rest.first(where: isURL) ?? "URL"
      throw SendProblem("JSON is a whole body, and not a URL", help: "write \(url) --raw '{…}'")
    }
    let isWord = first.allSatisfy { $0.isASCII && $0.isLetter }
    if isWord, first.lowercased() != "localhost", let url = rest.first {
      method = first.uppercased()
      self.url = try SendURL(url)
      rest.removeFirst()
    } else {
      if Self.methods.contains(first) {
        throw SendProblem("there is no URL after \(first)", help: "write [METHOD] URL [ITEM…]")
      }
      if let item = first.firstIndex(where: { "=/?".contains($0) }), first[item] == "=",
        let url = rest.first(where: isURL)
      {
        throw SendProblem("the URL stands before the items", help: "write \(url) \(first[..<item])=…")
      }
      method = nil
      url = try SendURL(first)
    }
    if rest.contains(where: { isURL($0) && ($0.hasPrefix(":") || $0.hasPrefix("http")) && !$0.contains("=") }) {
      throw SendProblem("here are two URLs, and a request has one", help: "write [METHOD] URL [ITEM…], with one URL")
    }
    items = try Self.items(rest)
    if let (user, password) = self.url.userinfo { credentials = SendCredentials(user: user, password: password) }
  }

  /// Reads items; of one with blanks and no quotes, the shell has made several.
  private static func items(_ arguments: ArraySlice<String>) throws(SendProblem) -> [RequestItem] {
    var items: [RequestItem] = []
    for (index, argument) in zip(arguments.indices, arguments) {
      let next = arguments.dropFirst(index + 1 - arguments.startIndex).first
      if let next, ["=", ":", ":=", "=="].contains(next) {
        throw SendProblem("an item has no blanks around \(next)", help: "write name\(next)value")
      }
      let isJSON =
        argument.hasPrefix("{") || argument.hasPrefix("[{") || argument.hasSuffix("}")
        || argument.hasPrefix("[") && argument.hasSuffix("]")
      do throws(SendProblem) {
        if argument.hasPrefix("{") { throw SendProblem("") }
        items.append(try RequestItem(argument))
      } catch {
        if isJSON {
          throw SendProblem(
            "JSON is a whole body, and not an item", help: "write --raw '{…}', with quotes around all of it")
        }
        guard let header = items.last, header.kind == .header, header.value.isEmpty else { throw error }
        throw SendProblem(
          "\(header.name): and its value are one item", help: "put both in quotes: '\(header.name): …'")
      }
    }
    return items
  }

  /// Indicates whether standard input may be the body: nothing else is.
  package var takesInput: Bool { raw == nil && graphQL == nil && !items.contains { $0.kind.isData } }
}

/// Returns whether an argument looks like a URL rather than an item.
private func isURL(_ argument: String) -> Bool {
  argument.contains("://") || argument.hasPrefix("/")
    || argument.first == ":" && argument.dropFirst().first.map { $0.isNumber || $0 == "/" } ?? true
}

/// Credentials as `--auth` takes them: `basic:ann`, `ann:secret`, `digest:ann:secret`, `bearer:token`.
package struct SendCredentials: Sendable, Hashable {
  package enum Scheme: String, Sendable, CaseIterable {
    case basic, digest, ntlm, bearer
  }

  package let scheme: Scheme
  /// The name of the user; empty for a token.
  package let user: String
  /// The password or the token; nil if it was not given.
  package var secret: String?

  /// - Parameter scheme: the scheme of `--auth-type`; nil to read it from the text, or to take Basic.
  package init(_ text: String, scheme: String? = nil) throws(SendProblem) {
    var scheme = scheme.flatMap { Scheme(rawValue: $0) }
    var rest = text[...]
    if scheme == nil, let colon = text.firstIndex(of: ":"), let named = Scheme(rawValue: String(text[..<colon])) {
      scheme = named
      rest = text[text.index(after: colon)...]
    } else if scheme == nil, text == Scheme.bearer.rawValue {
      (scheme, rest) = (.bearer, "")
    }
    self.scheme = scheme ?? .basic
    if self.scheme == .bearer {
      user = ""
      secret = rest.isEmpty ? nil : String(rest)
      return
    }
    let colon = rest.firstIndex(of: ":")
    user = String(rest[..<(colon ?? rest.endIndex)])
    secret = colon.map { String(rest[rest.index(after: $0)...]) }
    if user.isEmpty, secret == nil {
      throw SendProblem("--auth has no user", help: "write basic:USER:PASSWORD, basic:USER or bearer:TOKEN")
    }
  }

  /// Basic credentials.
  init(user: String, password: String) {
    (scheme, self.user, secret) = (.basic, user, password)
  }

  /// The question for what was not given.
  package var prompt: String { scheme == .bearer ? "token: " : "password of \(user): " }
}
