import Diagnostics
import Templates

/// `hls`: a playlist that is stored with its segments.
package struct HLSSpec: Sendable {
  package let range: SourceRange

  /// Those that are evaluated before the request is sent.
  var templates: [Template] { [] }
}
