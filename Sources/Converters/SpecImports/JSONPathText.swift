/// A name as a segment of a JSONPath.
func jsonPathSegment(_ name: String) -> String {
  let isShort = name.unicodeScalars.enumerated().allSatisfy { index, scalar in
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    case "0"..."9": index > 0
    default: scalar.value >= 0x80
    }
  }
  if isShort, !name.isEmpty { return "." + name }
  return "['" + name.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "']"
}

/// The segments of a path such as `data.items[0].id`, as libraries of tests write it.
func jsonPathSegments(_ path: String) -> String {
  path.split(separator: ".").map { part in
    let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
    let indexes = pieces.dropFirst().map { $0.hasSuffix("]") ? $0.dropLast() : $0 }
    return (pieces[0].isEmpty ? "" : jsonPathSegment(String(pieces[0])))
      + indexes.map { index in
        Int(index).map { "[\($0)]" } ?? jsonPathSegment(index.filter { $0 != "\"" && $0 != "'" })
      }.joined()
  }.joined()
}

/// The path to what has a member, and the name of the member; nil if the path ends otherwise.
func jsonPathParent(_ path: String) -> (parent: String, name: String)? {
  if path.hasSuffix("']"), let open = path.ranges(of: "['").last {
    let name = path[open.upperBound...].dropLast(2).replacing("\\'", with: "'").replacing("\\\\", with: "\\")
    return (String(path[..<open.lowerBound]), name)
  }
  guard let dot = path.lastIndex(of: "."), !path[dot...].contains("]") else { return nil }
  return (String(path[..<dot]), String(path[path.index(after: dot)...]))
}
