internal import Values

/// A place in a structure; its text is written only if a report wants it.
indirect enum Place {
  case root(String)
  case member(Place, Text)
  case item(Place, Int)
  /// An item of a query's result: where it stands in the document, or its index.
  case found(MatchItem, Int)
  case items(Place, ClosedRange<Int>)
  case anyItem(Place)

  /// A JSONPath (RFC 9535), or `$.a[3] to [5]`.
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
    case .found(let item, let index): item.location ?? "[\(index)]"
    case .items(let parent, let range): "\(parent.string)[\(range.lowerBound)] to [\(range.upperBound)]"
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
