import Values

extension Diagnostic {
  /// Changes that the help may mean, to be tried: each text that it suggests in place of the range, or of its value,
  /// or nothing in its place. Most of them are wrong.
  package var possibleEdits: [TextEdit] {
    guard let range, let help, !range.bytes.isEmpty, !help.contains("***") else { return [] }
    let place = EditedPlace(range)
    return help.alternatives.flatMap { alternative in
      if let text = alternative.suggestedText { return place.replacements(by: text) }
      if let closer = alternative.quoted(after: "add a closing ") { return [place.insertion(ofCloser: closer)] }
      if alternative.hasPrefix("quote it") || alternative.hasPrefix("quote the value") { return [place.quoting] }
      if ["leave it out", "remove it", "remove the key"].contains(where: alternative.hasPrefix) {
        return place.removals
      }
      let part = alternative.quoted(after: "leave out ") ?? alternative.quoted(after: "remove the ")
      return part.flatMap { place.removal(of: $0) }.map { [$0] } ?? []
    }
  }
}

extension String {
  /// The parts of help that are separated by ", or " or "; ", but for those in quoted text.
  fileprivate var alternatives: [String] {
    var parts = [""]
    var isQuoted = false
    var rest = self[...]
    while let character = rest.first {
      if character == "`" { isQuoted.toggle() }
      // A sentence of its own, about what it names.
      if !isQuoted, rest.hasPrefix("; `") { break }
      if !isQuoted, let separator = [", or ", " or ", "; "].first(where: { rest.hasPrefix($0) }) {
        parts.append("")
        rest = rest.dropFirst(separator.count)
      } else {
        parts[parts.count - 1].append(character)
        rest = rest.dropFirst()
      }
    }
    return parts
  }

  /// The text to write that begins this part of help; nil without one, and where a person has to complete it.
  fileprivate var suggestedText: String? {
    let verbs = ["did you mean ", "write ", "quote it: ", "use single quotes: "]
    let verb = verbs.first { hasPrefix($0) }
    let text = quoted(after: verb ?? "") ?? verb.flatMap { unquoted(after: $0) }
    return text.flatMap { $0.isEmpty || $0.contains("…") ? nil : $0 }
  }

  fileprivate func quoted(after start: String) -> String? {
    guard hasPrefix(start + "`") else { return nil }
    return String(dropFirst(start.count + 1).prefix { $0 != "`" })
  }

  /// One word, or a collection in flow style, but no prose.
  private func unquoted(after start: String) -> String? {
    let text = dropFirst(start.count)
    if let first = text.first, let closer = ["{": "}", "[": "]", "\"": "\"", "'": "'"][first].flatMap(Character.init) {
      return text.dropFirst().lastIndex(of: closer).map { String(text[...$0]) }
    }
    let word = text.prefix { $0 != " " && $0 != "," && $0 != "?" }
    return word.contains { !$0.isLowercase } ? String(word) : nil
  }
}

/// The range of a problem between what stands around it.
private struct EditedPlace {
  let range: SourceRange
  private let utf8: [UInt8]
  /// The end of the line that the range begins in, without blanks.
  private let lineEnd: Int
  /// The end of the `:` behind the range; nil for anything but a key.
  private let colon: Int?

  init(_ range: SourceRange) {
    self.range = range
    let source = range.source
    utf8 = source.utf8
    let line = source.lineBytes(source.lineIndex(at: range.bytes.lowerBound))
    lineEnd = utf8[line].lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? line.upperBound
    let behind = utf8.endOfBlanks(from: min(range.bytes.upperBound, utf8.count))
    colon = behind < utf8.count && utf8[behind] == UInt8(ascii: ":") ? behind + 1 : nil
  }

  private func edit(_ bytes: Range<Int>, _ text: String) -> TextEdit {
    TextEdit(range: range.moved(to: bytes), text: text)
  }

  /// The range, the word around it, or the value that belongs to it.
  func replacements(by text: String) -> [TextEdit] {
    let key = text.hasSuffix(":") ? String(text.dropLast()) : nil
    let places = [range.bytes] + (scalar == range.bytes ? [] : [scalar])
    if let key, colon != nil { return places.map { edit($0, key) } }
    var edits = places.map { edit($0, text) }
    if let colon, colon < lineEnd {
      edits += [edit(colon..<lineEnd, " " + text), edit(range.bytes.lowerBound..<lineEnd, text)]
    } else if let key {
      edits.append(edit(range.bytes, key))
    } else if let end = text.firstRange(of: ": ")?.upperBound,
      utf8[..<range.bytes.lowerBound].suffix(text[..<end].utf8.count).elementsEqual(text[..<end].utf8)
    {
      edits.insert(edit(range.bytes, String(text[end...])), at: 0)
    }
    return edits
  }

