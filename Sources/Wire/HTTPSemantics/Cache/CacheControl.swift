import Values

/// The directives of `Cache-Control` (RFC 9111, section 5.2). The first of duplicates counts.
struct CacheControl {
  private var arguments: [String: String] = [:]

  init(_ headers: HeaderFields) {
    let lines = headers.values("Cache-Control")
    for directive in lines.flatMap(Self.directives) {
      let name = directive.prefix { $0 != "=" }
      let argument = directive.dropFirst(name.count + 1).filter { $0 != "\"" }
      let key = trimmingBlanks(name).lowercased()
      if !key.isEmpty, arguments[key] == nil { arguments[key] = trimmingBlanks(argument[...]) }
    }
    // RFC 9111, section 5.4.
    if lines.isEmpty, headers.values("Pragma").contains(where: { $0.lowercased().contains("no-cache") }) {
      arguments["no-cache"] = ""
    }
  }

  /// The parts between commas that are outside quotes.
  private static func directives(_ line: String) -> [Substring] {
    var isQuoted = false
    return line.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
  }

  /// Returns whether the directive is present; `no-cache="…"` for certain fields is taken for the whole response.
  func has(_ name: String) -> Bool { arguments[name] != nil }

  /// The directive's number of seconds; nil without the directive, 0 if it isn't a number.
  func seconds(_ name: String) -> Int64? {
    arguments[name].map { deltaSeconds($0) ?? 0 }
  }

  /// Returns whether the directive is present without an argument.
  func isBare(_ name: String) -> Bool { arguments[name]?.isEmpty == true }
}

/// A number of seconds (RFC 9111, section 1.2.2); larger ones become 2^31.
func deltaSeconds(_ text: String) -> Int64? {
  let digits = trimmingBlanks(text[...])
  guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { return nil }
  let limit: Int64 = 1 << 31
  return min(Int64(digits) ?? limit, limit)
}
