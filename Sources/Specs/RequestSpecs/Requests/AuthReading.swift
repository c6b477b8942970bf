import Templates
import Values
import YAMLNodes

/// The credentials of a request while they are read.
struct AuthDraft {
  var spec: AuthSpec?

  static let keys = Keys<AuthDraft>(
    [
      password(.basic, "`{username: …, password: …}`, sent in base64"),
      Key("bearer", "the token itself", ValueDecoder<Text>.secretText.shape.orTemplate) {
        $2.spec = $0.bearer($1.value)
      },
      password(.digest, "`{username: …, password: …}`, by RFC 7616"),
      password(.ntlm, "`{username: …, password: …}`, for a connection"),
      Key("aws_sigv4", "AWS Signature Version 4", CredentialDraft.awsKeys.shape(needed: CredentialDraft.awsNeeded)) {
        $2.spec = $0.awsSigV4($1.value)
      },
      Key("oauth2", "a token that an authorization server issues", OAuth2Spec.keys.shape(needed: OAuth2Spec.needed)) {
        $2.spec = $0.oauth2($1.value)
      },
    ],
    advice: [
      "netrc": "write `auth: netrc`", "negotiate": "write `auth: negotiate`", "none": "write `auth: none`",
      "username": "write {basic: {username: …, password: …}}", "password": "write {basic: {username: …, password: …}}",
      "token": "write {bearer: …}", "user": "write {basic: {username: …, password: …}}",
      "type": "the kind is the key itself: {bearer: …}, {basic: {…}}",
      "grant_type": "write {oauth2: {grant_type: …, token_url: …, client_id: …}}",
      "oauth": "write {oauth2: {grant_type: …, token_url: …, client_id: …}}",
    ])

  private static func password(_ scheme: PasswordScheme, _ documentation: String) -> Key<AuthDraft> {
    Key(
      scheme.rawValue, documentation, CredentialDraft.passwordKeys.shape(needed: CredentialDraft.passwordNeeded)
    ) { $2.spec = $0.password(scheme, $1.value) }
  }
}

/// The members of a kind of credentials while they are read.
struct CredentialDraft {
  var username: Field<Text>?
  var password: Field<Text>?
  var accessKey: Field<Text>?
  var secretKey: Field<Text>?
  var sessionToken: Field<Text>?
  var region: Field<Text>?
  var service: Field<Text>?

  static let passwordNeeded = ["username", "password"]

  static let passwordKeys = Keys<CredentialDraft>(
    [
      Key("username", "the name", synonyms: "user name login", .field(.scalarText)) { $0.username = $1 },
      Key("password", "the password, which is secret", synonyms: "pass", .field(.secretText)) { $0.password = $1 },
    ], shape: "{username: …, password: …}")

  static let awsNeeded = ["access_key", "secret_key"]

  static let awsKeys = Keys<CredentialDraft>(
    [
      Key("access_key", "the ID of the key", synonyms: "access_key_id", .field(.scalarText)) { $0.accessKey = $1 },
      Key("secret_key", "the key, which is secret", synonyms: "secret_access_key secret", .field(.secretText)) {
        $0.secretKey = $1
      },
      Key("session_token", "the token of temporary credentials, which is secret", .removable(.secretText)) {
        $0.sessionToken = $1
      },
      Key("region", "the region; without one it is taken from the host", .removable(.scalarText)) { $0.region = $1 },
      Key("service", "the service; without one it is taken from the host", .removable(.scalarText)) {
        $0.service = $1
      },
    ], shape: "{access_key: …, secret_key: …}")
}

extension ValueReader {
  /// A field, or `null` to leave it out.
  static func removable<Output>(_ decoder: ValueDecoder<Output>) -> ValueReader
  where Content == Field<Output>? {
    ValueReader(decoder.shape.orTemplate.or(.null)) { $1.value.isNull ? nil : $0.field($1.value, decoder) }
  }
}

extension SpecReader {
  mutating func auth(_ node: YAMLNode) -> AuthSpec? {
    switch node.scalar?.text {
    case "none": return AuthSpec.none
    case "netrc": return .netrc(node.range)
    case "negotiate": return .negotiate(node.range)
    default: break
    }
    guard let members = node.members, !members.isEmpty else {
      report(
        .wrongType,
        "`auth` is a mapping, `netrc`, `negotiate` or `none`, found "
          + (node.members == nil ? node.kindPhrase : "an empty mapping"), at: node,
        help: node.plainText?.lowercased().hasPrefix("bearer ") == true
          ? "write {bearer: …}"
          : "write {basic: {username: …, password: …}}, {bearer: …} or another kind of credentials")
      return nil
    }
    if reportMissingScheme(members) { return nil }
    var draft = AuthDraft()
    let keys = AuthDraft.keys.names
    visit(node, as: "`auth`", keys: AuthDraft.keys, into: &draft)
    let kinds = members.filter { keys.known.contains($0.key) }
    if kinds.count > 1 {
      bag.error(
        .conflictingKeys, "`\(kinds[1].key)` and `\(kinds[0].key)` are both credentials: a request has one kind",
        at: kinds[1].keyRange, notes: [Diagnostic.Note("the other kind stands here", at: kinds[0].keyRange)])
    }
    return draft.spec
  }

