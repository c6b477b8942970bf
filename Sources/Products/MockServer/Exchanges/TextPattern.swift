import Values

/// The texts that stand in a request where a pattern has something open, by the numbers of its words.
struct Bindings: Sendable {
  private(set) var texts: [Int: String] = [:]

  /// Notes a text; false if another one stands in for the same word.
  mutating func bind(_ number: Int, to text: String) -> Bool {
    if let known = texts[number] { return known == text }
    texts[number] = text
    return true
  }
}

/// A text with open parts: masked ones, and words for values that only a run knows.
struct TextPattern: Sendable {
  enum Piece: Sendable {
    case literal(String)
    /// Any text; the number of its word, or nil where it is masked.
    case open(Int?)
  }

  let text: String
  private let pieces: [Piece]

  private static let wordStart = "mockvalue"

  /// The word for a value.
  static func word(_ number: Int) -> String { "\(wordStart)\(number)x" }

  init(_ text: String) {
    self.text = text
    pieces = TextPattern.pieces(of: text)
  }

  /// The text with a star for each open part.
  var shown: String {
    pieces.map { piece in if case .literal(let text) = piece { text } else { "*" } }.joined()
  }

  /// Indicates whether only one text matches.
  var isLiteral: Bool { TextPattern.isLiteral(text) }

  static func isLiteral(_ text: String) -> Bool { !text.contains(Text.mask) && !text.contains(wordStart) }

  static func pieces(of text: String) -> [Piece] {
    if isLiteral(text) { return [.literal(text)] }
    var (pieces, literal): ([Piece], String) = ([], "")
    var rest = text[...]
    func open(_ number: Int?) {
      if !literal.isEmpty { pieces.append(.literal(literal)) }
      literal = ""
      pieces.append(.open(number))
    }
    while let first = rest.first {
      if rest.hasPrefix(Text.mask) {
        open(nil)
        rest = rest.dropFirst(Text.mask.count)
      } else if first == "m", rest.hasPrefix(wordStart) {
        let digits = rest.dropFirst(wordStart.count).prefix { $0.isASCII && $0.isNumber }
        let end = rest[digits.endIndex...]
        guard let number = Int(digits), end.first == "x" else {
          literal.append(first)
          rest = rest.dropFirst()
          continue
        }
        open(number)
        rest = end.dropFirst()
      } else {
        literal.append(first)
        rest = rest.dropFirst()
      }
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    return pieces
  }

  /// Returns whether a text matches, and notes what stands in its open parts.
  ///
  /// - Parameter isPath: whether an open part is within a segment of a path.
  func matches(_ other: String, isPath: Bool = false, _ bindings: inout Bindings) -> Bool {
    if pieces.count == 1, case .literal = pieces[0] { return text == other }
    var rest = other[...]
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .literal(let literal):
        guard rest.hasPrefix(literal) else { return false }
        rest = rest.dropFirst(literal.count)
      case .open(let number):
        var end = rest.endIndex
        if index + 1 < pieces.count, case .literal(let next) = pieces[index + 1] {
          let isLast = index + 2 == pieces.count
          guard
            let found = isLast && rest.hasSuffix(next)
              ? rest.suffix(next.count).startIndex : rest.firstRange(of: next)?.lowerBound
          else { return false }
          end = found
        }
        let part = rest[..<end]
        if isPath, part.isEmpty || part.contains("/") { return false }
        if let number, !bindings.bind(number, to: isPath ? percentDecoded(part) : String(part)) { return false }
        rest = rest[end...]
      }
    }
    return rest.isEmpty
  }
}
