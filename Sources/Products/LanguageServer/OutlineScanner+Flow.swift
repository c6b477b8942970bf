import Values

extension OutlineScanner {
  mutating func flow() -> CursorContext? {
    while position < end {
      let byte = utf8[position]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        flows.append(Flow(isMapping: byte == UInt8(ascii: "{")))
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        flows.removeLast()
        position += 1
        if flows.isEmpty { return nil }
      case UInt8(ascii: ","):
        flows[flows.count - 1].key = nil
        position += 1
      case UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09: position += 1
      case UInt8(ascii: "#") where position > 0 && isSpace(utf8[position - 1]):
        if end <= lineEnd { return text(to: lineEnd) }
        position = lineEnd
      default: if let found = flowScalar() { return found }
      }
    }
    return flowContext(word: word(from: end))
  }

  private mutating func flowScalar() -> CursorContext? {
    let start = position
    let isKey = flows.last.map { $0.isMapping && $0.key == nil } ?? false
    var name: Range<Int>
    if utf8[start] == UInt8(ascii: "\"") || utf8[start] == UInt8(ascii: "'") {
      if var found = quoted() {
        if isKey { found.kind = .key }
        return found
      }
      name = start + 1..<position - 1
      if position == end { return flowContext(word: name) }
    } else {
      while position < utf8.count, !isFlowEnd(position) { position += 1 }
      if position == start { position += 1 }
      name = start..<position
      while name.count > 1, isSpace(utf8[name.upperBound - 1]) { name = name.lowerBound..<name.upperBound - 1 }
      if end <= position {
        position = end
        return flowContext(word: start..<max(end, name.upperBound))
      }
    }
    if isKey {
      let key = String(decoding: utf8[name], as: UTF8.self)
      flows[flows.count - 1].key = key
      flows[flows.count - 1].keys.insert(key)
    }
    return nil
  }

  private func flowContext(word: Range<Int>) -> CursorContext {
    let isKey = flows.last.map { $0.isMapping && $0.key == nil } ?? false
    var context = CursorContext(isKey ? .key : .value, path, word: word)
    context.siblings = flows.last?.keys ?? []
    var next = max(word.upperBound, position)
    while byte(next) == 0x20 { next += 1 }
    context.hasColon = isKey && byte(next) == UInt8(ascii: ":")
    return context
  }

  private func isFlowEnd(_ place: Int) -> Bool {
    switch utf8[place] {
    case UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), 0x0A, 0x0D:
      true
    case UInt8(ascii: ":"): byte(place + 1).map { isSpace($0) || ",{}[]".utf8.contains($0) } ?? true
    case UInt8(ascii: "#"): place > 0 && isSpace(utf8[place - 1])
    default: false
    }
  }

  mutating func quoted() -> CursorContext? {
    let (start, quote) = (position, utf8[position])
    position += 1
    while position < end {
      let byte = utf8[position]
      position += byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
      if byte == quote {
        if quote == UInt8(ascii: "'"), self.byte(position) == quote {
          position += 1
        } else {
          return position > end ? CursorContext(.value, path, word: start + 1..<end) : nil
        }
      }
    }
    return CursorContext(.value, path, word: start + 1..<end)
  }
}
