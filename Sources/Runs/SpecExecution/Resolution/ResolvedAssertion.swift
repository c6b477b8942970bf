import Cryptography
import HTTPSemantics
import RequestSpecs
import Templates
import Values

/// The token that a client signs (RFC 7523), with the values of its templates.
package struct ResolvedAssertion: Sendable, Hashable {
  let algorithm: SignatureAlgorithm?
  let key: [UInt8]
  let identifier: Text?
  /// The claims of the spec; null leaves one out.
  var claims: Mapping
  let lifetime: Duration

  /// The default of `expires_in`.
  fileprivate static let usualLifetime = Duration.seconds(300)

  var texts: [Text] { [Text(secret: String(decoding: key, as: UTF8.self))] + [identifier].compactMap { $0 } }

  /// Everything in it that decides for whom a token is.
  var identity: [String?] {
    [String(decoding: key, as: UTF8.self), identifier?.string, Value.mapping(claims).jsonText().string]
  }

  /// The signed token.
  ///
  /// - Parameters:
  ///   - own: the claims that those of the spec are written over.
  ///   - time: the current time.
  func signed(_ own: [(String, Text?)], at time: Timestamp) throws(TokenProblem) -> Text {
    var content = Mapping(own.compactMap { name, value in value.map { (name, .text($0)) } })
    let identifier = hexEncoded((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    content["iat"] = .number(Number(time.seconds))
    content["exp"] = .number(Number(time.seconds &+ lifetime.components.seconds))
    content["jti"] = .text(Text(identifier))
    for member in claims.members {
      content.members.removeAll { $0.key == member.key }
      if member.value.kind != .null { content.members.append(member) }
    }
    do throws(SignatureProblem) {
      return Text(
        secret: try JSONWebSignature.sign(
          Array(Value.mapping(content).jsonText().string.utf8), with: SigningKey.reading(key), algorithm: algorithm,
          identifier: self.identifier?.string))
    } catch {
      throw TokenProblem("the assertion cannot be signed: \(error.message)", help: error.help, part: .assertion)
    }
  }
}

extension RequestResolver {
  func resolvedAssertion(_ spec: AssertionSpec) throws(TemplateError) -> ResolvedAssertion {
    let key: [UInt8] =
      switch spec.key {
      case .text(let text): Array(try text.resolve(in: scope).string.utf8)
      case .file(let path): try scope.readFile(try path.resolve(in: scope).path.string, from: path.range)
      }
    var claims = try spec.claims.resolve(in: scope)
    for entry in spec.claims.entries where entry.value == nil {
      claims.members.append(Mapping.Member(key: Text(entry.key.text), value: .null))
    }
    return ResolvedAssertion(
      algorithm: try spec.algorithm?.resolve(in: scope), key: key, identifier: try spec.identifier?.resolve(in: scope),
      claims: claims, lifetime: try spec.lifetime?.resolve(in: scope) ?? ResolvedAssertion.usualLifetime)
  }
}
