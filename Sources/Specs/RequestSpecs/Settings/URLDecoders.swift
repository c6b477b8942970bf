import HTTPSemantics
import Values

extension ValueDecoder where Output == HTTPMethod {
  /// Any token.
  package static var method: ValueDecoder {
    ValueDecoder("a method such as GET or POST", .pattern("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")) {
      value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      // Logs, titles and command lines all show the method.
      if text.isSecret {
        throw DecodingProblem(.invalidValue, "a secret cannot be the method", help: "put it into a header or the body")
      }
      guard let method = HTTPMethod(text.string) else {
        throw DecodingProblem(
          .invalidValue, "\"\(jsonEscaped(text.masked))\" is not a method",
          help: "a method is one word of letters, such as GET")
      }
      return method
    }
  }
}

extension ValueDecoder where Output == Text {
  /// An absolute URL, or a part to append to one; `{name}` in its path is a placeholder.
  package static var urlReference: ValueDecoder {
    ValueDecoder("text", .text) { value throws(DecodingProblem) in
      let text = try Self.text.decode(value).withOpenPath
      let filled = fillingPathPlaces(text.string)
      if isAbsoluteURL(filled) {
        try checkURL(filled, offset: 0)
      } else {
        // Appending is checked with a base; whether it can be sent with any.
        let base = "http://base"
        try checkURL(base + "/" + filled, offset: base.utf8.count + 1)
      }
      return text
    }
  }

  /// An absolute URL, to which others are appended.
  package static var baseURL: ValueDecoder {
    ValueDecoder("text", .text) { value throws(DecodingProblem) in
      let text = try Self.text.decode(value).withOpenPath
      try checkURL(fillingPathPlaces(text.string), offset: 0)
      return text
    }
  }
}

extension Text {
  /// The URL with a slash before a value that only a run knows and that stands behind its port: it is a path.
  fileprivate var withOpenPath: Text {
    guard let unknown = marks.first(where: { $0.open != nil && $0.open?.known == nil })?.range else { return self }
    let before = prefix(utf8: unknown.lowerBound)
    guard let scheme = before.string.firstRange(of: "://") else { return self }
    let port = before.string[scheme.upperBound...].drop { $0 != ":" }.dropFirst()
    guard !port.isEmpty, port.allSatisfy(\.isNumber) else { return self }
    return before + Text("/") + dropping(first: unknown.lowerBound)
  }
}

private func checkURL(_ url: String, offset: Int) throws(DecodingProblem) {
  do {
    _ = try HTTPURL(parsing: url)
  } catch {
    if let form = httpForm(ofWebSocket: url) { return try checkURL(form, offset: offset + 2) }
    let start = max(0, error.range.lowerBound - offset)
    throw DecodingProblem(
      .invalidValue, error.message, at: start..<max(start, error.range.upperBound - offset), help: error.help)
  }
}

/// Returns whether a URL has a scheme, and so needs no base.
package func isAbsoluteURL(_ url: String) -> Bool {
  url.utf8.drop { isAlphanumeric($0) || "+-.".utf8.contains($0) }.starts(with: "://".utf8)
}

/// The placeholders of a URL before its query, with their names.
private func pathPlaceRanges(_ url: String) -> [(name: String, range: Range<String.Index>)] {
  guard url.contains(byte: UInt8(ascii: "{")) else { return [] }
  var result: [(name: String, range: Range<String.Index>)] = []
  var rest = url.prefix { $0 != "?" && $0 != "#" }
  while let open = rest.firstIndex(of: "{") {
    rest = rest[rest.index(after: open)...]
    // `{{name}}` isn't a placeholder, but another tool's template, for which there is a warning.
    if rest.first == "{" {
      rest = rest.drop { $0 != "}" }
      continue
    }
    guard let close = rest.firstIndex(of: "}") else { break }
    let name = rest[..<close]
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) }) else { continue }
    rest = rest[rest.index(after: close)...]
    result.append((String(name), open..<rest.startIndex))
  }
  return result
}

/// The names of placeholders of a URL before its query.
package func pathPlaces(_ url: String) -> [String] { pathPlaceRanges(url).map(\.name) }

/// The problem with a placeholder's value: as a whole segment, it may name another resource.
package func problem(ofPath name: String, filledAt bytes: Range<Int>, of url: [UInt8]) -> DecodingProblem? {
  func ends(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }
  var (start, end) = (bytes.lowerBound, bytes.upperBound)
  while start > 0, end - start < 3, !ends(url[start - 1]) { start -= 1 }
  while end < url.count, end - start < 3, !ends(url[end]) { end += 1 }
  switch String(decoding: url[start..<end], as: UTF8.self) {
  case "":
    return DecodingProblem(
      .invalidURL, "`path.\(name)` is empty, and the URL would name another resource",
      help: "give it at least one character")
  case let dots where dots == "." || dots == "..":
    return DecodingProblem(
      .invalidURL, "`path.\(name)` makes the segment `\(dots)`, and the URL would name another resource",
      help: "clients and servers remove such segments, whatever their encoding: give it another value")
  default: return nil
  }
}

/// The problem of the first placeholder with an invalid literal value.
package func problem(
  ofPlacesIn url: String, filledBy values: [String: String]
) -> (name: String, problem: DecodingProblem)? {
  var bytes: [UInt8] = []
  var filled: [(name: String, range: Range<Int>)] = []
  var end = url.startIndex
  for place in pathPlaceRanges(url) {
    bytes += url[end..<place.range.lowerBound].utf8
    let start = bytes.count
    bytes += (values[place.name] ?? "name").utf8
    if values[place.name] != nil { filled.append((place.name, start..<bytes.count)) }
    end = place.range.upperBound
  }
  bytes += url[end...].utf8
  for (name, range) in filled {
    if let problem = problem(ofPath: name, filledAt: range, of: bytes) { return (name, problem) }
  }
  return nil
}

/// The URL with each `{name}` replaced by as many bytes of plain text.
private func fillingPathPlaces(_ url: String) -> String {
  var result = ""
  var end = url.startIndex
  for place in pathPlaceRanges(url) {
    result += url[end..<place.range.lowerBound] + String(repeating: "x", count: url[place.range].utf8.count)
    end = place.range.upperBound
  }
  return result + url[end...]
}
