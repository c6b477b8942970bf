import CLibYAML
import OperatingSystem

/// One of libyaml's events, with its positions as UTF-8 offsets.
struct YAMLEvent: Sendable {
  enum Kind: Sendable {
    case streamStart
    case streamEnd
    case documentStart
    case documentEnd
    case alias(String)
    case scalar(text: String, style: YAMLScalar.Style)
    case sequenceStart(isFlow: Bool)
    case sequenceEnd
    case mappingStart(isFlow: Bool)
    case mappingEnd
  }

  let kind: Kind
  let anchor: String?
  let tag: String?
  let bytes: Range<Int>
}

extension YAMLEvent {
  /// The part of an event that describes an error right after it: without its texts, since it is kept for each event.
  struct Outline {
    enum Kind {
      case scalar(YAMLScalar.Style, isEmpty: Bool)
      case alias, collectionEnd, other
    }

    let kind: Kind
    let hasTag: Bool
    let bytes: Range<Int>
  }

  var outline: Outline {
    let kind: Outline.Kind =
      switch kind {
      case .scalar(let text, let style): .scalar(style, isEmpty: text.isEmpty)
      case .alias: .alias
      case .sequenceEnd, .mappingEnd: .collectionEnd
      default: .other
      }
    return Outline(kind: kind, hasTag: tag != nil, bytes: bytes)
  }
}

/// The place and the reason of a syntax error, as libyaml has them.
struct YAMLSyntaxError: Error {
  let context: String
  let contextOffset: Int
  let problem: String
  let problemOffset: Int
}

/// The events of one text; those of a long one are parsed ahead on a thread of their own.
final class YAMLEventStream {
  /// The number of bytes that is worth a thread.
  private static let longText = 32 << 10

  private let parser: YAMLEventParser
  private let queue: YAMLEventQueue?

  init(_ source: [UInt8], _ gaps: TagGaps) {
    parser = YAMLEventParser(source, gaps)
    // The wrong gaps are known only after all events.
    let isLong = source.count >= Self.longText && gaps.isEmpty && processorCount > 1
    queue = isLong ? YAMLEventQueue(parser) : nil
  }

  deinit { queue?.stop() }

  /// Inserted spaces that are inside a text, not after a tag.
  var wrongGaps: Set<Int> { parser.wrongGaps }

  func next() throws(YAMLSyntaxError) -> YAMLEvent {
    if let queue { try queue.next() } else { try parser.next() }
  }
}

/// Owns libyaml's parser.
// Unchecked: it is created on one thread and used by one, this or another.
final class YAMLEventParser: @unchecked Sendable {
  // On the heap: libyaml keeps pointers into the structure.
  let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let offsets: ScalarOffsets
  private let gaps: TagGaps
  /// Inserted spaces that are inside a text, not after a tag.
  private(set) var wrongGaps: Set<Int> = []
  /// Indicates whether the last event was returned.
  private(set) var isAtEnd = false

  init(_ source: [UInt8], _ gaps: TagGaps) {
    self.gaps = gaps
    let utf8 = gaps.applied(to: source)
    parser = .allocate(capacity: 1)
    input = .allocate(capacity: utf8.count)
    _ = input.initialize(from: utf8)
    offsets = ScalarOffsets(utf8)
    let isReady = yaml_parser_initialize(parser) == 1
    precondition(isReady, "out of memory")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  func next() throws(YAMLSyntaxError) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError }
    defer { yaml_event_delete(&event) }
    let start = sourceOffset(event.start_mark)
    let end = sourceOffset(event.end_mark)
    var anchor: String?
    var tag: String?
    let kind: YAMLEvent.Kind
    switch event.type {
    case YAML_STREAM_START_EVENT: kind = .streamStart
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
    case YAML_ALIAS_EVENT: kind = .alias(text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      (anchor, tag) = (text(scalar.anchor), text(scalar.tag))
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      kind = .scalar(text: String(decoding: bytes, as: UTF8.self), style: style(scalar.style))
      noteGaps(inside: start..<max(start, end))
    case YAML_SEQUENCE_START_EVENT:
      let sequence = event.data.sequence_start
      (anchor, tag) = (text(sequence.anchor), text(sequence.tag))
      kind = .sequenceStart(isFlow: sequence.style == YAML_FLOW_SEQUENCE_STYLE)
    case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let mapping = event.data.mapping_start
      (anchor, tag) = (text(mapping.anchor), text(mapping.tag))
      kind = .mappingStart(isFlow: mapping.style == YAML_FLOW_MAPPING_STYLE)
    case YAML_MAPPING_END_EVENT: kind = .mappingEnd
    default:
      kind = .streamEnd
      isAtEnd = true
    }
    return YAMLEvent(kind: kind, anchor: anchor, tag: tag, bytes: start..<max(start, end))
  }

  /// Notes that gaps inside of a text are none.
  func noteGaps(inside text: Range<Int>) {
    if !gaps.isEmpty { wrongGaps.formUnion(gaps.offsets(inside: text)) }
  }

  func sourceOffset(_ mark: yaml_mark_t) -> Int {
    gaps.sourceOffset(offsets.byteOffset(ofScalar: Int(mark.index)))
  }

  var syntaxError: YAMLSyntaxError {
    let state = parser.pointee
    return YAMLSyntaxError(
      context: YAMLNodes.text(ofCString: state.context),
      contextOffset: sourceOffset(state.context_mark),
      problem: state.error == YAML_MEMORY_ERROR ? "out of memory" : YAMLNodes.text(ofCString: state.problem),
      problemOffset: sourceOffset(state.problem_mark))
  }

  private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let pointer else { return nil }
    return pointer.withMemoryRebound(to: CChar.self, capacity: 1) { YAMLNodes.text(ofCString: $0) }
  }

  func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }
}

/// Converts libyaml's positions, which count Unicode scalars, to UTF-8 offsets.
struct ScalarOffsets {
  private static let interval = 32

  private let utf8: [UInt8]
  /// The offset of every 32nd scalar; empty if all are ASCII.
  private var checkpoints: [Int] = []

  init(_ utf8: [UInt8]) {
    self.utf8 = utf8
    guard utf8.contains(where: { $0 >= 0x80 }) else { return }
    var scalar = 0
    for (offset, byte) in utf8.enumerated() where byte & 0xC0 != 0x80 {
      if scalar % ScalarOffsets.interval == 0 { checkpoints.append(offset) }
      scalar += 1
    }
  }

  func byteOffset(ofScalar index: Int) -> Int {
    guard !checkpoints.isEmpty else { return min(index, utf8.count) }
    let checkpoint = index / ScalarOffsets.interval
    guard checkpoint < checkpoints.count else { return utf8.count }
    var offset = checkpoints[checkpoint]
    var remaining = index % ScalarOffsets.interval
    while remaining > 0, offset < utf8.count {
      offset += 1
      while offset < utf8.count, utf8[offset] & 0xC0 == 0x80 { offset += 1 }
      remaining -= 1
    }
    return offset
  }
}
