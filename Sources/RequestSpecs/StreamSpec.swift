import Diagnostics
import Templates

/// `stream`: an answer that is read event by event.
package struct StreamSpec: Sendable {
  package let range: SourceRange

  /// Those that are evaluated before the request is sent.
  var templates: [Template] { [] }
}
