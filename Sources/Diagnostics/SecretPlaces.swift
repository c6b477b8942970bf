/// Finds where secrets stand in a text by the names before them: in YAML and JSON, sound or not, and in other text.
///
/// It knows what is above a line by indentation, and begins anew where that says so: what is wrong in one line does not
/// spoil the next. In doubt more is a secret than less.
struct SecretPlaces {
  /// What is never drawn, in order of the scan.
  private(set) var ranges: [Range<Int>] = []

  let utf8: [UInt8]
  /// Keys and list items above, with their columns.
  private var blocks: [Block] = []
  /// The key of a `? key` line, until its `: value`.
  private var complexKey: Block?
  private let top: SecretScope
  /// Anchors whose values a secret takes by an alias.
  private var secretAliases: Set<[UInt8]> = []

  private struct Block {
    let column: Int
    let scope: SecretScope
    var isItem = false
  }

  /// The places in a text; one that stands for an option of the command line has that option's name.
  static func find(in utf8: [UInt8], name: String) -> [Range<Int>] {
    let top = name.hasPrefix("--") ? SecretScope.open.member(String(name.dropFirst(2))) : .open
    var places = SecretPlaces(utf8, top: top)
    places.scan()
    let aliases = places.secretAliases
    if !aliases.isEmpty {
      places = SecretPlaces(utf8, top: top)
      places.secretAliases = aliases
      places.scan()
    }
    return merged(places.ranges)
  }

  /// The places in a text that is no document.
  static func find(inText utf8: [UInt8]) -> [Range<Int>] {
    var places = SecretPlaces(utf8, top: .open)
    places.scanText(0..<utf8.count)
    return merged(places.ranges)
  }

  private init(_ utf8: [UInt8], top: SecretScope) {
    self.utf8 = utf8
    self.top = top
  }

  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  mutating func add(_ range: Range<Int>) { ranges.append(range) }

  // MARK: Lines

  private mutating func scan() {
    // A byte order mark.
    var position = utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while position < utf8.count { position = scanLine(position) }
  }

  private var scope: SecretScope { blocks.last?.scope ?? top }

  /// Scans a line and what its value takes of the next ones; the start of the line after them.
  private mutating func scanLine(_ start: Int) -> Int {
    let end = lineEnd(start)
    var content = afterBlanks(start)
    guard content < end else { return next(end) }
    if content == start, [Array("---".utf8), Array("...".utf8)].contains(where: { utf8[start..<end].starts(with: $0) })
    {
      blocks = []
      content = afterBlanks(start + 3)
      guard content < end else { return next(end) }
    }
    if utf8[content] == UInt8(ascii: "#") { return scanComment(content, column: content - start, end) }
    let isItem = isDash(content)
    let column = content - start
    while let last = blocks.last, last.column > column || (last.column == column && (last.isItem || !isItem)) {
      blocks.removeLast()
    }
    while isDash(content) {
      blocks.append(Block(column: content - start, scope: scope, isItem: true))
      content = afterBlanks(content + 1)
    }
    guard content < end else { return next(end) }
    let sign = utf8[content]
    if sign == UInt8(ascii: "?") || sign == UInt8(ascii: ":"), content + 1 == end || isBlank(utf8[content + 1]) {
      return scanComplex(sign, content, column: content - start, end)
    }
    return scanEntry(content, column: content - start, end)
  }

  /// `? key`, and `: value` in a line below.
  private mutating func scanComplex(_ sign: UInt8, _ content: Int, column: Int, _ end: Int) -> Int {
    let rest = afterBlanks(content + 1)
    guard sign == UInt8(ascii: ":"), let key = complexKey, key.column == column else {
      let text = afterProperties(min(rest, end), end)
      if sign == UInt8(ascii: "?"), key(at: text, end, inFlow: false) != nil {
        return scanEntry(text, column: column, end)
      }
      let name = String(decoding: utf8[text..<end], as: UTF8.self).filter { !"\"' ".contains($0) }
      complexKey = Block(column: column, scope: scope.member(name))
      return next(end)
    }
    complexKey = nil
    blocks.append(key)
    return scanValue(rest, key.scope, column: column, end)
  }

