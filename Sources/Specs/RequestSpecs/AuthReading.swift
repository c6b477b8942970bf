import Diagnostics
import Values
import YAMLNodes

/// The keys of a kind of credentials.
private struct CredentialKeys {
  let table: KeyTable
  let needed: [String]
  let secret: Set<String>

  static let password = CredentialKeys(
    table: KeyTable(
      known: ["username", "password"],
      synonyms: ["user": "username", "name": "username", "login": "username", "pass": "password"],
      shape: "{username: …, password: …}"),
    needed: ["username", "password"], secret: ["password"])

  static let aws = CredentialKeys(
    table: KeyTable(
      known: ["access_key", "secret_key", "session_token", "region", "service"],
      synonyms: ["access_key_id": "access_key", "secret_access_key": "secret_key", "secret": "secret_key"],
      shape: "{access_key: …, secret_key: …}"),
    needed: ["access_key", "secret_key"], secret: ["secret_key", "session_token"])
}

extension SpecReader {
  private static let authKeys = KeyTable(
    known: ["basic", "bearer", "digest", "ntlm", "aws_sigv4"], later: ["oauth2"],
    advice: [
      "netrc": "write `auth: netrc`", "negotiate": "write `auth: negotiate`", "none": "write `auth: none`",
      "username": "write {basic: {username: …, password: …}}", "password": "write {basic: {username: …, password: …}}",
      "token": "write {bearer: …}", "user": "write {basic: {username: …, password: …}}",
      "type": "the kind is the key itself: {bearer: …}, {basic: {…}}",
    ])

  mutating func auth(_ node: YAMLNode) -> Setting<AuthSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    switch node.scalar?.text {
    case "none": return .given(.none)
    case "netrc": return .given(.netrc(node.range))
    case "negotiate": return .given(.negotiate(node.range))
    default: break
    }
    guard let members = node.members, !members.isEmpty else {
      bag.error(
        "`auth` is a mapping, `netrc`, `negotiate` or `none`, found "
          + (node.members == nil ? node.kindPhrase : "an empty mapping"),
        at: node.range, notes: useNote(node),
        help: "write {basic: {username: …, password: …}}, {bearer: …} or another kind of credentials")
      return .inherited
    }
    if reportMissingScheme(members) { return .inherited }
    var result: AuthSpec?
    let keys = SpecReader.authKeys
    visit(node, as: "`auth`", keys: keys) { reader, member in
      if let scheme = PasswordScheme(rawValue: member.key) {
        result = reader.password(scheme, member.value)
      } else if member.key == "bearer" {
        if reader.checkForeignTemplate(member.value, isError: true) { return }
        if let members = member.value.members {
          if !reader.isUsable(member.value) || members.contains(where: { $0.value.hasError }) { return }
          reader.bag.error(
            "`bearer` is the token itself, found a mapping", at: member.value.range.firstLine,
            notes: reader.useNote(member.value), help: "write {bearer: \"${{ token }}\"}")
        } else {
          result = reader.field(member.value, .secretText).map { .bearer($0) }
        }
      } else {
        result = reader.awsSigV4(member.value)
      }
    }
    let kinds = members.filter { (keys.known + keys.later).contains($0.key) }
    if kinds.count > 1 {
      bag.error(
        "`\(kinds[1].key)` and `\(kinds[0].key)` are both credentials: a request has one kind", at: kinds[1].keyRange,
        notes: [Diagnostic.Note("the other kind stands here", at: kinds[0].keyRange)])
    }
    return result.map { .given($0) } ?? .inherited
  }

  /// Reports credentials without the key that says their kind, once.
  private mutating func reportMissingScheme(_ members: [YAMLMember]) -> Bool {
    let keys = SpecReader.authKeys
    if members.contains(where: { (keys.known + keys.later).contains($0.key) || $0.value.hasError }) { return false }
    let scheme = members.first { ["type", "scheme", "kind", "method"].contains($0.key) }
    let names = Set(members.map(\.key))
    guard members.count > 1, scheme != nil || !names.isDisjoint(with: ["username", "user", "password", "token"]) else {
      return false
    }
    let word = scheme?.value.plainText?.lowercased()
    let kind =
      if let word, keys.known.contains(word) { word } else {
        names.isDisjoint(with: ["username", "user"]) ? "bearer" : "basic"
      }
    let shape =
      kind == "bearer" ? "…" : kind == "aws_sigv4" ? "{access_key: …, secret_key: …}" : "{username: …, password: …}"
    bag.error(
      scheme.map { "the kind of credentials is a key of its own, not `\($0.key)`" }
        ?? "these credentials lack the key that says their kind",
      at: (scheme ?? members[0]).keyRange, help: "write {\(kind): \(shape)}")
    return true
  }

  private mutating func password(_ scheme: PasswordScheme, _ node: YAMLNode) -> AuthSpec? {
    let fields = credentialFields(node, as: scheme.rawValue, .password)
    guard let username = fields["username"], let password = fields["password"] else { return nil }
    return .password(scheme, username: username, password: password)
  }

  private mutating func awsSigV4(_ node: YAMLNode) -> AuthSpec? {
    let fields = credentialFields(node, as: "aws_sigv4", .aws)
    guard let accessKey = fields["access_key"], let secretKey = fields["secret_key"] else { return nil }
    return .awsSigV4(
      AWSCredentialFields(
        accessKey: accessKey, secretKey: secretKey, sessionToken: fields["session_token"], region: fields["region"],
        service: fields["service"], range: node.range))
  }

  /// The members of a kind of credentials; one that is needed and missing is an error.
  private mutating func credentialFields(
    _ node: YAMLNode, as kind: String, _ keys: CredentialKeys
  ) -> [String: Field<Text>] {
    let errorsBefore = bag.errorCount
    var fields: [String: Field<Text>] = [:]
    visit(node, as: "`\(kind)`", keys: keys.table) { reader, member in
      if member.value.isNull, !keys.needed.contains(member.key) { return }
      fields[member.key] =
        keys.secret.contains(member.key)
        ? reader.field(member.value, .secretText) : reader.field(member.value, .scalarText)
    }
    if keys.needed.contains(where: { fields[$0] == nil }), bag.errorCount == errorsBefore,
      let members = node.members, !members.contains(where: { $0.value.hasError })
    {
      bag.error("`\(kind)` needs \(keys.needed.map { "`\($0)`" }.joined(separator: " and "))", at: node.range)
    }
    return fields
  }
}
