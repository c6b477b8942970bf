import Diagnostics
import Templates
import Values
import YAMLNodes

/// The keys that say how a body is wrapped.
let bodyCodingKeys = ["compress", "digest"]

/// How a body is compressed, and which check sums are sent with it.
package struct BodyCodingSettings: Sendable {
  package var compress = Setting<Field<CompressionChoice>>.inherited
  package var digest = Setting<DigestSpec>.inherited

  /// Where the one of the two stands that does something.
  package var range: SourceRange? {
    if let field = compress.value, field.literal != CompressionChoice.none { return field.range }
    guard let digest = digest.value, !(digest.content + digest.representation).isEmpty else { return nil }
    return digest.range
  }

  func over(_ base: BodyCodingSettings) -> BodyCodingSettings {
    var result = BodyCodingSettings()
    result.compress = compress.over(base.compress)
    result.digest = digest.over(base.digest)
    return result
  }

  var templates: [Template] {
    compress.templates() + (digest.value.map { ($0.content + $0.representation).flatMap(\.templates) } ?? [])
  }
}

/// The words of `compress:`.
package enum CompressionChoice: String, Sendable, Hashable, CaseIterable {
  case gzip, deflate, none
}

private func compressionWord(_ value: Value) -> String? {
  if case .bool(let compresses) = value { compresses ? "`gzip`" : "`none`" } else { nil }
}

/// The words of `digest:`, by RFC 9530.
package enum BodyDigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  case sha256 = "sha-256"
  case sha512 = "sha-512"
}

/// Which digests of the body are sent.
package struct DigestSpec: Sendable {
  /// Of what is sent: `Content-Digest`.
  package var content: [Field<BodyDigestAlgorithm>] = []
  /// Of what it stands for: `Repr-Digest`.
  package var representation: [Field<BodyDigestAlgorithm>] = []
  package let range: SourceRange
}

extension SpecReader {
  mutating func bodyCodingKey(_ key: String, _ node: YAMLNode, _ settings: inout BodyCodingSettings) {
    if key == "compress" {
      settings.compress = setting(node, .word(instead: compressionWord))
    } else {
      settings.digest = digest(node)
    }
  }

  /// `sha-256`, a list, `none`, or `{content: …, representation: …}`.
  private mutating func digest(_ node: YAMLNode) -> Setting<DigestSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    var spec = DigestSpec(range: node.range)
    if node.scalar?.text == "none" { return .given(spec) }
    guard node.members != nil else {
      spec.content = algorithms(node)
      return .given(spec)
    }
    let errorsBefore = bag.errorCount
    visit(node, as: "`digest`", keys: KeyTable(known: ["content", "representation"])) { reader, member in
      if member.key == "content" {
        spec.content = reader.algorithms(member.value)
      } else {
        spec.representation = reader.algorithms(member.value)
      }
    }
    if spec.content.isEmpty, spec.representation.isEmpty, bag.errorCount == errorsBefore {
      bag.error("an empty `digest` sends nothing", at: node.range, help: "write `none`, or `sha-256`")
    }
    return .given(spec)
  }

  private mutating func algorithms(_ node: YAMLNode) -> [Field<BodyDigestAlgorithm>] {
    (node.items ?? [node]).compactMap { field($0, .word()) }
  }
}
