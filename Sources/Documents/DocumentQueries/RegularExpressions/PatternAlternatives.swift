/// The point at which a pattern of ECMA-262 can be split in two, one of which matches if the whole does.
struct PatternAlternatives {
  private struct Group {
    /// The first scalar after its opening.
    let start: Int
    /// Indicates whether the whole is the union of the wholes with one of its alternatives each.
    let isUnion: Bool
    var bars: [Int] = []
  }

  private let scalars: [Unicode.Scalar]
  /// The largest group with several alternatives.
  private var widest: (start: Int, end: Int, bars: [Int])?
  /// Indicates whether a part refers to the match of another.
  private var refersBack = false

  init(_ pattern: String) {
    scalars = Array(pattern.unicodeScalars)
    search()
  }

  /// The pattern with the first half of the alternatives of its widest group, and with the others.
  var halves: (String, String)? {
    guard !refersBack, let widest else { return nil }
    let middle = (widest.start + widest.end) / 2
    guard let bar = widest.bars.min(by: { abs($0 - middle) < abs($1 - middle) }) else { return nil }
    let (before, behind) = (scalars[..<widest.start], scalars[widest.end...])
    return (
      PatternAlternatives.text([before, scalars[widest.start..<bar], behind]),
      PatternAlternatives.text([before, scalars[(bar + 1)..<widest.end], behind])
    )
  }

  private static func text(_ parts: [ArraySlice<Unicode.Scalar>]) -> String {
    var text = String.UnicodeScalarView()
    for part in parts { text.append(contentsOf: part) }
    return String(text)
  }

  private mutating func search() {
    var open = [Group(start: 0, isUnion: true)]
    var isInClass = false
    var position = 0
    while position < scalars.count {
      switch scalars[position] {
      case "\\":
        position += 1
        if position < scalars.count, !isInClass, "123456789k".unicodeScalars.contains(scalars[position]) {
          refersBack = true
        }
      case "[" where !isInClass: isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass: open.append(Group(start: contentStart(position), isUnion: isUnion(position)))
      case "|" where !isInClass: open[open.count - 1].bars.append(position)
      case ")" where !isInClass:
        guard open.count > 1, let group = open.popLast() else { return }
        let isRepeated = position + 1 < scalars.count && "*+?{".unicodeScalars.contains(scalars[position + 1])
        close(group, at: position, in: open, isRepeated: isRepeated)
      default: break
      }
      position += 1
    }
    if open.count == 1 { close(open[0], at: scalars.count, in: [], isRepeated: false) }
  }

  private mutating func close(_ group: Group, at end: Int, in outer: [Group], isRepeated: Bool) {
    guard group.isUnion, !isRepeated, outer.allSatisfy(\.isUnion) else {
      // Nothing inside can be split either.
      if let widest, widest.start >= group.start { self.widest = nil }
      return
    }
    guard !group.bars.isEmpty, widest.map({ end - group.start >= $0.end - $0.start }) ?? true else { return }
    widest = (group.start, end, group.bars)
  }

  /// Returns whether the group matches exactly what its alternatives match.
  private func isUnion(_ open: Int) -> Bool {
    guard open + 2 < scalars.count, scalars[open + 1] == "?" else { return true }
    if scalars[open + 2] == "<" { return open + 3 < scalars.count && scalars[open + 3] != "!" }
    return scalars[open + 2] == ":" || scalars[open + 2] == "="
  }

  private func contentStart(_ open: Int) -> Int {
    guard open + 2 < scalars.count, scalars[open + 1] == "?" else { return open + 1 }
    guard scalars[open + 2] == "<" else { return open + 3 }
    if open + 3 < scalars.count, scalars[open + 3] == "=" { return open + 4 }
    return (scalars[open...].firstIndex(of: ">") ?? open + 2) + 1
  }
}
