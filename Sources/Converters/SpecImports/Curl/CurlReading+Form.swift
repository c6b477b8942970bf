/// The parts of `--form` and `--form-string`.
extension CurlReading {
  mutating func addPart(_ argument: CurlArgument) {
    let isPlain = argument.option.name == "form-string"
    guard let (name, content) = argument.value.split(at: "="), !name.isEmpty else {
      return remark("parts without a name", argument)
    }
    if isPlain {
      parts.append(.init(name: name, content: .text(content)))
    } else if content.hasPrefix("@") || content.hasPrefix("<") {
      addFiles(name, content.dropFirst(1), isText: content.hasPrefix("<"), argument)
    } else if content.hasPrefix("(") || content.literal == "" && name.literal == ")" {
      remark("parts of parts", argument)
    } else if let value = content.formValues(separator: nil).first {
      add(.init(name: name, content: .text(value.text)), value.settings, argument)
    }
  }

  private mutating func addFiles(_ name: ImportedText, _ text: ImportedText, isText: Bool, _ argument: CurlArgument) {
    let files = text.formValues(separator: isText ? nil : ",")
    if files.count > 1 { remark("several files in one part", argument) }
    for file in files {
      var part = ImportedRequest.Part(name: name, content: content(file.text, isText: isText, argument))
      if case .file(let path) = part.content, let type = Self.type(of: path) { part.type = ImportedText(type) }
      add(part, file.settings, argument)
    }
  }

  private mutating func content(
    _ file: ImportedText, isText: Bool, _ argument: CurlArgument
  ) -> ImportedRequest.Part.Content {
    var path = file
    if file.literal == "-" {
      switch input {
      case .file(let file)?: path = file
      case .text(let text)?: return .text(text)
      case .unknown, nil:
        remark("bodies from standard input", argument)
        return .text("")
      }
    }
    guard isText else { return .file(path) }
    return .text(ImportedText(path.literal.map { .expression(fileExpression($0)) } ?? .unknown("<\(path.source)")))
  }

  /// The type that curl sends where a spec's table of endings would have another one.
  private static func type(of path: ImportedText) -> String? {
    guard let name = path.literal?.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return nil }
    let known = [".gif", ".jpg", ".jpeg", ".png", ".svg", ".txt", ".htm", ".html", ".pdf", ".xml"]
    return known.contains(name[dot...].lowercased()) ? nil : "application/octet-stream"
  }

  private mutating func add(
    _ part: ImportedRequest.Part, _ settings: [(name: String, value: ImportedText)], _ argument: CurlArgument
  ) {
    var part = part
    for (name, value) in settings {
      switch name {
      case "type": part.type = value
      case "filename": part.filename = value
      default: remark("headers and encodings of parts", argument)
      }
    }
    parts.append(part)
  }
}

extension ImportedText {
  /// The values of a part of a form with their settings, such as `;type=text/plain`. Both may be in double quotes.
  ///
  /// - Parameter separator: the character between several values; nil for one value.
  fileprivate func formValues(
    separator: Character?
  ) -> [(text: ImportedText, settings: [(name: String, value: ImportedText)])] {
    var results: [(text: ImportedText, settings: [(name: String, value: ImportedText)])] = []
    var rest = marked[...]
    repeat {
      if !results.isEmpty { rest.removeFirst() }
      let text = unmarked(formValue(&rest, separator))
      var settings: [(name: String, value: ImportedText)] = []
      while let match = rest.prefixMatch(of: formSetting) {
        rest = rest[match.range.upperBound...]
        settings.append((String(match.output.1), unmarked(formValue(&rest, separator)).trimmed))
      }
      results.append((text, settings))
    } while !rest.isEmpty
    return results
  }

  /// Takes a value up to a setting or a separator.
  private func formValue(_ rest: inout Substring, _ separator: Character?) -> String {
    var value = ""
    var isQuoted = false
    while let character = rest.first {
      if !isQuoted, character == separator { break }
      if !isQuoted, character == ";", rest.prefixMatch(of: formSetting) != nil { break }
      rest.removeFirst()
      if isQuoted, character == "\\", let next = rest.first, "\"\\".contains(next) {
        value.append(rest.removeFirst())
      } else if character == "\"", isQuoted || value.isEmpty {
        isQuoted.toggle()
      } else {
        value.append(character)
      }
    }
    return value
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let formSetting = /; *(type|filename|headers|encoder)=/
