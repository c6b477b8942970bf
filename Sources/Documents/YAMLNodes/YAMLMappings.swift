import Values

/// Keys, merge keys and their common errors.
extension YAMLComposer {
  private enum Key {
    case name(String, Range<Int>)
    case merge(Range<Int>)
    /// Reported; its value is dropped.
    case unusable
  }

  /// The members that a merge key brings, and how many members are written before it.
  private struct Merge {
    let position: Int
    let members: [YAMLMember]
  }

  func composeMapping(_ event: YAMLEvent, isFlow: Bool, depth: Int) throws(Stop) -> Composed {
    try checkDepth(depth + 1, at: event.bytes)
    if let anchor = event.anchor { anchors[anchor] = .open }
    let reportsBefore = (diagnostics.count, undefinedAliases.count)
    let tag = checkedTag(event)
    let refusal = tag?.refusal(ofCollection: "a mapping", isMapping: true)
    if let refusal { error(.yamlTag, refusal.message, at: tagRange(event), help: refusal.help) }
    let start = contentRange(event).lowerBound
    var extent = Extent(end: start, height: 1)
    var members: [YAMLMember] = []
    var merges: [Merge] = []
    var keys = KeySet()
    var looksLikeTemplate = false
    var count = 0
    while true {
      let keyEvent = try next()
      if case .mappingEnd = keyEvent.kind {
        // The end of a single pair in a list, `[a: 1]`, has no width.
        if isFlow, !keyEvent.bytes.isEmpty { extent.end = keyEvent.bytes.upperBound }
        break
      }
      count += 1
      let key = try composeKey(keyEvent, depth: depth + 1, into: &extent)
      let valueEvent = try next()
      if isFlow, isMissing(valueEvent), case .name(_, let word) = key, let cut = members.last,
        let whole = valueCutByComma(cut, before: word)
      {
        members[members.count - 1] = YAMLMember(key: cut.key, keyRange: cut.keyRange, value: standIn(range(whole)))
        reportComma(in: whole)
        extent.add(Extent(end: word.upperBound))
        continue
      }
      if case .mappingStart(true) = keyEvent.kind, isFlow, keyEvent.bytes.lowerBound == start + 1, isMissing(valueEvent)
      {
        looksLikeTemplate = true
      }
      let value = try composeValue(valueEvent, of: key, isFlow: isFlow, depth: depth + 1)
      switch key {
      case .unusable: extent.add(value.extent)
      case .merge(let keyRange):
        if let first = keys.insert("<<", at: keyRange) {
          reportDuplicate("<<", at: keyRange, first: first, help: "merge several with a list: `<<: [*a, *b]`")
        }
        // The merged members count as members of this mapping; the list that names them doesn't.
        extent.end = max(extent.end, value.extent.end)
        extent.size += value.extent.size
        extent.height = max(extent.height, value.extent.height)
        merges.append(Merge(position: members.count, members: merged(value.node, keyRange: keyRange)))
      case .name(let name, let keyRange):
        extent.add(value.extent)
        if let first = keys.insert(name, at: keyRange) {
          reportDuplicate(
            name, at: keyRange, first: first,
            help: value.node.members == nil
              ? "keep one of the two" : "write `\(jsonEscaped(name)):` once, with the keys of both below it")
        } else {
          members.append(YAMLMember(key: name, keyRange: range(keyRange), value: value.node))
        }
      }
    }
    var hasError = refusal != nil || (tag == nil && event.tag != nil)
    if looksLikeTemplate, count == 1 {
      diagnostics.removeSubrange(reportsBefore.0...)
      undefinedAliases.removeSubrange(reportsBefore.1...)
      reportTemplate(at: start..<extent.end)
      hasError = true
    }
    let node = YAMLNode(
      content: .mapping(merges.isEmpty ? members : flattened(members, merges, ownKeys: keys)),
      range: range(start..<max(start, extent.end)),
      localTag: localTag(tag, event), hasMapTag: tag == .mapping, hasError: hasError)
    let composed = Composed(node: node, extent: extent)
    register(event.anchor, composed)
    return composed
  }

  private func isMissing(_ event: YAMLEvent) -> Bool {
    if case .scalar(let text, .plain) = event.kind { return text.isEmpty && event.tag == nil }
    return false
  }

  // MARK: Keys

