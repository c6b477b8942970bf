/// A text that a regular expression matches, made from its literals, classes, groups and quantifiers.
///
/// Lookarounds, references and properties are not followed; the caller validates the result.
package struct PatternExample {
  private let pattern: [Character]
  private let item: Int
  private var position = 0
  private var isSupported = true

  /// The longest text that is made.
  private static let limit = 4_000
  private static let depthLimit = 50

  /// Nil if the pattern has parts that are not followed.
  ///
  /// - Parameter item: another number gives another text, if the pattern has several.
  package static func text(matching pattern: String, item: Int = 0) -> String? {
    guard pattern.utf8.count <= limit else { return nil }
    var maker = PatternExample(pattern: Array(pattern), item: item)
    let text = maker.alternatives(depth: 0)
    guard maker.isSupported, maker.position == maker.pattern.count, text.utf8.count <= limit else { return nil }
    return text
  }

  private init(pattern: [Character], item: Int) {
    self.pattern = pattern
    self.item = item
  }

  private var next: Character? { position < pattern.count ? pattern[position] : nil }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text)
    guard pattern.count - position >= wanted.count,
      Array(pattern[position..<position + wanted.count]) == wanted
    else { return false }
    position += wanted.count
    return true
  }

  /// The text of an alternative that isn't empty.
  private mutating func alternatives(depth: Int) -> String {
    guard depth < PatternExample.depthLimit else {
      isSupported = false
      return ""
    }
    var texts = [sequence(depth: depth)]
    while isSupported, take("|") { texts.append(sequence(depth: depth)) }
    texts.removeAll(where: \.isEmpty)
    return texts.isEmpty ? "" : texts[item % texts.count]
  }

  private mutating func sequence(depth: Int) -> String {
    var text = ""
    while isSupported, let character = next, character != "|", character != ")" {
      let piece = atom(depth: depth)
      text += repeated(piece)
      if text.utf8.count > PatternExample.limit { isSupported = false }
    }
    return text
  }

  private mutating func atom(depth: Int) -> String {
    guard let character = next else { return "" }
    position += 1
    switch character {
    case "^", "$": return ""
    case ".": return letter
    case "(": return group(depth: depth)
    case "[": return characterClass()
    case "\\": return escape()
    default: return String(character)
    }
  }

  private var letter: String { String(UnicodeScalar(UInt8(ascii: "a") + UInt8(item % 26))) }

  private mutating func group(depth: Int) -> String {
    if take("?") {
      if take("<"), next != "=", next != "!" {
        while let character = next, character != ">" { position += 1 + (character == "\\" ? 1 : 0) }
        position += 1
      } else if !take(":") {
        isSupported = false
        return ""
      }
    }
    let text = alternatives(depth: depth + 1)
    if !take(")") { isSupported = false }
    return text
  }

  private mutating func escape() -> String {
    guard let character = next else {
      isSupported = false
      return ""
    }
    position += 1
    switch character {
    case "d": return String((item + 1) % 10)
    case "w": return letter
    case "s": return " "
    case "D", "S": return "a"
    case "W": return "-"
    case "b": return ""
    case "t": return "\t"
    case "n": return "\n"
    case "r": return "\r"
    case "B", "p", "P", "k", "u", "x", "c", "0"..."9":
      isSupported = false
      return ""
    default: return String(character)
    }
  }

  /// The best member of a class: a letter or a digit, else the first.
  private mutating func characterClass() -> String {
    let isNegated = take("^")
    var members: [ClosedRange<Character>] = []
    var isFirst = true
    while isSupported, let character = next, character != "]" || isFirst {
      isFirst = false
      position += 1
      var low = character
      if character == "\\" {
        let kind = next
        let text = escape()
        // A class stands for its members, also where its complement is wanted.
        switch kind {
        case "d": members.append("0"..."9")
        case "w":
          members += ["a"..."z", "A"..."Z", "0"..."9", "_"..."_"]
        case "s": members += [" "..." ", "\t"..."\t", "\n"..."\n"]
        case "D", "S", "W", "b": isSupported = false
        default: if let made = text.first { members.append(made...made) }
        }
        if ["d", "w", "s"].contains(kind) { continue }
        guard let made = text.first else { continue }
        low = made
      } else {
        members.append(low...low)
      }
      if next == "-", position + 1 < pattern.count, pattern[position + 1] != "]" {
        position += 1
        guard let end = next else { break }
        position += 1
        var high = end
        if end == "\\" { high = escape().first ?? low }
        guard low <= high else {
          isSupported = false
          return ""
        }
        members.append(low...high)
      }
    }
    if !take("]") { isSupported = false }
    func contains(_ character: Character) -> Bool { members.contains { $0.contains(character) } }
    let usual = "aA1zZ0bcdefghijklmnopqrstuvwxyBCDEFGHIJKLMNOPQRSTUVWXY23456789-_ .@/"
    let found = usual.filter { contains($0) != isNegated }
    if !found.isEmpty { return String(found[found.index(found.startIndex, offsetBy: item % found.count)]) }
    guard !isNegated, let first = members.first else {
      isSupported = false
      return ""
    }
    return String(first.lowerBound)
  }

  /// A piece as often as the quantifier after it says at least: once where it may be missing.
  private mutating func repeated(_ piece: String) -> String {
    var count = 1
    if take("*") || take("+") || take("?") {
      count = 1
    } else if next == "{", let bounds = bounds() {
      count = max(bounds.least, min(1, bounds.most ?? 1))
    } else {
      return piece
    }
    _ = take("?")
    guard count <= PatternExample.limit, piece.utf8.count * count <= PatternExample.limit else {
      isSupported = false
      return ""
    }
    return String(repeating: piece, count: count)
  }

  /// `{3}`, `{3,}`, `{3,5}`; nil for a brace that is itself.
  private mutating func bounds() -> (least: Int, most: Int?)? {
    guard let close = pattern[position...].firstIndex(of: "}") else { return nil }
    let parts = String(pattern[position + 1..<close]).split(separator: ",", omittingEmptySubsequences: false)
    guard let least = parts.first.flatMap({ Int($0) }), least >= 0, parts.count <= 2 else { return nil }
    position = close + 1
    return (least, parts.count == 1 ? least : Int(parts[1]))
  }
}
