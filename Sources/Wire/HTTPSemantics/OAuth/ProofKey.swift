import Cryptography
import Values

/// The proof that a code is redeemed by who asked for it (PKCE, RFC 7636), and the state that ties both together.
package struct ProofKey: Sendable {
  package let verifier: String
  package let state: String

  package init() {
    verifier = ProofKey.random()
    state = ProofKey.random()
  }

  package init(verifier: String, state: String) {
    self.verifier = verifier
    self.state = state
  }

  /// The challenge by the method S256.
  package var challenge: String { base64URLEncoded(DigestAlgorithm.sha256.digest(of: verifier)) }

  private static func random() -> String {
    base64URLEncoded((0..<32).map { _ in UInt8.random(in: .min ... .max) })
  }
}