  /// `key: value`, or a value alone.
  private mutating func scanEntry(_ position: Int, column: Int, _ end: Int) -> Int {
    let start = afterProperties(position, end)
    guard start < end else { return next(end) }
    let opensFlow = utf8[start] == UInt8(ascii: "{") || utf8[start] == UInt8(ascii: "[")
    guard !opensFlow, let key = key(at: start, end, inFlow: false) else {
      if !opensFlow, let secret = afterSecretWord(start..<end) {
        conceal(secret..<end, .secret)
        return next(end)
      }
      // Of a document that is one value, anything may be part.
      return scanValue(position, scope, column: blocks.last?.column ?? -1, end)
    }
    let scope = scope.member(key.name)
    scanKey(start..<key.valueStart - 1)
    blocks.append(Block(column: column, scope: scope))
    return scanValue(key.valueStart, scope, column: column, end)
  }

  /// A key's own text; `password SECRET: x` was meant otherwise.
  private mutating func scanKey(_ range: Range<Int>) {
    if let secret = afterSecretWord(range) { conceal(secret..<range.upperBound, .secret) } else { scanText(range) }
  }

  /// Where, behind a word that names a secret and a blank, something follows without a colon.
  private func afterSecretWord(_ range: Range<Int>) -> Int? {
    let word = utf8[range].prefix { isWordByte($0) }
    guard !word.isEmpty, word.endIndex < range.upperBound, isBlank(utf8[word.endIndex]) else { return nil }
    let rest = afterBlanks(word.endIndex)
    guard rest < range.upperBound, isSecretName(text(word.startIndex..<word.endIndex)) else { return nil }
    return rest
  }

  /// What is commented out, as if it were not; nothing below it is part of it.
  private mutating func scanComment(_ content: Int, column: Int, _ end: Int) -> Int {
    var start = content
    while start < end, utf8[start] == UInt8(ascii: "#") || isBlank(utf8[start]) || isDash(start) { start += 1 }
    let above = blocks.last { $0.column < column }?.scope ?? top
    if let key = key(at: start, end, inFlow: false) {
      let scope = above.member(key.name)
      if scope.isConcealing { conceal(key.valueStart..<end, scope) } else { scanText(start..<end) }
    } else {
      scanText(start..<end)
    }
    return next(end)
  }

  // MARK: Values

  /// The value of the key at a column; the start of the first line that it takes nothing of.
  private mutating func scanValue(_ position: Int, _ given: SecretScope, column: Int, _ end: Int) -> Int {
    let (start, scope) = valueStart(position, given, end)
    guard start < end, utf8[start] != UInt8(ascii: "#") || !isBlank(utf8[start - 1]) else {
      if scope.isConcealing, start < end { conceal(start..<end, scope) }
      return next(end)
    }
    switch utf8[start] {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      let header = utf8[start + 1..<end].prefix { "+-0123456789".utf8.contains($0) }
      let rest = afterBlanks(header.endIndex)
      if rest >= end || utf8[rest] == UInt8(ascii: "#") { return scanDeeper(than: column, after: end, scope) }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return scanQuoted(start, scope, column: column, end)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let after = scanFlow(start, scope, column: column)
      if isLineStart(after) { return after }
      let line = lineEnd(after)
      scanRest(after..<line, scope)
      return next(line)
    default: break
    }
    if scope.isConcealing {
      conceal(start..<end, scope)
      return scanDeeper(than: column, after: end, scope)
    }
    scanPlain(start..<end, scope)
    return next(end)
  }

  /// The lines that are set in deeper than a column: they are text.
  private mutating func scanDeeper(than column: Int, after end: Int, _ scope: SecretScope) -> Int {
    var position = next(end)
    while position < utf8.count {
      let end = lineEnd(position)
      let content = afterBlanks(position)
      if content < end {
        guard content - position > column else { break }
        if scope.isConcealing { conceal(content..<end, scope) } else { scanText(content..<end) }
      }
      position = next(end)
    }
    return position
  }

