import Cryptography
import Values
import YAMLNodes

/// `assertion` of `oauth2` while it is read.
struct AssertionDraft {
  var algorithm: Field<SignatureAlgorithm>?
  var key: AssertionSpec.Key?
  var identifier: Field<Text>?
  var claims = KeyedSettings<ValueTemplate>()
  var lifetime: Field<Duration>?

  static let keys = Keys<AssertionDraft>(
    [
      Key(
        "algorithm", "the signature's; without it the usual one for the key", synonyms: "alg", .field(.word())
      ) { $0.algorithm = $1 },
      Key(
        "key", "the private key: {file: …}, or PEM or a JWK as text, which is secret",
        synonyms: "private_key signing_key",
        KeyFile.keys.shape(needed: ["file"]).or(ValueDecoder<Text>.secretText.shape.orTemplate)
      ) { $2.key = $0.signingKey($1.value) },
      Key("kid", "the name of the key", synonyms: "key_id", .field(.scalarText)) { $0.identifier = $1 },
      Key(
        "claims", "the token's content beside `iss`, `aud`, `iat`, `exp` and `jti`, or replacing them",
        synonyms: "payload", SchemaShape.names(of: .anything)
      ) { $2.claims = $0.claims($1.value) },
      Key("expires_in", "how long it is valid (5m)", synonyms: "lifetime exp", .field(.duration)) { $0.lifetime = $1 },
    ],
    advice: [
      "iss": "write it under `claims:`", "sub": "write it under `claims:`", "aud": "write it under `claims:`",
      "file": "write `key: {file: …}`",
    ], shape: "{algorithm: RS256, key: {file: key.pem}, claims: {…}}")
}

private struct KeyFile {
  var path: Field<FileReference>?

  static let keys = Keys<KeyFile>([Key("file", "its path", synonyms: "path", .field(.filePath)) { $0.path = $1 }])
}

extension SpecReader {
  mutating func assertion(_ node: YAMLNode) -> AssertionSpec? {
    var draft = AssertionDraft()
    let isSound = visit(node, as: "`assertion`", keys: AssertionDraft.keys, into: &draft)
    guard let key = draft.key else {
      if isSound {
        report(.missingKey, "`assertion` needs `key`", at: node, help: "add `key: {file: …}`")
      }
      return nil
    }
    return AssertionSpec(
      algorithm: draft.algorithm, key: key, identifier: draft.identifier, claims: draft.claims,
      lifetime: draft.lifetime, range: node.range)
  }

  fileprivate mutating func signingKey(_ node: YAMLNode) -> AssertionSpec.Key? {
    guard node.members != nil else { return field(node, .secretText).map { .text($0) } }
    var file = KeyFile()
    visit(node, as: "`key`", keys: KeyFile.keys, into: &file)
    return file.path.map { .file($0) }
  }

  /// Claims; `null` leaves one out.
  fileprivate mutating func claims(_ node: YAMLNode) -> KeyedSettings<ValueTemplate> {
    keyed(node, as: "claims") { reader, member in reader.valueTemplate(member.value) }
  }
}
