import Diagnostics
import Templates

/// `download`: where an answer's body goes.
package struct DownloadSpec: Sendable {
  package let range: SourceRange

  /// Those that are evaluated before the request is sent.
  var templates: [Template] { [] }
}
