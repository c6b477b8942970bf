import Values

/// Composes the nodes of one document from libyaml's events.
final class YAMLComposer {
  /// Ends the reading of a file, after the error was reported.
  struct Stop: Error {}

  /// A node with data for the composer.
  struct Composed {
    let node: YAMLNode
    let extent: Extent
  }

  struct Extent {
    /// The end of the node as it is used: an alias's own, not that of its target.
    var end: Int
    /// The number of nodes, with aliases expanded.
    var size = 1
    /// The number of levels, with aliases expanded.
    var height = 0
  }

  enum Anchor {
    case open
    case complete(Composed)
  }

  let source: SourceText
  /// The beginning of the source: making ranges from it counts no references to the source.
  let origin: SourceRange
  var anchors: [String: Anchor] = [:]
  var undefinedAliases: [(name: String, range: SourceRange)] = []
  var diagnostics: [Diagnostic] = []
  private let events: YAMLEventStream
  var aliasedNodes = 0
  /// The last event before a syntax error, which says much about it.
  private var lastEvent: YAMLEvent.Outline?
  private var openFlowCollections: [Bool] = []
  private var eventCount = 0
  /// The number of errors beyond those that are kept.
  var uncollectedErrors = 0
  /// The error that ended the reading, unless that was a limit.
  private(set) var syntaxError: Diagnostic?
  /// Indicates whether the file has nothing but comments.
  var isEmpty = false
  /// The parts that are read as blanks: nothing is missing there.
  let broken: BrokenPieces

  /// - Parameter utf8: the source's text without its broken parts.
  init(source: SourceText, utf8: [UInt8], gaps: TagGaps, broken: BrokenPieces) {
    self.source = source
    origin = SourceRange(source, 0..<0)
    self.broken = broken
    events = YAMLEventStream(utf8, gaps)
  }

  /// Inserted spaces that are inside texts, which must be parsed without them.
  var wrongGaps: Set<Int> { events.wrongGaps }

  /// The diagnostics in the order of the file, up to a limit.
  var report: [Diagnostic] {
    let sorted = diagnostics.enumerated().sorted {
      ($0.element.range?.bytes.lowerBound ?? 0, $0.offset) < ($1.element.range?.bytes.lowerBound ?? 0, $1.offset)
    }.map(\.element)
    guard sorted.count > YAMLReader.errorLimit else { return sorted }
    let shown = sorted.prefix(YAMLReader.errorLimit)
    let others = sorted.count - shown.count + uncollectedErrors
    return shown + [.error(.limitExceeded, "\(others) more errors in this file", at: shown.last?.range)]
  }

  func composeFile() -> YAMLNode? {
    do throws(Stop) {
      _ = try next()
      let start = try next()
      guard case .documentStart = start.kind else { return reportEmptyFile() }
      let first = try next()
      if case .scalar(let text, .plain) = first.kind, text.isEmpty, first.tag == nil { return reportEmptyFile() }
      let root = try compose(first, depth: 0)
      resolveUndefinedAliases()
      _ = try next()
      let after = try next()
      if case .documentStart = after.kind {
        error(
          .yamlSyntax, "a second document begins here; a file holds one", at: after.bytes,
          help: "move it to a file of its own, or remove the `---`")
      }
      return root.node
    } catch {
      resolveUndefinedAliases()
      return nil
    }
  }

  private func reportEmptyFile() -> YAMLNode? {
    isEmpty = true
    error(
      .nothingToRun, "the file is empty", at: 0..<0,
      help: "write a request, at least `url: https://…`, or remove the file")
    return nil
  }

  func next() throws(Stop) -> YAMLEvent {
    do throws(YAMLSyntaxError) {
      let event = try events.next()
      lastEvent = event.outline
      eventCount += 1
      switch event.kind {
      case .sequenceStart(let isFlow), .mappingStart(let isFlow): openFlowCollections.append(isFlow)
      case .sequenceEnd, .mappingEnd: openFlowCollections.removeLast()
      default: break
      }
      if eventCount <= YAMLReader.nodeLimit { return event }
      error(
        .limitExceeded, "the file holds more than \(YAMLReader.nodeLimit) nodes", at: event.bytes,
        help: "keep large bodies in files of their own, as in `body: {file: …}`")
    } catch {
      reportSyntaxError(error)
    }
    throw Stop()
  }

  private func reportSyntaxError(_ error: YAMLSyntaxError) {
    let diagnostic = SyntaxDiagnosis(
      error: error, source: source, lastEvent: lastEvent, isWithinFlow: openFlowCollections.last ?? false
    ).diagnostic
    // Errors found in the same text, or for a value missing before it, have this cause.
    if let range = diagnostic.range {
      diagnostics.removeAll { $0.range.map { $0.bytes.overlaps(range.bytes) } ?? false }
      undefinedAliases.removeAll {
        $0.range.bytes.overlaps(range.bytes) || $0.range.bytes.upperBound == range.bytes.lowerBound
      }
      if let lastEvent, case .scalar(.plain, isEmpty: true) = lastEvent.kind, !lastEvent.hasTag,
        source.lineIndex(at: lastEvent.bytes.lowerBound) == source.lineIndex(at: range.bytes.lowerBound)
      {
        _ = diagnostics.popLast()
      }
    }
    stop(diagnostic)
  }

