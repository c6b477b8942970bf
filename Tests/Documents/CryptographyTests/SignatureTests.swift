import Cryptography
import Testing
import Values

/// The keys of RFC 8410, section 10.
private let edwardsPublic = """
  -----BEGIN PUBLIC KEY-----
  MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
  -----END PUBLIC KEY-----
  """
private let edwardsPrivate = """
  -----BEGIN PRIVATE KEY-----
  MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
  -----END PRIVATE KEY-----
  """
private let publicBase64 = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
private let curvePublic =
  #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
  + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#

private func key(_ text: String) throws -> SigningKey { try SigningKey.reading(.text(text)) }

private func message(_ body: () throws -> Void) -> String {
  do { try body() } catch { return (error as? SignatureProblem)?.message ?? "\(error)" }
  return "no error"
}

private struct BadKey: Sendable, CustomTestStringConvertible {
  let text: String
  let message: String

  init(_ text: String, _ message: String) {
    self.text = text
    self.message = message
  }

  var testDescription: String { message }
}

private let badKeys = [
  BadKey("", "the key is empty"),
  BadKey("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "this PEM text has no key that can be read"),
  BadKey("ssh-ed25519 AAAA", "this is a public key of SSH"),
  BadKey(#"{"kty":"EC""#, "this key looks like a JWK, but it is not JSON"),
  BadKey(#"{"k":"AAAA"}"#, "this key has no `kty`"),
  BadKey(#"{"keys":[]}"#, "this is a set of keys, not a key"),
  BadKey(#"{"kty":"oct"}"#, "the key has no `k`"),
  BadKey(#"{"kty":"oct","k":7}"#, "the key's `k` is not a text"),
  BadKey(#"{"kty":"oct","k":"a+b="}"#, "the key's `k` is not base64url without padding"),
  BadKey(#"{"kty":"DSA"}"#, "there is no `kty` \"DSA\""),
  BadKey(#"{"kty":"EC","crv":"P-192"}"#, "there is no curve `P-192` for keys of the type EC"),
  BadKey(#"{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"}"#, "the key's `x` has 3 bytes, not 32"),
  BadKey(
    curvePublic.replacing("f83O", with: "g83O"), "the numbers of this JWK are not a key"),
  BadKey(
    curvePublic.replacing("}", with: #","use":"enc"}"#), "the key's `use` is `enc`: it is not for signatures"),
  BadKey(
    curvePublic.replacing("}", with: #","key_ops":["encrypt"]}"#),
    "the key's `key_ops` have neither `sign` nor `verify`: it is not for signatures"),
  BadKey(
    curvePublic.replacing("}", with: #","alg":"ES384"}"#),
    "the key says that it is for ES384, but a key of the curve P-256 is for ES256"),
  BadKey(
    #"{"kty":"OKP","crv":"X25519","x":"AA"}"#,
    "there is no curve `X25519` for signatures with keys of the type OKP"),
]

@Suite("Signatures")
struct SignatureTests {
  @Test("A published signature is verified, and made again", arguments: SignatureVector.all)
  func published(_ vector: SignatureVector) throws {
    let key = try key(vector.jwk)
    let token = try JSONWebSignature(reading: vector.token)
    try token.verify(with: key)
    let parts = vector.token.split(separator: ".")
    let signed = Array((parts[0] + "." + parts[1]).utf8)
    guard case .text(let name)? = token.header["alg"] else {
      Issue.record("no algorithm")
      return
    }
    let algorithm = try SignatureAlgorithm(named: name.string)
    let signature = try key.signature(of: signed, by: algorithm)
    #expect(try key.isSignature(signature, of: signed, by: algorithm))
    #expect((base64URLEncoded(signature) == parts[2]) == vector.isRepeatable)
    for position in [0, signature.count / 2, signature.count - 1] {
      var other = signature
      other[position] ^= 1
      #expect(try !key.isSignature(other, of: signed, by: algorithm), "byte \(position) changed")
    }
    #expect(try !key.isSignature([], of: signed, by: algorithm))
    #expect(try !key.isSignature(signature + [0], of: signed, by: algorithm))
    #expect(try !key.isSignature(signature, of: signed + [0], by: algorithm))
  }

  @Test("A token is signed, and verified with the public key alone")
  func roundTrip() throws {
    let token = try JSONWebSignature.sign(Array("{}".utf8), with: try key(edwardsPrivate), identifier: "k1")
    let read = try JSONWebSignature(reading: token)
    #expect(Value.mapping(read.header).jsonText().string == #"{"alg":"EdDSA","typ":"JWT","kid":"k1"}"#)
    #expect(read.payload == Array("{}".utf8))
    try read.verify(with: try key(edwardsPublic), algorithms: [.edDSA])
    try read.verify(with: try key(publicBase64))
    #expect(
      message { try read.verify(with: try key(curvePublic)) }
        == "the key is a key of the curve P-256, which is not for EdDSA")
    #expect(
      message { try read.verify(with: try key(edwardsPublic), algorithms: [.rs256]) }
        == "this token is signed with EdDSA, which is not allowed here")
    #expect(
      message { _ = try JSONWebSignature.sign([], with: try key(edwardsPublic)) }
        == "this is a public key, which cannot sign")
  }

  @Test("A public key is never a shared secret", arguments: [edwardsPublic, publicBase64, curvePublic])
  func keyConfusion(_ text: String) throws {
    let forged = try JSONWebSignature.sign(
      Array("{}".utf8), with: try SigningKey(secret: Array(text.utf8)), algorithm: .hs256)
    let token = try JSONWebSignature(reading: forged)
    #expect(message { try token.verify(with: try key(text)) }.hasSuffix("which is not for HS256"))
    #expect(message { try token.verify(with: try key(text), algorithms: [.hs256]) }.hasSuffix("which is not for HS256"))
  }

  @Test(
    "An unsigned token is refused, however `none` is written",
    arguments: ["none", "None", "NONE", "nOnE", "", "hs256", "HS1"])
  func unsigned(_ name: String) throws {
    let header = base64URLEncoded(Array(#"{"alg":"\#(name)"}"#.utf8))
    for signature in ["", "AAAA"] {
      let token = try JSONWebSignature(reading: "\(header).e30.\(signature)")
      #expect(
        message { try token.verify(with: try SigningKey(secret: [1])) }
          == (name.lowercased() == "none"
            ? "this token is not signed: its `alg` is `\(name)`" : "this token has an unknown `alg`: `\(name)`"))
    }
    #expect(message { _ = try SignatureAlgorithm(named: name) } != "no error")
  }

  @Test(
    "A text that is not a token says why",
    arguments: [
      ("", "this text is not a token"), ("a.b", "this text is not a token"), ("a.b.c.d.e", "this token is encrypted"),
      ("e30=.e30.AA", "the parts of a token are base64url without padding, and these are not"),
      ("e30.e31.AB", "the parts of a token are base64url without padding, and these are not"),
      ("W10.e30.AA", "the first part of this token is not a JSON object in base64url"),
      (
        base64URLEncoded(Array(#"{"alg":"HS256","alg":"none"}"#.utf8)) + ".e30.AA",
        "the header of this token has a member twice"
      ),
    ])
  func malformed(_ text: String, _ problem: String) {
    #expect(message { _ = try JSONWebSignature(reading: text) } == problem)
  }

  @Test("A token with extensions that must be understood is refused")
  func critical() throws {
    let header = base64URLEncoded(Array(#"{"alg":"HS256","crit":["b64"],"b64":false}"#.utf8))
    let token = try JSONWebSignature(reading: header + ".e30.AA")
    #expect(message { try token.verify(with: try SigningKey(secret: [1])) }.contains("`crit`"))
  }

  @Test("A key that can't be used says why", arguments: badKeys)
  fileprivate func bad(_ bad: BadKey) {
    #expect(message { _ = try key(bad.text) } == bad.message)
  }
}
