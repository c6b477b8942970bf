import Values

/// The reason why a request line can't be read.
package struct SendProblem: Error, Sendable, Hashable {
  package let message: String
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

/// An item of a request line, such as `name=value`: a header, a part of the query, or a field of the body.
struct RequestItem: Sendable, Hashable {
  enum Kind: String, CaseIterable, Sendable {
    case header = ":"
    case emptyHeader = ";"
    case headerFile = ":@"
    case query = "=="
    case queryFile = "==@"
    case field = "="
    case fieldFile = "=@"
    case json = ":="
    case jsonFile = ":=@"
    case file = "@"

    /// Indicates whether it is a part of the body.
    var isData: Bool {
      switch self {
      case .field, .fieldFile, .json, .jsonFile, .file: true
      case .header, .emptyHeader, .headerFile, .query, .queryFile: false
      }
    }

    /// Indicates whether the value is the path of a file.
    var isFile: Bool { rawValue.hasSuffix("@") }

    /// The separators, the longest first.
    fileprivate static let byLength = allCases.map { ($0, Array($0.rawValue)) }.sorted { $0.1.count > $1.1.count }
  }

  let kind: Kind
  /// The text before the separator; for fields backslashes of nested names are still there.
  let name: String
  let value: String
  /// Indicates whether the value is secret by its name, or by names in it.
  let hasSecret: Bool
  /// The item for messages: as it was given, but without a secret.
  let text: String

  private static let separators: Set<Character> = [":", ";", "=", "@"]

  /// Splits at the first separator, the longest one there. A backslash before a character of a separator takes its
  /// meaning away.
  init(_ text: String) throws(SendProblem) {
    var name = ""
    var rest = Array(text)[...]
    while let character = rest.first {
      if character == "\\", let next = rest.dropFirst().first {
        if !Self.separators.contains(next) { name.append(character) }
        name.append(next)
        rest = rest.dropFirst(2)
        continue
      }
      if let (kind, separator) = Kind.byLength.first(where: { rest.starts(with: $0.1) }) {
        self.init(kind: kind, name: name, value: Self.unescaped(rest.dropFirst(separator.count)), text: text)
        if kind == .emptyHeader, !value.isEmpty {
          throw SendProblem(
            "the item \"\(self.text)\" has a value after \";\"",
            help: "write \(name):\(shownValue), or \(name); for an empty header")
        }
        return
      }
      name.append(character)
      rest = rest.dropFirst()
    }
    throw SendProblem(
      "\"\(shortened(text))\" is not an item of a request",
      help: "write Name:value for a header, name==value for the query, name=value or name:=json for the body")
  }

  private init(kind: Kind, name: String, value: String, text: String) {
    (self.kind, self.name, self.value) = (kind, name, value)
    hasSecret = isMaskedHeader(name) || isSecretName(name) || !secretRanges(in: value, named: name).isEmpty
    self.text = hasSecret && !kind.isFile && !value.isEmpty ? "\(name)\(kind.rawValue)***" : shortened(text)
  }

  /// The value for messages.
  var shownValue: String { hasSecret ? "***" : shortened(value) }

  private static func unescaped(_ characters: ArraySlice<Character>) -> String {
    var result = ""
    var rest = characters
    while let character = rest.popFirst() {
      if character == "\\", let next = rest.first, separators.contains(next) { continue }
      result.append(character)
    }
    return result
  }
}

/// A text for messages, which may be very long as it was given.
private func shortened(_ text: String) -> String { text.count > 200 ? "\(text.prefix(200))…" : text }
