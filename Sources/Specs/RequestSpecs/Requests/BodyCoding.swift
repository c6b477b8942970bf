import Templates
import Values
import YAMLNodes

/// The compression of a body, and the digests that are sent with it.
@usableFromInline package struct BodyCodingSettings: Sendable {
  package var compress = Setting<Field<CompressionChoice>>.inherited
  package var digest = Setting<DigestSpec>.inherited

  /// The place of the setting that has an effect.
  package var range: SourceRange? {
    if let field = compress.value, field.literal != CompressionChoice.none { return field.range }
    guard let digest = digest.value, !(digest.content + digest.representation).isEmpty else { return nil }
    return digest.range
  }

  package init() {}
}

extension BodyCodingSettings: LayeredSettings {
  package static let settingKeys = SettingKeys<BodyCodingSettings>([
    SettingKey(
      "compress", "`gzip`, `deflate` or `none`: compresses the body and says so in `Content-Encoding`",
      .field(.word(instead: compressionWord)), { $0.compress }, { $0.compress = $1 }),
    SettingKey(
      "digest", "`sha-256`, `sha-512`, a list of them, or `none`: sends the body's `Content-Digest` (RFC 9530)",
      .whole(
        .any([DigestSpec.algorithms, .words(["none"]), DigestSpec.keys.shape()]),
        templates: { ($0.content + $0.representation).flatMap(\.templates) }
      ) { $0.digest($1) }, { $0.digest }, { $0.digest = $1 }),
  ])
}

/// The values of `compress:`.
package enum CompressionChoice: String, Sendable, Hashable, CaseIterable {
  case gzip, deflate, none
}

private func compressionWord(_ value: Value) -> String? {
  if case .bool(let compresses) = value { compresses ? "`gzip`" : "`none`" } else { nil }
}

/// The values of `digest:`, following RFC 9530.
package enum BodyDigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  case sha256 = "sha-256"
  case sha512 = "sha-512"
}

/// The digests of the body to send.
package struct DigestSpec: Sendable {
  /// Digests of the content: `Content-Digest`.
  package var content: [Field<BodyDigestAlgorithm>] = []
  /// Digests of the representation: `Repr-Digest`.
  package var representation: [Field<BodyDigestAlgorithm>] = []
  package let range: SourceRange

  fileprivate static let algorithms = ValueDecoder<BodyDigestAlgorithm>.word().shape.orTemplate.orList

  fileprivate static let keys = Keys<DigestSpec>([
    Key("content", "of the content: `Content-Digest`", algorithms) { $2.content = $0.algorithms($1.value) },
    Key("representation", "of the representation: `Repr-Digest`", algorithms) {
      $2.representation = $0.algorithms($1.value)
    },
  ])
}

extension SpecReader {
  /// `sha-256`, a list, `none`, or `{content: …, representation: …}`.
  fileprivate mutating func digest(_ node: YAMLNode) -> DigestSpec? {
    var spec = DigestSpec(range: node.range)
    if node.scalar?.text == "none" { return spec }
    guard node.members != nil else {
      spec.content = algorithms(node)
      return spec
    }
    let isSound = visit(node, as: "`digest`", keys: DigestSpec.keys, into: &spec)
    if spec.content.isEmpty, spec.representation.isEmpty, isSound {
      bag.error(.emptyValue, "an empty `digest` sends nothing", at: node.range, help: "write `none`, or `sha-256`")
    }
    return spec
  }

  fileprivate mutating func algorithms(_ node: YAMLNode) -> [Field<BodyDigestAlgorithm>] {
    (node.items ?? [node]).compactMap { field($0, .word()) }
  }
}
