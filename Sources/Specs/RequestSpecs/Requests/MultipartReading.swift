import Matching
import Values
import YAMLNodes

/// A part that is a mapping, while it is read.
struct PartDraft {
  var content: PartSpec.Content?
  var filename: Field<Text>?
  var type: Field<Text>?

  static let keys = Keys<PartDraft>(
    [
      Key("file", "the file that is sent", synonyms: "path", ValueDecoder<FileReference>.filePath.shape.orTemplate) {
        reader, member, part in
        reader.checkOnly(member, part)
        part.content = reader.partFile(member.value)
      },
      Key("value", "what is sent, unless it is a file", synonyms: "text data", .anything) { reader, member, part in
        reader.checkOnly(member, part)
        part.content = reader.valueTemplate(member.value).map { .value($0) }
      },
      Key("filename", "the file name that is sent", synonyms: "file_name", .field(.text)) { $0.filename = $1 },
      Key("type", "the part's media type", synonyms: "content_type", .field(.contentType)) { $0.type = $1 },
    ],
    advice: [
      "headers": "a part has the headers that `filename` and `type` make", "name": "the name of a part is its key",
      "json": "write `value`, and `type: application/json`",
    ])

  /// One part, or several of one name.
  static var shape: SchemaShape { SchemaShape.scalar.or(keys.shape()).orList }
}

private let partHelp = "a part is text, a number, true or false, {file: …}, {value: …}, or a list of these"

extension SpecReader {
  mutating func multipart(_ node: YAMLNode) -> KeyedSettings<[PartSpec]> {
    checkSwallowedKeys(node, as: "multipart")
    return keyed(node, as: "multipart", nullRemoves: false) { reader, member in
      guard let items = member.value.items else { return reader.part(member.value).map { [$0] } }
      let parts = items.compactMap { reader.part($0) }
      return parts.count == items.count ? parts : nil
    }
  }

  private mutating func part(_ node: YAMLNode) -> PartSpec? {
    guard isUsable(node) else { return nil }
    if node.members != nil { return partMapping(node) }
    if let path = node.fileAfterAt {
      warn(
        .suspiciousBody, "this text is sent as it stands, with its `@`", at: node,
        help: "write {file: \(path)} for what is in the file")
    }
    guard node.scalar != nil, !node.isNull else {
      return reject(.wrongType, "a part cannot be \(node.kindPhrase)", at: node, help: partHelp)
    }
    return valueTemplate(node, nonFinite: .text).map { PartSpec(.value($0), range: node.range) }
  }

  fileprivate mutating func checkOnly(_ member: YAMLMember, _ part: PartDraft) {
    guard part.content != nil else { return }
    bag.error(.conflictingKeys, "a part is either `file` or `value`", at: member.keyRange, help: "remove one of them")
  }

  fileprivate mutating func partFile(_ node: YAMLNode) -> PartSpec.Content? {
    if let items = node.items, isUsable(node) {
      let parts = items.prefix(3).map { "{file: \($0.plainText ?? "…")}" }
      return reject(
        .wrongType, "`file` of a part is one path, found a list", at: node,
        help: "several files of one name are a list of parts: [\(parts.joined(separator: ", "))"
          + (items.count > 3 ? ", …]" : "]"))
    }
    return field(node, .filePath).map { .file($0) }
  }

  private mutating func partMapping(_ node: YAMLNode) -> PartSpec? {
    var draft = PartDraft()
    let isSound = visit(node, as: "a part", keys: PartDraft.keys, into: &draft)
    guard isSound else { return nil }
    guard let content = draft.content else {
      return reject(.missingKey, "a part needs `file` or `value`", at: node, help: partHelp)
    }
    if case .value(let value) = content, value.literal?.kind == .null {
      return reject(.wrongType, "a part cannot be null", at: value.range, help: "write \"\" for an empty one")
    }
    var part = PartSpec(content, range: node.range)
    part.filename = draft.filename
    if let name = draft.filename, let text = name.literal?.string, let slash = text.lastIndex(of: "/") {
      bag.warning(
        .suspiciousBody, "servers take the last part of a path alone (RFC 7578, section 4.2)", at: name.range,
        help: "write `\(jsonEscaped(String(text[text.index(after: slash)...])))`")
    }
    part.type = draft.type
    return part
  }
}

extension ValueDecoder where Output == Text {
  /// A media type with its parameters, as it is sent.
  static var contentType: ValueDecoder {
    ValueDecoder("a media type such as image/png", mediaRange.shape) { value throws(DecodingProblem) in
      let text = try mediaRange.decode(value)
      guard text.string.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }),
        !text.string.prefix(while: { $0 != ";" }).contains("*")
      else {
        throw DecodingProblem(
          .invalidValue, "\"\(jsonEscaped(text.masked))\" is not a media type that can be sent",
          help: "write both of its parts, such as image/png")
      }
      return text
    }
  }
}
