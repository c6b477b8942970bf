import Transfers
import Values
import YAMLNodes

/// `upload` while it is read.
struct UploadDraft {
  var file: Field<FileReference>?
  var style: Field<UploadStyle>?
  var field: Field<Text>?
  var fields: Field<[SegmentField]>?
  var segments: SegmentSpec?

  static let keys = Keys<UploadDraft>(
    [
      Key("file", "the file that is sent", synonyms: "path from", .field(.filePath)) { $0.file = $1 },
      Key("style", "`content_range` (PUT), or `multipart` (POST)", .field(.word())) { $0.style = $1 },
      Key("field", "the form's field with the file, or a piece of it", synonyms: "name", .field(.text)) {
        $0.field = $1
      },
      Key(
        "fields", "the form's other fields: `dropzone`, `resumable`, `content_range`, or names and what each contains",
        .field(.segmentFields)
      ) { $0.fields = $1 },
      Key(
        "segments", "the size of the segments that the file is sent in, and how many are sent in parallel",
        synonyms: "chunks", SegmentSpec.keys.shape().or(.null)
      ) { $2.segments = $0.segments($1.value) },
    ],
    advice: [
      "size": "write it under `segments:`", "parallel": "write it under `segments:`",
      "retry": "write it under `segments:`", "method": "write it beside `upload:`",
      "type": "write a `Content-Type` under `headers:`", "to": "write the `url` beside `upload:`",
    ], shape: "{file: …}")
}

extension SegmentSpec {
  fileprivate static let keys = Keys<SegmentSpec>(
    [
      Key("size", "the size of each segment; `auto` adapts it to the connection", .field(.segmentSize)) {
        $0.size = $1
      },
      Key("parallel", "how many are sent in parallel", synonyms: "jobs count", .field(.integer(1...64))) {
        $0.parallel = $1
      },
      Key("retry", "how often a segment is sent again", synonyms: "retries attempts", .field(.integer(0...100))) {
        $0.retry = $1
      },
    ], shape: "{size: 1MiB, parallel: 4}: the size of each, and how many are sent at a time")
}

extension SpecReader {
  mutating func upload(_ node: YAMLNode) -> UploadSpec? {
    var draft = UploadDraft()
    let path = node.plainText.map { "{file: \($0.utf8.count < 80 ? node.range.text : "…")}" }
    let isSound = visit(node, as: "`upload`", keys: UploadDraft.keys, instead: path, into: &draft)
    guard let file = draft.file else {
      if isSound {
        bag.error(.missingKey, "`upload` needs `file`", at: node.range, help: "write {file: …}")
      }
      return nil
    }
    return UploadSpec(
      file: file, style: draft.style, field: draft.field, fields: draft.fields, segments: draft.segments,
      range: node.range)
  }

  fileprivate mutating func segments(_ node: YAMLNode) -> SegmentSpec? {
    if node.isNull { return nil }
    var segments = SegmentSpec()
    var instead: String?
    switch node.scalar?.meaning {
    case .text(let text)? where text == "auto" || parseSize(text) != nil: instead = "{size: \(text)}"
    case .bool(true)?: instead = "{size: auto}"
    default: break
    }
    visit(node, as: "`segments`", keys: SegmentSpec.keys, instead: instead, into: &segments)
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
        throw DecodingProblem(
          .invalidValue, "a segment has at least one byte", help: "write a size such as 8MiB, or `auto`")
      }
      return .fixed(size)
    }
  }
}

extension ValueDecoder where Output == [SegmentField] {
  /// `dropzone`, `resumable`, `content_range`, or names with their values.
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
            .conflictingKeys, "segments without fields cannot be distinguished",
            help: "write `content_range` for the header alone"
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
