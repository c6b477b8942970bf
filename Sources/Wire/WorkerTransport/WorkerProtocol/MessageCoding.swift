import HTTPSemantics
import OperatingSystem
import Values

extension FrameEncoder {
  mutating func put(_ headers: HeaderFields) {
    put(UInt32(headers.fields.count))
    for field in headers.fields {
      put(field.name)
      put(field.value)
    }
  }

  mutating func put(_ head: ResponseHead) {
    put(Int32(head.status))
    put(head.reason)
    put(head.httpVersion)
    put(head.headers)
  }

  /// Writes a request without the bytes of its body, which follow in frames of their own.
  mutating func put(_ request: WireRequest) {
    put(request.method.rawValue)
    put(request.url)
    put(request.requestTarget) { $0.put($1) }
    put(request.headers)
    if case .pieces(let pieces) = request.body {
      put(true)
      put(UInt32(pieces.count))
      for piece in pieces { put(piece) }
    } else {
      put(false)
    }
    put(request.limits.connect) { $0.put($1) }
    put(request.limits.idle) { $0.put($1) }
    put(request.limits.total) { $0.put($1) }
    put(request.limits.maxBodyBytes) { $0.put($1) }
    put(request.options.maxConnectionsPerHost) { $0.put(Int64($1)) }
    put(request.options.decompresses)
  }

  /// Writes a piece; for bytes only their number.
  private mutating func put(_ piece: BodyPiece) {
    guard case .file(let range) = piece else {
      put(false)
      return put(piece.length)
    }
    put(true)
    put(range.path)
    put(range.offset)
    put(range.length)
    put(range.version) { encoder, version in
      for number in [version.size, version.seconds, version.nanoseconds] { encoder.put(number) }
      for number in [version.device, version.inode] { encoder.put(number) }
    }
  }

  private mutating func put(_ url: HTTPURL) {
    put(url.scheme)
    put(url.host)
    put(url.port) { $0.put(Int64($1)) }
    put(url.path)
    put(url.query) { $0.put($1) }
  }

  mutating func put(_ summary: ExchangeSummary) {
    put(summary.timings.nameLookup) { $0.put($1) }
    put(summary.timings.connect) { $0.put($1) }
    put(summary.timings.tls) { $0.put($1) }
    put(summary.timings.firstByte) { $0.put($1) }
    put(summary.timings.total)
    put(summary.remoteAddress) { $0.put($1) }
    put(summary.localAddress) { $0.put($1) }
    put(summary.certificateChain) { encoder, chain in
      encoder.put(UInt32(chain.count))
      for certificate in chain { encoder.put(certificate) }
    }
    put(summary.wireBodyBytes) { $0.put($1) }
    put(summary.wasConnectionReused) { $0.put($1) }
  }

  mutating func put(_ error: TransportError) {
    switch error.kind {
    case .timeout(let clock):
      put("timeout")
      put(clock.rawValue)
    case .unsupported(let feature):
      put("unsupported")
      put(feature.rawValue)
    case .dns, .connection, .tls, .reset, .truncated, .invalidResponse, .tooLarge, .redirects, .body, .workerEnded,
      .cancelled, .invalidRequest, .notStored, .storage:
      put(TransportError.Kind.plainNames.first { $0.value == error.kind }?.key ?? "")
      put("")
    }
    put(error.message)
    put(error.help) { $0.put($1) }
    put(error.isLasting)
  }
}

extension TransportError.Kind {
  fileprivate static let plainNames: [String: TransportError.Kind] = [
    "dns": .dns, "connection": .connection, "tls": .tls, "reset": .reset, "truncated": .truncated,
    "invalidResponse": .invalidResponse, "tooLarge": .tooLarge, "redirects": .redirects, "body": .body,
    "workerEnded": .workerEnded, "cancelled": .cancelled, "invalidRequest": .invalidRequest,
    "notStored": .notStored, "storage": .storage,
  ]
}

extension FrameDecoder {
  mutating func headers() -> HeaderFields? {
    let fields = list { decoder -> HeaderFields.Field? in
      guard let name = decoder.text(), let value = decoder.text() else { return nil }
      return HeaderFields.Field(name: name, value: value)
    }
    return fields.map { HeaderFields($0) }
  }

