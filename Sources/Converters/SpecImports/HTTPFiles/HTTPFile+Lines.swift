/// The kinds of lines.
extension HTTPFile {
  /// The methods that a line without `###` before it is known by.
  static let methods: Set<String> = [
    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "REPORT", "COPY",
    "MOVE", "LOCK", "UNLOCK", "MKCOL", "PROPPATCH", "SEARCH", "GRAPHQL", "QUERY", "CHECKOUT", "CHECKIN", "MERGE",
    "MKACTIVITY", "MKWORKSPACE", "VERSION-CONTROL", "BASELINE-CONTROL",
  ]

  /// Returns whether a line is a method with a URL, or a URL alone.
  static func isTarget(_ line: String) -> Bool {
    let word = line.prefix { !$0.isWhitespace }
    if word == "curl" { return true }
    let isMethod = word.count < line.count && word.allSatisfy { $0.isASCII && $0.isUppercase || $0 == "-" }
    if isMethod { return true }
    if word.contains("://") || word.hasPrefix("/") || word.hasPrefix("{{") { return true }
    let host = word.prefix { !"/:?".contains($0) }
    let isHost =
      host == "localhost" || host.contains(".") && host.allSatisfy { $0.isLetter || $0.isNumber || "-.".contains($0) }
    return isHost && (word.count == line.count || line.contains(" HTTP/"))
  }

  /// Returns whether a line is a method and a URL.
  static func isRequestLine(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, methods.contains(String(words[0])), line.first?.isWhitespace == false else { return false }
    let target = words[1].drop(while: \.isWhitespace)
    return target.hasPrefix("/") || target.hasPrefix("http://") || target.hasPrefix("https://")
      || target.hasPrefix("{{")
  }

  static func isHeader(_ text: String) -> Bool {
    if text.hasPrefix("{{"), let end = text.firstRange(of: "}}") {
      let rest = text[end.upperBound...]
      return rest.hasPrefix(":") || rest.hasPrefix("-") && rest.contains(":")
    }
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return false }
    return text[..<colon].unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": true
      default: "!#$%&'*+-.^_`|~ ".unicodeScalars.contains(scalar)
      }
    } && text[..<colon].split(separator: " ").count == 1
  }

  /// The text of a comment; nil for anything else.
  func comment(_ text: String) -> String? {
    if text.hasPrefix("#") { return String(text.drop { $0 == "#" }).trimmed }
    if text.hasPrefix("//") { return String(text.drop { $0 == "/" }).trimmed }
    return nil
  }

  /// `@name = value`; nil for anything else.
  func variable(_ text: String) -> (name: String, value: String)? {
    guard text.hasPrefix("@"), let pair = text.dropFirst().pair(at: "="), !pair.name.isEmpty,
      !pair.name.contains(where: \.isWhitespace)
    else { return nil }
    return pair
  }
}
