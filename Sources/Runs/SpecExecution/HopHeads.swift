import HTTPSemantics
import Values

extension ResponseHead {
  /// The size of status line and headers on the wire; nil if the version of HTTP compresses them, or isn't known.
  var size: Int? {
    guard httpVersion.hasPrefix("1.") else { return nil }
    // The version, the status, two spaces, a line break, and the empty line at the end.
    let statusLine = 5 + httpVersion.utf8.count + 3 + reason.utf8.count + 6
    return headers.fields.reduce(statusLine) { size, field in
      size + field.name.utf8.count + 4 + (field.isLatin1 ? field.value.unicodeScalars.count : field.value.utf8.count)
    }
  }
}

extension HopCookie {
  static func sent(by request: WireRequest, _ registry: SecretRegistry) -> [HopCookie] {
    request.headers.values("Cookie").flatMap { line in
      line.split(separator: ";").map { pair in
        HopCookie(name: registry.masked(trimmingBlanks(pair.prefix { $0 != "=" })))
      }
    }
  }

  static func set(by head: ResponseHead, _ registry: SecretRegistry) -> [HopCookie] {
    head.headers.fields.compactMap { field in
      guard equalsIgnoringCase(field.name, "Set-Cookie"),
        let cookie = SetCookie(parsing: field.value, isLatin1: field.isLatin1)
      else { return nil }
      var result = HopCookie(name: registry.masked(cookie.name))
      result.path = cookie.path.map { registry.masked($0) }
      result.domain = cookie.domain.map { registry.masked($0) }
      result.expires = cookie.expires
      (result.isHTTPOnly, result.isSecure) = (cookie.isHTTPOnly, cookie.isSecure)
      return result
    }
  }
}
