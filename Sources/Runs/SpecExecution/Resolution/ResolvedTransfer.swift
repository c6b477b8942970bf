import HTTPSemantics
import Matching
import RequestSpecs
import Templates
import Values

/// The resolved transfer of a request.
package enum ResolvedTransfer: Sendable {
  case download(ResolvedDownload)
  case upload(ResolvedUpload)
  case stream(ResolvedStream)
  case hls(ResolvedHLS)
}

extension TransferSettings {
  package func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedTransfer? {
    if let download = download.value { return .download(try download.resolve(in: scope)) }
    if let upload = upload.value { return .upload(try upload.resolve(in: scope)) }
    if let stream = stream.value { return .stream(try stream.resolve(in: scope)) }
    if let hls = hls.value { return .hls(try hls.resolve(in: scope)) }
    return nil
  }
}
