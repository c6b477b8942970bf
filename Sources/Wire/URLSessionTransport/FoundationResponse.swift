import Foundation
import HTTPSemantics
import Values

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Converts Foundation's responses to ours.
enum FoundationResponse {
  /// The head; Foundation loses the order, so the fields are sorted by name, and repeated ones are joined.
  static func head(_ response: HTTPURLResponse) -> ResponseHead {
    var headers = HeaderFields()
    let pairs = response.allHeaderFields.compactMap { name, value -> (String, String)? in
      guard let name = name as? String, let value = value as? String else { return nil }
      return (name, value)
    }
    for (name, value) in pairs.sorted(by: { $0.0 < $1.0 }) {
      if equalsIgnoringCase(name, "Set-Cookie") {
        for cookie in splitCookies(value) { headers.append(name, cookie) }
      } else {
        headers.append(name, value)
      }
    }
    return ResponseHead(status: response.statusCode, headers: headers)
  }

  /// Splits joined Set-Cookie lines: a comma separates two cookies if a `name=` follows it, as in no date.
  static func splitCookies(_ joined: String) -> [String] {
    var cookies: [String] = []
    var current = ""
    for part in joined.components(separatedBy: ", ") {
      let name = part.prefix { $0 != "=" }
      if current.isEmpty || !(name.count < part.count && isToken(String(name))) {
        current += current.isEmpty ? part : ", " + part
      } else {
        cookies.append(current)
        current = part
      }
    }
    if !current.isEmpty { cookies.append(current) }
    return cookies
  }
}
