import Diagnostics
import Transfers
import Values
import YAMLNodes

private let uploadKeys = KeyTable(
  known: ["file", "style", "field", "fields", "segments"],
  synonyms: ["path": "file", "from": "file", "chunks": "segments", "name": "field"],
  advice: [
    "size": "write it under `segments:`", "parallel": "write it under `segments:`",
    "retry": "write it under `segments:`", "method": "write it beside `upload:`",
    "type": "write a `Content-Type` under `headers:`", "to": "write the `url` beside `upload:`",
  ],
  shape: "{file: …}")

private let segmentKeys = KeyTable(
  known: ["size", "parallel", "retry"],
  synonyms: ["retries": "retry", "attempts": "retry", "jobs": "parallel", "count": "parallel"],
  shape: "{size: 1MiB, parallel: 4}: the size of each, and how many are sent at a time")

extension SpecReader {
  mutating func upload(_ node: YAMLNode) -> Setting<UploadSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    let errorsBefore = bag.errorCount
    var file: Field<FileReference>?
    var style: Field<UploadStyle>?
    var field: Field<Text>?
    var fields: Field<[SegmentField]>?
    var segments: SegmentSpec?
    let path = node.plainText.map { "{file: \($0.utf8.count < 80 ? node.range.text : "…")}" }
    visit(node, as: "`upload`", keys: uploadKeys, instead: path) { reader, member in
      switch member.key {
      case "file": file = reader.field(member.value, .filePath)
      case "style": style = reader.field(member.value, .word())
      case "field": field = reader.field(member.value, .text)
      case "fields": fields = reader.field(member.value, .segmentFields)
      default: segments = reader.segments(member.value)
      }
    }
    guard let file else {
      if bag.errorCount == errorsBefore, !node.hasError {
        bag.error("`upload` needs `file`", at: node.range, help: "write {file: …}")
      }
      return .inherited
    }
    return .given(
      UploadSpec(file: file, style: style, field: field, fields: fields, segments: segments, range: node.range))
  }

  private mutating func segments(_ node: YAMLNode) -> SegmentSpec? {
    if node.isNull { return nil }
    var segments = SegmentSpec()
    var instead: String?
    switch node.scalar?.meaning {
    case .text(let text)? where text == "auto" || parseSize(text) != nil: instead = "{size: \(text)}"
    case .bool(true)?: instead = "{size: auto}"
    default: break
    }
    visit(node, as: "`segments`", keys: segmentKeys, instead: instead) { reader, member in
      switch member.key {
      case "size": segments.size = reader.field(member.value, .segmentSize)
      case "parallel": segments.parallel = reader.field(member.value, .integer(1...64))
      default: segments.retry = reader.field(member.value, .integer(0...100))
      }
    }
    return segments
  }
}

extension ValueDecoder where Output == SegmentSize {
  /// `auto`, or a size.
  static var segmentSize: ValueDecoder {
    ValueDecoder(
      "auto, or a size such as 8MiB or a number of bytes", ValueDecoder<Int64>.size.shape.or(.words(["auto"]))
    ) { value throws(DecodingProblem) in
      if case .text(let text) = value, text.string == "auto" { return .automatic }
      guard let size = try? ValueDecoder<Int64>.size.decode(value) else { return nil }
      guard size > 0 else {
        throw DecodingProblem("a segment has at least one byte", help: "write a size such as 8MiB, or `auto`")
      }
      return .fixed(size)
    }
  }
}

extension ValueDecoder where Output == [SegmentField] {
  /// `dropzone`, `resumable`, `content_range`, or names with what they tell.
  static var segmentFields: ValueDecoder {
    let content = ValueDecoder<SegmentField.Content>.word()
    return ValueDecoder(
      "dropzone, resumable, content_range or a mapping of names such as {part: index}",
      .any([.words(["dropzone", "resumable", "content_range"]), .names(of: content.shape)])
    ) {
      value throws(DecodingProblem) in
      switch value {
      case .text(let text):
        switch text.string {
        case "dropzone": return SegmentField.dropzone
        case "resumable": return SegmentField.resumable
        // The header alone.
        case "content_range": return []
        default: throw unknownWord(text, among: ["dropzone", "resumable", "content_range"])
        }
      case .mapping(let mapping):
        guard !mapping.members.isEmpty else {
          throw DecodingProblem(
            "segments without fields cannot be told from each other", help: "write `content_range` for the header alone"
          )
        }
        var fields: [SegmentField] = []
        for member in mapping.members {
          fields.append(SegmentField(member.key.string, try content.decode(member.value)))
        }
        return fields
      default: return nil
      }
    }
  }
}
