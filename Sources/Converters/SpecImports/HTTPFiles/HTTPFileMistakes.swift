/// Mistakes that other tools take for something else.
extension HTTPFile {
  /// The name of a header whose colon is missing.
  static func headerWithoutColon(_ line: String) -> String? {
    guard let blank = line.firstIndex(of: " "), !line.contains(":") || line.contains("://") else { return nil }
    let name = line[..<blank].lowercased()
    let known = [
      "accept", "accept-encoding", "accept-language", "authorization", "cache-control", "content-length",
      "content-type", "cookie", "host", "if-match", "if-none-match", "origin", "referer", "user-agent",
    ]
    return known.contains(name) || name.hasPrefix("x-") ? String(line[..<blank]) : nil
  }

  /// Returns whether the lines of a body begin an object in JSON that they don't close.
  static func isOpenJSON(_ body: [String]) -> Bool {
    guard body.first?.trimmed.hasPrefix("{") == true else { return false }
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for character in body.joined(separator: "\n") {
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        isEscaped = character == "\\"
        isQuoted = character != "\""
      } else if character == "\"" {
        isQuoted = true
      } else if "{[".contains(character) {
        depth += 1
      } else if "}]".contains(character) {
        depth -= 1
      }
    }
    return depth > 0 && !isQuoted
  }
}