  private mutating func scanQuoted(_ start: Int, _ scope: SecretScope, column: Int, _ end: Int) -> Int {
    guard let close = closingQuote(start, column: column) else {
      // It is never closed: what is set in deeper is taken for a part of it where it is a secret.
      guard scope.isConcealing else {
        scanPlain(start + 1..<end, scope)
        return next(end)
      }
      conceal(start + 1..<end, scope)
      return scanDeeper(than: column, after: end, scope)
    }
    scanScalar(start + 1..<close, scope)
    let line = lineEnd(close)
    scanRest(close + 1..<line, scope)
    return next(line)
  }

  /// What stands behind a value in its line.
  private mutating func scanRest(_ range: Range<Int>, _ scope: SecretScope) {
    let start = afterBlanks(range.lowerBound)
    guard start < range.upperBound else { return }
    if scope.isConcealing { conceal(start..<range.upperBound, scope) } else { scanText(start..<range.upperBound) }
  }

  /// A scalar without its quotes.
  private mutating func scanScalar(_ range: Range<Int>, _ scope: SecretScope) {
    if scope.isConcealing { conceal(range, scope) } else { scanPlain(range, scope) }
  }

  /// A value that is no secret as a whole.
  private mutating func scanPlain(_ range: Range<Int>, _ scope: SecretScope) {
    let text = utf8[range]
    switch scope {
    case .user where text.contains(UInt8(ascii: ":")) && !contains("://", range): conceal(range, .secret)
    case .address:
      let start = find("://", range).map { $0 + 3 } ?? range.lowerBound
      let authority = utf8[start..<range.upperBound].prefix { !"/?#, \t\n\"'".utf8.contains($0) }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")), at > start { conceal(start..<at, .secret) }
      scanText(range)
    default: scanText(range)
    }
  }

  /// Behind blanks, an anchor and a tag; an anchor that a secret is taken from makes its value one.
  private mutating func valueStart(
    _ position: Int, _ given: SecretScope, _ end: Int
  ) -> (Int, SecretScope) {
    let start = afterBlanks(position)
    let value = afterProperties(start, end)
    let properties = start..<value
    var scope = given
    if given.isConcealing, !properties.isEmpty { add(properties) }
    if !secretAliases.isEmpty, let anchor = word(after: UInt8(ascii: "&"), properties), secretAliases.contains(anchor) {
      scope = .secret
    }
    if given.isConcealing, let alias = word(after: UInt8(ascii: "*"), value..<end) { secretAliases.insert(alias) }
    return (value, scope)
  }

  private func word(after sign: UInt8, _ range: Range<Int>) -> [UInt8]? {
    guard let place = utf8[range].firstIndex(of: sign) else { return nil }
    return Array(utf8[place + 1..<range.upperBound].prefix { !isBlank($0) && !",]}\n\r".utf8.contains($0) })
  }

  // MARK: Flow collections

