import Values

/// Makes a request of the arguments of an operation, for one of its URLs.
struct CurlReading {
  var request: ImportedRequest
  let operation: CurlOperation
  /// The standard input.
  let input: ShellInput?
  /// The files of cookies that earlier commands have written.
  private let jars: Set<String>
  var data: [CurlData] = []
  var parts: [ImportedRequest.Part] = []

  init(_ operation: CurlOperation, url: ImportedText, upload: ImportedText?, input: ShellInput?, jars: Set<String>) {
    self.operation = operation
    self.input = input
    self.jars = jars
    request = ImportedRequest(url: Self.absolute(url, scheme: operation.value("proto-default")?.literal ?? "http"))
    request.untranslated = operation.untranslated
    for argument in operation.arguments { read(argument) }
    readUserinfo()
    readURL()
    addDefaultHeaders()
    addCookies()
    addCredentials()
    addConnection()
    for argument in operation.arguments { readData(argument) }
    if !operation.has("get") { addQueries() }
    addBody(upload: upload)
    finish()
  }

  mutating func remark(_ reason: String, _ argument: CurlArgument) {
    request.remark(reason, "\(argument.source) \(argument.value.source)")
  }

  private static func absolute(_ url: ImportedText, scheme: String) -> ImportedText {
    guard case .text(let text)? = url.parts.first, !text.contains("://") else { return url }
    return ImportedText(scheme + "://") + url
  }

  private mutating func finish() {
    if operation.has("head") { request.method = request.method ?? ImportedText("HEAD") }
    if request.body != nil, ["GET", "HEAD"].contains(request.method?.literal) {
      request.settings.set(.bodyOnGet, .bool(true))
    }
    if request.method?.literal == (request.body == nil ? "GET" : "POST") { request.method = nil }
    // Only these and those of a body would be sent without being asked for.
    let removable = ["user-agent", "accept"] + (request.body.map(\.bringsContentType) ?? false ? ["content-type"] : [])
    request.headers.removeAll { header in
      header.value == nil && !(header.name.literal.map { removable.contains($0.lowercased()) } ?? true)
    }
  }

  private mutating func read(_ argument: CurlArgument) {
    switch argument.option.name {
    case "request": request.method = argument.value
    case "header": addHeader(argument.value)
    default: break
    }
  }

  // MARK: the URL

  private mutating func readUserinfo() {
    guard case .text(let text)? = request.url.parts.first, let start = text.firstRange(of: "://")?.upperBound else {
      return
    }
    let prefix = String(text[..<start])
    let rest = request.url.dropFirst(prefix.count)
    guard let (userinfo, host) = rest.split(at: "@"), !userinfo.parts.contains(where: isBeyondAuthority) else { return }
    request.url = ImportedText(prefix) + host
    guard operation.value("user") == nil else { return }
    let (name, password) = userinfo.split(at: ":") ?? (userinfo, ImportedText())
    request.credentials = .account(
      .basic, username: name.mapText { percentDecoded($0) }, password: password.mapText { percentDecoded($0) })
  }

  private func isBeyondAuthority(_ part: ImportedText.Part) -> Bool {
    if case .text(let text) = part { text.contains { "/?#".contains($0) } } else { false }
  }

  private mutating func readURL() {
    if let (url, _) = request.url.split(at: "#") { request.url = url }
    if !operation.has("path-as-is") { request.url = request.url.withoutDotSegments }
  }

  // MARK: headers

  private mutating func addHeader(_ header: ImportedText) {
    if header.hasPrefix("@") {
      request.remark("headers in files", "--header \(header.source)")
    } else if let (name, value) = header.split(at: ":") {
      let value = value.trimmed
      request.headers.append(.init(name: name.trimmed, value: value.isEmpty ? nil : value))
    } else if let text = header.literal, text.hasSuffix(";") {
      request.headers.append(.init(name: ImportedText(String(text.dropLast())), value: ImportedText()))
    } else {
      request.remark("headers without a colon", "--header \(header.source)")
    }
  }

