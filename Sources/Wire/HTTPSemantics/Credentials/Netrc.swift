import Values

/// The credentials of a `.netrc` file, read as curl reads it.
package struct Netrc: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    /// Nil for `default`.
    package var machine: String?
    package var login: String?
    package var password: String?
  }

  package var entries: [Entry] = []

  /// An unreadable place in the file; its message shows none of the content.
  package struct Problem: Error, Sendable, Hashable {
    /// The line, counted from 1.
    package let line: Int
    package let message: String
  }

  package init(parsing text: String) throws(Problem) {
    let newline = UInt8(ascii: "\n")
    var lines = text.utf8.split(separator: newline, omittingEmptySubsequences: false).enumerated().makeIterator()
    /// The keyword whose value is expected next.
    var keyword: String?
    while let (index, line) = lines.next() {
      var isMacro = false
      for token in try tokens(of: line, number: index + 1) {
        if let word = keyword {
          keyword = nil
          if word == "macdef" { isMacro = true } else { take(word, token) }
          continue
        }
        switch token {
        case "default": entries.append(Entry())
        case "machine", "login", "password", "account", "macdef": keyword = token
        default: break
        }
      }
      // A macro ends with an empty line.
      if isMacro { while let (_, line) = lines.next(), !line.allSatisfy(isSpace) {} }
    }
  }

  private mutating func take(_ keyword: String, _ value: String) {
    switch keyword {
    case "machine": entries.append(Entry(machine: value))
    case "login" where !entries.isEmpty: entries[entries.count - 1].login = value
    case "password" where !entries.isEmpty: entries[entries.count - 1].password = value
    default: break
    }
  }

  /// The entries that name a host.
  var withoutDefault: Netrc {
    var result = self
    result.entries.removeAll { $0.machine == nil }
    return result
  }

  /// The first entry for a host, else the default one; nil where neither has credentials.
  package func entry(for host: String) -> Entry? {
    let entry =
      entries.first { $0.machine.map { equalsIgnoringCase($0, host) } ?? false } ?? entries.first { $0.machine == nil }
    return entry.flatMap { $0.login == nil && $0.password == nil ? nil : $0 }
  }
}

/// The words of a line, up to a comment.
private func tokens(of line: Substring.UTF8View, number: Int) throws(Netrc.Problem) -> [String] {
  var tokens: [String] = []
  var rest = Array(line)[...]
  while true {
    rest = rest.drop(while: isSpace)
    guard let first = rest.first, first != UInt8(ascii: "#") else { return tokens }
    var token: [UInt8] = []
    if first == UInt8(ascii: "\"") {
      rest.removeFirst()
      var isClosed = false
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\"") {
          isClosed = true
          break
        }
        token.append(byte == UInt8(ascii: "\\") ? unescaped(rest.popFirst() ?? byte) : byte)
      }
      guard isClosed else { throw Netrc.Problem(line: number, message: "the quote is never closed") }
    } else {
      token = Array(rest.prefix { !isSpace($0) })
      rest = rest.dropFirst(token.count)
    }
    tokens.append(String(decoding: token, as: UTF8.self))
  }
}

private func unescaped(_ byte: UInt8) -> UInt8 {
  switch byte {
  case UInt8(ascii: "n"): 0x0A
  case UInt8(ascii: "r"): 0x0D
  case UInt8(ascii: "t"): 0x09
  default: byte
  }
}

/// Keeps secrets out of logs that print values by reflection.
extension Netrc: CustomStringConvertible, CustomReflectable {
  package var description: String { "netrc with \(entries.count) entries" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
