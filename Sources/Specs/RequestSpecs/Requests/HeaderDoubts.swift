import HTTPSemantics
import Matching
import Values

/// The reason why the value of a header is not what the header is made of, and what to write.
///
/// - Parameter name: in lower case.
func headerDoubt(_ name: String, _ text: String) -> (message: String, help: String)? {
  switch name {
  case "accept":
    let words = text.split(separator: ",").flatMap { $0.split(separator: ";").dropFirst() }.map(trimmingBlanks)
    if let type = words.first(where: { !$0.contains("=") && $0.contains("/") }) {
      return ("`\(type)` is a parameter here: media types are separated by commas", "write `,` before it")
    }
    return weightDoubt(text)
  case "accept-language":
    let tags = text.split { ",; ".contains($0) }
    if let tag = tags.first(where: { $0.contains("_") && $0.allSatisfy { $0.isLetter || $0 == "_" } }) {
      return ("the parts of a language tag are separated by hyphens", "write `\(tag.replacing("_", with: "-"))`")
    }
    return weightDoubt(text)
  case "accept-encoding", "accept-charset": return weightDoubt(text)
  case "cache-control": return text.split(separator: ",").lazy.compactMap { directiveDoubt(trimmingBlanks($0)) }.first
  case "range":
    guard let dash = text.firstIndex(of: "-"), text.count > 1,
      (text[..<dash] + text[dash...].dropFirst()).allSatisfy(\.isNumber)
    else { return nil }
    return ("a range begins with its unit", "write `bytes=\(text)`")
  case "origin":
    guard let host = text.firstRange(of: "://")?.upperBound, text[host...].contains("/") else { return nil }
    return ("an origin has no path", "write `\(text.prefix { $0 != "/" })//\(text[host...].prefix { $0 != "/" })`")
  case "cookie":
    let pairs = text.split(separator: ",")
    guard pairs.count > 1, !text.contains(";"), pairs.allSatisfy({ $0.dropFirst().contains("=") }) else { return nil }
    return ("cookies are separated by `;`", "write `; ` in place of the comma, or each under `cookies:`")
  case "authorization":
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer", words[1].hasPrefix("\""), words[1].hasSuffix("\"") else {
      return nil
    }
    return ("the quotes are sent as part of the token", "leave them out")
  case "if-match", "if-none-match":
    guard text.hasPrefix("\"\""), text.hasSuffix("\"\""), text.utf8.count > 4 else { return nil }
    return ("an entity tag has one quote at each end", "write `\(text.dropFirst().dropLast())`")
  default: return nil
  }
}

/// `q=5`: a weight is a number from 0 to 1 (RFC 9110, section 12.4.2).
private func weightDoubt(_ text: String) -> (message: String, help: String)? {
  let weights = text.split { ",; ".contains($0) }.filter { $0.hasPrefix("q=") }
  guard let weight = weights.first(where: { Number(parsing: String($0.dropFirst(2))).map { $0 > Number(1) } ?? true })
  else { return nil }
  return ("`\(weight)` is not a weight: one is from 0 to 1", "write such as `q=0.5`")
}

/// `no_cache`, `max-age:0`
private func directiveDoubt(_ text: String) -> (message: String, help: String)? {
  func folded(_ name: some StringProtocol) -> String { String(name.lowercased().filter(\.isLetter)) }
  let name = text.prefix { $0 != "=" && $0 != ":" }
  let directives = [
    "no-cache", "no-store", "no-transform", "only-if-cached", "max-age", "max-stale", "min-fresh", "stale-if-error",
  ]
  guard let directive = directives.first(where: { folded($0) == folded(name) }),
    name.lowercased() != directive || text[name.endIndex...].hasPrefix(":")
  else { return nil }
  let rest = text[name.endIndex...].dropFirst()
  return (
    "`\(text)` is not a directive of caches",
    "write `\(directive)\(rest.isEmpty ? "" : "=\(trimmingBlanks(rest))")`"
  )
}

/// Headers that have a meaning in responses alone, by their names in lower case, and what to write in a request.
let headersOfResponses: [String: String] = {
  var result = [
    "set-cookie": "write `cookies: {name: value}`", "www-authenticate": "write `auth:`, which sends Authorization",
    "proxy-authenticate": "write the credentials in the URL of `proxy`",
  ]
  for name in ["origin", "methods", "headers", "credentials"] {
    result["access-control-allow-\(name)"] = "leave it out: a client sends Origin, and the server allows it"
  }
  return result
}()
