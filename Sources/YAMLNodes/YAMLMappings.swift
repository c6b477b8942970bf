import Diagnostics

/// Keys, merge keys and what is known to go wrong with them.
extension YAMLComposer {
  private enum Key {
    case name(String, Range<Int>)
    case merge(Range<Int>)
    /// Reported; its value is dropped.
    case unusable
  }

  /// A member as written, or what a merge key brings.
  private enum Entry {
    case member(YAMLMember)
    case merged([YAMLMember])
  }

  func composeMapping(_ event: YAMLEvent, isFlow: Bool, depth: Int) throws(Stop) -> Composed {
    try checkDepth(depth + 1, at: event.bytes)
    if let anchor = event.anchor { anchors[anchor] = .open }
    let reportsBefore = (diagnostics.count, undefinedAliases.count)
    let tag = checkedTag(event)
    let refusal = tag?.refusal(ofCollection: "a mapping", isMapping: true)
    if let refusal { error(refusal.message, at: tagRange(event), help: refusal.help) }
    let start = contentRange(event).lowerBound
    var result = Composed(node: standIn(range(start..<start)), end: start, height: 1)
    var entries: [Entry] = []
    var keys = KeySet()
    var looksLikeTemplate = false
    var count = 0
    while true {
      let keyEvent = try next()
      if case .mappingEnd = keyEvent.kind {
        // The end of a single pair in a list, `[a: 1]`, has no width of its own.
        if isFlow, !keyEvent.bytes.isEmpty { result.end = keyEvent.bytes.upperBound }
        break
      }
      count += 1
      let key = try composeKey(keyEvent, depth: depth + 1, into: &result)
      let valueEvent = try next()
      if case .mappingStart(true) = keyEvent.kind, isFlow, keyEvent.bytes.lowerBound == start + 1, isMissing(valueEvent)
      {
        looksLikeTemplate = true
      }
      let value = try composeValue(valueEvent, of: key, isFlow: isFlow, depth: depth + 1)
      switch key {
      case .unusable: result.add(value)
      case .merge(let keyRange):
        if let first = keys.insert("<<", at: keyRange) {
          reportDuplicate("<<", at: keyRange, first: first, help: "merge several with a list: `<<: [*a, *b]`")
        }
        // The merged members count as members of this mapping; the list that names them does not.
        result.end = max(result.end, value.end)
        result.size += value.size
        result.height = max(result.height, value.height)
        entries.append(.merged(merged(value.node, keyRange: keyRange)))
      case .name(let name, let keyRange):
        result.add(value)
        if let first = keys.insert(name, at: keyRange) {
          reportDuplicate(name, at: keyRange, first: first, help: "keep one of the two")
        } else {
          entries.append(.member(YAMLMember(key: name, keyRange: range(keyRange), value: value.node)))
        }
      }
    }
    var hasError = refusal != nil || (tag == nil && event.tag != nil)
    if looksLikeTemplate, count == 1 {
      diagnostics.removeSubrange(reportsBefore.0...)
      undefinedAliases.removeSubrange(reportsBefore.1...)
      reportTemplate(at: start..<result.end)
      hasError = true
    }
    result.node = YAMLNode(
      content: .mapping(flattened(entries, ownKeys: keys)), range: range(start..<max(start, result.end)),
      localTag: tag?.localName, hasError: hasError)
    register(event.anchor, result)
    return result
  }

  private func isMissing(_ event: YAMLEvent) -> Bool {
    if case .scalar(let text, .plain) = event.kind { return text.isEmpty && event.tag == nil }
    return false
  }

  // MARK: Keys

