import DocumentQueries
import HTTPSemantics
import Values

/// A request of Insomnia in the words of specs.
struct InsomniaRequest {
  private let node: JSONNode
  private let isWebSocket: Bool
  private var request = ImportedRequest(url: ImportedText())
  private var bodyType: String?

  /// - Parameter lacksScheme: whether the value of a variable is a host without a scheme.
  static func read(
    _ item: InsomniaItem, _ scope: ImportedScope, _ texts: inout InsomniaTexts, lacksScheme: (String) -> Bool
  ) -> ImportedItem {
    var reader = InsomniaRequest(node: item.node, isWebSocket: item.isWebSocket)
    if let description = item.description {
      reader.request.settings.set(.description, .text(ImportedText(description)))
    }
    reader.request.method = texts.text(item.node.text("method").flatMap { $0.isEmpty ? nil : $0 } ?? "GET")
    reader.readURL(&texts, lacksScheme)
    reader.request.comments += scope.comments
    reader.readBody(&texts)
    var scope = scope
    scope.auth = ImportedAuth(
      insomnia: item.node[member: "authentication"], &texts, &reader.request.untranslated)
    reader.readSettings()
    if item.isWebSocket {
      reader.request.openWebSocket(item.payloads.compactMap { $0.text("value") }.map { .sent(texts.text($0)) })
    }
    return ImportedItem(scope: scope, request: reader.request, bodyType: reader.bodyType)
  }

  // MARK: URL

  /// Adds the scheme that Insomnia leaves out.
  private func withScheme(_ url: ImportedText) -> ImportedText {
    ImportedText(isWebSocket ? "ws://" : "http://") + url
  }

  private mutating func readURL(_ texts: inout InsomniaTexts, _ lacksScheme: (String) -> Bool) {
    var url = texts.text(node.text("url")?.trimmed ?? "")
    for parameter in node[member: "pathParameters"]?.items ?? [] {
      guard let name = parameter.text("name"), !name.isEmpty else { continue }
      let value = parameter.text("value") ?? ""
      let mark = "/:\(name)"
      url = url.mapText { text in
        guard let range = text.firstRange(of: mark) else { return text }
        let rest = text[range.upperBound...]
        guard rest.isEmpty || "/?#".contains(rest.first ?? "/") else { return text }
        return text[..<range.lowerBound] + "/{\(name)}" + rest
      }
      if url.source.contains("{\(name)}") {
        // A value that is still to be filled in is a variable.
        let value = value.isEmpty ? ImportedText(.variable(name)) : texts.text(value)
        request.path.append(.init(name: ImportedText(name), value: value))
      }
    }
    switch url.parts.first {
    case .text(let text)? where !text.contains("://"): url = withScheme(url)
    case .variable(let name)? where lacksScheme(name): url = withScheme(url)
    default: break
    }
    var query: [(key: String, value: ImportedValue)] = []
    for parameter in node[member: "parameters"]?.items ?? [] {
      guard let name = parameter.text("name"), !name.isEmpty else { continue }
      let value = parameter.text("value") ?? ""
      if parameter.isDisabled {
        request.comments.append("disabled parameter: \(name)=\(value)")
      } else if value.isEmpty || name.contains("{{") || name.contains("{%") {
        url.append(url.source.contains("?") ? "&" : "?")
        url.append(texts.text(name))
        if !value.isEmpty { url.append(ImportedText("=") + texts.text(value)) }
      } else {
        query.append((name, .text(texts.text(value))))
      }
    }
    request.url = url
    if !query.isEmpty {
      request.settings.set(.query, .mapping(query.grouped().map { ($0, $1.count == 1 ? $1[0] : .list($1)) }))
    }
  }

  // MARK: Bodies

  private mutating func readBody(_ texts: inout InsomniaTexts) {
    guard let body = node[member: "body"], body.kind == .mapping else { return }
    let type = body.text("mimeType") ?? ""
    switch mediaType(of: type) {
    case "application/x-www-form-urlencoded" where body[member: "params"] != nil:
      let pairs = fields(body).map {
        ImportedRequest.Pair(name: texts.text($0.text("name") ?? ""), value: texts.text($0.text("value") ?? ""))
      }
      if !pairs.isEmpty { request.body = .form(pairs) }
    case "multipart/form-data":
      var parts: [ImportedRequest.Part] = []
      for field in fields(body) {
        let name = texts.text(field.text("name") ?? "")
        if field.text("type") == "file" {
          if let path = field.text("fileName"), !path.isEmpty {
            parts.append(.init(name: name, content: .file(texts.text(request.localFile(path)))))
          } else {
            request.remark("files that are not chosen", "form field \(name.source)")
          }
        } else {
          parts.append(.init(name: name, content: .text(texts.text(field.text("value") ?? ""))))
        }
      }
      if !parts.isEmpty { request.body = .multipart(parts) }
    case "application/graphql": readGraphQL(body.text("text") ?? "", &texts)
    default:
      if let path = body.text("fileName"), !path.isEmpty {
        request.body = .file(texts.text(request.localFile(path)))
      } else if let text = body.text("text"), !text.isEmpty {
        request.body = .text(texts.text(text))
      } else {
        return
      }
      if !type.isEmpty { bodyType = type }
    }
  }

