import CLibCurl
import HTTPSemantics

/// The frames that ended an HTTP/2 stream, which libcurl's result doesn't show: it takes some broken streams for complete
/// ones. Nothing is recorded where ``Libcurl/hearsFrames`` is false.
struct StreamRecord {
  /// Indicates whether the peer has sent a frame, and thus speaks HTTP/2.
  private(set) var isHeard = false
  /// Indicates whether the response was received up to its end (`END_STREAM`).
  private(set) var isEnded = false
  /// The error code of RST_STREAM, if the server reset the stream.
  private(set) var resetCode: UInt32?

  mutating func note(type: UInt8, flags: UInt8, error: UInt32) {
    let (data, headers, reset): (UInt8, UInt8, UInt8) = (0, 1, 3)
    // The head of the next response, if libcurl has sent the request again.
    if type == headers, isEnded || resetCode != nil { self = StreamRecord() }
    isHeard = true
    if type == data || type == headers, flags & 1 != 0 { isEnded = true }
    if type == reset { resetCode = error }
  }

  /// The error of a reset stream.
  var resetError: TransportError? {
    guard let resetCode else { return nil }
    var error = TransportError.streamReset(errorName(resetCode))
    if resetCode == 0xD { error.help = "the server wants HTTP/1.1 for this request: write `http_version: 1.1`" }
    if isEnded {
      error.help =
        "the server responded before it had read the whole body, and libcurl lost the response: write `http_version: 1.1`"
    }
    return error
  }

  /// The error if the stream of a body without a length did not end as it must (RFC 9113, section 8.1).
  var truncation: TransportError? {
    guard isHeard, !isEnded else { return nil }
    return .streamTruncated(
      resetCode.map { "the server reset the stream (\(errorName($0)))" } ?? "the server sent a frame that is not valid")
  }
}

/// The name of an error code (RFC 9113, section 7).
private func errorName(_ code: UInt32) -> String {
  let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
    "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]
  return Int(exactly: code).flatMap { names.indices.contains($0) ? names[$0] : nil } ?? "error \(code)"
}

extension CurlLoop {
  /// Makes the loop's transfers hear the frames that the calling thread receives for them.
  func hearFrames() {
    reqrun_hear_frames(
      { context, easy, type, flags, error in
        guard let context, let easy else { return }
        let loop = Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
        loop.active[easy]?.stream.note(type: type, flags: flags, error: error)
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