  private func composeKey(_ event: YAMLEvent, depth: Int, into mapping: inout Composed) throws(Stop) -> Key {
    switch event.kind {
    case .scalar(let text, let style):
      let content = contentRange(event)
      mapping.end = max(mapping.end, content.upperBound)
      let tag = checkedTag(event)
      if let tag, tag.localName != nil {
        error("a key takes no tag", at: tagRange(event), help: "tag the value")
      }
      register(
        event.anchor,
        Composed(
          node: YAMLNode(
            content: .scalar(YAMLScalar(meaning: .text(text), style: style, text: text)), range: range(content)),
          end: content.upperBound))
      if isMissing(event) {
        error("a key is missing here", at: content, help: "write it before the `:`, or `\"\"` for an empty one")
        return .unusable
      }
      if text == "<<", style == .plain, tag == nil { return .merge(content) }
      return .name(text, content)
    case .alias:
      let key = try compose(event, depth: depth)
      mapping.add(key)
      if let scalar = key.node.scalar, !key.node.hasError { return .name(scalar.text, event.bytes) }
      if !key.node.hasError { reportKey(key.node, at: event.bytes) }
      return .unusable
    default:
      let key = try compose(event, depth: depth)
      mapping.add(key)
      if !key.node.hasError { reportKey(key.node, at: key.node.range.bytes) }
      return .unusable
    }
  }

  private func reportKey(_ node: YAMLNode, at bytes: Range<Int>) {
    error("a key must be text, not \(node.kindPhrase)", at: bytes, help: "quote it if it is meant as text")
  }

  private func reportDuplicate(_ name: String, at bytes: Range<Int>, first: Range<Int>, help: String) {
    error(
      "the key `\(name)` stands twice in this mapping", at: bytes,
      notes: [Diagnostic.Note("first here", at: range(first))], help: help)
  }

  private func reportTemplate(at bytes: Range<Int>) {
    let written = source.text(in: bytes)
    let isShort = written.utf8.count <= 100 && !written.contains { $0.isNewline }
    error(
      "`{{ … }}` is two nested mappings in YAML, not a template", at: bytes,
      help: isShort ? "write `$\(written)`" : "write `${{ … }}`")
  }

  private func composeValue(_ event: YAMLEvent, of key: Key, isFlow: Bool, depth: Int) throws(Stop) -> Composed {
    guard isMissing(event), case .name(let name, let keyRange) = key else { return try compose(event, depth: depth) }
    let separator = source.utf8[keyRange.upperBound...].first { !isWhite($0) }
    let isBareWord = isFlow && separator != UInt8(ascii: ":")
    error(
      "`\(name)` has no value", at: keyRange,
      help: "write `null` or `\"\"`" + (isBareWord ? ", or quote the whole if the braces belong to the text" : ""))
    let missing = Composed(node: standIn(range(event.bytes)), end: event.bytes.upperBound)
    register(event.anchor, missing)
    return missing
  }

  // MARK: Merge keys (https://yaml.org/type/merge.html)

  private func merged(_ value: YAMLNode, keyRange: Range<Int>) -> [YAMLMember] {
    if value.hasError { return [] }
    switch value.content {
    case .mapping(let members): return members
    case .sequence(let items):
      var result: [YAMLMember] = []
      for item in items where !item.hasError {
        if case .mapping(let members) = item.content {
          result += members
        } else {
          reportMerge(item)
        }
      }
      return result
    case .scalar:
      reportMerge(value)
      return []
    }
  }

  private func reportMerge(_ node: YAMLNode) {
    error(
      "`<<` merges mappings, not \(node.kindPhrase)", at: (node.useSite ?? node.range).bytes,
      help: "write an alias of a mapping, `<<: *name`, or a list of these; quote the key if it is meant as text")
  }

  /// Own keys win over merged ones, earlier merged ones over later.
  private func flattened(_ entries: [Entry], ownKeys: KeySet) -> [YAMLMember] {
    var keys = ownKeys
    var members: [YAMLMember] = []
    members.reserveCapacity(entries.count)
    for entry in entries {
      switch entry {
      case .member(let member): members.append(member)
      case .merged(let others):
        for member in others where keys.insert(member.key, at: member.keyRange.bytes) == nil { members.append(member) }
      }
    }
    return members
  }
}

/// The keys of a mapping, told apart by their bytes, and where they stand.
private struct KeySet {
  private var places: [[UInt8]: Range<Int>] = [:]

  /// Where the key already stands; nil if it is new.
  mutating func insert(_ key: String, at range: Range<Int>) -> Range<Int>? {
    let bytes = Array(key.utf8)
    if let place = places[bytes] { return place }
    places[bytes] = range
    return nil
  }
}
