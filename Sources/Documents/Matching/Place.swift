import Values

/// A place in a structure; its text is only created if a report needs it.
indirect enum Place {
  case root(String)
  case member(Place, Text)
  case item(Place, Int)
  /// An item of the actual list, and the index of the expected one it is compared with.
  case pair(Place, actual: Int, expected: Int)
  /// An item of a query's result: its place in the document, or its index.
  case found(MatchItem, Int)
  case items(Place, ClosedRange<Int>)
  /// Any item of the actual list, for a missing one of the expected list.
  case anyItem(Place, expected: Int)

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
    case .item(let parent, let index), .pair(let parent, let index, _): "\(parent.string)[\(index)]"
    case .anyItem(let parent, _): "\(parent.string)[*]"
    case .found(let item, let index): item.location ?? "[\(index)]"
    case .items(let parent, let range): "\(parent.string)[\(range.lowerBound)] to [\(range.upperBound)]"
    }
  }

  /// The place in the expected structure, as far as it exists.
  var inExpected: String { expectedPath.path }

  private var expectedPath: (path: String, isOpen: Bool) {
    switch self {
    case .root(let path): return (path, true)
    case .member(let parent, _):
      let (path, isOpen) = parent.expectedPath
      return isOpen ? (path + string.dropFirst(parent.string.count), true) : (path, false)
    case .pair(let parent, _, let index), .anyItem(let parent, let index):
      let (path, isOpen) = parent.expectedPath
      return isOpen ? ("\(path)[\(index)]", true) : (path, false)
    case .item(let parent, _), .items(let parent, _): return (parent.expectedPath.path, false)
    case .found: return ("", false)
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
