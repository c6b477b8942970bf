import Diagnostics
import DocumentQueries

/// A request of Insomnia in the words of specs.
struct InsomniaRequest {
  private let node: JSONNode
  private var request = ImportedRequest(url: ImportedText())

  /// - Parameters:
  ///   - headers: those of the folders around it.
  ///   - auth: that of the nearest folder with one.
  ///   - lacksScheme: whether the value of a variable is a host without a scheme.
  static func read(
    _ item: InsomniaItem, name: String, headers: [JSONNode], auth: JSONNode?, _ texts: inout InsomniaTexts,
    lacksScheme: (String) -> Bool
  ) -> ImportedRequest {
    var reader = InsomniaRequest(node: item.node)
    reader.request.name = name
    if let description = item.description {
      reader.request.settings.set(.description, .text(ImportedText(description)))
    }
    reader.request.method = texts.text(item.node.text("method").flatMap { $0.isEmpty ? nil : $0 } ?? "GET")
    reader.readURL(&texts, lacksScheme)
    reader.readHeaders(headers, &texts)
    reader.readBody(&texts)
    if let own = item.node[member: "authentication"], own.text("type") != nil {
      reader.readAuth(own, &texts)
    } else {
      // The folder remarks on its own credentials that have no form.
      let remarks = reader.request.untranslated
      reader.readAuth(auth, &texts)
      reader.request.untranslated = remarks
    }
    reader.readSettings()
    return reader.request
  }

  /// The parts of credentials that have no form in a spec.
  static func untranslated(_ auth: JSONNode, _ texts: inout InsomniaTexts) -> [Untranslated] {
    var reader = InsomniaRequest(node: auth)
    reader.readAuth(auth, &texts)
    return reader.request.untranslated
  }

  private init(node: JSONNode) {
    self.node = node
  }

  // MARK: URL

  private mutating func readURL(_ texts: inout InsomniaTexts, _ lacksScheme: (String) -> Bool) {
    var url = texts.text(node.text("url")?.trimmed ?? "")
    for parameter in node[member: "pathParameters"]?.items ?? [] {
      guard let name = parameter.text("name"), !name.isEmpty, let value = parameter.text("value") else { continue }
      let mark = "/:\(name)"
      url = url.mapText { text in
        guard let range = text.firstRange(of: mark) else { return text }
        let rest = text[range.upperBound...]
        guard rest.isEmpty || "/?#".contains(rest.first ?? "/") else { return text }
        return text[..<range.lowerBound] + "/{\(name)}" + rest
      }
      if url.source.contains("{\(name)}") {
        request.path.append(.init(name: ImportedText(name), value: texts.text(value)))
      }
    }
    switch url.parts.first {
    case .text(let text)? where !text.contains("://"): url = ImportedText("http://") + url
    case .variable(let name)? where lacksScheme(name): url = ImportedText("http://") + url
    default: break
    }
    var query: [(key: String, value: [ImportedText])] = []
    for parameter in node[member: "parameters"]?.items ?? [] {
      guard let name = parameter.text("name"), !name.isEmpty else { continue }
      let value = parameter.text("value") ?? ""
      if parameter.isDisabled {
        request.comments.append("disabled parameter: \(name)=\(value)")
      } else if value.isEmpty || name.contains("{{") || name.contains("{%") {
        url.append(url.source.contains("?") ? "&" : "?")
        url.append(texts.text(name))
        if !value.isEmpty { url.append(ImportedText("=") + texts.text(value)) }
      } else if let index = query.firstIndex(where: { $0.key == name }) {
        query[index].value.append(texts.text(value).secret(ifNamed: name))
      } else {
        query.append((name, [texts.text(value).secret(ifNamed: name)]))
      }
    }
    request.url = url
    if !query.isEmpty {
      let members = query.map { key, values in
        (key: key, value: values.count == 1 ? ImportedValue.text(values[0]) : .list(values.map { .text($0) }))
      }
      request.settings.set(.query, .mapping(members))
    }
  }

  // MARK: Headers and bodies

  private mutating func readHeaders(_ outer: [JSONNode], _ texts: inout InsomniaTexts) {
    let own = node[member: "headers"]?.items ?? []
    let names = Set(own.filter { !$0.isDisabled }.compactMap { $0.text("name")?.lowercased() })
    for header in outer.filter({ !names.contains($0.text("name")?.lowercased() ?? "") }) + own {
      guard let name = header.text("name")?.trimmed, !name.isEmpty else { continue }
      let value = header.text("value") ?? ""
      if header.isDisabled {
        request.comments.append("disabled header: \(name): \(value)")
      } else {
        request.headers.append(.init(name: texts.text(name), value: texts.text(value).trimmed))
      }
    }
  }

