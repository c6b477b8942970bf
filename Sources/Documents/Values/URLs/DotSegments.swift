/// The path of a URL without `.` and `..` (RFC 3986, section 5.2.4).
package func removingDotSegments(_ path: String) -> String {
  guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
  var segments = path.split(separator: "/", omittingEmptySubsequences: false)[...]
  let isRooted = path.hasPrefix("/")
  if isRooted { segments.removeFirst() }
  var kept: [Substring] = []
  for (index, segment) in zip(segments.indices, segments) {
    let isDots = segment == "." || segment == ".."
    if segment == ".." { _ = kept.popLast() }
    if !isDots { kept.append(segment) } else if index == segments.endIndex - 1 { kept.append("") }
  }
  return (isRooted ? "/" : "") + kept.joined(separator: "/")
}

/// A URL, or a path with its query, without `.` and `..` in its path; unchanged if a template is in front of the query.
package func removingDotSegments(ofURL url: String) -> String {
  let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
  let head = url[..<end]
  let authority = head.firstRange(of: "://")?.upperBound ?? head.startIndex
  guard head.contains("/."), !head.contains("${{"), let start = head[authority...].firstIndex(of: "/") else {
    return url
  }
  return url[..<start] + removingDotSegments(String(head[start...])) + url[end...]
}
