import Templates
import Values

package enum BodySpec: Sendable {
  case form(KeyedSettings<ValueTemplate>, range: SourceRange)
  case json(ValueTemplate)
  case text(Field<Text>)
  case base64(Field<Text>)
  /// A file that is read while it is sent.
  case file(Field<FileReference>)
  /// A file with templates.
  case textFile(TextFile)
  case multipart(KeyedSettings<[PartSpec]>, range: SourceRange)
  /// - Parameter connection: the payload of the first message, where a WebSocket takes the query.
  case graphQL(
    query: TextSource, variables: ValueTemplate?, operation: Field<Text>?, connection: ValueTemplate?,
    range: SourceRange)

  package var range: SourceRange {
    switch self {
    case .form(_, let range), .multipart(_, let range), .graphQL(_, _, _, _, let range): range
    case .json(let value): value.range
    case .text(let field), .base64(let field): field.range
    case .file(let path): path.range
    case .textFile(let file): file.range
    }
  }

  /// The files that are read as text.
  package var textFiles: [TextFile] {
    switch self {
    case .textFile(let file), .graphQL(.file(let file), _, _, _, _): [file]
    default: []
    }
  }

  /// The texts that may be the names of files, each with what to write for the file.
  package var possibleFiles: [(name: String, range: SourceRange, help: String)] {
    func file(_ value: Value?, _ range: SourceRange, _ form: String) -> [(String, SourceRange, String)] {
      guard case .text(let text)? = value, text.string.utf8.count < 100, text.string.dropFirst().contains("."),
        text.string.utf8.allSatisfy({ isWordCharacter($0) || "-./".utf8.contains($0) })
      else { return [] }
      return [(text.string, range, form.replacing("…", with: text.string))]
    }
    switch self {
    case .text(let field): return file(field.literal.map { .text($0) }, field.range, "write `body: {file: …}`")
    case .json(let value):
      let help = "write `body: {file: …}`, and `Content-Type` under `headers:`"
      if case .text? = value.literal { return file(value.literal, value.range, help) }
      guard case .mapping(let members)? = value.literal, members.count == 1 else { return [] }
      return file(members["file"], value.range, help)
    case .multipart(let parts, _):
      return parts.entries.flatMap { $0.value ?? [] }.flatMap { part in
        guard case .value(let value) = part.content else { return file(nil, part.range, "") }
        return file(value.literal, value.range, "write `{file: …}`")
      }
    case .graphQL(.field(let query), _, _, _, _):
      return file(query.literal.map { .text($0) }, query.range, "write `query: {file: …}`")
    case .form, .base64, .file, .textFile, .graphQL: return []
    }
  }

  /// The paths of the files that are read when the request is sent.
  package var files: [Field<FileReference>] {
    switch self {
    case .form, .json, .text, .base64, .graphQL(.field, _, _, _, _): []
    case .file(let path): [path]
    case .textFile(let file), .graphQL(.file(let file), _, _, _, _): file.fillsIn ? [] : [file.path]
    case .multipart(let parts, _):
      parts.entries.flatMap { $0.value ?? [] }.compactMap { part in
        if case .file(let path) = part.content { path } else { nil }
      }
    }
  }

  /// Indicates whether the body depends on a file that an earlier request may write.
  package var readsFiles: Bool {
    switch self {
    case .form, .json, .text, .base64, .graphQL(.field, _, _, _, _): false
    case .file: true
    case .textFile(let file), .graphQL(.file(let file), _, _, _, _): file.template == nil
    case .multipart(let parts, _): parts.entries.contains { $0.value?.contains { $0.isFile } ?? false }
    }
  }
}

/// Text in the spec itself, or in a file.
package enum TextSource: Sendable {
  case field(Field<Text>)
  case file(TextFile)

  var templates: [Template] {
    switch self {
    case .field(let field): field.templates
    case .file(let file): file.templates
    }
  }
}

/// One part of a `multipart` body.
package struct PartSpec: Sendable {
  package enum Content: Sendable {
    case value(ValueTemplate)
    case file(Field<FileReference>)
  }

  package let content: Content
  package var filename: Field<Text>?
  package var type: Field<Text>?
  package let range: SourceRange

  init(_ content: Content, range: SourceRange) {
    self.content = content
    self.range = range
  }

  var isFile: Bool { if case .file = content { true } else { false } }

  package var templates: [Template] {
    let own =
      switch content {
      case .value(let value): value.templates
      case .file(let path): path.templates
      }
    return own + (filename?.templates ?? []) + (type?.templates ?? [])
  }
}
