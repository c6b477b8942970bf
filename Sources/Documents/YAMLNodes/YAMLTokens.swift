import CLibYAML

/// One of libyaml's tokens with text, and the open collections at it.
struct YAMLToken {
  enum Kind: Hashable {
    case directive, documentStart, documentEnd
    /// `-`, `?`, `:` and `,`
    case item, key, value, separator
    case flowStart, flowEnd
    case alias, anchor, tag
    case scalar(YAMLScalar.Style)
  }

  let kind: Kind
  let bytes: Range<Int>
  /// A scalar's text without its quotes.
  let text: String
  /// The open block collections, the outermost first.
  let collections: [BlockCollection]
  /// Indicates whether a key of a mapping begins here.
  let isKey: Bool
}

/// A block mapping or sequence.
struct BlockCollection {
  let isMapping: Bool
  /// The offset of its first token.
  let start: Int
  /// Indicates whether its items are in the column of the keys around it, so that libyaml reports neither start nor
  /// end.
  var isLevelWithParent = false
}

/// The tokens of a text that was parsed without errors.
struct YAMLTokens {
  private var all: [YAMLToken] = []
  private var collections: [BlockCollection] = []
  private var flowDepth = 0
  private var isKey = false

  private init() {}

  static func of(_ utf8: [UInt8]) throws(YAMLSyntaxError) -> [YAMLToken] {
    var gaps = TagGaps(utf8)
    while true {
      var tokens = YAMLTokens()
      let parser = YAMLEventParser(utf8, gaps)
      while try tokens.add(parser) {}
      if parser.wrongGaps.isEmpty { return tokens.all }
      gaps.remove(parser.wrongGaps)
    }
  }

  /// Takes the next token; false at the end of the text.
  private mutating func add(_ parser: YAMLEventParser) throws(YAMLSyntaxError) -> Bool {
    var token = yaml_token_t()
    guard yaml_parser_scan(parser.parser, &token) == 1 else { throw parser.syntaxError }
    defer { yaml_token_delete(&token) }
    let start = parser.sourceOffset(token.start_mark)
    let bytes = start..<max(start, parser.sourceOffset(token.end_mark))
    switch token.type {
    case YAML_STREAM_END_TOKEN, YAML_NO_TOKEN: return false
    case YAML_VERSION_DIRECTIVE_TOKEN, YAML_TAG_DIRECTIVE_TOKEN: append(.directive, bytes)
    case YAML_DOCUMENT_START_TOKEN: append(.documentStart, bytes)
    case YAML_DOCUMENT_END_TOKEN: append(.documentEnd, bytes)
    case YAML_BLOCK_SEQUENCE_START_TOKEN: collections.append(BlockCollection(isMapping: false, start: start))
    case YAML_BLOCK_MAPPING_START_TOKEN: collections.append(BlockCollection(isMapping: true, start: start))
    case YAML_BLOCK_END_TOKEN:
      endLevelSequence()
      _ = collections.popLast()
    case YAML_FLOW_SEQUENCE_START_TOKEN, YAML_FLOW_MAPPING_START_TOKEN:
      append(.flowStart, bytes)
      flowDepth += 1
    case YAML_FLOW_SEQUENCE_END_TOKEN, YAML_FLOW_MAPPING_END_TOKEN:
      append(.flowEnd, bytes)
      flowDepth -= 1
    case YAML_BLOCK_ENTRY_TOKEN:
      if collections.last?.isMapping ?? true {
        collections.append(BlockCollection(isMapping: false, start: start, isLevelWithParent: true))
      }
      append(.item, bytes)
    case YAML_FLOW_ENTRY_TOKEN: append(.separator, bytes)
    case YAML_KEY_TOKEN:
      if flowDepth == 0 { endLevelSequence() }
      isKey = true
      if !bytes.isEmpty { append(.key, bytes) }
    case YAML_VALUE_TOKEN: append(.value, bytes)
    case YAML_ALIAS_TOKEN: append(.alias, bytes)
    case YAML_ANCHOR_TOKEN: append(.anchor, bytes)
    case YAML_TAG_TOKEN: append(.tag, bytes)
    case YAML_SCALAR_TOKEN:
      let scalar = token.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      parser.noteGaps(inside: bytes)
      append(.scalar(parser.style(scalar.style)), bytes, text)
    default: break
    }
    return true
  }

  private mutating func endLevelSequence() {
    if collections.last?.isLevelWithParent == true { collections.removeLast() }
  }

  private mutating func append(_ kind: YAMLToken.Kind, _ bytes: Range<Int>, _ text: String = "") {
    all.append(YAMLToken(kind: kind, bytes: bytes, text: text, collections: collections, isKey: isKey))
    isKey = false
  }
}
