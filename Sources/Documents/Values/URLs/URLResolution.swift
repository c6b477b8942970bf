extension HTTPURL {
  /// Resolves a reference, such as that of a `Location` header, following RFC 3986, section 5.2: dot segments are
  /// removed. Surrounding spaces are ignored; the target must be http or https.
  package static func resolve(_ reference: String, against base: HTTPURL) throws(URLProblem) -> HTTPURL {
    let all = Array(reference.utf8)
    try refuseUnsendable(all)
    let start = all.firstIndex { $0 != 0x20 } ?? all.endIndex
    let end = all.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? all.endIndex
    let bytes = all[start..<max(start, end)]
    // URL parsers differ on whether `\` is a slash here, and so on the host.
    if let backslash = bytes.prefix(2).firstIndex(of: UInt8(ascii: "\\")) {
      throw URLProblem(
        "a URL can't begin with a backslash", at: backslash..<backslash + 1, help: "write / instead of \\")
    }
    var result: HTTPURL
    if schemeEnd(bytes) != nil {
      let absolute = Array(bytes)
      do {
        result = try HTTPURL(absolute, schemeEnd: try httpSchemeEnd(absolute))
      } catch {
        let range = error.range.lowerBound + start..<error.range.upperBound + start
        throw URLProblem(error.message, at: range, help: error.help)
      }
    } else if bytes.starts(with: [slash, slash]) {
      result = try HTTPURL(scheme: base.scheme, afterSlashes: bytes.dropFirst(2))
    } else {
      result = base
      let parts = PathQueryFragment(bytes)
      result.fragment = parts.fragment
      if parts.path.isEmpty {
        result.query = parts.query ?? base.query
        return result
      }
      result.query = parts.query
      result.path = parts.path.hasPrefix("/") ? parts.path : merged(parts.path, onto: base.path)
    }
    result.path = removingDotSegments(result.path)
    return result
  }

  /// RFC 3986, section 5.2.3.
  private static func merged(_ path: String, onto base: String) -> String {
    guard let last = base.lastIndex(of: "/") else { return "/" + path }
    return base[...last] + path
  }
}
