import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates

/// The resolved `session` of a request.
package struct ResolvedSession: Sendable {
  package var cookies = CookiePolicy.keep
  package var cache = CachePolicy.ignore
  /// The directory for responses that are kept beyond the run; nil keeps them in memory.
  package var cacheDirectory: String?

  package init() {}
}

extension RequestResolver {
  package func resolvedSession() throws(TemplateError) -> ResolvedSession {
    let settings = request.settings.session
    var session = ResolvedSession()
    if let cookies = try settings.cookies.value?.resolve(in: scope) { session.cookies = cookies }
    if let cache = try settings.cache.value?.resolve(in: scope) { session.cache = cache }
    // Responses to a stream's requests are never stored.
    if request.settings.stream != nil { session.cache = .ignore }
    if session.cache != .ignore, scope.fileAccess.mayWrite, let directory = settings.cacheDirectory.value {
      session.cacheDirectory = try scope.writableDirectory(
        directory.resolve(in: scope).string, from: directory.range)
    }
    return session
  }
}
