import Foundation
import HTTPSemantics

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

    static let cachePolicy = URLRequest.CachePolicy.reloadIgnoringLocalCacheData

    /// Returns whether a request needs a connection of its own: a body isn't sent again if a kept connection turns out
    /// to be dead.
    static func needsNewConnection(_ request: WireRequest) -> Bool { !request.body.isEmpty }

    /// Indicates whether the handler of a redirect must be called even if its task was cancelled: after a cancellation
    /// the task no longer waits for it, and a call traps.
    static let callsHandlersOfEndedTasks = false

    /// The errno of a failed connection, which Foundation does not provide.
    static func connectionError(_ error: NSError) -> Int32? { nil }

    /// Answers challenges.
    struct Security: Sendable {
      init(_ options: SessionOptions) throws(TransportError) {}

      /// Cancels. Credentials are sent preemptively as a header. Without a response here a 401 hangs forever.
      func respond(
        to challenge: URLAuthenticationChallenge, for exchange: SessionExchange,
        _ completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
      ) {
        exchange.noteChallenge()
        completionHandler(.cancelAuthenticationChallenge, nil)
      }

      func refusal(of request: WireRequest) -> TransportError? { nil }
    }
  #else
    static let unsoundness: String? = nil
    static let unsupported = AppleURLSession.unsupported

    /// Rejects requests for reasons that the table of capabilities can't express.
    static func refusal(of request: WireRequest) -> TransportError? { AppleURLSession.refusal(of: request.options) }

    static func configure(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {
      AppleURLSession.configure(configuration, options)
    }

    /// `urlCache` is nil; other policies would add `Cache-Control` and `Pragma`.
    static let cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy

    /// Returns whether a request needs a connection of its own: URLSession sends a request again if a kept connection
    /// turns out to be dead, but only one that is idempotent.
    static func needsNewConnection(_ request: WireRequest) -> Bool {
      !request.body.isEmpty && !HTTPMethod.idempotent.contains(request.method)
    }

    /// Indicates whether the handler of a redirect must be called even if its task was cancelled.
    static let callsHandlersOfEndedTasks = true

    /// The errno of a failed connection.
    static func connectionError(_ error: NSError) -> Int32? { AppleURLSession.connectionError(error) }

    typealias Security = ChallengeResponder
  #endif
}