  private func composeKey(_ event: YAMLEvent, depth: Int, into mapping: inout Extent) throws(Stop) -> Key {
    switch event.kind {
    case .scalar(let text, let style):
      let content = contentRange(event)
      mapping.end = max(mapping.end, content.upperBound)
      let tag = checkedTag(event)
      if tag?.isLocal == true {
        error(.yamlTag, "a key takes no tag", at: tagRange(event), help: "tag the value")
      }
      if event.anchor != nil {
        let scalar = YAMLScalar(meaning: .text(text), style: style, text: text)
        let node = YAMLNode(content: .scalar(scalar), range: range(content))
        register(event.anchor, Composed(node: node, extent: Extent(end: content.upperBound)))
      }
      if isMissing(event) {
        error(
          .yamlSyntax, "a key is missing here", at: content, help: "write it before the `:`, or `\"\"` for an empty one"
        )
        return .unusable
      }
      if style == .plain {
        if text == "<<", tag == nil { return .merge(content) }
        if let inside = textInTypographicQuotes(text) {
          reportTypographicQuotes(inside, at: content)
          return .name(inside, content)
        }
        if let first = text.unicodeScalars.first, first.value > 0x7F, isInvisible(first) {
          try reportInvisibleStart(first, of: content)
        }
      }
      return .name(text, content)
    default:
      let key = try compose(event, depth: depth)
      mapping.add(key.extent)
      if key.node.hasError { return .unusable }
      // An alias.
      if let scalar = key.node.scalar { return .name(scalar.text, event.bytes) }
      error(
        .wrongType, "a key must be text, not \(key.node.kindPhrase)", at: (key.node.useSite ?? key.node.range).bytes,
        help: "quote it if it is meant as text")
      return .unusable
    }
  }

  private func reportDuplicate(_ name: String, at bytes: Range<Int>, first: Range<Int>, help: String) {
    error(
      .duplicateKey, "the key `\(name)` stands twice in this mapping", at: bytes,
      notes: [Diagnostic.Note("first here", at: range(first))], help: help)
  }

  private func reportTemplate(at bytes: Range<Int>) {
    let written = source.text(in: bytes)
    let isShort = written.utf8.count <= 100 && !written.contains { $0.isNewline }
    error(
      .foreignTemplate, "`{{ … }}` is two nested mappings in YAML, not a template", at: bytes,
      help: isShort ? "write `$\(written)`" : "write `${{ … }}`")
  }

  private func composeValue(_ event: YAMLEvent, of key: Key, isFlow: Bool, depth: Int) throws(Stop) -> Composed {
    guard isMissing(event), case .name(let name, let keyRange) = key else { return try compose(event, depth: depth) }
    let mark = event.bytes.lowerBound
    if !broken.explainGap(at: mark) {
      let help =
        if isFlow, isBareWord(keyRange) {
          memberInWord(keyRange) ?? "write `null` or `\"\"`, or quote the whole if the braces belong to the text"
        } else if commentIsValue(after: keyRange) {
          "a `#` begins a comment: quote the value if this is one, else write a value or remove the key"
        } else if !isFlow, nextLineIsLevel(with: keyRange) {
          "indent the lines below it if they belong to it, else write a value or remove the key"
        } else {
          "write its value, or remove the key"
        }
      error(.missingValue, "`\(name)` has no value", at: keyRange, help: help)
    }
    let missing = Composed(node: standIn(range(event.bytes)), extent: Extent(end: event.bytes.upperBound))
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
        if let members = item.members { result += members } else { reportMerge(item) }
      }
      return result
    case .scalar:
      reportMerge(value)
      return []
    }
  }

  private func reportMerge(_ node: YAMLNode) {
    error(
      .wrongType, "`<<` merges mappings, not \(node.kindPhrase)", at: (node.useSite ?? node.range).bytes,
      help: "write an alias of a mapping, `<<: *name`, or a list of these; quote the key if it is meant as text")
  }

  /// Merges members: own keys win over merged ones, earlier merged ones over later.
  private func flattened(_ own: [YAMLMember], _ merges: [Merge], ownKeys: KeySet) -> [YAMLMember] {
    var keys = ownKeys
    var members: [YAMLMember] = []
    var position = 0
    for merge in merges {
      members += own[position..<merge.position]
      position = merge.position
      for member in merge.members where keys.insert(member.key, at: member.keyRange.bytes) == nil {
        members.append(member)
      }
    }
    return members + own[position...]
  }
}

/// The keys of a mapping, compared by their bytes, with their places.
private struct KeySet {
  /// The largest number of keys that are compared one by one; more are worth a table.
  private static let fewLimit = 16

  private var few: [(key: String, place: Range<Int>)] = []
  private var places: [[UInt8]: Range<Int>] = [:]

  init() { few.reserveCapacity(KeySet.fewLimit + 1) }

  /// Adds a key; returns the place where it already stands, nil if it is new.
  mutating func insert(_ key: String, at range: Range<Int>) -> Range<Int>? {
    if places.isEmpty {
      if let known = few.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) { return known.place }
      few.append((key, range))
      if few.count > KeySet.fewLimit {
        for (key, place) in few { places[Array(key.utf8)] = place }
      }
      return nil
    }
    let bytes = Array(key.utf8)
    if let place = places[bytes] { return place }
    places[bytes] = range
    return nil
  }
}