  /// Adds headers that have options of their own, where none of that name was given.
  private mutating func addDefaultHeaders() {
    if let agent = operation.value("user-agent") { addHeader("User-Agent", agent.isEmpty ? nil : agent) }
    if let referer = operation.value("referer") {
      let text = referer.halves(at: ";").before
      if !text.isEmpty { addHeader("Referer", text) }
    }
    if let range = operation.value("range") {
      let isOpen = range.literal.map { !$0.contains("-") } ?? false
      addHeader("Range", ImportedText("bytes=") + range + ImportedText(isOpen ? "-" : ""))
    }
    if let condition = operation.value("time-cond") { addCondition(condition) }
    if operation.arguments.contains(where: { $0.option.name == "json" }) {
      addHeader("Content-Type", ImportedText("application/json"))
      addHeader("Accept", ImportedText("application/json"))
    }
    if request.headers.contains(where: { $0.value == nil && $0.name.isHeader("Accept-Encoding") }) {
      request.settings.set(.compressed, .bool(false))
    }
  }

  /// Adds the header for `--time-cond`, whose date may have no comma and no zone.
  private mutating func addCondition(_ condition: ImportedText) {
    let isNegative = condition.hasPrefix("-")
    let words = condition.source.split { " -,".contains($0) }.map(String.init)
    let date = words.count < 5 ? "" : "\(words[0]), \(words[1]) \(words[2]) \(words[3]) \(words[4]) GMT"
    guard words.count == 5 || words.count == 6 && words[5] == "GMT", Timestamp(httpDate: date) != nil else {
      return request.remark("conditions of files", "--time-cond \(condition.source)")
    }
    addHeader(isNegative ? "If-Unmodified-Since" : "If-Modified-Since", ImportedText(date))
  }

  private mutating func addHeader(_ name: String, _ value: ImportedText?) {
    if request.hasHeader(name) { return }
    request.headers.append(.init(name: ImportedText(name), value: value))
  }

  private mutating func addCookies() {
    var cookies = ImportedText()
    for argument in operation.arguments where argument.option.name == "cookie" {
      let text = argument.value
      if text.isEmpty { continue }
      if text.split(at: "=") == nil, let path = text.literal {
        if !jars.contains(path) { request.remark("files of cookies", "--cookie \(path)") }
        continue
      }
      if !cookies.isEmpty { cookies.append(";") }
      cookies.append(text)
    }
    if cookies.isEmpty || request.hasHeader("Cookie") { return }
    request.headers.append(.init(name: ImportedText("Cookie"), value: cookies))
  }

  // MARK: credentials

  private mutating func addCredentials() {
    if request.hasHeader("Authorization") {
      request.credentials = nil
      return
    }
    let user = operation.value("user").map { user in
      user.split(at: ":") ?? (user, ImportedText(.variable("password")))
    }
    if let token = operation.value("oauth2-bearer") {
      request.credentials = .bearer(token)
    } else if let user, let provider = operation.value("aws-sigv4") {
      if !"\(provider.source):".hasPrefix("aws:") {
        request.remark("signatures of other providers", "--aws-sigv4 \(provider.source)")
      }
      request.credentials = ImportedCredentials(signature: provider, accessKey: user.before, secretKey: user.after)
    } else if operation.has("negotiate") {
      request.credentials = .negotiate
    } else if let user {
      let scheme: ImportedCredentials.Scheme =
        operation.has("digest") || operation.has("anyauth") ? .digest : operation.has("ntlm") ? .ntlm : .basic
      request.credentials = .account(scheme, username: user.before, password: user.after)
      if operation.has("anyauth") { request.remark("credentials by the server's choice", "--anyauth") }
    } else if operation.has("netrc") || operation.has("netrc-optional") {
      request.credentials = .netrc
    }
  }
}

extension ImportedText {
  /// Returns whether it is the name of a header, in any letter case.
  func isHeader(_ name: String) -> Bool { literal.map { equalsIgnoringCase($0, name) } ?? false }

  /// A known URL without `.` and `..` in its path.
  var withoutDotSegments: ImportedText {
    literal.map { ImportedText(removingDotSegments(ofURL: $0)) } ?? self
  }

  /// Adds pairs to the query of a URL.
  mutating func appendQuery(_ query: ImportedText) {
    if query.isEmpty { return }
    if let (_, old) = split(at: "?") {
      if case .text(let text)? = old.parts.last, text.hasSuffix("&") {} else if !old.isEmpty { append("&") }
    } else {
      append("?")
    }
    append(query)
  }
}

extension ImportedRequest {
  /// Returns whether a header is sent, or removed.
  func hasHeader(_ name: String) -> Bool { headers.contains { $0.name.isHeader(name) } }
}

extension ImportedRequest.Body {
  /// Indicates whether a `Content-Type` is sent with it, unless it is removed.
  var bringsContentType: Bool {
    switch self {
    case .text, .base64, .file: false
    case .json, .form, .multipart, .graphql: true
    }
  }
}
