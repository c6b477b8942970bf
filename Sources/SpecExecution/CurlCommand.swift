import HTTPMessages
import HTTPSemantics
import Values

/// The request as a curl command that reproduces it, with its secrets masked.
func curlCommand(_ request: ResolvedRequest, jarCookies: String?) -> String {
  var words = ["curl"]
  let method = request.method.rawValue
  let hasBody = if case .none = request.body { false } else { true }
  if method == "HEAD" {
    words.append("--head")
  } else if method != (hasBody ? "POST" : "GET") {
    words += ["--request", quoted(method)]
  }
  if request.outgoing.redirects.mode == .follow { words.append("--location") }
  for (name, value) in request.headers where !isDefault(name.string, value.string) {
    let shown = maskedHeaders.contains(name.string.lowercased()) ? Text.mask : value.masked
    words += ["--header", quoted(shown.isEmpty ? "\(name.masked);" : "\(name.masked): \(shown)")]
  }
  switch request.credentials {
  case .basic(let username, _): words += ["--user", quoted("\(username.masked):\(Text.mask)")]
  case .bearer: words += ["--header", quoted("Authorization: Bearer \(Text.mask)")]
  case nil: break
  }
  if !request.cookies.isEmpty || jarCookies != nil { words += ["--cookie", quoted(Text.mask)] }
  switch request.body {
  case .none: break
  case .text(let text):
    if !request.headers.contains(where: { equalsIgnoringCase($0.name.string, "content-type") }) {
      words += ["--header", "'Content-Type:'"]
    }
    words += [text.string.hasPrefix("@") ? "--data-raw" : "--data-binary", quoted(text.masked)]
  case .data(let data): words += ["--data-binary", data.isSecret ? quoted(Text.mask) : "@- # \(data.bytes.count) bytes"]
  }
  if request.url.string.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
  let url = request.url.masked
  words.append(quoted(stripUserinfo(url)))
  return words.joined(separator: " ")
}

/// Headers that curl sends by itself.
private func isDefault(_ name: String, _ value: String) -> Bool {
  let name = name.lowercased()
  return (name == "accept" && value == "*/*") || (name == "user-agent" && value.hasPrefix("reqrun"))
}

/// A word for a POSIX shell.
func quoted(_ text: String) -> String {
  let plain = text.utf8.allSatisfy { byte in
    (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || "-_./:=@%+,".utf8.contains(byte)
  }
  if plain, !text.isEmpty { return text }
  if text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" && $0 != "\t" || $0.value == 0x7F }) {
    return "$'" + ansiQuoted(text) + "'"
  }
  var result = "'"
  for character in text { result += character == "'" ? "'\\''" : String(character) }
  return result + "'"
}

private func ansiQuoted(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "'": result += "\\'"
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default:
      if scalar.value < 0x20 || scalar.value == 0x7F {
        let code = String(scalar.value, radix: 16)
        result += "\\x" + (code.utf8.count < 2 ? "0" + code : code)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
  return result
}

/// A URL without the credentials that it may carry.
func stripUserinfo(_ url: String) -> String {
  guard let scheme = url.firstRange(of: "://") else { return url }
  let rest = url[scheme.upperBound...]
  let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
  guard let at = rest[..<end].lastIndex(of: "@") else { return url }
  return String(url[..<scheme.upperBound] + rest[rest.index(after: at)...])
}
