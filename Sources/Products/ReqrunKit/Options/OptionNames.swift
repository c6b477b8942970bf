extension RunOptions {
  /// Names of the command whose property has another name.
  private static let otherNames = [
    "var": "variables", "secret": "secrets", "env": "environment", "env-file": "envFiles", "report": "reports",
    "noproxy": "connection.noProxy", "ipv4": "connection.ipVersion", "ipv6": "connection.ipVersion",
  ]

  private static let properties = Set(Mirror(reflecting: RunOptions()).children.compactMap(\.label))
  private static let connectionProperties = Set(
    Mirror(reflecting: ConnectionOverrides()).children.compactMap(\.label))

  /// The property behind an option of the command; nil if it has none.
  package static func property(ofOption option: String) -> String? {
    if let name = otherNames[option] { return name }
    let words = option.split(separator: "-")
    let name = words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    return properties.contains(name) ? name : connectionProperties.contains(name) ? "connection.\(name)" : nil
  }

  /// A message with the names of properties, such as `options.maxTime` for `--max-time`.
  static func naming(_ message: String) -> String {
    guard message.contains("--") else { return message }
    var result = ""
    var rest = message[...]
    while let start = rest.firstRange(of: "--") {
      let isWord = rest[..<start.lowerBound].last.map { $0.isLetter || $0.isNumber || $0 == "-" } ?? false
      let option = rest[start.upperBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      result += rest[..<start.lowerBound]
      rest = rest[option.endIndex...]
      guard !isWord, let name = property(ofOption: String(option)) else {
        result += "--\(option)"
        continue
      }
      result += "options.\(name)"
      guard ["var", "secret"].contains(option), rest.first == " " else { continue }
      // The name that follows is a key.
      let key = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if !key.isEmpty {
        result += "[\"\(key)\"]"
        rest = rest[key.endIndex...]
      }
    }
    return result + rest
  }
}
