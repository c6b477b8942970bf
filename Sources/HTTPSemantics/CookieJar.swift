import HTTPMessages
import Values

package final class CookieJar: Sendable {
  package init() {}

  @discardableResult
  package func store(from head: ResponseHead, url: HTTPURL, now: Timestamp? = nil) -> [Cookie] { [] }

  package func cookies(for url: HTTPURL, now: Timestamp? = nil) -> [Cookie] { [] }

  package func cookieHeader(for url: HTTPURL, now: Timestamp? = nil) -> String? { nil }

  package var all: [Cookie] { [] }
}
