import Values

extension YAMLReader {
  /// Converts one document of foreign YAML to JSON, with the lenient core schema of YAML 1.2: `True`, `007` and keys
  /// without a value are accepted. Nil JSON if the bag has an error.
  ///
  /// Each value begins in the same line as in the YAML, so that places in the JSON are places in the YAML. Duplicate
  /// keys are kept.
  package static func json(
    bytes: [UInt8], name: String, into bag: inout DiagnosticBag
  ) -> (source: SourceText, json: [UInt8]?) {
    let decoded = decodedUTF8(bytes)
    let source = SourceText(name: name, utf8: decoded.utf8)
    guard decoded.problems.isEmpty else {
      for problem in decoded.problems {
        bag.error(.textEncoding, problem.message, at: SourceRange(source, problem.bytes), help: problem.help)
      }
      return (source, nil)
    }
    var transcoder = JSONTranscoder(source: source)
    do {
      return (source, try transcoder.transcode())
    } catch {
      bag.add(error)
      return (source, nil)
    }
  }
}

/// Converts libyaml's events to JSON, without recursion.
struct JSONTranscoder {
  /// The most bytes that aliases may stand for in all.
  static let aliasLimit = 16 << 20
  static let depthLimit = 256

  private typealias Member = (key: [UInt8], value: [UInt8])

  /// A value that is used again, without line breaks.
  private struct Fragment {
    var json: [UInt8]
    /// The members that a merge key takes: of a mapping, or of each mapping in a sequence.
    var mappings: [[Member]]
  }

  private struct Frame {
    let isMapping: Bool
    let anchor: String?
    let start: Int
    let isFlow: Bool
    var count = 0
    /// The key that waits for its value, as JSON.
    var key: [UInt8]?
    /// The length of the output before a merge key.
    var mergeStart: Int?
    var merged: [[Member]] = []
    /// The keys of a mapping and the places of their values; the mappings in a sequence.
    var members: [(key: [UInt8], value: Range<Int>)] = []
    var items: [[Member]] = []
  }

  private let source: SourceText
  private let events: YAMLEventStream
  private var output: [UInt8] = []
  private var line = 0
  private var frames: [Frame] = []
  private var anchors: [String: Fragment] = [:]
  private var aliasBytes = 0

  init(source: SourceText) {
    self.source = source
    events = YAMLEventStream(source.utf8, TagGaps([]))
    output.reserveCapacity(source.utf8.count + source.utf8.count / 4)
  }

  mutating func transcode() throws(Diagnostic) -> [UInt8] {
    var lastEvent: YAMLEvent.Outline?
    var documents = 0
    while true {
      let event: YAMLEvent
      do {
        event = try events.next()
      } catch {
        throw SyntaxDiagnosis(
          error: error, source: source, lastEvent: lastEvent, isWithinFlow: frames.last?.isFlow ?? false
        ).diagnostic
      }
      lastEvent = event.outline
      switch event.kind {
      case .streamStart, .documentEnd: break
      case .documentStart:
        documents += 1
        if documents > 1 { throw problem(.yamlSyntax, "a second document begins here; a file holds one", event) }
      case .streamEnd:
        guard documents > 0 else { throw problem(.yamlSyntax, "the file is empty", event) }
        return output
      case .scalar(let text, let style): try write(scalar: text, style, event)
      case .alias(let name):
        guard let fragment = anchors[name] else {
          throw problem(.yamlAnchor, "there is no anchor `&\(name)` before this", event)
        }
        try begin(event)
        let start = output.count
        output += fragment.json
        aliasBytes += fragment.json.count
        if aliasBytes > JSONTranscoder.aliasLimit {
          throw problem(.limitExceeded, "the aliases stand for more than \(JSONTranscoder.aliasLimit >> 20) MiB", event)
        }
        end(start..<output.count, anchor: nil) { fragment.mappings }
      case .mappingStart(let isFlow): try open(event, isMapping: true, isFlow)
      case .sequenceStart(let isFlow): try open(event, isMapping: false, isFlow)
      case .mappingEnd, .sequenceEnd: close()
      }
    }
  }

  private func problem(_ code: DiagnosticCode, _ message: String, _ event: YAMLEvent) -> Diagnostic {
    .error(code, message, at: SourceRange(source, event.bytes))
  }

  // MARK: collections

  private mutating func open(_ event: YAMLEvent, isMapping: Bool, _ isFlow: Bool) throws(Diagnostic) {
    try begin(event)
    guard frames.count < JSONTranscoder.depthLimit else {
      throw problem(.limitExceeded, "the file nests deeper than \(JSONTranscoder.depthLimit) levels", event)
    }
    frames.append(Frame(isMapping: isMapping, anchor: event.anchor, start: output.count, isFlow: isFlow))
    output.append(UInt8(ascii: isMapping ? "{" : "["))
  }

