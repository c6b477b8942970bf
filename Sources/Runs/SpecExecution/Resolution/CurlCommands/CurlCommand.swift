import HTTPSemantics
import Values

/// The request as a curl command that reproduces it.
package struct CurlCommand {
  let request: ResolvedRequest
  let jarCookies: [Cookie]
  private(set) var masked: CommandMasking

  /// Indicates whether the command has its secrets (`--show-secrets`).
  package var isOpen: Bool {
    get { masked.isOpen }
    set { masked.isOpen = newValue }
  }

  /// The quoting of words for a shell.
  package var quoted: @Sendable (String) -> String {
    get { masked.quoted }
    set { masked.quoted = newValue }
  }

  package init(request: ResolvedRequest, jarCookies: [Cookie], registry: SecretRegistry) {
    self.request = request
    self.jarCookies = jarCookies
    masked = CommandMasking(registry: registry)
  }

  package var text: String {
    let body = CurlBodyWords(request: request, masked: masked)
    let connectionWords = CurlConnectionWords(request: request, masked: masked).words
    let words =
      ["curl"] + methodWords + redirectWords + headerWords + credentialWords + connectionWords + body.words + urlWords
    let remark = webSocket == nil ? "" : "  # curl has no WebSocket before 8.11, and sends no messages"
    return body.input + words.joined(separator: " ") + body.remark + remark
  }

  private var webSocket: ResolvedStream? {
    if case .stream(let stream)? = request.transfer, stream.format == .websocket { stream } else { nil }
  }

  // MARK: method and URL

  private var upload: ResolvedUpload? {
    if case .upload(let upload)? = request.transfer { upload } else { nil }
  }

  private var methodWords: [String] {
    let method = request.method.rawValue
    if method == "HEAD", !request.hasBody { return ["--head"] }
    let implied = upload?.style.method.rawValue ?? (request.sendsLength ? "POST" : "GET")
    return method == implied ? [] : ["--request", masked.quoted(method)]
  }

  private var redirectWords: [String] {
    let policy = request.outgoing.redirects
    guard policy.mode == .follow else { return [] }
    var words = [policy.trustedHosts.isEmpty ? "--location" : "--location-trusted"]
    if policy.maxCount != RedirectPolicy().maxCount { words += ["--max-redirs", String(policy.maxCount)] }
    if policy.keepsMethod { words += ["--post301", "--post302"] }
    return words
  }

  private var urlWords: [String] {
    var words: [String] = []
    if case .stream? = request.transfer { words.append("--no-buffer") }
    if case .download(let download)? = request.transfer {
      words += outputWords(download)
    } else if request.outgoing.options.decompresses {
      words.append("--compressed")
    }
    if let target = request.requestTarget { words += ["--request-target", masked.quoted(masked(target))] }
    var url = masked.isOpen ? request.outgoing.url.string : masked.registry.masked(request.shownURL)
    if masked.isOpen, webSocket != nil { url = webSocketForm(ofHTTP: url) }
    if request.outgoing.url.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
      words.append("--path-as-is")
    }
    if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    return words + [masked.quoted(url)]
  }

  /// The options that store the body unchanged.
  private func outputWords(_ download: ResolvedDownload) -> [String] {
    var words = download.createsDirectories && download.to.string.contains("/") ? ["--create-dirs"] : []
    let path = masked.quoted(masked(download.to))
    if download.to.string.hasSuffix("/") {
      words += ["--output-dir", path, "--remote-name", "--remote-header-name"]
    } else {
      words += ["--output", path]
    }
    return words
  }

  // MARK: headers and credentials

  private var headerWords: [String] {
    var words: [String] = []
    for (name, value) in request.headers where !isSentByCurl(name.string, value.string) {
      if case .multipart = request.body, equalsIgnoringCase(name.string, "content-type") {
        // curl adds a boundary of its own.
        let type = value.string.prefix { $0 != ";" }
        if type != "multipart/form-data" { words += ["--header", masked.quoted("Content-Type: \(type)")] }
        continue
      }
      if isOfTheFormAlone(name.string) { continue }
      let shown = isMaskedHeader(name.string) ? masked.secret(value.string) : masked(value)
      words += ["--header", masked.quoted(shown.isEmpty ? "\(masked(name));" : "\(masked(name)): \(shown)")]
    }
    if let subprotocols = webSocket?.subprotocols, !subprotocols.isEmpty {
      let line = "Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))"
      words += ["--header", masked.quoted(masked.registry.masked(line))]
    }
    for name in ["User-Agent", "Accept"] where !request.outgoing.headers.contains(name) {
      words += ["--header", masked.quoted("\(name):")]
    }
    if request.sendsLength, upload == nil, !request.outgoing.headers.contains("Content-Type") {
      words += ["--header", masked.quoted("Content-Type:")]
    }
    return words
  }

  /// Returns whether a header only applies to the form as it was sent: curl neither compresses it, nor chooses the same
  /// boundary.
  private func isOfTheFormAlone(_ name: String) -> Bool {
    guard case .multipart = request.body else { return false }
    let names = ["Content-Digest", "Repr-Digest"] + (request.coding == nil ? [] : ["Content-Encoding"])
    return names.contains { equalsIgnoringCase($0, name) }
  }

  private func isSentByCurl(_ name: String, _ value: String) -> Bool {
    (equalsIgnoringCase(name, "accept") && value == "*/*")
      || (equalsIgnoringCase(name, "user-agent") && value.hasPrefix("reqrun"))
  }

  private var credentialWords: [String] {
    var words: [String] = []
    if !request.outgoing.headers.contains("Authorization") {
      switch request.credentials {
      case .bearer(let token):
        words += ["--header", masked.quoted("Authorization: Bearer \(masked.secret(token.string))")]
      case .password(let scheme, let username, let password):
        if scheme != .basic { words.append("--\(scheme.rawValue)") }
        words += ["--user", masked.quoted("\(masked(username)):\(masked.secret(password.string))")]
      case .awsSigV4(let keys): words += awsWords(keys)
      case .netrc(let file): words += file.isDefault ? ["--netrc"] : ["--netrc-file", masked.quoted(file.path)]
      case .negotiate: words += ["--negotiate", "--user", ":"]
      case .oauth2: words += ["--header", masked.quoted("Authorization: Bearer <access_token>")]
      case nil:
        if let userinfo = request.outgoing.url.userinfo {
          words += ["--user", masked.quoted(masked.isOpen ? userinfo : "\(Text.mask):\(Text.mask)")]
        }
      }
    }
    let cookies =
      request.cookies.map { "\(masked($0.name))=\(masked.secret($0.value.string))" }
      + jarCookies.map { "\($0.name)=\(masked.secret($0.value))" }
    // A Cookie header of the request's own is sent as one line with them, and curl sends only that header.
    if !cookies.isEmpty, !request.outgoing.headers.contains("Cookie") {
      words += ["--cookie", masked.quoted(cookies.joined(separator: "; "))]
    }
    return words
  }

  private func awsWords(_ keys: ResolvedAWSCredentials) -> [String] {
    let scope = AWSScope(keys.plain, host: request.outgoing.url.host)
    let region = keys.region.map { masked($0) } ?? scope?.region ?? ""
    let service = keys.service.map { masked($0) } ?? scope?.service ?? ""
    var words = [
      "--aws-sigv4", masked.quoted("aws:amz:\(region):\(service)"), "--user",
      masked.quoted("\(masked(keys.accessKey)):\(masked.secret(keys.secretKey.string))"),
    ]
    if let token = keys.sessionToken {
      words += ["--header", masked.quoted("X-Amz-Security-Token: \(masked.secret(token.string))")]
    }
    return words
  }
}

extension ResolvedRequest {
  package var hasBody: Bool { if case .none = body { false } else { true } }

  /// Indicates whether a length is sent, even 0: these methods anticipate content (RFC 9110, section 8.6).
  package var sendsLength: Bool { hasBody || ["POST", "PUT", "PATCH"].contains(method.rawValue) }
}
