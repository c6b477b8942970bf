import Cryptography
import Values

/// The canonical form of a request that AWS Signature Version 4 signs.
package struct CanonicalRequest: Sendable, Hashable {
  package var text: String
  /// The names of the headers in it, separated by semicolons.
  package var signedHeaders: String

  /// - Parameter payloadHash: the body's SHA-256 in hexadecimal, or its placeholder.
  package init(_ request: WireRequest, scope: AWSScope, payloadHash: String) {
    let target = request.requestTarget ?? request.url.originForm
    let mark = target.firstIndex(of: "?") ?? target.endIndex
    let headers = CanonicalRequest.headers(request)
    signedHeaders = headers.map(\.name).joined(separator: ";")
    text =
      ([
        request.method.rawValue, CanonicalRequest.path(String(target[..<mark]), isS3: scope.isS3),
        CanonicalRequest.query(target[mark...].dropFirst()),
      ] + headers.map { "\($0.name):\($0.value)" } + ["", signedHeaders, payloadHash]).joined(separator: "\n")
  }

  /// The path as sent, with each segment encoded once more after empty and dot segments are resolved. S3 uses them in
  /// object names, so there the path is encoded once and otherwise kept.
  private static func path(_ path: String, isS3: Bool) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    if isS3 { return segments.map { encoded($0) }.joined(separator: "/") }
    var resolved: [Substring] = []
    for segment in segments where !segment.isEmpty && segment != "." {
      if segment == ".." { _ = resolved.popLast() } else { resolved.append(segment) }
    }
    let isOpen = ["", ".", ".."].contains(segments.last)
    return "/" + resolved.map { percentEncoded(String($0), allowed: .unreserved) }.joined(separator: "/")
      + (isOpen && !resolved.isEmpty ? "/" : "")
  }

  /// Parameters sorted by their encoded name, then by value.
  private static func query(_ query: Substring) -> String {
    pairs(query).map { ($0.name, $0.value ?? "") }.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// The parameters of a query, encoded anew, in their order.
  private static func pairs(_ query: Substring) -> [(name: String, value: String?)] {
    query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        let spaced = part.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        return percentEncoded(percentDecodedBytes(spaced), allowed: .unreserved)
      }
      return (parts[0], parts.count > 1 ? parts[1] : nil)
    }
  }

  /// A segment of a path with all but the unreserved characters encoded, once.
  private static func encoded(_ segment: Substring) -> String {
    percentEncoded(percentDecodedBytes(segment.utf8), allowed: .unreserved)
  }

  /// The URL with its parts encoded as they are signed: a server may check the bytes that it received.
  static func encoded(_ url: HTTPURL, isS3: Bool) -> HTTPURL {
    var url = url
    if isS3 {
      url.path = url.path.split(separator: "/", omittingEmptySubsequences: false).map { encoded($0) }
        .joined(separator: "/")
    }
    url.query = url.query.map { query in
      pairs(query[...]).map { pair in pair.value.map { "\(pair.name)=\($0)" } ?? pair.name }.joined(separator: "&")
    }
    return url
  }

  /// Headers that a proxy or the transport may change on the way.
  private static let unsigned: Set<String> = [
    "authorization", "accept-encoding", "connection", "cookie", "expect", "keep-alive", "proxy-authorization", "te",
    "trailer", "transfer-encoding", "upgrade", "user-agent", "x-amzn-trace-id",
  ]

  /// The lines of each name joined, white space in them reduced.
  private static func headers(_ request: WireRequest) -> [(name: String, value: String)] {
    var values: [String: [String]] = ["host": []]
    for field in request.headers.fields {
      let name = field.name.lowercased()
      guard !unsigned.contains(name) else { continue }
      values[name, default: []].append(
        field.value.split { $0 == " " || $0 == "\t" }.joined(separator: " "))
    }
    if values["host"]?.isEmpty ?? true { values["host"] = [request.url.authority] }
    return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ",")) }
  }
}

extension WireRequest {
  /// Signs the request in its current form with AWS Signature Version 4; headers added later are not signed.
  ///
  /// - Parameter fileDigest: the SHA-256 of a body that is in a file.
  mutating func sign(
    _ credentials: AWSCredentials, fileDigest: [UInt8]?, at time: Timestamp
  ) throws(TransportError) {
    guard let scope = AWSScope(credentials, host: url.host) else {
      let problem = unknownScope(host: url.host)
      throw TransportError(.invalidRequest, problem.message, help: problem.help)
    }
    if !headers.contains("X-Amz-Date") { headers.append("X-Amz-Date", basicFormat(time)) }
    if let token = credentials.sessionToken, !headers.contains("X-Amz-Security-Token") {
      headers.append("X-Amz-Security-Token", token)
    }
    let payloadHash: String
    if let own = headers.first("X-Amz-Content-Sha256") {
      payloadHash = own
    } else {
      payloadHash = hexEncoded(body.digest(fileDigest))
      if scope.isS3 { headers.append("X-Amz-Content-Sha256", payloadHash) }
    }
    let date = headers.first("X-Amz-Date") ?? ""
    if requestTarget == nil { url = CanonicalRequest.encoded(url, isS3: scope.isS3) }
    let canonical = CanonicalRequest(self, scope: scope, payloadHash: payloadHash)
    let day = String(date.prefix(8))
    let scopeText = "\(day)/\(scope.region)/\(scope.service)/aws4_request"
    let hash = hexEncoded(DigestAlgorithm.sha256.digest(of: canonical.text))
    var key = Array("AWS4\(credentials.secretKey)".utf8)
    for part in [day, scope.region, scope.service, "aws4_request", "AWS4-HMAC-SHA256\n\(date)\n\(scopeText)\n\(hash)"] {
      key = DigestAlgorithm.sha256.hmac(key: key, message: Array(part.utf8))
    }
    headers.append(
      "Authorization",
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scopeText), SignedHeaders=\(canonical.signedHeaders), "
        + "Signature=\(hexEncoded(key))")
  }
}

/// ISO 8601's basic format, in seconds: `20150830T123600Z`.
private func basicFormat(_ time: Timestamp) -> String {
  Timestamp(seconds: time.seconds).iso8601.filter { $0 != "-" && $0 != ":" }
}

extension RequestBody {
  fileprivate func digest(_ fileDigest: [UInt8]?) -> [UInt8] {
    switch self {
    case .none: DigestAlgorithm.sha256.digest(of: [])
    case .bytes(let bytes): DigestAlgorithm.sha256.digest(of: bytes)
    case .pieces, .stream, .upgrade: fileDigest ?? []
    }
  }
}
