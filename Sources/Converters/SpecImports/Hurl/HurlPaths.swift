import DocumentQueries
import Values

/// The paths of Hurl in the forms of the standards.
enum HurlPaths {
  /// A JSONPath of RFC 9535 for one of Hurl and for filters that take one of its items, which are removed; nil if there
  /// is none.
  static func jsonPath(
    _ text: ImportedText, _ filters: inout ArraySlice<HurlFilter>
  ) -> (text: ImportedText, isSingular: Bool)? {
    guard var path = withLiterals(text) else { return nil }
    if let literal = path.literal, (try? JSONPath(literal)) == nil {
      path = ImportedText(repaired(literal))
      if (try? JSONPath(path.literal ?? "")) == nil { return nil }
    }
    // A template stands for a literal.
    let sample = path.parts.map { if case .text(let text) = $0 { text } else { "0" } }.joined()
    let texts = path.parts.map { if case .text(let text) = $0 { text } else { "'a'" } }.joined()
    guard let parsed = (try? JSONPath(sample)) ?? (try? JSONPath(texts)) else { return nil }
    if parsed.isSingular, let filter = filters.first {
      var index: String?
      if filter.word == "nth", case .number(let number)? = filter.arguments.first { index = number }
      if filter.word == "first" { index = "0" }
      if filter.word == "last" { index = "-1" }
      if let index {
        path.append("[\(index)]")
        filters.removeFirst()
      }
    }
    return (path, parsed.isSingular)
  }

  /// A path with names that have a hyphen in brackets, and its root.
  private static func repaired(_ path: String) -> String {
    let start = path.hasPrefix("$") ? "" : path.hasPrefix("[") || path.hasPrefix(".") ? "$" : "$."
    return (start + path).replacing(nameBehindDot) { match in
      guard let name = match.output.2, name.contains("-") || name.first?.isNumber ?? false else {
        return String(match.output.0)
      }
      return "\(match.output.1 == "." ? ".." : "")['\(name)']"
    }
  }

  /// An XPath without prefixes, which Hurl takes from the document.
  static func xpath(_ text: ImportedText) -> ImportedText? {
    guard let text = withLiterals(text) else { return nil }
    return text.parts.count == 1 || text.literal != nil ? text.mapText(withoutPrefixes) : text
  }

  private static func withoutPrefixes(_ path: String) -> String {
    path.replacing(qualifiedName) { match in
      match.output.1.map { "*[local-name()='\($0)']" } ?? String(match.output.0)
    }
  }

  /// A path in which templates stand for literals: without quotes around them, and in brackets behind a dot; nil if
  /// that isn't possible.
  private static func withLiterals(_ text: ImportedText) -> ImportedText? {
    guard text.literal == nil else { return text }
    var result = ImportedText()
    var pending: Character?
    for part in text.parts {
      guard case .text(var known) = part else {
        guard case .variable = part else { return nil }
        if case .text(let before)? = result.parts.last, let last = before.last,
          last == "'" || last == "\"" || last == "."
        {
          result = result.dropLast(1)
          if last == "." { result.append("[") }
          pending = last == "." ? "]" : last
        }
        if case .text(let before)? = result.parts.last, before.hasSuffix("["), pending == nil,
          case .variable(let name) = part
        {
          result.append(.expression("to_integer({{\(name)}})"))
        } else {
          result.append(part)
        }
        continue
      }
      if let end = pending {
        if end == "]" {
          known = "]" + known
        } else {
          guard known.first == end else { return nil }
          known.removeFirst()
        }
        pending = nil
      }
      result.append(known)
    }
    if pending == "]" { result.append("]") } else if pending != nil { return nil }
    return result
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let nameBehindDot = /'[^']*'?|"[^"]*"?|(\.?)\.([\p{L}\p{N}_-]+)/
nonisolated(unsafe) private let qualifiedName =
  /'[^']*'?|"[^"]*"?|[\p{L}_][\p{L}\p{N}_.-]*+(?::((?>[\p{L}\p{N}_.-]+))(?!\())?/
