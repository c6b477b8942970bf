import Diagnostics
import Templates

/// `upload`: a file that goes out in segments.
package struct UploadSpec: Sendable {
  package let range: SourceRange

  /// Those that are evaluated before the request is sent.
  var templates: [Template] { [] }
}
