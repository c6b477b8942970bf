import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Differences between Apple's URLSession and that of swift-corelibs-foundation.
///
/// Code for Apple's alone is in the folder `Apple`, which is not compiled for Linux.
enum Platform {
  #if canImport(FoundationNetworking)
    static let unsoundness: String? = LinuxURLSession.unsoundness
    static let unsupported = LinuxURLSession.unsupported

    /// Rejects requests for reasons that the table of capabilities can't express.
    static func refusal(of request: WireRequest) -> TransportError? { nil }

    static func configure(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {}

    /// Answers challenges.
    struct Security: Sendable {
      init(_ options: SessionOptions) throws(TransportError) {}

      /// Responses a challenge. Credentials are sent preemptively as a header. Without a response here a 401 hangs
      /// forever.
      func response(
        _ challenge: URLAuthenticationChallenge, for exchange: SessionExchange
      ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        exchange.noteChallenge()
        return (.cancelAuthenticationChallenge, nil)
      }
    }
  #else
    static let unsoundness: String? = nil
    static let unsupported = AppleURLSession.unsupported

    /// Rejects requests for reasons that the table of capabilities can't express.
    static func refusal(of request: WireRequest) -> TransportError? { AppleURLSession.refusal(of: request.options) }

    static func configure(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {
      AppleURLSession.configure(configuration, options)
    }

    typealias Security = ChallengeResponder
  #endif
}
