import Values

/// Changes values of a document in its text: comments and layout elsewhere stay unchanged, byte for byte.
package struct YAMLEditor {
  package enum Step: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case key(String)
    case item(Int)

    package init(stringLiteral value: String) { self = .key(value) }
    package init(integerLiteral value: Int) { self = .item(value) }
  }

  /// The reason why a document can't be changed.
  package struct Problem: Error, Sendable, Hashable {
    package let message: String

    package init(_ message: String) { self.message = message }
  }

  package private(set) var utf8: [UInt8]
  /// The document as it is now.
  package var document: YAMLNode { root }
  private(set) var source: SourceText
  private var root: YAMLNode

  /// Nil if the bag has an error.
  package init?(bytes: [UInt8], name: String, into bag: inout DiagnosticBag) {
    let errors = bag.errorCount
    let (source, root) = YAMLReader.read(bytes: bytes, name: name, into: &bag)
    guard let root, bag.errorCount == errors else { return nil }
    (self.source, self.root, utf8) = (source, root, source.utf8)
  }

  /// Replaces a value, or adds a member with a new key.
  package mutating func set(_ value: YAMLNode, at path: [Step]) throws(Problem) {
    guard let last = path.last else { throw Problem("the path is empty") }
    let parent = try node(at: path.dropLast())
    if case .key(let key) = last, let members = parent.members, !members.contains(where: { $0.key == key }) {
      try add("\(ScalarWriting.line(key, inFlow: isFlow(parent))):", value, to: parent, before: nil)
    } else {
      let old = try node(at: path[...])
      try replace(old, by: value, in: parent, isMember: parent.members != nil)
    }
    guard try node(at: path[...]).isSame(as: value) else { throw Problem("the value cannot be written there") }
  }

  /// Adds a member with a new key to a mapping, before another key.
  package mutating func add(_ value: YAMLNode, as key: String, to path: [Step], before next: String) throws(Problem) {
    let parent = try node(at: path[...])
    guard let members = parent.members, !members.contains(where: { $0.key == key }) else {
      throw Problem("`\(key)` can't be added there")
    }
    let place = members.firstIndex { $0.key == next }
    try add("\(ScalarWriting.line(key, inFlow: isFlow(parent))):", value, to: parent, before: place)
  }

  /// Inserts an item into a list, before the one with that index, or at the end.
  package mutating func insert(_ value: YAMLNode, at path: [Step]) throws(Problem) {
    guard case .item(let index)? = path.last else { throw Problem("an item is inserted at an index") }
    let parent = try node(at: path.dropLast())
    guard let items = parent.items, index >= 0, index <= items.count else {
      throw Problem("there is no such place in a list")
    }
    try add("-", value, to: parent, before: index < items.count ? index : nil)
  }

  /// Puts an empty line before an item of a block, unless there is one, or the items before it have none.
  package mutating func separate(_ path: [Step]) throws(Problem) {
    guard case .item(let index)? = path.last else { throw Problem("only items are separated") }
    let parent = try node(at: path.dropLast())
    _ = try node(at: path[...])
    if isFlow(parent) { return }
    let starts = try starts(of: parent)
    if index == 0 || isSeparated(starts[index]) || index > 1 && !isSeparated(starts[index - 1]) { return }
    let start = source.lineBytes(source.lineIndex(at: starts[index])).lowerBound
    try apply("\n", in: start..<start)
  }

  /// Returns whether an empty line is before a line and its comments.
  func isSeparated(_ start: Int) -> Bool {
    var line = source.lineIndex(at: start)
    while line > 0 {
      line -= 1
      let first = utf8[source.lineBytes(line)].first { !isBlank($0) }
      if first != UInt8(ascii: "#") { return first == nil }
    }
    return false
  }

  /// Removes a member or an item, with the comment after it.
  package mutating func remove(at path: [Step]) throws(Problem) {
    guard let last = path.last else { throw Problem("the path is empty") }
    let parent = try node(at: path.dropLast())
    _ = try node(at: path[...])
    let starts = try starts(of: parent)
    if starts.count == 1 {
      let empty = parent.members != nil ? YAMLNode.mapping([]) : .list([])
      guard path.count > 1 else { throw Problem("nothing would be left") }
      return try set(empty, at: path.dropLast())
    }
    let index = index(of: last, in: parent)
    let ends = children(of: parent).map(end)
    if isFlow(parent) {
      let bytes = index > 0 ? ends[index - 1]..<ends[index] : starts[0]..<starts[1]
      return try apply("", in: bytes)
    }
    let lineStart = source.lineBytes(source.lineIndex(at: starts[index])).lowerBound
    let line = source.lineBytes(source.lineIndex(at: max(starts[index], ends[index] - 1)))
    let next = min(line.upperBound + 1, utf8.count)
    if utf8[lineStart..<starts[index]].allSatisfy({ $0 == 0x20 }) { return try apply("", in: lineStart..<next) }
    // It follows the dash of an item; the next one moves there, unless there are comments in between.
    let between = utf8[next..<starts[index + 1]]
    try apply("", in: starts[index]..<(between.allSatisfy { $0 == 0x20 } ? starts[index + 1] : line.upperBound))
  }

  package mutating func rename(_ path: [Step], to key: String) throws(Problem) {
    guard case .key(let old)? = path.last else { throw Problem("only keys have names") }
    let parent = try node(at: path.dropLast())
    guard let member = parent.members?.first(where: { $0.key == old }) else { throw Problem("there is no `\(old)`") }
    guard parent.range.bytes.contains(member.keyRange.bytes.lowerBound) else {
      throw Problem("`\(old)` is merged from elsewhere")
    }
    try apply(ScalarWriting.line(key, inFlow: isFlow(parent)), in: member.keyRange.bytes)
  }

  // MARK: Places

  func node(at path: ArraySlice<Step>) throws(Problem) -> YAMLNode {
    var node = root
    for step in path {
      // The target of an alias is elsewhere, and may be shared.
      guard node.useSite == nil else { throw Problem("an alias stands there") }
      switch step {
      case .item(let index):
        guard let items = node.items, items.indices.contains(index) else { throw Problem("there is no item \(index)") }
        node = items[index]
      case .key(let key):
        guard let member = node.members?.first(where: { $0.key == key }) else { throw Problem("there is no `\(key)`") }
        guard node.range.bytes.contains(member.keyRange.bytes.lowerBound) else {
          throw Problem("`\(key)` is merged from elsewhere")
        }
        node = member.value
      }
    }
    return node
  }

  func index(of step: Step, in parent: YAMLNode) -> Int {
    switch step {
    case .item(let index): index
    case .key(let key): parent.members?.firstIndex { $0.key == key } ?? 0
    }
  }

  func children(of node: YAMLNode) -> [YAMLNode] { node.items ?? node.members?.map(\.value) ?? [] }

  func end(of node: YAMLNode) -> Int { (node.useSite ?? node.range).bytes.upperBound }

  func isFlow(_ node: YAMLNode) -> Bool {
    node.scalar == nil && "{[".utf8.contains(utf8[min(node.range.bytes.lowerBound, utf8.count - 1)])
  }

  /// The starts of the keys or items of a collection, including the dashes of a block.
  func starts(of node: YAMLNode) throws(Problem) -> [Int] {
    if let members = node.members { return members.map { $0.keyRange.bytes.lowerBound } }
    let items = node.items ?? []
    if isFlow(node) { return items.map { propertiesStart($0) } }
    let dashes = try tokens().filter { $0.kind == .item && $0.collections.last?.start == node.range.bytes.lowerBound }
    guard dashes.count == items.count else { throw Problem("the list cannot be taken apart") }
    return dashes.map(\.bytes.lowerBound)
  }

  private func tokens() throws(Problem) -> [YAMLToken] {
    do throws(YAMLSyntaxError) { return try YAMLTokens.of(utf8) } catch { throw Problem(error.problem) }
  }

  /// The start of a node, with its tag and anchor.
  private func propertiesStart(_ node: YAMLNode) -> Int {
    var start = (node.useSite ?? node.range).bytes.lowerBound
    guard node.useSite == nil, let tokens = try? tokens() else { return start }
    for token in tokens.reversed() where token.bytes.upperBound <= start {
      guard token.kind == .tag || token.kind == .anchor else { break }
      start = token.bytes.lowerBound
    }
    return start
  }

  func column(_ offset: Int) -> Int { TokenGap.column(offset, in: utf8) }

  // MARK: Changes

  private mutating func replace(_ old: YAMLNode, by value: YAMLNode, in parent: YAMLNode, isMember: Bool)
    throws(Problem)
  {
    let (start, end) = (propertiesStart(old), end(of: old))
    if isFlow(parent) { return try apply(FlowText.of(value), in: start..<max(start, end)) }
    var before = start
    while before > 0, isSpace(utf8[before - 1]) { before -= 1 }
    // After a comment it keeps its line, otherwise it follows the colon or the dash.
    guard try tokens().contains(where: { $0.bytes.upperBound == before }) else {
      return try apply(FlowText.of(value), in: start..<max(start, end))
    }
    let line = source.lineBytes(source.lineIndex(at: max(start, end - 1)))
    let text = YAMLWriter.value(
      value, indent: column(try starts(of: parent).first ?? 0) + 2, after: isMember ? .key : .dash,
      // A comment after it would become a part of it.
      allowsLines: utf8[min(end, line.upperBound)..<line.upperBound].allSatisfy(isBlank))
    try apply(text, in: before..<max(start, end))
  }

  /// - Parameter head: the key with its colon, or the dash.
  private mutating func add(
    _ head: String, _ value: YAMLNode, to parent: YAMLNode, before index: Int?
  ) throws(Problem) {
    let starts = try starts(of: parent)
    let ends = children(of: parent).map(end)
    if isFlow(parent) {
      let text = (head == "-" ? "" : head + " ") + FlowText.of(value)
      if starts.isEmpty {
        return try apply(text, in: parent.range.bytes.lowerBound + 1..<parent.range.bytes.upperBound - 1)
      }
      if let index { return try apply(text + ", ", in: starts[index]..<starts[index]) }
      return try apply(", " + text, in: ends[ends.count - 1]..<ends[ends.count - 1])
    }
    guard let first = starts.first, let last = ends.last else { throw Problem("it has neither keys nor items") }
    let indent = column(first)
    let blanks = String(repeating: " ", count: indent)
    let text = head + YAMLWriter.value(value, indent: indent + 2, after: head == "-" ? .dash : .key, allowsLines: true)
    if index == 0 { return try apply(text + "\n" + blanks, in: first..<first) }
    let line = source.lineBytes(source.lineIndex(at: max(0, (index.map { ends[$0 - 1] } ?? last) - 1)))
    try apply("\n" + blanks + text, in: line.upperBound..<line.upperBound)
  }

  /// Replaces bytes, if the result can be read.
  mutating func apply(_ text: String, in bytes: Range<Int>) throws(Problem) {
    var changed = utf8
    changed.replaceSubrange(bytes, with: text.utf8)
    try read(changed)
  }

  /// Takes another text, if it can be read.
  mutating func read(_ changed: [UInt8]) throws(Problem) {
    var bag = DiagnosticBag()
    let (source, root) = YAMLReader.read(bytes: changed, name: self.source.name, into: &bag)
    guard let root, !bag.hasErrors else {
      throw Problem(bag.diagnostics.first?.message ?? "nothing would be left")
    }
    (self.source, self.root, utf8) = (source, root, source.utf8)
  }
}