  mutating func head() -> ResponseHead? {
    guard let status = number(Int32.self), let reason = text(), let version = text(), let headers = headers() else {
      return nil
    }
    return ResponseHead(status: Int(status), reason: reason, httpVersion: version, headers: headers)
  }

  mutating func request() -> WireRequest? {
    guard let method = text().flatMap({ HTTPMethod($0) }), let url = url(), let target = optional({ $0.text() }),
      let headers = headers(), let body = body(), let connect = optional({ $0.duration() }),
      let idle = optional({ $0.duration() }), let total = optional({ $0.duration() }),
      let maxBodyBytes = optional({ $0.number(Int64.self) }), let perHost = optional({ $0.number(Int64.self) }),
      let decompresses = bool()
    else { return nil }
    var request = WireRequest(method: method, url: url, requestTarget: target, headers: headers, body: body)
    request.limits = ExchangeLimits(connect: connect, idle: idle, total: total, maxBodyBytes: maxBodyBytes)
    request.options.maxConnectionsPerHost = perHost.map { Int($0) }
    request.options.decompresses = decompresses
    return request
  }

  private mutating func body() -> RequestBody? {
    guard let hasPieces = bool() else { return nil }
    return hasPieces ? list { $0.piece() }.map { .pieces($0) } : RequestBody.none
  }

  /// Reads a piece; bytes are zeros until they arrive.
  private mutating func piece() -> BodyPiece? {
    guard let isFile = bool() else { return nil }
    guard isFile else {
      guard let count = number(Int64.self), (0...Int64(Int32.max)).contains(count) else { return nil }
      return .bytes([UInt8](repeating: 0, count: Int(count)))
    }
    guard let path = text(), let offset = number(Int64.self), let length = number(Int64.self),
      let version = optional({ $0.fileVersion() })
    else { return nil }
    return .file(FileRange(path: path, offset: offset, length: length, version: version))
  }

  private mutating func fileVersion() -> FileVersion? {
    guard let size = number(Int64.self), let seconds = number(Int64.self), let nanoseconds = number(Int64.self),
      let device = number(UInt64.self), let inode = number(UInt64.self)
    else { return nil }
    return FileVersion(size: size, seconds: seconds, nanoseconds: nanoseconds, device: device, inode: inode)
  }

  private mutating func url() -> HTTPURL? {
    guard let scheme = text(), let host = text(), let port = optional({ $0.number(Int64.self) }), let path = text(),
      let query = optional({ $0.text() })
    else { return nil }
    return HTTPURL(scheme: scheme, host: host, port: port.map { Int($0) }, path: path, query: query)
  }

  mutating func summary() -> ExchangeSummary? {
    guard let nameLookup = optional({ $0.duration() }), let connect = optional({ $0.duration() }),
      let tls = optional({ $0.duration() }), let firstByte = optional({ $0.duration() }), let total = duration(),
      let remoteAddress = optional({ $0.text() }), let localAddress = optional({ $0.text() }),
      let chain = optional({ $0.list { $0.text() } }), let wireBodyBytes = optional({ $0.number(Int64.self) }),
      let wasConnectionReused = optional({ $0.bool() })
    else { return nil }
    var timings = ExchangeTimings()
    timings.nameLookup = nameLookup
    timings.connect = connect
    timings.tls = tls
    timings.firstByte = firstByte
    timings.total = total
    var summary = ExchangeSummary(
      timings: timings, remoteAddress: remoteAddress, wireBodyBytes: wireBodyBytes,
      wasConnectionReused: wasConnectionReused)
    summary.localAddress = localAddress
    summary.certificateChain = chain
    return summary
  }

  mutating func error() -> TransportError? {
    guard let name = text(), let detail = text(), let message = text(), let help = optional({ $0.text() }),
      let isLasting = bool()
    else { return nil }
    let kind: TransportError.Kind? =
      switch name {
      case "timeout": TransportError.Clock(rawValue: detail).map { .timeout($0) }
      case "unsupported": TransportFeature(rawValue: detail).map { .unsupported($0) }
      default: .plainNames[name]
      }
    return kind.map { kind in
      let error = TransportError(kind, message, help: help)
      return isLasting ? error.lasting : error
    }
  }
}