  private mutating func readBody(_ texts: inout InsomniaTexts) {
    guard let body = node[member: "body"], body.kind == .mapping else { return }
    let type = body.text("mimeType") ?? ""
    let media = type.lowercased().prefix { $0 != ";" }.description.trimmed
    let isTyped = request.header("Content-Type") != nil
    switch media {
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
          if let path = file(field.text("fileName")) {
            parts.append(.init(name: name, content: .file(texts.text(path))))
          } else {
            request.remark("files that are not chosen", "form field \(name.source)")
          }
        } else {
          parts.append(.init(name: name, content: .text(texts.text(field.text("value") ?? ""))))
        }
      }
      if !parts.isEmpty { request.body = .multipart(parts) }
      if request.header("Content-Type")?.literal == "multipart/form-data" { _ = request.takeHeader("Content-Type") }
    case "application/graphql": readGraphQL(body.text("text") ?? "", &texts)
    default:
      if let path = file(body.text("fileName")) {
        request.body = .file(texts.text(path))
      } else if let text = body.text("text"), !text.isEmpty {
        let given = request.header("Content-Type")?.literal?.lowercased().prefix { $0 != ";" }.description.trimmed
        let isJSON = ["application/json", nil].contains(given) && media == "application/json"
        request.body = isJSON ? .json(texts.text(text)) : .text(texts.text(text))
      } else {
        return
      }
      if !isTyped, !type.isEmpty {
        request.headers.append(.init(name: ImportedText("Content-Type"), value: ImportedText(type)))
      }
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

  /// The path of a file; of an absolute path, which is that of another machine, the name.
  private mutating func file(_ path: String?) -> String? {
    guard let path, !path.isEmpty else { return nil }
    guard path.hasPrefix("/") || path.hasPrefix("../") || path.contains(":\\"),
      let name = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last
    else { return path }
    request.comments.append("\(name) was \(path)")
    return String(name)
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
    if request.header("Content-Type")?.literal == "application/json" { _ = request.takeHeader("Content-Type") }
  }

  // MARK: Credentials and settings

  private mutating func readAuth(_ auth: JSONNode?, _ texts: inout InsomniaTexts) {
    guard let auth, let type = auth.text("type"), !auth.isDisabled else { return }
    var given: [String: ImportedText] = [:]
    for (key, value) in auth.members {
      if let text = value.scalarText, !text.isEmpty { given[key] = texts.text(text) }
    }
    let username = given["username"] ?? ImportedText()
    let password = given["password"] ?? ImportedText()
    switch type {
    case "none": break
    case "basic": request.credentials = .basic(username: username, password: password)
    case "digest": request.credentials = .digest(username: username, password: password)
    case "ntlm": request.credentials = .ntlm(username: username, password: password)
    case "bearer", "singleToken":
      guard let token = given["token"] else { return }
      guard let prefix = given["prefix"], prefix.literal != "Bearer" else {
        request.credentials = .bearer(token)
        return
      }
      let value = prefix.literal == "NO_PREFIX" ? token : prefix + ImportedText(" ") + token.secret("token")
      request.headers.append(.init(name: ImportedText("Authorization"), value: value))
    case "apikey":
      guard let key = given["key"] else { return }
      let value = (given["value"] ?? ImportedText()).secret(key.literal ?? "api_key")
      switch auth.text("addTo") {
      case "queryParams": request.settings.set(.query, key.source, .text(value))
      case "cookie": request.cookies.append(.init(name: key, value: value))
      default: request.headers.append(.init(name: key, value: value))
      }
    case "iam":
      guard let accessKey = given["accessKeyId"], let secretKey = given["secretAccessKey"] else { return }
      request.credentials = .aws(
        accessKey: accessKey, secretKey: secretKey, region: given["region"], service: given["service"],
        sessionToken: given["sessionToken"])
    case "netrc": request.credentials = .netrc
    case "oauth2": readOAuth(given, auth)
    default: request.remark("kinds of credentials", "authentication \(type)")
    }
  }

  private mutating func readOAuth(_ given: [String: ImportedText], _ auth: JSONNode) {
    var oauth = ImportedOAuth(grant: auth.text("grantType") ?? "")
    oauth.authorizationURL = given["authorizationUrl"]
    oauth.tokenURL = given["accessTokenUrl"]
    oauth.clientID = given["clientId"]
    oauth.clientSecret = given["clientSecret"]
    oauth.sendsClientInBody = auth.isTrue("credentialsInBody")
    oauth.scope = given["scope"].map { .text($0) }
    oauth.audience = given["audience"]
    oauth.username = given["username"]
    oauth.password = given["password"]
    oauth.redirectURI = given["redirectUrl"]
    oauth.apply(to: &request, source: "authentication oauth2")
  }

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

extension ImportedText {
  fileprivate func secret(ifNamed name: String) -> ImportedText { isSecretName(name) ? secret(name) : self }
}
