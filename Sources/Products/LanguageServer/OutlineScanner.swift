import Values

/// Follows the lines of a YAML text up to an offset: indentation, flow collections, quotes, comments, block scalars.
struct OutlineScanner {
  struct Level {
    let column: Int
    let step: CursorContext.Step
  }

  /// A flow collection that is open.
  struct Flow {
    let isMapping: Bool
    var keys: Set<String> = []
    /// The key whose value follows.
    var key: String?
  }

  let utf8: [UInt8]
  let end: Int
  var position = 0
  var levels: [Level] = []
  var flows: [Flow] = []
  /// The keys of the block mapping at each level.
  var keys: [Int: Set<String>] = [:]

  init(_ utf8: [UInt8], end: Int) { (self.utf8, self.end) = (utf8, end) }

  mutating func context() -> CursorContext {
    while true {
      if let found = line() { return found }
    }
  }

  var path: [CursorContext.Step] {
    levels.map(\.step) + flows.flatMap { $0.isMapping ? $0.key.map { [.key($0)] } ?? [] : [.item] }
  }

  /// Reads a line, and what continues in later ones; returns the context if the end is in it.
  private mutating func line() -> CursorContext? {
    let start = position
    while position < end, utf8[position] == 0x20 { position += 1 }
    if position >= end {
      return key(at: end - start, start: end)
    }
    if isBlankLine || utf8[position] == UInt8(ascii: "#") { return text(to: lineEnd) }
    if utf8[position...].starts(with: "---".utf8), position == start {
      (levels, keys) = ([], [:])
      return skipLine()
    }
    while isDash(position) {
      let column = position - start
      leave { $0.column > column || $0.column == column && $0.step == .item }
      levels.append(Level(column: column, step: .item))
      keys[levels.count] = []
      position += 1
      while position < end, utf8[position] == 0x20 { position += 1 }
      if position >= end { return key(at: position - start, start: position, isInItem: true) }
      if isBlankLine { return skipLine() }
    }
    let column = position - start
    guard let (name, range, colon) = keyToken() else { return scalar(at: column) }
    if end <= colon {
      var context = key(at: column, range)
      context.hasColon = true
      return context
    }
    leave { $0.column >= column }
    keys[levels.count, default: []].insert(name)
    levels.append(Level(column: column, step: .key(name)))
    keys[levels.count] = []
    position = colon + 1
    // A blank must follow the colon.
    return position == end ? CursorContext(.text, path, word: end..<end) : value(in: column)
  }

  private mutating func leave(_ isOver: (Level) -> Bool) {
    while let last = levels.last, isOver(last) {
      keys[levels.count] = nil
      levels.removeLast()
    }
  }

  /// The context at the start of a key that may be there already.
  private mutating func key(at column: Int, start: Int, isInItem: Bool = false) -> CursorContext {
    position = start
    let token = keyToken()
    var context = key(at: column, token?.range ?? word(from: start), isInItem: isInItem)
    context.hasColon = token != nil
    return context
  }

  private mutating func key(at column: Int, _ word: Range<Int>, isInItem: Bool = false) -> CursorContext {
    if !isInItem { leave { $0.column >= column } }
    var context = CursorContext(.key, path, word: word, column: column)
    context.siblings = keys[levels.count] ?? []
    return context
  }

  /// The value behind a key or a dash.
  private mutating func value(in column: Int) -> CursorContext? {
    while position < end, utf8[position] == 0x20 { position += 1 }
    if position >= end { return CursorContext(.value, path, word: word(from: end)) }
    while let first = byte(position), first == UInt8(ascii: "&") || first == UInt8(ascii: "!") {
      let start = position
      while position < end, !isSpace(utf8[position]) { position += 1 }
      if position >= end { return CursorContext(.value, path, word: start..<word(from: end).upperBound) }
      while position < end, utf8[position] == 0x20 { position += 1 }
      if position >= end { return CursorContext(.value, path, word: word(from: end)) }
    }
    switch byte(position) {
    case UInt8(ascii: "|"), UInt8(ascii: ">"): return block(in: column)
    case UInt8(ascii: "#"): return text(to: lineEnd)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoted() ?? skipLine()
    case UInt8(ascii: "{"), UInt8(ascii: "["): return flow() ?? skipLine()
    default: return plain()
    }
  }

  private mutating func scalar(at column: Int) -> CursorContext? {
    switch byte(position) {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "|"),
      UInt8(ascii: ">"), UInt8(ascii: "!"), UInt8(ascii: "&"):
      return value(in: column)
    default: break
    }
    guard end <= lineEnd else { return skipLine() }
    if let comment = commentStart(from: position), comment < end { return text(to: lineEnd) }
    return key(
      at: column, position..<word(from: end).upperBound,
      isInItem: levels.last?.column ?? -1 < column && levels.last?.step == .item)
  }

  private mutating func plain() -> CursorContext? {
    let start = position
    guard end <= lineEnd else { return skipLine() }
    if let comment = commentStart(from: start), comment < end { return text(to: lineEnd) }
    return CursorContext(.value, path, word: start..<word(from: end).upperBound)
  }

  /// The text of a block scalar: lines that are blank or further to the right.
  private mutating func block(in column: Int) -> CursorContext? {
    let path = path
    if let found = skipLine() { return found }
    // The column of a dash counts for a scalar right behind it.
    let parent = levels.last.map { $0.step == .item ? $0.column : column } ?? column
    while position < utf8.count {
      let start = position
      var content = start
      while content < utf8.count, utf8[content] == 0x20 { content += 1 }
      let isBlank = content >= utf8.count || utf8[content] == 0x0A || utf8[content] == 0x0D
      guard isBlank || content - start > parent else { return nil }
      if end <= lineEnd, !isBlank || end - start > parent { return CursorContext(.text, path, word: end..<end) }
      if isBlank, end <= lineEnd { return nil }
      position = lineEnd
      position = min(utf8.count, position + 1)
    }
    return end >= utf8.count ? CursorContext(.text, path, word: end..<end) : nil
  }
}
