import HTTPMessages

/// Why a request can't be sent as it is.
package struct WireProblem: Error, Sendable, Hashable {
  package enum Subject: Sendable, Hashable {
    case method, url, requestTarget, body, credentials
    /// The index among the request's header fields.
    case header(Int)
    case cookie(Int)
  }

  package let subject: Subject
  package let message: String
  package let help: String?

  package init(_ subject: Subject, _ message: String, help: String? = nil) {
    self.subject = subject
    self.message = message
    self.help = help
  }
}
