import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request in Foundation's terms; made only if it goes out as it is written.
struct FoundationRequest {
  /// Seconds. Finite, since Foundation traps on 1e17 and more; our own clocks come first.
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
      url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.endlessTimeout)
    result.httpMethod = request.method.rawValue
    guard result.httpMethod == request.method.rawValue else {
      throw .unsupported(.methodCase, "URLSession sends \(result.httpMethod ?? "another method") instead")
    }
    result.httpShouldHandleCookies = false
    for field in request.headers.fields where !equalsIgnoringCase(field.name, "Content-Length") {
      result.setValue(field.value, forHTTPHeaderField: field.name)
    }
    if request.body.length > 0 {
      result.httpBody = try Self.data(request.body)
      // Else URLSession calls the body of a POST a form. This says the same as nothing (RFC 9110, section 8.3).
      if !request.headers.contains("Content-Type") {
        result.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
      }
    }
    value = result
  }

  private static func data(_ body: RequestBody) throws(TransportError) -> Data? {
    switch body {
    case .none: return nil
    case .bytes(let bytes): return Data(bytes)
    case .file(let path, let offset, let length):
      let file: Data
      do {
        file = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
      } catch {
        throw TransportError(
          .body, "the body file \"\(path)\" cannot be read: \((error as NSError).localizedDescription)",
          help: "check the path and the permissions of the file")
      }
      guard offset >= 0, length >= 0, offset + length <= Int64(file.count) else {
        throw TransportError(
          .body, "the body file \"\(path)\" became shorter while it was sent",
          help: "do not change the file during the run")
      }
      return length == file.count ? file : file.subdata(in: Int(offset)..<Int(offset + length))
    }
  }
}
