/// Finds secrets in a text by the names before them: in YAML and JSON, valid or not, and in other text.
///
/// It determines the parents of a line by indentation, and restarts there: an error in one line does not affect the
/// next. When in doubt, text is secret.
struct SecretPlaces {
  /// The ranges that are never drawn, in order of the scan.
  private(set) var ranges: [Range<Int>] = []
  /// The templates that stand in place of a secret.
  var templates: [Range<Int>] = []

  let utf8: [UInt8]
  /// The parent keys and list items, with their columns.
  private var blocks: [Block] = []
  /// The key of a `? key` line, until its `: value`.
  private var complexKey: Block?
  private let top: SecretScope
  /// The scopes of members determined by their names, which recur.
  private var knownScopes: [String: SecretScope] = [:]
  /// Anchors whose values are used as secrets by an alias.
  var secretAliases: Set<[UInt8]> = []

  private struct Block {
    let column: Int
    let scope: SecretScope
    var isItem = false
  }

  /// The ranges in a text; one for an option of the command line has that option's name.
  static func find(in utf8: [UInt8], name: String) -> [Range<Int>] {
    let top: SecretScope =
      name.hasPrefix("--")
      ? SecretScope.open.member(String(name.dropFirst(2))) : isPrivateName(name) ? .personal : .open
    var places = SecretPlaces(utf8, top: top)
    places.scan()
    let aliases = places.secretAliases
    if !aliases.isEmpty {
      places = SecretPlaces(utf8, top: top)
      places.secretAliases = aliases
      places.scan()
    }
    return places.ranges.merged
  }

  /// The ranges in a text that isn't a document, and the templates that stand in place of some.
  static func find(inText utf8: [UInt8]) -> (secrets: [Range<Int>], templates: [Range<Int>]) {
    var places = SecretPlaces(utf8, top: .open)
    places.scanText(0..<utf8.count)
    return (places.ranges.merged, places.templates)
  }

  private init(_ utf8: [UInt8], top: SecretScope) {
    self.utf8 = utf8
    self.top = top
  }

  mutating func add(_ range: Range<Int>) { ranges.append(range) }

  // MARK: Lines

  private mutating func scan() {
    // A byte order mark.
    var position = utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while position < utf8.count { position = scanLine(position) }
  }

  var scope: SecretScope { blocks.last?.scope ?? top }

  /// Scans a line and the following lines of its value; returns the start of the line after them.
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

  /// Scans `? key`, and `: value` in a line below.
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

  /// Scans `key: value`, or a value alone.
  private mutating func scanEntry(_ position: Int, column: Int, _ end: Int) -> Int {
    let start = afterProperties(position, end)
    guard start < end else {
      if scope.isConcealing { add(position..<end) }
      return next(end)
    }
    let opensFlow = utf8[start] == UInt8(ascii: "{") || utf8[start] == UInt8(ascii: "[")
    guard !opensFlow, let key = key(at: start, end, inFlow: false) else {
      if !opensFlow, let secret = afterSecretWord(start..<end) {
        conceal(secret..<end, .secret)
        return next(end)
      }
      // In a document that is one value, anything may be part of it.
      return scanValue(position, scope, column: blocks.last?.column ?? -1, end)
    }
    scanKey(start..<key.valueStart - 1, self.scope)
    let scope = member(key.name, of: self.scope)
    blocks.append(Block(column: column, scope: scope))
    return scanValue(key.valueStart, scope, column: column, end)
  }

  mutating func member(_ name: String, of scope: SecretScope) -> SecretScope {
    guard scope == .open else { return scope.member(name) }
    if let known = knownScopes[name] { return known }
    let found = scope.member(name)
    knownScopes[name] = found
    return found
  }

  /// Scans a key's own text; `password SECRET: x` was meant differently.
  mutating func scanKey(_ range: Range<Int>, _ above: SecretScope) {
    if above == .secret {
      conceal(range, .secret)
    } else if let secret = afterSecretWord(range) {
      conceal(secret..<range.upperBound, .secret)
    } else {
      scanText(range)
    }
  }

  /// The offset of a text that follows a secret's name and a blank without a colon.
  func afterSecretWord(_ range: Range<Int>) -> Int? {
    let word = utf8[range].prefix { isWordByte($0) }
    guard !word.isEmpty, word.endIndex < range.upperBound, isBlank(utf8[word.endIndex]) else { return nil }
    let rest = afterBlanks(word.endIndex)
    guard rest < range.upperBound, isSecretName(text(word.startIndex..<word.endIndex)) else { return nil }
    return rest
  }

  /// Reads a key that is commented out as if it were not; nothing below it is part of it.
  private mutating func scanComment(_ content: Int, column: Int, _ end: Int) -> Int {
    var start = content
    while start < end, utf8[start] == UInt8(ascii: "#") || isBlank(utf8[start]) || isDash(start) { start += 1 }
    let above = blocks.last { $0.column < column }?.scope ?? top
    if let key = key(at: start, end, inFlow: false), case let scope = above.member(key.name), scope.isConcealing {
      conceal(key.valueStart..<end, scope)
    } else {
      scanText(start..<end)
    }
    return next(end)
  }
}
