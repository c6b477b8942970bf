import Cryptography
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Values

/// The parts of a response that must be kept.
package struct BodyInterest: Sendable {
  /// Indicates whether an assertion or a capture reads the body as a whole.
  package var keepsBytes = false
  /// Indicates whether one reads the text itself, even that of a stream.
  package var keepsText = false
  /// Indicates whether one reads the events of a stream.
  package var keepsEvents = false
  package var keepsPreview = false
  package var digests: Set<DigestAlgorithm> = []
  /// Indicates whether an assertion or a capture reads the server's certificates.
  var wantsCertificates = false

  package init() {}

  package init(_ settings: RequestSettings, _ needs: ReportNeeds) {
    keepsPreview = needs.contains(.bodyBeginnings)
    keepsBytes = needs.contains(.bodies) || needs.contains(.openBodies)
    // The playlist is needed for the files that it refers to.
    if settings.transferBox?.content.hls.value != nil { keepsBytes = true }
    // Its errors fail a request that expects none.
    if case .graphQL? = settings.body.value { (keepsBytes, keepsEvents) = (true, true) }
    settings.forEachSubject { subject, _ in
      switch subject {
      case .xpath, .body, .csv: (keepsBytes, keepsText) = (true, true)
      case .json, .snapshot, .schema: (keepsBytes, keepsEvents) = (true, true)
      case .events: keepsEvents = true
      case .bytes(.sha256): digests.insert(.sha256)
      case .bytes(.md5): digests.insert(.md5)
      case .certificate: wantsCertificates = true
      case .status, .contentType, .header, .trailer, .cookie, .link, .bytes(.content), .bytes(.wire), .duration,
        .timing, .redirects, .url, .address, .port, .httpVersion, .cache, .file, .value, .calls:
        break
      }
    }
  }
}
