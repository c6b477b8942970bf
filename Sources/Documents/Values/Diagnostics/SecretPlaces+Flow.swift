extension SecretPlaces {
  // MARK: Flow collections

  /// The range from `{` or `[` to behind its closing bracket, or to the line that is plainly not part of it.
  mutating func scanFlow(_ start: Int, _ scope: SecretScope, column: Int) -> Int {
    var open: [(isMapping: Bool, scope: SecretScope)] = []
    var pending: SecretScope?
    var position = start
    var end = lineEnd(start)
    while position < utf8.count {
      let byte = utf8[position]
      if position > end { end = lineEnd(position) }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "\n"):
        position += 1
        if isOutside(position, column: column) { return position }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append((byte == UInt8(ascii: "{"), pending ?? open.last?.scope ?? scope))
        pending = nil
        position += 1
      case _ where pending?.isConcealing == true && beginsJunk(position, end):
        position = scanFlowScalar(position, end, .secret, isItem: false, column: column)
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
        scanRest(position + 1..<end, open.last?.scope ?? scope)
        position = end
      default:
        let above = open.last?.scope ?? scope
        let start = afterProperties(position, end)
        // A text in place of a secret, or in a list of them, isn't a key, even if it looks like one.
        let isSecretItem = open.last?.isMapping == false && above.isConcealing
        if pending?.isConcealing != true, !isSecretItem, let key = key(at: start, end, inFlow: true) {
          position = afterBlanks(key.valueStart)
          scanKey(start..<key.valueStart - 1, above)
          pending = member(key.name, of: above)
        } else {
          let isAlone = pending == nil && open.last?.isMapping == true
          if isAlone, let secret = afterSecretWord(start..<plainEnd(start)) {
            position = scanFlowScalar(secret, end, .secret, isItem: false, column: column)
          } else {
            let isItem = pending == nil && open.last?.isMapping == false
            position = scanFlowScalar(position, end, pending ?? above, isItem: isItem, column: column)
          }
        }
      }
    }
    return position
  }

  private mutating func scanFlowScalar(
    _ position: Int, _ line: Int, _ given: SecretScope, isItem: Bool, column: Int
  ) -> Int {
    let (start, scope) = valueStart(position, given, line)
    guard start < line else { return line }
    var end = start
    if utf8[start] == UInt8(ascii: "\"") || utf8[start] == UInt8(ascii: "'"),
      let close = closingQuote(start, column: column)
    {
      scanScalar(start + 1..<close, scope)
      end = close + 1
      let rest = afterBlanks(end)
      if rest >= utf8.count || "]}:#\n\r".utf8.contains(utf8[rest]) { return rest }
      if utf8[rest] == UInt8(ascii: ",") {
        let next = afterBlanks(rest + 1)
        let line = rest <= line ? line : lineEnd(rest)
        if !scope.isConcealing || isItem || next >= line || "]}#".utf8.contains(utf8[next]) { return rest }
        if key(at: next, line, inFlow: true) != nil { return rest }
      }
      // Text after the quote probably belongs to it.
    } else if !scope.isConcealing, "{[".utf8.contains(utf8[start]) {
      return start
    }
    let from = end
    // A comma or bracket before it is part of it.
    let isJunk = from == position && utf8[from] != UInt8(ascii: "$")
    let line = from <= line ? line : lineEnd(from)
    end = scope.isConcealing ? secretEnd(isJunk ? from + 1 : from, line, isItem: isItem) : plainEnd(from)
    scanScalar(from..<end, scope)
    return max(end, position + 1)
  }

  /// Returns whether a comma or a closing bracket precedes text where a value is expected: `password: ,x`.
  private func beginsJunk(_ position: Int, _ line: Int) -> Bool {
    guard ",]}".utf8.contains(utf8[position]) else { return false }
    guard position + 1 < line, !" \t,]}".utf8.contains(utf8[position + 1]) else { return false }
    return utf8[position] != UInt8(ascii: ",") || key(at: position + 1, line, inFlow: true) == nil
  }

  private func plainEnd(_ start: Int) -> Int {
    var end = start
    while end < utf8.count, !",[]{}\n\r".utf8.contains(utf8[end]) { end += 1 }
    return end
  }

  /// The offset where a secret without quotes ends for certain: before another key, or what closes the line.
  private func secretEnd(_ start: Int, _ line: Int, isItem: Bool) -> Int {
    var end = start
    while end < line {
      switch utf8[end] {
      case UInt8(ascii: ","):
        let next = afterBlanks(end + 1)
        if isItem || next >= line || key(at: next, line, inFlow: true) != nil { return end }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        var rest = end
        while rest < line, "]} \t,".utf8.contains(utf8[rest]) { rest += 1 }
        if rest >= line || utf8[rest] == UInt8(ascii: "#") { return end }
        let opensValue = "{[\"'".utf8.contains(utf8[rest])
        if utf8[end..<rest].contains(UInt8(ascii: ",")), opensValue || key(at: rest, line, inFlow: true) != nil {
          return end
        }
      case UInt8(ascii: "$") where find("${{", end..<min(end + 3, line)) != nil:
        if let close = find("}}", end..<line) { end = close + 1 }
      default: break
      }
      end += 1
    }
    return line
  }

  /// Returns whether a line begins something that is not part of the flow collection of a key at a column.
  private func isOutside(_ start: Int, column: Int) -> Bool {
    guard column >= 0, start < utf8.count else { return false }
    let end = lineEnd(start)
    let content = afterBlanks(start)
    guard content < end, content - start <= column else { return false }
    return isDash(content) || key(at: content, end, inFlow: false) != nil
  }
}
