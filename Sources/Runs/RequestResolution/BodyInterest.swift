import Cryptography
import HTTPMessages
import OperatingSystem
import RequestSpecs
import RunEvents
import RunPlanning
import Values
import RunEvents

/// The parts of a body that must be kept.
package struct BodyInterest: Sendable {
  /// Indicates whether an assertion or a capture reads the body as a whole.
  package var keepsBytes = false
  /// Indicates whether one reads the text itself, even that of a stream.
  package var keepsText = false
  /// Indicates whether one reads the events of a stream.
  package var keepsEvents = false
  package var keepsPreview = false
  package var digests: Set<DigestAlgorithm> = []

  package init() {}

  package init(_ request: PlannedRequest, _ assertions: [Assertion], _ needs: ReportNeeds) {
    keepsPreview = needs.contains(.bodyBeginnings)
    keepsBytes = needs.contains(.bodies)
    // The playlist is needed for the files that it refers to.
    if request.settings.transfer?.hls.value != nil { keepsBytes = true }
    // Its errors fail a request that expects none.
    if case .graphQL? = request.settings.body.value { (keepsBytes, keepsEvents) = (true, true) }
    let captures = request.settings.capture.entries.compactMap { $0.value?.subject }
    for subject in assertions.map(\.subject) + captures {
      switch subject {
      case .xpath, .body: (keepsBytes, keepsText) = (true, true)
      case .json, .snapshot, .schema: (keepsBytes, keepsEvents) = (true, true)
      case .events: keepsEvents = true
      case .bytes(.sha256): digests.insert(.sha256)
      case .bytes(.md5): digests.insert(.md5)
      default: break
      }
    }
  }
}
