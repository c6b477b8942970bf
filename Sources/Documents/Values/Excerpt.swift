/// Foreign text in a message, shown up to a number of characters.
///
/// A secret that was cut is not found any more, and code that fails doesn't know the secrets. So a message keeps an
/// excerpt whole, between noncharacters, which Unicode reserves for such internal use, until its secrets are marked and
/// ``shown(_:)`` cuts it. Nothing else may cut foreign text that isn't marked yet.
package struct Excerpt: Sendable, CustomStringConvertible {
  /// The maximum length of a text that is kept for masking.
  package static let keptLimit = 65_536

  /// The text as it is in a message.
  package let description: String

  /// - Parameters:
  ///   - limit: the number of characters; longer text gets an ellipsis.
  ///   - showsEnd: whether the end matters as much as the beginning.
  package init(_ text: some StringProtocol, limit: Int, showsEnd: Bool = false) {
    let isShort = text.utf8.count <= limit
    if isShort, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      description = String(text)
      return
    }
    let scalars = text.unicodeScalars
    var kept = String.UnicodeScalarView()
    for scalar in scalars.prefix(Excerpt.keptLimit) { kept.append(Mark.all.contains(scalar) ? "\u{FFFD}" : scalar) }
    let isCut = !isShort && !scalars.dropFirst(Excerpt.keptLimit).isEmpty
    description = Excerpt.written(String(kept), limit: limit, flags: (isCut ? "c" : "") + (showsEnd ? "e" : ""))
  }

  /// Creates an excerpt of text that is already truncated.
  package init(cut text: String) {
    let kept = String(String.UnicodeScalarView(text.unicodeScalars.map { Mark.all.contains($0) ? "\u{FFFD}" : $0 }))
    description = Excerpt.written(kept, limit: kept.utf8.count, flags: "c")
  }

  private static func written(_ text: String, limit: Int, flags: String) -> String {
    "\(Mark.start)\(Mark.token)\(limit)\(flags)\(Mark.text)\(text)\(Mark.end)"
  }

  private enum Mark {
    static let start = scalar(0xFDD0)
    static let text = scalar(0xFDD1)
    static let end = scalar(0xFDD2)
    static let all: ClosedRange<Unicode.Scalar> = start...end
    /// Noncharacters can't be written as literals.
    private static func scalar(_ value: UInt32) -> Unicode.Scalar { Unicode.Scalar(value) ?? "\u{FFFD}" }

    /// A token that foreign text can't know.
    static let token = "\(UInt64.random(in: .min ... .max)):"
  }
}

extension Excerpt {
  /// An excerpt within a message, in bytes of the message's UTF-8.
  package struct Place: Sendable {
    /// The range with its marks.
    let whole: Range<Int>
    package let text: Range<Int>
    let limit: Int
    /// Indicates whether more of the text followed, which isn't kept.
    package let isCut: Bool
    let showsEnd: Bool
  }

  package static func places(in message: String) -> [Place] {
    guard hasMark(message) else { return [] }
    var places: [Place] = []
    var offset = 0
    var start: Int?
    var text: Int?
    var header = ""
    for scalar in message.unicodeScalars {
      switch scalar {
      case Mark.start: (start, text, header) = (offset, nil, "")
      case Mark.text where start != nil && text == nil: text = offset + 3
      case Mark.end:
        if let start, let text, header.hasPrefix(Mark.token),
          let limit = Int(header.dropFirst(Mark.token.utf8.count).prefix { $0.isASCII && $0.isNumber })
        {
          places.append(
            Place(
              whole: start..<offset + 3, text: text..<offset, limit: limit, isCut: header.contains("c"),
              showsEnd: header.hasSuffix("e")))
        }
        start = nil
      default: if start != nil, text == nil, header.utf8.count < 64 { header.unicodeScalars.append(scalar) }
      }
      offset += UTF8.width(scalar)
    }
    return places
  }

  private static func hasMark(_ message: String) -> Bool {
    var message = message
    return message.withUTF8 { bytes in
      bytes.indices.dropLast(2).contains { bytes[$0] == 0xEF && bytes[$0 + 1] == 0xB7 && bytes[$0 + 2] == 0x90 }
    }
  }

  /// A message whose secrets are marked, with its excerpts cut and without control characters.
  package static func shown(_ message: Text) -> Text {
    let places = places(in: message.string)
    guard !places.isEmpty else { return message }
    var result = Text("")
    var position = 0
    for place in places {
      result.append(message[utf8: position..<place.whole.lowerBound])
      result.append(cut(message[utf8: place.text], place))
      position = place.whole.upperBound
    }
    result.append(message[utf8: position..<message.string.utf8.count])
    return result
  }

  private static func cut(_ text: Text, _ place: Place) -> Text {
    let runs = text.runs.map { (text: $0.isSecret ? $0.text : visible($0.text), isSecret: $0.isSecret) }
    let count = runs.reduce(0) { $0 + shownCount($1) }
    var result = Text("")
    guard count > place.limit else {
      for run in runs { result.append(Text(run.text, isSecret: run.isSecret)) }
      if place.isCut { result.append("…") }
      return result
    }
    let room = place.showsEnd && !place.isCut ? place.limit / 2 : place.limit
    var left = room
    for run in runs where left > 0 {
      result.append(run.isSecret ? Text(secret: run.text) : Text(String(run.text.prefix(left))))
      left -= shownCount(run)
    }
    result.append("…")
    guard place.showsEnd, !place.isCut else { return result }
    // The pieces of the end, last first.
    var pieces: [Text] = []
    left = room
    for run in runs.reversed() where left > 0 {
      pieces.append(run.isSecret ? Text(secret: run.text) : Text(String(run.text.suffix(left))))
      left -= shownCount(run)
    }
    for piece in pieces.reversed() { result.append(piece) }
    return result
  }

  private static func shownCount(_ run: (text: String, isSecret: Bool)) -> Int {
    run.isSecret ? Text.mask.count : run.text.count
  }

  private static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
