import Values

/// The places of nodes in the source, and the diagnostics there.
extension YAMLComposer {
  func error(
    _ code: DiagnosticCode, _ message: String, at bytes: Range<Int>, notes: [Diagnostic.Note] = [], help: String? = nil
  ) {
    guard diagnostics.count < YAMLReader.collectedErrorLimit else {
      uncollectedErrors += 1
      return
    }
    diagnostics.append(.error(code, message, at: range(bytes), notes: notes, help: help))
  }

  func range(_ bytes: Range<Int>) -> SourceRange { origin.moved(to: bytes) }

  /// A stand-in for a node that could not be read.
  func standIn(_ range: SourceRange, useSite: SourceRange? = nil) -> YAMLNode {
    YAMLNode(
      content: .scalar(YAMLScalar(meaning: .null, style: .plain, text: "")), range: range, useSite: useSite,
      hasError: true)
  }

  /// The event's range without tag and anchor, and without the line breaks at the end of a block scalar.
  func contentRange(_ event: YAMLEvent) -> Range<Int> {
    let utf8 = source.utf8
    var start = event.bytes.lowerBound
    var properties = (event.tag == nil ? 0 : 1) + (event.anchor == nil ? 0 : 1)
    while properties > 0, start < utf8.count {
      start = NodeProperty.end(in: utf8, at: start)
      properties -= 1
      start = NodeProperty.skipSeparation(in: utf8, from: start)
    }
    var end = max(event.bytes.upperBound, event.bytes.lowerBound)
    if case .scalar(let text, let style) = event.kind {
      if style == .literal || style == .folded {
        while end > start, isSpace(utf8[end - 1]) { end -= 1 }
      } else if text.isEmpty, style == .plain {
        return end..<end
      }
    }
    start = min(start, utf8.count)
    return start..<max(start, end)
  }

  func tagRange(_ event: YAMLEvent) -> Range<Int> {
    NodeProperty.tagRange(in: source.utf8, from: event.bytes.lowerBound) ?? event.bytes
  }
}