  /// Notes the error that ends the reading.
  func stop(_ diagnostic: Diagnostic) {
    syntaxError = diagnostic
    diagnostics.append(diagnostic)
  }

  func compose(_ event: YAMLEvent, depth: Int) throws(Stop) -> Composed {
    switch event.kind {
    case .alias(let name): return try composeAlias(name, event, depth: depth)
    case .scalar(let text, let style): return composeScalar(event, text: text, style: style)
    case .sequenceStart(let isFlow): return try composeSequence(event, isFlow: isFlow, depth: depth)
    case .mappingStart(let isFlow): return try composeMapping(event, isFlow: isFlow, depth: depth)
    default: preconditionFailure("libyaml begins no node with \(event.kind)")
    }
  }

  // MARK: Scalars

  private func composeScalar(_ event: YAMLEvent, text: String, style: YAMLScalar.Style) -> Composed {
    let content = contentRange(event)
    let tag = checkedTag(event)
    var hasError = event.tag != nil && tag == nil
    var meaning = YAMLScalar.Meaning.text(text)
    if style == .plain, text.isEmpty, event.tag == nil {
      let mark = event.bytes.lowerBound
      let isItem = mark > 0 && source.utf8[mark - 1] == UInt8(ascii: "-")
      if !broken.explainGap(at: mark) {
        error(
          .missingValue, isItem ? "this list item is empty" : "a value is missing here",
          at: isItem ? mark - 1..<mark : mark..<mark,
          help: isItem
            ? "write the item behind the `-`, or remove the `-`; `null` and `\"\"` are items, too"
            : "write `null` or `\"\"`")
      }
      (meaning, hasError) = (.null, true)
    } else if style == .plain, event.tag == nil, let inside = textInTypographicQuotes(text) {
      reportTypographicQuotes(inside, at: content)
      hasError = true
    } else {
      do throws(CoreSchema.Refusal) {
        if let tag {
          meaning = try tag.meaning(of: text, style: style)
        } else if style == .plain {
          meaning = try CoreSchema.meaning(ofPlain: text)
        }
      } catch {
        self.error(.invalidValue, error.message, at: content, help: error.help)
        hasError = true
      }
    }
    let localTag = localTag(tag, event)
    let node = YAMLNode(
      content: .scalar(YAMLScalar(meaning: meaning, style: style, text: text)),
      // `!uuid` is the whole node.
      range: style == .plain && text.isEmpty ? localTag?.range ?? range(content) : range(content),
      localTag: localTag, hasError: hasError)
    let composed = Composed(node: node, extent: Extent(end: content.upperBound))
    register(event.anchor, composed)
    return composed
  }

  /// The tag of a node; nil without one, and for an unknown one, which is reported.
  func checkedTag(_ event: YAMLEvent) -> YAMLTag? {
    guard let tag = event.tag else { return nil }
    if let known = YAMLTag(tag) { return known }
    let content = contentRange(event)
    let isScalar = if case .scalar = event.kind { true } else { false }
    let value = isScalar ? SourceRange(source, content).text : flowText(at: content.lowerBound)
    let refusal = YAMLTag.refusal(of: tag, before: value)
    error(.yamlTag, refusal.message, at: tagRange(event), help: refusal.help)
    return nil
  }

  /// The text of a short list or mapping in brackets that begins at an offset.
  private func flowText(at start: Int) -> String? {
    var depth = 0
    for (position, byte) in zip(start..., source.utf8[start...].prefix(80)) {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"), 0x0A: return nil
      default: break
      }
      if depth == 0 { return position > start ? source.text(in: start..<position + 1) : nil }
    }
    return nil
  }

  func localTag(_ tag: YAMLTag?, _ event: YAMLEvent) -> YAMLLocalTag? {
    guard case .local(let name, let isOptional)? = tag else { return nil }
    return YAMLLocalTag(name: name, isOptional: isOptional, range: range(tagRange(event)))
  }

  // MARK: Sequences

  private func composeSequence(_ event: YAMLEvent, isFlow: Bool, depth: Int) throws(Stop) -> Composed {
    try checkDepth(depth + 1, at: event.bytes)
    if let anchor = event.anchor { anchors[anchor] = .open }
    let tag = checkedTag(event)
    let refusal = tag?.refusal(ofCollection: "a list", isMapping: false)
    if let refusal { error(.yamlTag, refusal.message, at: tagRange(event), help: refusal.help) }
    let start = contentRange(event).lowerBound
    var extent = Extent(end: start, height: 1)
    var items: [YAMLNode] = []
    while true {
      let itemEvent = try next()
      if case .sequenceEnd = itemEvent.kind {
        if isFlow { extent.end = itemEvent.bytes.upperBound }
        break
      }
      let item = try compose(itemEvent, depth: depth + 1)
      items.append(item.node)
      extent.add(item.extent)
    }
    let node = YAMLNode(
      content: .sequence(items), range: range(start..<max(start, extent.end)), localTag: localTag(tag, event),
      hasError: refusal != nil || (tag == nil && event.tag != nil))
    let composed = Composed(node: node, extent: extent)
    register(event.anchor, composed)
    return composed
  }
}

extension YAMLComposer.Extent {
  /// Adds a child's extent.
  mutating func add(_ child: YAMLComposer.Extent) {
    size += child.size
    height = max(height, child.height + 1)
    end = max(end, child.end)
  }
}
