import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What differs between Apple's URLSession and the one of swift-corelibs-foundation.
///
/// What only Apple's has stands in the folder `Apple`, which is not compiled for Linux.
enum Platform {
  #if canImport(FoundationNetworking)
    static let unsoundness: String? = LinuxURLSession.unsoundness
    static let unsupported = LinuxURLSession.unsupported

    /// What the table of capabilities is too coarse for.
    static func refusal(of request: WireRequest) -> TransportError? { nil }

    static func configure(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {}

    /// Answers challenges.
    struct Security: Sendable {
      init(_ options: SessionOptions) throws(TransportError) {}

      /// Credentials are sent ahead as a header. Nobody else may answer: without an answer a 401 hangs for ever.
      func answer(
        _ challenge: URLAuthenticationChallenge, for exchange: SessionExchange
      ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        exchange.noteChallenge()
        return (.cancelAuthenticationChallenge, nil)
      }
    }
  #else
    static let unsoundness: String? = nil
    static let unsupported = AppleURLSession.unsupported

    /// What the table of capabilities is too coarse for.
    static func refusal(of request: WireRequest) -> TransportError? { AppleURLSession.refusal(of: request.options) }

    static func configure(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {
      AppleURLSession.configure(configuration, options)
    }

    typealias Security = ChallengeAnswers
  #endif
}
