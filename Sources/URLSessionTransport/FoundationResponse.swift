import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Foundation's view of an answer, in ours.
enum FoundationResponse {
  /// Order is lost in Foundation, so the fields come sorted by name; repeated ones come joined.
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

  /// Undoes the joining of Set-Cookie lines: a comma parts two cookies where a `name=` follows it, as in no date.
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
