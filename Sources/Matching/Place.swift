internal import Values

/// A place in a structure; its text is written only if a report wants it.
indirect enum Place {
  case root(String)
  case member(Place, Text)
  case item(Place, Int)
  case anyItem(Place)
  case line(Int)

  /// A JSONPath (RFC 9535), or `line 3`.
  var string: String {
    switch self {
    case .root(let path): path
    case .member(let parent, let name):
      if name.isSecret {
        "\(parent.string)['\(name.masked)']"
      } else if Place.isShorthand(name.string) {
        "\(parent.string).\(name.string)"
      } else {
        "\(parent.string)['\(Place.escaped(name.string))']"
      }
    case .item(let parent, let index): "\(parent.string)[\(index)]"
    case .anyItem(let parent): "\(parent.string)[*]"
    case .line(let number): "line \(number)"
    }
  }

  private static func isShorthand(_ name: String) -> Bool {
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    return name.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0 | 0x20) }
  }

  private static func escaped(_ name: String) -> String {
    let shown = quoted(Text(name), limit: 100).string
    return String(shown.dropFirst().dropLast()).replacing("\\\"", with: "\"").replacing("'", with: "\\'")
  }
}
