import Values

/// A cookie file in Netscape's format, as curl reads and writes it: one line each, with seven fields separated by tabs.
///
/// The format can't express `SameSite`, which is lost.
package struct CookieFile: Sendable {
  /// A line without a cookie, or with one that no jar accepts. The message shows no value.
  package struct Problem: Sendable, Hashable {
    package let line: Int
    package let message: String
    package var help: String?
    /// Indicates whether the line is malformed, not just useless.
    package var isBroken = true
  }

  package private(set) var cookies: [Cookie] = []
  package private(set) var problems: [Problem] = []

  /// Reads all lines; expired cookies are left out.
  ///
  /// - Parameter octets: the file's bytes; lines that aren't UTF-8 are read as ISO 8859-1, and written back the same
  /// way.
  package init(parsing octets: [UInt8], now: Timestamp, publicSuffixes: PublicSuffixes = .system) {
    let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated() {
      let text = String(validating: bytes, as: UTF8.self)
      var line = Substring(text ?? latin1Text(bytes))
      if line.utf8.last == UInt8(ascii: "\r") { line = Substring(line.utf8.dropLast()) }
      let isHTTPOnly = line.hasPrefix(CookieFile.httpOnlyPrefix)
      if isHTTPOnly { line = line.dropFirst(CookieFile.httpOnlyPrefix.count) }
      if line.hasPrefix("#") || line.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      do throws(LineError) {
        var cookie = try CookieFile.cookie(line, isHTTPOnly: isHTTPOnly, publicSuffixes: publicSuffixes)
        cookie.isLatin1 = text == nil
        if !cookie.isExpired(at: now) { cookies.append(cookie) }
      } catch {
        problems.append(
          Problem(line: index + 1, message: error.message, help: error.help, isBroken: error.isBroken))
      }
    }
  }

  private static let httpOnlyPrefix = "#HttpOnly_"

  private struct LineError: Error {
    let message: String
    var help: String?
    var isBroken = true
  }

  private static func cookie(
    _ line: Substring, isHTTPOnly: Bool, publicSuffixes: PublicSuffixes
  ) throws(LineError) -> Cookie {
    let fields = line.utf8.split(separator: UInt8(ascii: "\t"), maxSplits: 6, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    // Without a value, curl's own reader takes the tab before it as the end.
    guard fields.count >= 6 else {
      throw LineError(
        message: "a cookie has seven fields with tabs between them, and this line has \(fields.count)",
        help: "they are domain, TRUE for the hosts below it, path, TRUE for TLS only, expiry, name, value")
    }
    let domain = (fields[0].hasPrefix(".") ? String(fields[0].dropFirst()) : fields[0]).lowercased()
    guard !domain.isEmpty, domain.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }) else {
      throw LineError(message: "the first field is not a domain")
    }
    var cookie = Cookie(name: fields[5], value: fields.count > 6 ? fields[6] : "", domain: domain, path: fields[2])
    cookie.isHTTPOnly = isHTTPOnly
    cookie.isHostOnly = try !flag(fields[1], "second")
    cookie.isSecure = try flag(fields[3], "fourth")
    cookie.expires = try expiry(fields[4])
    guard cookie.path.hasPrefix("/") else {
      throw LineError(message: "the third field is not a path: it begins with /")
    }
    guard !cookie.name.isEmpty, !cookie.name.contains("="), isCookieText(cookie.name), isCookieText(cookie.value) else {
      throw LineError(message: "the last fields are not a cookie's name and value", help: "neither has a ; in it")
    }
    if !cookie.isHostOnly, publicSuffixes.contains(domain) {
      // The same as if a server set such a cookie for itself.
      guard !domain.contains(".") else {
        throw LineError(
          message: "the cookie \(cookie.name) is left out: \(domain) is a public suffix, below which anyone has hosts",
          isBroken: false)
      }
      cookie.isHostOnly = true
    }
    guard cookie.keepsPrefix else {
      throw LineError(message: "the cookie \(cookie.name) is left out: it isn't what its prefix says", isBroken: false)
    }
    return cookie
  }

  private static func flag(_ text: String, _ place: String) throws(LineError) -> Bool {
    switch text.lowercased() {
    case "true": return true
    case "false": return false
    default: throw LineError(message: "the \(place) field is neither TRUE nor FALSE")
    }
  }

  /// Seconds since 1970, fractions dropped; 0 and an empty field mean a session cookie.
  private static func expiry(_ text: String) throws(LineError) -> Timestamp? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }.prefix(while: isDigit)
    let isNegative = text.hasPrefix("-")
    let rest = text.utf8.count - digits.count - (isNegative ? 1 : 0)
    if text.isEmpty { return nil }
    guard !digits.isEmpty, rest == 0 || text.utf8.dropFirst(text.utf8.count - rest).first == UInt8(ascii: ".") else {
      throw LineError(message: "the fifth field is not an expiry in seconds since 1970")
    }
    let seconds = Int64(String(Substring(digits))) ?? .max
    return seconds == 0 ? nil : Timestamp(seconds: isNegative ? -1 : seconds)
  }

  /// The content of a file with these cookies, and the cookies that the format can't express.
  package static func octets(of cookies: [Cookie]) -> (octets: [UInt8], leftOut: [Cookie]) {
    var octets = Array("# Netscape HTTP Cookie File\n# Written by reqrun; curl reads it with --cookie\n\n".utf8)
    var leftOut: [Cookie] = []
    for cookie in cookies {
      // A tab would end the field.
      guard !(cookie.name + cookie.value + cookie.path).utf8.contains(0x09), !cookie.name.isEmpty else {
        leftOut.append(cookie)
        continue
      }
      let fields = [
        (cookie.isHTTPOnly ? httpOnlyPrefix : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
        cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
        String(cookie.expires.map { max(1, $0.seconds) } ?? 0), cookie.name, cookie.value,
      ]
      let line = fields.joined(separator: "\t") + "\n"
      octets += cookie.isLatin1 ? latin1Octets(line) : Array(line.utf8)
    }
    return (octets, leftOut)
  }
}
