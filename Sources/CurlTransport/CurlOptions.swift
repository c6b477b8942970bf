import CLibCurl
import HTTPMessages

/// Sets the options of one easy handle.
struct CurlOptions {
  private let easy: UnsafeMutableRawPointer
  /// Belongs to whoever owns the handle.
  private(set) var headerList: UnsafeMutablePointer<curl_slist>?
  private(set) var areAccepted = true

  init(easy: UnsafeMutableRawPointer) { self.easy = easy }

  mutating func set(_ request: WireRequest, _ trust: CertificateTrust) {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_HTTP_VERSION, reqrun_http_version_2_over_tls)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_PROXY, "")
    // Else a slow name lookup would hold up the loop when its transfer is cancelled.
    set(CURLOPT_QUICK_EXIT, 1)
    accept(reqrun_set_close_on_exec(easy))
    // Decodes what it asks for; a header of the request's own is sent in its place.
    if request.options.decompresses { set(CURLOPT_ACCEPT_ENCODING, "") }
    if let connect = request.limits.connect {
      set(CURLOPT_CONNECTTIMEOUT_MS, connect.roundedUpMilliseconds)
    }
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_URL, request.url.string)
    // libcurl would drop an empty query.
    set(CURLOPT_REQUEST_TARGET, request.requestTarget ?? request.url.originForm)
    if request.url.isSecure { setTrust(trust) }
    setMethodAndBody(request)
    setHeaders(request)
  }

  mutating func set(pointer option: CURLoption, _ value: UnsafeRawPointer) {
    accept(reqrun_set_pointer(easy, option, value))
  }

  private mutating func set(_ option: CURLoption, _ value: Int) { accept(reqrun_set_long(easy, option, value)) }

  private mutating func set(_ option: CURLoption, _ value: String?) { accept(reqrun_set_string(easy, option, value)) }

  private mutating func accept(_ code: CURLcode) {
    if code != CURLE_OK { areAccepted = false }
  }

  private mutating func setTrust(_ trust: CertificateTrust) {
    if trust.replacesFile { set(CURLOPT_CAINFO, trust.file) }
    set(CURLOPT_CAPATH, trust.folder)
  }

  // MARK: Method and body

  private mutating func setMethodAndBody(_ request: WireRequest) {
    let method = request.method
    let announcesEmptyBody = [.post, .put, .patch].contains(method)
    switch request.body {
    case .none where method == .head: set(CURLOPT_NOBODY, 1)
    case .none where !announcesEmptyBody: break
    case .none: setWholeBody([])
    case .bytes(let bytes) where bytes.count <= Self.largestWholeBody && method != .head: setWholeBody(bytes)
    case .bytes, .file:
      set(CURLOPT_UPLOAD, 1)
      accept(reqrun_set_offset(easy, CURLOPT_INFILESIZE_LARGE, request.body.length))
    }
    if method != .get || request.body.length > 0 { set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
  }

  /// Up to here libcurl sends head and body in one piece.
  private static let largestWholeBody = 16 * 1024

  private mutating func setWholeBody(_ bytes: [UInt8]) {
    set(CURLOPT_POST, 1)
    accept(reqrun_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(bytes.count)))
    let code = bytes.withUnsafeBytes { bytes in
      withUnsafePointer(to: UInt8(0)) { empty in
        reqrun_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(empty))
      }
    }
    accept(code)
  }

  // MARK: Headers

  private mutating func setHeaders(_ request: WireRequest) {
    for field in request.headers.fields {
      let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      append(line: isBlank ? field.name + ";" : field.name + ": " + field.value)
    }
    // What libcurl would add of its own.
    for name in ["Accept", "Content-Type", "Expect"] where !request.headers.contains(name) {
      append(line: name + ":")
    }
    accept(reqrun_set_list(easy, CURLOPT_HTTPHEADER, headerList))
  }

  private mutating func append(line: String) {
    if let list = curl_slist_append(headerList, line) {
      headerList = list
    } else {
      areAccepted = false
    }
  }

  // MARK: Callbacks

  mutating func setCallbacks(_ transfer: UnsafeMutableRawPointer) {
    for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA] {
      set(pointer: option, transfer)
    }
    accept(
      reqrun_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
        guard let transfer = CurlTransfer.at(transfer) else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer.receive(headerLine: line) ? size * count : 0
      })
    accept(
      reqrun_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
        guard let transfer = CurlTransfer.at(transfer) else { return 0 }
        guard size * count > 0 else { return 0 }
        return transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
      })
    accept(
      reqrun_set_data_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, transfer in
        guard let transfer = CurlTransfer.at(transfer) else { return reqrun_read_abort }
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return transfer.read(into: buffer) ?? reqrun_read_abort
      })
    accept(
      reqrun_set_seek_callback(easy) { transfer, offset, origin in
        guard let transfer = CurlTransfer.at(transfer), origin == 0 else { return reqrun_seek_fail }
        return transfer.seek(to: Int64(offset)) ? reqrun_seek_ok : reqrun_seek_fail
      })
  }
}

extension CurlTransfer {
  fileprivate static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
    pointer.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension Duration {
  /// At least 1, since 0 stands for libcurl's default.
  fileprivate var roundedUpMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 86_400 * 365 else { return Int(Int32.max) }
    return min(
      Int(Int32.max), max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)))
  }
}
