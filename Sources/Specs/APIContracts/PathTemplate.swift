import HTTPSemantics
import Values

/// One segment of a path template: `users`, `{id}`, or both, as in `{name}.json`.
struct SegmentPattern: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case literal(String)
    case parameter(String)
  }

  let parts: [Part]

  /// Nil if the braces aren't balanced.
  init?(_ text: Substring) {
    var parts: [Part] = []
    var rest = text
    while !rest.isEmpty {
      guard let open = rest.firstIndex(of: "{") else {
        guard !rest.contains("}") else { return nil }
        parts.append(.literal(percentDecoded(rest)))
        break
      }
      guard let close = rest[open...].firstIndex(of: "}"), !rest[..<open].contains("}") else { return nil }
      if open > rest.startIndex { parts.append(.literal(percentDecoded(rest[..<open]))) }
      let name = rest[rest.index(after: open)..<close]
      guard !name.isEmpty, !name.contains("{") else { return nil }
      parts.append(.parameter(String(name)))
      rest = rest[rest.index(after: close)...]
    }
    self.parts = parts
  }

  /// The whole text of a segment without parameters.
  var literal: String? {
    if parts.isEmpty { return "" }
    guard parts.count == 1, case .literal(let text) = parts[0] else { return nil }
    return text
  }

  /// The number of literal characters: the more, the more concrete.
  var literalCount: Int {
    parts.reduce(0) { if case .literal(let text) = $1 { $0 + text.utf8.count } else { $0 } }
  }

  /// The pattern without the names of parameters, for comparisons.
  var shape: [String?] {
    parts.map { if case .literal(let text) = $0 { text } else { nil } }
  }

  /// The raw values of the parameters, in order; nil if the segment doesn't match.
  ///
  /// - Parameter segment: as it is sent, percent-encoded.
  func match(_ segment: Substring) -> [Substring]? {
    var values: [Substring] = []
    var rest = segment
    for (index, part) in parts.enumerated() {
      switch part {
      case .literal(let text):
        guard let end = SegmentPattern.end(ofPrefix: text, in: rest) else { return nil }
        rest = rest[end...]
      case .parameter:
        guard !rest.isEmpty else { return nil }
        guard index + 1 < parts.count, case .literal(let next) = parts[index + 1] else {
          // The first of two adjacent parameters takes one character.
          let end = index + 1 < parts.count ? rest.index(after: rest.startIndex) : rest.endIndex
          values.append(rest[..<end])
          rest = rest[end...]
          continue
        }
        guard let end = SegmentPattern.place(of: next, in: rest, isLast: index + 2 == parts.count) else { return nil }
        values.append(rest[..<end])
        rest = rest[end...]
      }
    }
    return rest.isEmpty ? values : nil
  }

  /// The end of a literal at the text's beginning; either may be percent-encoded.
  private static func end(ofPrefix literal: String, in text: Substring) -> Substring.Index? {
    if text.hasPrefix(literal) { return text.index(text.startIndex, offsetBy: literal.count) }
    guard text.utf8.contains(UInt8(ascii: "%")) else { return nil }
    let bytes = text.utf8
    var end = text.startIndex
    for wanted in literal.utf8 {
      guard end < text.endIndex else { return nil }
      let isEncoded = bytes[end] == UInt8(ascii: "%")
      guard let next = bytes.index(end, offsetBy: isEncoded ? 3 : 1, limitedBy: text.endIndex) else { return nil }
      let byte = isEncoded ? UInt8(text[bytes.index(after: end)..<next], radix: 16) : bytes[end]
      guard byte == wanted else { return nil }
      end = next
    }
    return end
  }

  /// The position of a literal after at least one character; the last literal must end the segment.
  private static func place(of literal: String, in text: Substring, isLast: Bool) -> Substring.Index? {
    if isLast {
      guard text.hasSuffix(literal), text.count > literal.count else { return nil }
      return text.index(text.endIndex, offsetBy: -literal.count)
    }
    return text.dropFirst().firstRange(of: literal)?.lowerBound
  }
}

/// A path template of a document, such as `/users/{id}`.
struct PathTemplate: Sendable {
  /// A pair that the query must contain; a nil value matches any.
  struct QueryPair: Sendable, Hashable {
    let name: String
    let value: String?
  }

  let text: String
  let segments: [SegmentPattern]
  let parameterNames: [String]
  /// The query after a `?`, which paths should not have but some documents use to distinguish operations.
  let query: [QueryPair]

  /// Nil if the braces of a segment aren't balanced. A part after `#` is never sent, and ignored.
  init?(_ text: String) {
    self.text = text
    let sent = text.prefix { $0 != "#" }
    let path = sent.prefix { $0 != "?" }
    query = sent.dropFirst(path.count + 1).split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      let value = pair.dropFirst(name.count + 1)
      let isAny = name.count == pair.count || value.hasPrefix("{")
      return QueryPair(name: percentDecoded(name), value: isAny ? nil : percentDecoded(value))
    }
    var segments: [SegmentPattern] = []
    for part in PathTemplate.split(path) {
      guard let pattern = SegmentPattern(part) else { return nil }
      segments.append(pattern)
    }
    self.segments = segments
    parameterNames = segments.flatMap(\.parts).compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  /// Returns whether a query contains all pairs of the template's.
  func isMet(by sent: [QueryPair]) -> Bool {
    query.allSatisfy { pair in sent.contains { $0.name == pair.name && (pair.value == nil || $0.value == pair.value) } }
  }

  /// The segments of a path that begins with `/`, or is empty.
  static func split(_ path: Substring) -> [Substring] {
    path.isEmpty || path == "/" ? [] : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }
}