  /// The text between quotes, or blanks, that the range is a part of.
  private var scalar: Range<Int> {
    let start = range.source.lineBytes(range.source.lineIndex(at: range.bytes.lowerBound)).lowerBound
    let before = utf8[start..<range.bytes.lowerBound]
    let quote = "\"'".utf8.first { quote in before.count { $0 == quote } % 2 == 1 }
    let ends: (UInt8) -> Bool = quote.map { quote in { $0 == quote } } ?? { $0 == 0x20 }
    let first = before.lastIndex(where: ends).map { $0 + 1 } ?? start
    var last = utf8[range.bytes.lowerBound..<max(lineEnd, range.bytes.lowerBound)].firstIndex(where: ends) ?? lineEnd
    if quote == nil, last > first, utf8[last - 1] == UInt8(ascii: ":") { last -= 1 }
    return first..<max(first, last)
  }

  func insertion(ofCloser closer: String) -> TextEdit { edit(lineEnd..<lineEnd, closer) }

  var quoting: TextEdit { edit(range.bytes, yamlQuoted(range.text)) }

  /// The removal of a part of the range with the blanks before it.
  func removal(of part: String) -> TextEdit? {
    let wanted = Array(part.utf8)
    let starts = range.bytes.lowerBound..<max(range.bytes.lowerBound, lineEnd - wanted.count + 1)
    guard let start = starts.first(where: { utf8[$0...].starts(with: wanted) }) else { return nil }
    let blanks = utf8[..<start].reversed().prefix { $0 == 0x20 }.count
    return edit(start - blanks..<start + wanted.count, "")
  }

  /// The range with the blanks behind it, its part of a collection in flow style, or its lines with those below it.
  var removals: [TextEdit] {
    let end = utf8.endOfBlanks(from: range.bytes.upperBound)
    let lines = range.source.entryLines(at: range.bytes.lowerBound)
    // Nothing but its key is before it.
    let before = utf8[lines.lowerBound..<range.bytes.lowerBound].filter { $0 != 0x20 }
    let isEntry = before.isEmpty || before.last == UInt8(ascii: ":") && before.dropLast().allSatisfy(isWordCharacter)
    return [range.bytes.lowerBound..<end, flowEntry, isEntry ? lines : nil].compactMap { $0.map { edit($0, "") } }
  }

  private var flowEntry: Range<Int>? {
    var depth = 0
    let rest = utf8[range.bytes.lowerBound..<lineEnd]
    let end = rest.firstIndex { byte in
      if "{[".utf8.contains(byte) { depth += 1 }
      if "}]".utf8.contains(byte) { depth -= 1 }
      return depth < 0 || depth == 0 && byte == UInt8(ascii: ",")
    }
    guard let end else { return nil }
    if utf8[end] == UInt8(ascii: ",") {
      return range.bytes.lowerBound..<utf8.endOfBlanks(from: end + 1)
    }
    let before = utf8[..<range.bytes.lowerBound].lastIndex { $0 != 0x20 } ?? 0
    return (utf8[before] == UInt8(ascii: ",") ? before : range.bytes.lowerBound)..<end
  }
}

extension [UInt8] {
  fileprivate func endOfBlanks(from offset: Int) -> Int { self[offset...].firstIndex { $0 != 0x20 } ?? count }
}

extension SourceText {
  /// The line of an offset, with the deeper lines below it and the ends of lines.
  package func entryLines(at offset: Int) -> Range<Int> {
    let first = lineIndex(at: offset)
    let last = lineIndex(at: utf8.count)
    func indentation(_ line: Int) -> Int? {
      let bytes = lineBytes(line)
      return utf8[bytes].firstIndex { $0 != 0x20 }.map { $0 - bytes.lowerBound }
    }
    let own = indentation(first) ?? 0
    var end = first + 1
    while end <= last, let next = indentation(end), next > own { end += 1 }
    return lineBytes(first).lowerBound..<(end <= last ? lineBytes(end).lowerBound : utf8.count)
  }
}