  /// From `{` or `[` to behind the end of what it opens, or to the line that is plainly not part of it.
  private mutating func scanFlow(_ start: Int, _ scope: SecretScope, column: Int) -> Int {
    var open: [(isMapping: Bool, scope: SecretScope)] = []
    var pending: SecretScope?
    var position = start
    while position < utf8.count {
      let byte = utf8[position]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "\n"):
        position += 1
        if isOutside(position, column: column) { return position }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append((byte == UInt8(ascii: "{"), pending ?? open.last?.scope ?? scope))
        pending = nil
        position += 1
      case _ where pending?.isConcealing == true && beginsJunk(position):
        position = scanFlowScalar(position, .secret, isItem: false, column: column)
      case UInt8(ascii: "?") where position + 1 < utf8.count && isBlank(utf8[position + 1]): position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        open.removeLast()
        pending = nil
        position += 1
        if open.isEmpty { return position }
      case UInt8(ascii: ","):
        pending = nil
        position += 1
      case UInt8(ascii: "#") where isBlank(utf8[position - 1]):
        let end = lineEnd(position)
        scanRest(position + 1..<end, open.last?.scope ?? scope)
        position = end
      default:
        let end = lineEnd(position)
        let above = open.last?.scope ?? scope
        let start = afterProperties(position, end)
        // What stands where a secret is expected is no key, even if it looks like one.
        if pending?.isConcealing != true, let key = key(at: start, end, inFlow: true) {
          position = afterBlanks(key.valueStart)
          // `password: {secret: }`
          let isEmpty = position < utf8.count && ",}".utf8.contains(utf8[position])
          if above == .secret, isEmpty { add(start..<key.valueStart - 1) } else { scanKey(start..<key.valueStart - 1) }
          pending = above.member(key.name)
        } else {
          let isAlone = pending == nil && open.last?.isMapping == true
          if isAlone, let secret = afterSecretWord(start..<plainEnd(start)) {
            position = scanFlowScalar(secret, .secret, isItem: false, column: column)
          } else {
            let isItem = pending == nil && open.last?.isMapping == false
            position = scanFlowScalar(position, pending ?? above, isItem: isItem, column: column)
          }
        }
      }
    }
    return position
  }

  private mutating func scanFlowScalar(
    _ position: Int, _ given: SecretScope, isItem: Bool, column: Int
  ) -> Int {
    let line = lineEnd(position)
    let (start, scope) = valueStart(position, given, line)
    guard start < line else { return line }
    var end = start
    if utf8[start] == UInt8(ascii: "\"") || utf8[start] == UInt8(ascii: "'"),
      let close = closingQuote(start, column: column)
    {
      scanScalar(start + 1..<close, scope)
      end = close + 1
      let rest = afterBlanks(end)
      if rest >= utf8.count || ",]}:#\n\r".utf8.contains(utf8[rest]) { return rest }
      // What stands behind the quote is part of the same, somehow.
    } else if !scope.isConcealing, "{[".utf8.contains(utf8[start]) {
      return start
    }
    let from = end
    // A comma or bracket in front is part of it.
    end = scope.isConcealing ? secretEnd(from == position ? from + 1 : from, isItem: isItem) : plainEnd(from)
    scanScalar(from..<end, scope)
    return max(end, position + 1)
  }

  /// Whether a comma or a closing bracket stands in front of text, where a value is expected: `password: ,x`.
  private func beginsJunk(_ position: Int) -> Bool {
    guard ",]}".utf8.contains(utf8[position]) else { return false }
    let line = lineEnd(position)
    guard position + 1 < line, !" \t,]}".utf8.contains(utf8[position + 1]) else { return false }
    return utf8[position] != UInt8(ascii: ",") || key(at: position + 1, line, inFlow: true) == nil
  }

  private func plainEnd(_ start: Int) -> Int {
    var end = start
    while end < utf8.count, !",[]{}\n\r".utf8.contains(utf8[end]) { end += 1 }
    return end
  }

  /// Where a secret without quotes ends for certain: before another key, or what closes the line.
  private func secretEnd(_ start: Int, isItem: Bool) -> Int {
    let line = lineEnd(start)
    var end = start
    while end < line {
      switch utf8[end] {
      case UInt8(ascii: ","):
        let next = afterBlanks(end + 1)
        if isItem || next >= line || key(at: next, line, inFlow: true) != nil { return end }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        var rest = end
        while rest < line, "]} \t,".utf8.contains(utf8[rest]) { rest += 1 }
        let isTemplate = end + 1 < line && utf8[end] == utf8[end + 1] && rest < line
        if rest >= line || utf8[rest] == UInt8(ascii: "#") { return end }
        if !isTemplate, utf8[end..<rest].contains(UInt8(ascii: ",")), key(at: rest, line, inFlow: true) != nil {
          return end
        }
        if utf8[end..<rest].contains(UInt8(ascii: ",")), "{[\"'".utf8.contains(utf8[rest]) { return end }
      default: break
      }
      end += 1
    }
    return line
  }

  /// Whether a line begins what is not part of the flow collection of a key at a column.
  private func isOutside(_ start: Int, column: Int) -> Bool {
    guard column >= 0, start < utf8.count else { return false }
    let end = lineEnd(start)
    let content = afterBlanks(start)
    guard content < end, content - start <= column else { return false }
    return isDash(content) || key(at: content, end, inFlow: false) != nil
  }
}
