import Values

extension JSONPath {
  /// The path that an invalid one probably means; nil if no simple change makes it valid.
  package static func repaired(_ text: String) -> String? {
    guard text.utf8.count <= 200 else { return nil }
    let text = trimmingBlanks(text[...])
    func isValid(_ text: String) -> Bool { (try? JSONPath(text)) != nil }
    if isValid(text) { return text }
    if let found = repairs.lazy.map({ $0(text) }).first(where: isValid) { return found }
    var current = text
    for repair in repairs {
      current = repair(current)
      if isValid(current) { return current }
    }
    return nil
  }

  private static let repairs: [@Sendable (String) -> String] = [
    withoutEnd, withRoot, withoutDots, withOperators, withSelectorsInBrackets, withQuotedNames, closed,
  ]

  /// `$.a.` and `$.items.length()`.
  private static func withoutEnd(_ text: String) -> String {
    var text = text[...]
    for call in [".length()", ".size()", ".count()"] where text.hasSuffix(call) { text = text.dropLast(call.count) }
    while text.hasSuffix(".") { text = text.dropLast() }
    return String(text)
  }

  /// `items[0]`
  private static func withRoot(_ text: String) -> String {
    text.hasPrefix("$") ? text : text.hasPrefix(".") || text.hasPrefix("[") ? "$" + text : "$." + text
  }

  /// `$.[0]`
  private static func withoutDots(_ text: String) -> String {
    var text = text
    while let place = text.firstRange(of: ".["), !text[..<place.lowerBound].hasSuffix(".") {
      text.replaceSubrange(place, with: "[")
    }
    return text
  }

  /// `=`, `=~ /a/` and `contains 'a'` in filters.
  private static func withOperators(_ text: String) -> String {
    for word in ["=~", " contains ", " like ", " matches "] {
      guard let place = text.firstRange(of: word),
        let start = text[..<place.lowerBound].lastIndex(where: { "?(&|".contains($0) }).map(text.index(after:)),
        let end = text[place.upperBound...].lastIndex(where: { !"]) ".contains($0) }).map(text.index(after:))
      else { continue }
      let subject = trimmingBlanks(text[start..<place.lowerBound])
      let pattern = trimmingBlanks(text[place.upperBound..<end]).filter { $0 != "'" && $0 != "\"" && $0 != "/" }
      return text[..<start] + "search(\(subject), '\(pattern)')" + text[end...]
    }
    var result = ""
    var quote: Character?
    for (index, character) in zip(text.indices, text) {
      if let open = quote {
        quote = character == open ? nil : open
      } else if "'\"".contains(character) {
        quote = character
      }
      let next = text.index(after: index)
      let isSingle =
        character == "=" && quote == nil && !(result.last.map { "=!<>".contains($0) } ?? false)
        && !(next < text.endIndex && "=~".contains(text[next]))
      result += isSingle ? "==" : String(character)
    }
    return result
  }

  /// `[first]` and `[*.id]`.
  private static func withSelectorsInBrackets(_ text: String) -> String {
    if let place = text.firstRange(of: "[*.") {
      let rest = text[place.upperBound...]
      return text[..<place.lowerBound] + "[*]." + (rest.hasSuffix("]") ? rest.dropLast() : rest)
    }
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "[") {
      let start = rest.index(after: open)
      result += rest[..<start]
      rest = rest[start...]
      guard let close = rest.firstIndex(of: "]"), rest[..<close].first?.isLetter == true,
        rest[..<close].allSatisfy({ $0.isLetter || $0.isNumber || "_- ".contains($0) })
      else { continue }
      result += "'\(rest[..<close])'"
      rest = rest[close...]
    }
    return result + rest
  }

  /// `$.a b` and `$.a-b`.
  private static func withQuotedNames(_ text: String) -> String {
    guard text.hasPrefix("$."), !text.contains("'"), !text.contains("?") else { return text }
    return "$"
      + text.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false).map { part in
        let name = part.prefix { $0 != "[" }
        let isPlain = name.first?.isNumber == false && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        let isIndex = name.count < 10 && Int(name) != nil
        return (isPlain || name == "*" || name.isEmpty ? ".\(name)" : isIndex ? "[\(name)]" : "['\(name)']")
          + part.dropFirst(name.count)
      }.joined()
  }

  /// Quotes and brackets that are open at the end, and quotes that another kind closes.
  private static func closed(_ text: String) -> String {
    var result = text
    var open: [Character] = []
    var quote: (character: Character, index: String.Index)?
    for (index, character) in zip(text.indices, text) {
      if let known = quote {
        if character == known.character { quote = nil }
      } else {
        switch character {
        case "'", "\"": quote = (character, index)
        case "[": open.append("]")
        case "(": open.append(")")
        case "]", ")": if open.last == character { open.removeLast() }
        default: break
        }
      }
    }
    if let (character, index) = quote {
      let other = text[text.index(after: index)...].lastIndex { $0 == "'" || $0 == "\"" }
      if let other {
        result.replaceSubrange(other...other, with: String(character))
      } else {
        let end = text[index...].lastIndex { !"]) ".contains($0) }.map(text.index(after:)) ?? text.endIndex
        result.insert(character, at: end)
      }
      return closed(result)
    }
    return result + String(open.reversed())
  }
}
