import Values

/// A block of a `.bru` file.
struct BruBlock {
  struct Pair {
    var name: String
    var value: String
    var isEnabled: Bool
    /// The words of annotations, such as `number`.
    var annotations: [String]
  }

  /// The name, such as `body:json`.
  let name: String
  var pairs: [Pair] = []
  /// The words of a list in brackets.
  var items: [String] = []
  var text = ""

  func value(_ name: String) -> String? { pairs.last { $0.name == name && $0.isEnabled }?.value }
}

/// Reads `.bru` files: blocks of pairs, of text or of words.
struct BruDocument {
  private(set) var blocks: [BruBlock] = []
  /// The number of the first line that is wrong, and what was expected there; nil without one.
  private(set) var failure: (line: Int, expected: String)?

  private static let block = "a block such as `get {`"
  private let lines: [Substring]
  private var index = 0

  /// The blocks whose content is text.
  private static let texts: Set<String> = [
    "body", "body:json", "body:text", "body:xml", "body:sparql", "body:graphql", "body:graphql:vars",
    "script:pre-request", "script:post-response", "tests", "docs", "example",
  ]

  /// The names of blocks that have no kinds.
  private static let names = [
    "assert", "auth", "body", "connect", "delete", "docs", "example", "get", "graphql", "grpc", "head", "headers",
    "http", "meta", "metadata", "options", "patch", "post", "put", "query", "settings", "tests", "trace", "vars", "ws",
  ]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.hasSuffix("\r") ? $0.dropLast() : $0
    }
    while index < lines.count {
      let line = String(lines[index]).trimmed
      index += 1
      if line.isEmpty || line.hasPrefix("color:") { continue }
      guard let opening = line.lastIndex(where: { $0 == "{" || $0 == "[" }), let name = blockName(line[..<opening])
      else {
        failure = (index, Self.block)
        return
      }
      if !Self.names.contains(name), !name.contains(":"), let near = nearestWord(to: name, among: Self.names) {
        failure = (index, "`\(near) {`, not `\(name) {`")
        return
      }
      if line[opening] == "[" {
        readList(name, String(line[line.index(after: opening)...]))
      } else if line.hasSuffix("{") {
        if Self.texts.contains(name) { readText(name) } else { readPairs(name) }
      } else if line.hasSuffix("}") {
        blocks.append(BruBlock(name: name))
      } else {
        failure = (index, Self.block)
        return
      }
    }
  }

  private func blockName(_ text: Substring) -> String? {
    let name = String(text).trimmed
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "-_:".contains($0) }
    return isName && !name.isEmpty ? name : nil
  }

  func block(_ name: String) -> BruBlock? { blocks.first { $0.name == name } }
  func text(_ name: String) -> String? { block(name)?.text }
  func pairs(_ name: String) -> [BruBlock.Pair] { blocks.filter { $0.name == name }.flatMap(\.pairs) }

  // MARK: Blocks

  /// A brace at the beginning of a line ends a block.
  private var isAtEnd: Bool { index >= lines.count || lines[index].first == "}" }

  private mutating func endBlock(_ name: String) {
    if index >= lines.count { failure = failure ?? (lines.count, "a `}` that ends the block `\(name)`") }
    index += 1
  }

  private mutating func readText(_ name: String) {
    var text: [Substring] = []
    while !isAtEnd {
      let line = lines[index]
      text.append(line.hasPrefix("  ") ? line.dropFirst(2) : line)
      index += 1
    }
    endBlock(name)
    blocks.append(BruBlock(name: name, text: text.joined(separator: "\n")))
  }

  private mutating func readList(_ name: String, _ first: String) {
    var text = first
    while !text.contains("]"), index < lines.count {
      text += "\n" + lines[index]
      index += 1
    }
    let words = text.prefix { $0 != "]" }.split { $0 == "," || $0.isWhitespace }.map(String.init)
    blocks.append(BruBlock(name: name, items: words.filter { !$0.hasPrefix("@") }))
  }

  private mutating func readPairs(_ name: String) {
    var block = BruBlock(name: name)
    var annotations: [String] = []
    while !isAtEnd {
      let line = String(lines[index]).trimmed
      index += 1
      if line.isEmpty { continue }
      if line.hasPrefix("@"), let annotation = annotation(line) {
        annotations.append(annotation)
        continue
      }
      guard let (key, rest) = divided(line, isAssert: name == "assert") else {
        failure = failure ?? (index, "a pair such as `name: value`")
        continue
      }
      var pair = BruBlock.Pair(name: key, value: value(rest), isEnabled: true, annotations: annotations)
      annotations = []
      if pair.name.hasPrefix("~") {
        pair.isEnabled = false
        pair.name.removeFirst()
      }
      // A variable of the request alone.
      if pair.name.hasPrefix("@"), name.hasPrefix("vars") { pair.name.removeFirst() }
      if pair.name.count > 1, pair.name.hasPrefix("\""), pair.name.hasSuffix("\"") {
        pair.name = String(pair.name.dropFirst().dropLast()).replacing("\\\"", with: "\"")
      }
      block.pairs.append(pair)
    }
    endBlock(name)
    blocks.append(block)
  }

  /// The key and the rest of a line.
  private func divided(_ line: String, isAssert: Bool) -> (key: String, rest: String)? {
    // A key in quotes may have colons.
    let quoted = isAssert ? nil : line.prefixMatch(of: quotedKey)
    guard let colon = line[(quoted?.range.upperBound ?? line.startIndex)...].firstIndex(of: ":") else { return nil }
    return (String(line[..<colon]).trimmed, String(line[line.index(after: colon)...]).trimmed)
  }

  /// The word of an annotation, whose text may have several lines; nil if the line is a pair.
  private mutating func annotation(_ line: String) -> String? {
    let word = line.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    let rest = line.dropFirst(1 + word.count)
    if rest.isEmpty { return String(word) }
    guard rest.hasPrefix("(") else { return nil }
    if rest.hasPrefix("('''"), !rest.dropFirst(4).contains("'''") {
      while index < lines.count, !lines[index].contains("'''") { index += 1 }
      index += 1
    }
    return String(word)
  }

  /// A value, which may go on in further lines.
  private mutating func value(_ first: String) -> String {
    if first == "[" {
      var items: [String] = []
      while index < lines.count {
        let line = String(lines[index]).trimmed
        index += 1
        if line == "]" { break }
        if !line.isEmpty { items.append(line) }
      }
      return items.joined(separator: "\n")
    }
    guard first.hasPrefix("'''") else { return first }
    let start = first.dropFirst(3)
    if let end = start.firstRange(of: "'''") { return start[..<end.lowerBound] + suffix(start[end.upperBound...]) }
    var text: [Substring] = start.isEmpty ? [] : [start]
    var after = ""
    while index < lines.count {
      let line = lines[index]
      index += 1
      if let end = line.firstRange(of: "'''") {
        if !String(line[..<end.lowerBound]).trimmed.isEmpty { text.append(line[..<end.lowerBound]) }
        after = suffix(line[end.upperBound...])
        break
      }
      text.append(line)
    }
    let indent =
      text.dropFirst(start.isEmpty ? 0 : 1).filter { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return text.enumerated().map { number, line in
      String(number == 0 && !start.isEmpty ? line : line.dropFirst(min(indent, line.prefix { $0 == " " }.count)))
    }.joined(separator: "\n") + after
  }

  /// The content type that follows a text of several lines.
  private func suffix(_ text: Substring) -> String {
    let rest = String(text).trimmed
    return rest.isEmpty ? "" : " " + rest
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let quotedKey = /~?"(?:[^"\\]|\\.)*"/
