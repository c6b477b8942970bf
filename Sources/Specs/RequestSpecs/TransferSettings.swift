import Diagnostics
import Templates

/// The keys whose responses go elsewhere than into one body, or whose bodies go out in several exchanges.
let transferKeys = ["download", "upload", "stream", "hls"]

/// What a request says of a transfer. Each key is replaced whole, and at most one of them may be given.
package struct TransferSettings: Sendable {
  package var download = Setting<DownloadSpec>.inherited
  package var upload = Setting<UploadSpec>.inherited
  package var stream = Setting<StreamSpec>.inherited
  package var hls = Setting<HLSSpec>.inherited

  package init() {}

  package func over(_ base: TransferSettings) -> TransferSettings {
    var result = TransferSettings()
    result.download = download.over(base.download)
    result.upload = upload.over(base.upload)
    result.stream = stream.over(base.stream)
    result.hls = hls.over(base.hls)
    return result
  }

  /// What is given, in the order of the keys' list.
  package var given: [(key: String, range: SourceRange)] {
    let ranges = [download.value?.range, upload.value?.range, stream.value?.range, hls.value?.range]
    return zip(transferKeys, ranges).compactMap { key, range in range.map { (key, $0) } }
  }

  /// Where it is said what the response goes to.
  package var place: SourceRange? { download.value?.to.range ?? given.first?.range }

  var templates: [Template] {
    (download.value?.templates ?? []) + (upload.value?.templates ?? []) + (stream.value?.templates ?? [])
      + (hls.value?.templates ?? [])
  }
}
