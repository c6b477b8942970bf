import Foundation
import HTTPSemantics
import Values

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request in Foundation's terms; created only if it will be sent as written.
struct FoundationRequest {
  /// A timeout in seconds. It is finite, since Foundation traps on 1e17 and more; our own clocks come first.
  static let endlessTimeout = 86_400.0

  let value: URLRequest

  init(_ request: WireRequest) throws(TransportError) {
    let text = request.url.string
    guard let url = URL(string: text), url.absoluteString == text else {
      throw .unsupported(.requestTarget, "URLSession would rewrite characters of \(text)")
    }
    let segments = request.url.path.split(separator: "/", omittingEmptySubsequences: false)
    guard !segments.contains("."), !segments.contains("..") else {
      throw .unsupported(.requestTarget, "URLSession removes the dot segments of \(request.url.path)")
    }
    var result = URLRequest(
      url: url, cachePolicy: Platform.cachePolicy, timeoutInterval: Self.endlessTimeout)
    result.httpMethod = request.method.rawValue
    guard result.httpMethod == request.method.rawValue else {
      throw .unsupported(.methodCase, "URLSession sends \(result.httpMethod ?? "another method") instead")
    }
    result.httpShouldHandleCookies = false
    for field in request.headers.fields where !equalsIgnoringCase(field.name, "Content-Length") {
      result.setValue(field.value, forHTTPHeaderField: field.name)
    }
    if !request.body.isEmpty {
      result.httpBody = try Self.data(request.body)
      // Otherwise URLSession labels the body of a POST as a form. This means the same as no header (RFC 9110, section
      // 8.3).
      if !request.headers.contains("Content-Type") {
        result.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
      }
    }
    value = result
  }

  /// The whole body: URLSession on Linux sends an empty one if it has to read a stream a second time.
  private static func data(_ body: RequestBody) throws(TransportError) -> Data {
    if case .bytes(let bytes) = body { return Data(bytes) }
    var data = Data(capacity: Int(body.length ?? 0))
    var reader = try RequestBodyReader(body)
    try reader.readAll { piece in
      data.append(contentsOf: piece)
      return data.count <= WireRequest.heldBodyLimit
    }
    if data.count > WireRequest.heldBodyLimit {
      throw .unsupported(.largeBody, "URLSession is given the body as a whole")
    }
    return data
  }
}