  /// Reports credentials without the key of their kind, once.
  private mutating func reportMissingScheme(_ members: [YAMLMember]) -> Bool {
    let keys = AuthDraft.keys.names
    if members.contains(where: { keys.known.contains($0.key) || $0.value.hasError }) { return false }
    let scheme = members.first { ["type", "scheme", "kind", "method"].contains($0.key) }
    let names = Set(members.map(\.key))
    let signs: [(kind: String, names: Set<String>)] = [
      ("oauth2", ["grant_type", "token_url", "client_id", "client_secret"]),
      ("aws_sigv4", ["access_key", "secret_key"]),
      ("basic", ["username", "user", "password"]), ("bearer", ["token"]),
    ]
    let sign = signs.first { !names.isDisjoint(with: $0.names) }?.kind
    let word = scheme?.value.plainText?.lowercased()
    let keyWords: Set = ["api_key", "apikey", "api-key"]
    if let place = members.first(where: { keyWords.contains($0.key.lowercased()) })?.keyRange
      ?? (word.map(keyWords.contains) == true ? scheme?.keyRange : nil)
    {
      bag.error(
        .unknownKey, "an API key is a header, or a parameter of the query", at: place,
        help: "write it under `headers:`, with the name that the server expects")
      return true
    }
    guard members.count > 1, scheme != nil || sign != nil else { return false }
    let kind =
      if let word, keys.known.contains(word) { word } else {
        word?.hasPrefix("oauth") == true ? "oauth2" : sign ?? "bearer"
      }
    let shape =
      switch kind {
      case "oauth2": OAuth2Spec.keys.names.shape
      case "aws_sigv4": CredentialDraft.awsKeys.names.shape
      case "bearer": "…"
      default: CredentialDraft.passwordKeys.names.shape
      }
    bag.error(
      .missingKey,
      scheme.map { "the kind of credentials is a key of its own, not `\($0.key)`" }
        ?? "these credentials lack the key that says their kind",
      at: (scheme ?? members[0]).keyRange, help: "write {\(kind): \(shape ?? "…")}")
    return true
  }

  fileprivate mutating func bearer(_ node: YAMLNode) -> AuthSpec? {
    if checkForeignTemplate(node, isError: true) || isShellVariable(node, from: node.plainText ?? "") { return nil }
    noteName(node.plainText ?? "", node)
    checkPlaceholder(of: node.scalar?.text ?? "", node)
    if let text = node.plainText, text.hasSuffix("_TOKEN"), text == text.uppercased(), Template.isName(text) {
      warn(
        .missingTemplate, "this is the name of a variable, and would be sent as the token", at: node,
        help: "write `${{ env.… }}` with the name")
    }
    if node.scalar?.text.lowercased().hasPrefix("bearer ") == true {
      return reject(
        .invalidValue, "the word `Bearer` is sent before the token in any case", at: node, help: "write the token alone"
      )
    }
    guard let members = node.members else { return field(node, .secretText).map { .bearer($0) } }
    if !isUsable(node) || members.contains(where: { $0.value.hasError }) { return nil }
    return reject(
      .wrongType, "`bearer` is the token itself, found a mapping", at: node.range.firstLine, notes: useNote(node),
      help: "write {bearer: \"${{ token }}\"}")
  }

  /// Notes a token that may be a name.
  mutating func noteName(_ token: some StringProtocol, _ node: YAMLNode) {
    let name = String(token.prefix { $0 != "." })
    guard Template.isName(name) else { return }
    foreignTemplates.append(ForeignTemplate(name: name, expression: name, range: node.range, isBare: true))
  }

  /// Reports a token that is `$NAME`: none has a `$` (RFC 6750, section 2.1).
  mutating func isShellVariable(_ node: YAMLNode, from token: some StringProtocol) -> Bool {
    let isMember = token.hasPrefix("env.")
    let name = String(token.dropFirst(isMember ? 4 : 1))
    guard isMember || token.hasPrefix("$"), Template.isName(name) else { return false }
    if isMember {
      report(
        .missingTemplate, "this is not a template, and would be sent as the token", at: node,
        help: "write `${{ env.… }}` with the name")
      return true
    }
    foreignTemplates.removeAll { $0.name == name && node.range.contains($0.range) }
    report(
      .missingTemplate, "this is not a template, and would be sent as the token", at: node,
      help: "write `${{ \(name) }}`, or `${{ env.\(name) }}` for a variable of the environment")
    return true
  }

  fileprivate mutating func password(_ scheme: PasswordScheme, _ node: YAMLNode) -> AuthSpec? {
    let fields = credentials(
      node, as: scheme.rawValue, CredentialDraft.passwordKeys, needed: CredentialDraft.passwordNeeded)
    guard let username = fields.username, let password = fields.password else { return nil }
    return .password(scheme, username: username, password: password)
  }

  fileprivate mutating func awsSigV4(_ node: YAMLNode) -> AuthSpec? {
    let fields = credentials(node, as: "aws_sigv4", CredentialDraft.awsKeys, needed: CredentialDraft.awsNeeded)
    guard let accessKey = fields.accessKey, let secretKey = fields.secretKey else { return nil }
    return .awsSigV4(
      AWSCredentialFields(
        accessKey: accessKey, secretKey: secretKey, sessionToken: fields.sessionToken, region: fields.region,
        service: fields.service, range: node.range))
  }

  /// The members of a kind of credentials; a missing required one is an error.
  private mutating func credentials(
    _ node: YAMLNode, as kind: String, _ keys: Keys<CredentialDraft>, needed: [String]
  ) -> CredentialDraft {
    let errorsBefore = bag.errorCount
    var draft = CredentialDraft()
    visit(node, as: "`\(kind)`", keys: keys, into: &draft)
    if let members = node.members, bag.errorCount == errorsBefore, !members.contains(where: { $0.value.hasError }),
      !Set(needed).isSubset(of: members.map(\.key))
    {
      report(.missingKey, "`\(kind)` needs \(needed.map { "`\($0)`" }.joined(separator: " and "))", at: node)
    }
    return draft
  }
}