  private mutating func close() {
    guard var frame = frames.popLast() else { return }
    if !frame.merged.isEmpty { writeMerged(&frame) }
    output.append(UInt8(ascii: frame.isMapping ? "}" : "]"))
    let isMapping = frame.isMapping
    let written = output
    end(frame.start..<output.count, anchor: frame.anchor) {
      isMapping
        ? [frame.members.map { ($0.key, JSONTranscoder.oneLine(written[$0.value])) }]
        : frame.items
    }
  }

  /// Writes the members that merge keys bring, and the mapping does not have itself.
  private mutating func writeMerged(_ frame: inout Frame) {
    var known = Set(frame.members.map(\.key))
    for member in frame.merged.joined() where known.insert(member.key).inserted {
      if frame.count > 0 { output.append(UInt8(ascii: ",")) }
      frame.count += 1
      output += member.key
      output.append(UInt8(ascii: ":"))
      let start = output.count
      output += member.value
      frame.members.append((member.key, start..<output.count))
    }
  }

  /// Writes the text before a value: line breaks, the comma, the key.
  private mutating func begin(_ event: YAMLEvent) throws(Diagnostic) {
    guard let last = frames.indices.last else { return moveTo(event) }
    if frames[last].isMapping, frames[last].key == nil {
      throw problem(.yamlSyntax, "a key is text here", event)
    }
    if frames[last].key == JSONTranscoder.mergeKey { frames[last].mergeStart = output.count }
    if frames[last].count > 0 { output.append(UInt8(ascii: ",")) }
    if let key = frames[last].key {
      output += key
      output.append(UInt8(ascii: ":"))
    }
    moveTo(event)
  }

  private mutating func moveTo(_ event: YAMLEvent) {
    let wanted = source.lineIndex(at: event.bytes.lowerBound)
    while line < wanted {
      output.append(0x0A)
      line += 1
    }
  }

  /// Notes a finished value; `mappings` is what a merge key would take from it.
  private mutating func end(_ range: Range<Int>, anchor: String?, mappings: () -> [[Member]]) {
    if let anchor {
      anchors[anchor] = Fragment(json: JSONTranscoder.oneLine(output[range]), mappings: mappings())
    }
    guard let last = frames.indices.last else { return }
    if let start = frames[last].mergeStart {
      frames[last].merged += mappings()
      line -= output[start...].count { $0 == 0x0A }
      output.removeSubrange(start...)
      frames[last].mergeStart = nil
      frames[last].key = nil
      return
    }
    frames[last].count += 1
    if let key = frames[last].key {
      frames[last].members.append((key, range))
      frames[last].key = nil
    } else if frames.count > 1, frames[last].anchor != nil || frames[frames.count - 2].mergeStart != nil {
      frames[last].items += mappings()
    }
  }

  private static let mergeKey = Array("\"<<\"".utf8)

  private static func oneLine(_ json: ArraySlice<UInt8>) -> [UInt8] {
    json.filter { $0 != 0x0A }
  }

  // MARK: scalars

  private mutating func write(
    scalar text: String, _ style: YAMLScalar.Style, _ event: YAMLEvent
  ) throws(Diagnostic) {
    if let last = frames.indices.last, frames[last].isMapping, frames[last].key == nil {
      let key = Array("\"\(jsonEscaped(text))\"".utf8)
      // Only a plain `<<` merges.
      frames[last].key = key == JSONTranscoder.mergeKey && style != .plain ? Array("\"\\u003c<\"".utf8) : key
      if let anchor = event.anchor { anchors[anchor] = Fragment(json: key, mappings: []) }
      return
    }
    try begin(event)
    let start = output.count
    let isText = style != .plain || event.tag == "tag:yaml.org,2002:str" || event.tag == "!"
    if isText {
      writeText(text)
    } else {
      write(plain: text)
    }
    end(start..<output.count, anchor: event.anchor) { [] }
  }

  private mutating func writeText(_ text: String) {
    output.append(UInt8(ascii: "\""))
    output += jsonEscaped(text).utf8
    output.append(UInt8(ascii: "\""))
  }

  private mutating func write(plain text: String) {
    switch lenientMeaning(ofPlain: text) {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .number(let lexeme): output += lexeme.utf8
    case .text, .timestamp, .binary, .nonFinite: writeText(text)
    }
  }

  /// The meaning of a plain scalar, even if reqrun's own files may not spell it so.
  private func lenientMeaning(ofPlain text: String) -> YAMLScalar.Meaning {
    do {
      return try CoreSchema.meaning(ofPlain: text)
    } catch {
      switch text.lowercased() {
      case "true": return .bool(true)
      case "false": return .bool(false)
      case "null": return .null
      default: break
      }
      let sign = text.hasPrefix("-") ? "-" : ""
      var digits = text.drop { $0 == "+" || $0 == "-" }
      while digits.count > 1, digits.first == "0", digits.dropFirst().first?.isNumber == true { digits.removeFirst() }
      return (try? CoreSchema.meaning(ofPlain: sign + digits)) ?? .text(text)
    }
  }
}
