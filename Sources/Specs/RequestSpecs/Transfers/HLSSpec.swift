import Templates
import Transfers
import Values

/// `hls`: a playlist that is stored with its segments.
package struct HLSSpec: Sendable {
  package let range: SourceRange
  /// The target directory.
  package let target: Field<FileReference>
  package internal(set) var parallel: Field<Int>?
  package internal(set) var order: Field<VariantChoice.Order>?
  /// The maximum in bits per second.
  package internal(set) var maxBandwidth: Field<Int>?
  package internal(set) var resolution: Field<Resolution>?
  package internal(set) var renditions: Field<RenditionChoice>?
  /// The time for which a live stream is recorded.
  package internal(set) var live: Field<Duration>?

  init(to target: Field<FileReference>, range: SourceRange) {
    self.target = target
    self.range = range
  }

  /// The templates that are evaluated before the request is sent.
  var templates: [Template] {
    target.templates + (parallel?.templates ?? []) + (order?.templates ?? []) + (maxBandwidth?.templates ?? [])
      + (resolution?.templates ?? []) + (renditions?.templates ?? []) + (live?.templates ?? [])
  }
}
