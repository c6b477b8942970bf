/// The base path of a server object, such as `/api/v{version}`.
struct ServerBase: Sendable, Hashable {
  let segments: [SegmentPattern]

  static let root = ServerBase(segments: [])

  /// The maximum number of base paths that the variables of a server may produce.
  private static let limit = 64
  /// The maximum size of such a path in bytes.
  private static let longest = 4096

  /// The base paths of a list of servers, in order; the root for an empty list.
  ///
  /// Hosts are ignored: tests run against other hosts than the document names.
  static func bases(of servers: DocumentNode?) -> [ServerBase] {
    var result: [ServerBase] = []
    for server in servers?.items ?? [] {
      for base in bases(ofServer: server) where !result.contains(base) { result.append(base) }
    }
    return result.isEmpty ? [.root] : result
  }

  private static func bases(ofServer server: DocumentNode) -> [ServerBase] {
    var paths = [path(ofURL: server["url"]?.string ?? "/")]
    for (name, variable) in server["variables"]?.members ?? [] {
      let place = "{\(name)}"
      guard paths.contains(where: { $0.contains(place) }) else { continue }
      let words = variable["enum"]?.items.compactMap(\.scalarText) ?? []
      // Without a list any value is allowed; the default may be several segments, or none.
      let values = words.isEmpty ? [variable["default"]?.scalarText].compactMap { $0 } + [place] : words
      // The value of a variable may contain other variables, and repeatedly.
      paths = paths.flatMap { path in
        values.prefix(limit).filter { $0.utf8.count <= longest }.map { path.replacing(place, with: $0) }
          .filter { $0.utf8.count <= longest }
      }
      paths = Array(paths.prefix(limit))
    }
    return paths.compactMap { path in
      // A variable that begins with a slash may follow one.
      var path = path.replacing("//", with: "/")
      while path.hasSuffix("/") { path.removeLast() }
      if !path.isEmpty, !path.hasPrefix("/") { path = "/" + path }
      return PathTemplate(path).map { ServerBase(segments: $0.segments) }
    }
  }

  /// The path of a server's URL, which may be relative.
  private static func path(ofURL url: String) -> String {
    var rest = url.prefix { $0 != "?" && $0 != "#" }
    let authority = rest.firstRange(of: "://") ?? (rest.hasPrefix("//") ? rest.firstRange(of: "//") : nil)
    if let authority {
      rest = rest[authority.upperBound...]
      guard let slash = rest.firstIndex(of: "/") else { return "" }
      return String(rest[slash...])
    }
    // A variable for the scheme or the whole origin: `{protocol}://…` was found above, `{origin}/v1` was not.
    if rest.hasPrefix("{"), let close = rest.firstIndex(of: "}") { return String(rest[rest.index(after: close)...]) }
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return rest == "." ? "" : String(rest)
  }

  /// Returns the number of leading segments of a path that match this base; nil if it doesn't match.
  func length(in segments: [Substring]) -> Int? {
    guard segments.count >= self.segments.count else { return nil }
    for (pattern, segment) in zip(self.segments, segments) where pattern.match(segment) == nil { return nil }
    return self.segments.count
  }
}

extension DocumentNode {
  /// A string, or a number or boolean as written.
  package var scalarText: String? {
    switch node.kind {
    case .text: string
    case .number, .boolean: node.text
    default: nil
    }
  }
}
