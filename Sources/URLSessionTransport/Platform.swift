import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What differs between Apple's URLSession and the one of swift-corelibs-foundation.
enum Platform {
  #if canImport(FoundationNetworking)
    static let unsoundness: String? = LinuxURLSession.unsoundness
    static let unsupported = LinuxURLSession.unsupported

    /// Credentials are sent ahead as a header. Nobody else may answer: without an answer a 401 hangs for ever.
    static func disposition(_ challenge: URLAuthenticationChallenge) -> URLSession.AuthChallengeDisposition {
      .cancelAuthenticationChallenge
    }

    static func ignoreProxies(_ configuration: URLSessionConfiguration) {}
  #else
    static let unsoundness: String? = nil
    static let unsupported: [TransportFeature: String] = [
      .bodyOnGet: "URLSession refuses it",
      .repeatedHeaders: "URLSession joins the values in one line",
      .requestTarget: "URLSession makes it from the URL",
      .rawBody: "URLSession always decodes",
      .connectTimeout: "URLSession has no such clock",
      .transportHeaders: "URLSession sets them itself",
    ]

    static func disposition(_ challenge: URLAuthenticationChallenge) -> URLSession.AuthChallengeDisposition {
      challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        ? .performDefaultHandling : .rejectProtectionSpace
    }

    static func ignoreProxies(_ configuration: URLSessionConfiguration) {
      configuration.connectionProxyDictionary = [:]
    }
  #endif
}
