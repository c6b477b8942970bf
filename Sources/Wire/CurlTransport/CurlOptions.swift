import CLibCurl
import HTTPSemantics
import Values

/// Sets the options of one easy handle.
struct CurlOptions {
  let handle: EasyHandle
  /// The reason why libcurl rejected an option, the first if there are several.
  private(set) var refusal: TransportError?

  var easy: UnsafeMutableRawPointer { handle.pointer }

  /// A new handle with the options that all exchanges share; nil if libcurl is out of memory.
  static func shared() -> CurlOptions? {
    guard let handle = EasyHandle() else { return nil }
    var options = CurlOptions(handle: handle)
    options.setShared()
    return options
  }

  private mutating func setShared() {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Otherwise a slow name lookup would block the loop when its transfer is cancelled.
    set(CURLOPT_QUICK_EXIT, 1)
    accept(reqrun_set_close_on_exec(easy))
    set(CURLOPT_PATH_AS_IS, 1)
    // Responses that aren't HTTP are received to identify them, not accepted.
    set(CURLOPT_HTTP09_ALLOWED, 1)
    // libcurl decodes what it requests; a header in the request replaces its own.
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_PROXY, "")
    set(pointer: CURLOPT_ERRORBUFFER, handle.errorBuffer)
    setCallbacks()
  }

  mutating func set(
    _ request: WireRequest, _ trust: CertificateTrust, _ certificates: CertificateRecord?,
    _ reserve: inout PreparedHandles
  ) {
    if !request.options.decompresses { set(CURLOPT_ACCEPT_ENCODING, nil) }
    // The same size as the curl tool reads at a time.
    if request.options.expectsLargeBody { set(CURLOPT_BUFFERSIZE, 100 << 10) }
    if let connect = request.limits.connect {
      set(CURLOPT_CONNECTTIMEOUT_MS, connect.roundedUpMilliseconds)
    }
    set(CURLOPT_URL, request.url.string)
    // libcurl would drop an empty query.
    set(CURLOPT_REQUEST_TARGET, request.lineTarget)
    setConnection(request)
    if let certificates { setTLS(request, trust, certificates) }
    setMethodAndBody(request)
    setHeaders(request, &reserve)
  }

  /// Sets the callbacks, with the transfer as their context.
  mutating func set(_ transfer: CurlTransfer) {
    let pointer = Unmanaged.passUnretained(transfer).toOpaque()
    set(pointer: CURLOPT_HEADERDATA, pointer)
    set(pointer: CURLOPT_WRITEDATA, pointer)
    set(pointer: CURLOPT_READDATA, pointer)
    set(pointer: CURLOPT_SEEKDATA, pointer)
    guard transfer.request.keepsSentHead else { return }
    accept(
      reqrun_set_debug_callback(
        easy,
        { _, kind, bytes, count, transfer in
          if kind == CURLINFO_HEADER_OUT, let bytes {
            CurlTransfer.at(transfer)?.noteSent(head: UnsafeRawBufferPointer(start: bytes, count: count))
          }
          return 0
        }, pointer))
  }

  mutating func set(pointer option: CURLoption, _ value: UnsafeRawPointer) {
    accept(reqrun_set_pointer(easy, option, value), option)
  }

  mutating func set(_ option: CURLoption, _ value: Int) { accept(reqrun_set_long(easy, option, value), option) }

  mutating func set(_ option: CURLoption, _ value: String?) {
    guard let value else { return accept(reqrun_set_string(easy, option, nil), option) }
    // Passed directly, it would be copied into an array first.
    accept(value.withCString { reqrun_set_string(easy, option, $0) }, option)
  }

  mutating func set(offset option: CURLoption, _ value: Int64) {
    accept(reqrun_set_offset(easy, option, value), option)
  }

  mutating func set(list option: CURLoption, _ lines: [String]) {
    if !lines.isEmpty { set(list: option, CurlList(lines)) }
  }

  /// Sets a list; nil means that the list could not be allocated.
  private mutating func set(list option: CURLoption, _ list: CurlList?) {
    guard let list else { return accept(CURLE_OUT_OF_MEMORY, option) }
    handle.lists.append(list)
    accept(reqrun_set_list(easy, option, list.first), option)
  }

  mutating func accept(_ code: CURLcode, _ option: CURLoption? = nil) {
    guard code != CURLE_OK, refusal == nil else { return }
    let name = option.flatMap { reqrun_option_name($0) }.map { String(cString: $0) }
    let reason = quotedReason(String(cString: curl_easy_strerror(code)))
    refusal = TransportError(
      .invalidRequest, "libcurl does not take \(name.map { "its option \($0)" } ?? "the request"): \(reason)",
      help: "`reqrun doctor` shows which libcurl is used")
  }

  // MARK: Method and body

  private mutating func setMethodAndBody(_ request: WireRequest) {
    let method = request.method
    let announcesEmptyBody = [.post, .put, .patch].contains(method)
    switch request.body {
    case .none where method == .head: set(CURLOPT_NOBODY, 1)
    case .none where !announcesEmptyBody: break
    case .none: setWholeBody([])
    case .bytes(let bytes)
    where bytes.count <= Self.maxWholeBodySize && method != .head && !request.expectsContinue:
      setWholeBody(bytes)
    case .bytes, .pieces, .stream:
      set(CURLOPT_UPLOAD, 1)
      // A body of unknown length is sent in chunks.
      set(offset: CURLOPT_INFILESIZE_LARGE, request.body.length ?? -1)
    case .upgrade:
      // Of a connection that is used again, the socket is not known.
      set(CURLOPT_FRESH_CONNECT, 1)
      accept(handle.noteSocket())
      // What libcurl takes for an upload begins with the 101 response.
      set(CURLOPT_UPLOAD, 1)
      set(offset: CURLOPT_INFILESIZE_LARGE, -1)
    }
    if method != .get || !request.body.isEmpty { set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
  }

  /// The limit up to which libcurl sends head and body in one piece.
  private static let maxWholeBodySize = 16 * 1024

  private mutating func setWholeBody(_ bytes: [UInt8]) {
    set(CURLOPT_POST, 1)
    set(offset: CURLOPT_POSTFIELDSIZE_LARGE, Int64(bytes.count))
    let code = bytes.withUnsafeBytes { bytes in
      withUnsafePointer(to: UInt8(0)) { empty in
        reqrun_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(empty))
      }
    }
    accept(code)
  }

  // MARK: Headers

  private mutating func setHeaders(_ request: WireRequest, _ reserve: inout PreparedHandles) {
    guard request.opensTunnel || request.body.isUpgrade else {
      let fields = request.headers.fields
      return set(list: CURLOPT_HTTPHEADER, reserve.headerList(fields) { Self.lines(fields) })
    }
    // Headers for the proxy must not go through it.
    let isForProxy = { (field: HeaderFields.Field) in equalsIgnoringCase(field.name, "Proxy-Authorization") }
    set(list: CURLOPT_PROXYHEADER, request.headers.fields.filter(isForProxy).map(\.curlLine))
    let fields = request.headers.fields.filter { !isForProxy($0) }
    // Without this line, libcurl would send chunks.
    let lines = Self.lines(fields) + (request.body.isUpgrade ? ["Transfer-Encoding:"] : [])
    set(list: CURLOPT_HTTPHEADER, CurlList(lines, of: fields))
  }

  private static func lines(_ fields: [HeaderFields.Field]) -> [String] {
    var lines = fields.map(\.curlLine)
    // Headers that libcurl would add by itself.
    for name in ["Accept", "Content-Type", "Expect"] where !HeaderFields(fields).contains(name) {
      lines.append(name + ":")
    }
    // libcurl would send the request again, forever, after a 417: it must not recognise this line, and checks only the
    // start of each.
    if let index = fields.firstIndex(where: \.expectsContinue),
      let carrier = fields.firstIndex(where: \.canCarryAnother)
    {
      lines[carrier] += "\r\n" + lines[index]
      lines[index] = "Expect:"
    }
    return lines
  }

  // MARK: Callbacks

  private mutating func setCallbacks() {
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
        if transfer.mustPause() { return reqrun_write_pause }
        return transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
      })
    accept(
      reqrun_set_data_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, transfer in
        guard let transfer = CurlTransfer.at(transfer) else { return reqrun_read_abort }
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return switch transfer.read(into: buffer) {
        case .bytes(let count)?: count
        case .end?: 0
        case .nothingYet?: reqrun_read_pause
        case nil: reqrun_read_abort
        }
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

extension HeaderFields.Field {
  /// Indicates whether libcurl sends the line unchanged, with anything appended to it.
  fileprivate var canCarryAnother: Bool {
    let special = ["Host", "Expect", "Connection", "Content-Length", "Content-Type", "Transfer-Encoding"]
    return !value.allSatisfy(\.isWhitespace) && !special.contains { equalsIgnoringCase($0, name) }
  }

  fileprivate var curlLine: String {
    let isBlank = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    return isBlank ? name + ";" : name + ": " + value
  }
}

extension Duration {
  /// Milliseconds, at least 1, since 0 means libcurl's default.
  fileprivate var roundedUpMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 86_400 * 365 else { return Int(Int32.max) }
    return min(
      Int(Int32.max), max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)))
  }
}