  private mutating func fields(_ body: JSONNode) -> [JSONNode] {
    (body[member: "params"]?.items ?? []).filter { field in
      if field.isDisabled {
        request.comments.append("disabled field: \(field.text("name") ?? "")=\(field.text("value") ?? "")")
      }
      return !field.isDisabled && field.text("name")?.isEmpty == false
    }
  }

  private mutating func readGraphQL(_ text: String, _ texts: inout InsomniaTexts) {
    guard let document = try? JSONDocument(parsing: text), let query = document.root.text("query") else {
      request.body = .text(texts.text(text))
      return
    }
    let variables = document.root[member: "variables"]
    let shown = variables.flatMap { $0.isContainer ? $0.count > 0 ? $0.text : nil : $0.scalarText }
    request.body = .graphql(
      query: texts.text(query), variables: shown.map { texts.text($0) },
      operation: document.root.text("operationName").flatMap { $0.isEmpty ? nil : texts.text($0) })
  }

  // MARK: Settings

  private mutating func readSettings() {
    let settings = node[member: "settings"]
    let follow = node.text("settingFollowRedirects") ?? settings?.text("followRedirects")
    if follow == "off" { request.settings.set(.redirects, .text("none")) }
    let sends = node[member: "settingSendCookies"] ?? settings?[member: "cookies"]?[member: "send"]
    if sends?.isBoolean(false) ?? false { request.settings.set(session: .cookies, .text("none")) }
    let renders =
      node[member: "settingDisableRenderRequestBody"]?.isBoolean(true)
      ?? settings?[member: "renderRequestBody"]?.isBoolean(false)
    if renders ?? false { request.comments.append("Insomnia does not fill in the variables of this body") }
  }
}

extension ImportedAuth {
  /// Reads credentials of Insomnia; nil without any.
  init?(insomnia node: JSONNode?, _ texts: inout InsomniaTexts, _ remarks: inout [Untranslated]) {
    guard let node, let type = node.text("type") else { return nil }
    self = node.isDisabled ? .nothing : Self.auth(type, node, &texts, &remarks) ?? .nothing
  }

  private static func auth(
    _ type: String, _ auth: JSONNode, _ texts: inout InsomniaTexts, _ remarks: inout [Untranslated]
  ) -> ImportedAuth? {
    var given: [String: ImportedText] = [:]
    for (key, value) in auth.members {
      if let text = value.scalarText, !text.isEmpty { given[key] = texts.text(text) }
    }
    switch type {
    case "none": break
    case "basic", "digest", "ntlm":
      return .credentials(
        .account(
          .init(rawValue: type) ?? .basic, username: given["username"] ?? "", password: given["password"] ?? ""))
    case "bearer", "singleToken":
      guard let token = given["token"] else { break }
      let prefix = given["prefix"] ?? "Bearer"
      return .token(token, prefix: prefix.literal == "NO_PREFIX" ? "" : prefix, kind: "token")
    case "apikey":
      guard let key = given["key"] else { break }
      let places = ["queryParams": Place.query, "cookie": .cookie]
      return .key(
        key, value: (given["value"] ?? "").secret(key.literal ?? "api_key"),
        places[auth.text("addTo") ?? ""] ?? .header)
    case "iam":
      guard let accessKey = given["accessKeyId"], let secretKey = given["secretAccessKey"] else { break }
      return .credentials(
        .aws(
          accessKey: accessKey, secretKey: secretKey, region: given["region"], service: given["service"],
          sessionToken: given["sessionToken"]))
    case "netrc": return .credentials(.netrc)
    case "oauth2":
      var oauth = ImportedOAuth(
        grant: auth.text("grantType") ?? "",
        [
          (\.authorizationURL, "authorizationUrl"), (\.tokenURL, "accessTokenUrl"), (\.clientID, "clientId"),
          (\.clientSecret, "clientSecret"), (\.scope, "scope"), (\.audience, "audience"), (\.username, "username"),
          (\.password, "password"), (\.redirectURI, "redirectUrl"),
        ]
      ) { given[$0] }
      oauth.sendsClientInBody = auth.isTrue("credentialsInBody")
      return ImportedAuth(oauth.credentials(source: "authentication oauth2", remarks: &remarks))
    default: remarks.remark("kinds of credentials", "authentication \(type)")
    }
    return nil
  }
}
