import HTTPSemantics
import Values

/// A use of an option in a command line.
struct CurlArgument: Sendable {
  let option: CurlOption
  /// The option as it is written.
  let source: String
  /// False for `--no-…`.
  var isOn = true
  var value = ImportedText()
}

/// The arguments of one operation: those up to `--next`.
struct CurlOperation: Sendable {
  var arguments: [CurlArgument] = []
  var urls: [ImportedText] = []
  /// The files for `--upload-file`, each for the URL at its place.
  var uploads: [ImportedText] = []
  var untranslated: [Untranslated] = []

  static let unknownOptions = "unknown options"

  /// The operations of a command line, from the words after the command's name.
  static func all(in words: ArraySlice<ImportedText>) -> [CurlOperation] {
    var reader = CurlArgumentReader(rest: words)
    return reader.read()
  }

  func has(_ name: String) -> Bool { argument(name)?.isOn ?? false }

  func argument(_ name: String) -> CurlArgument? { arguments.last { $0.option.name == name } }

  func value(_ name: String) -> ImportedText? { argument(name)?.value }

  /// Indicates that curl sends nothing, since the options want different kinds of requests.
  var isContradictory: Bool {
    let data = arguments.contains { $0.option.name.hasPrefix("data") || $0.option.name == "json" }
    let form = arguments.contains { ["form", "form-string"].contains($0.option.name) }
    let kinds = [data && (!has("get") || !uploads.isEmpty), form, !uploads.isEmpty, has("head")]
    return kinds.count { $0 } > 1
  }
}

private struct CurlArgumentReader {
  var rest: ArraySlice<ImportedText>
  var operations = [CurlOperation()]
  var variables: [String: ImportedText] = [:]

  mutating func read() -> [CurlOperation] {
    var isEnded = false
    while let word = rest.popFirst() {
      if isEnded || !word.hasPrefix("-") || word.literal == "-" {
        change { $0.urls.append(word) }
      } else if word.literal == "--" {
        isEnded = true
      } else if word.literal == "--next" || word.literal == "-:" {
        operations.append(CurlOperation())
      } else if word.hasPrefix("--") {
        readLong(word)
      } else {
        readLetters(word.dropFirst(1))
      }
    }
    return operations
  }

  private mutating func change(_ body: (inout CurlOperation) -> Void) { body(&operations[operations.count - 1]) }

  private mutating func readLong(_ word: ImportedText) {
    guard let text = word.literal else { return addUnknown(word.source) }
    var name = String(text.dropFirst(2))
    var isOn = true
    var isExpanded = false
    if CurlOption.named(name) == nil, name.hasPrefix("no-") {
      name = String(name.dropFirst(3))
      isOn = false
    } else if CurlOption.named(name) == nil, name.hasPrefix("expand-") {
      name = String(name.dropFirst(7))
      isExpanded = true
    }
    guard let option = CurlOption.named(name) else { return addUnknown(text) }
    var argument = CurlArgument(option: option, source: text, isOn: isOn)
    if option.takesValue {
      argument.value = rest.popFirst() ?? ImportedText()
      if isExpanded { argument.value = expanded(argument.value) }
    }
    add(argument)
  }

  private mutating func readLetters(_ letters: ImportedText) {
    guard case .text(let text)? = letters.parts.first else { return addUnknown("-\(letters.source)") }
    var left = text[...]
    while let letter = left.popFirst() {
      guard let option = CurlOption.lettered(letter) else {
        if letter == ":" { operations.append(CurlOperation()) } else { addUnknown("-\(letter)") }
        continue
      }
      var argument = CurlArgument(option: option, source: "-\(letter)")
      guard option.takesValue else {
        add(argument)
        continue
      }
      let value = letters.dropFirst(text.count - left.count)
      argument.value = value.isEmpty ? rest.popFirst() ?? ImportedText() : value
      return add(argument)
    }
  }

  private mutating func add(_ argument: CurlArgument) {
    switch (argument.option.name, argument.option.meaning) {
    case ("url", _): change { $0.urls.append(argument.value) }
    case ("upload-file", _): change { $0.uploads.append(argument.value) }
    case ("variable", _): addVariable(argument.value)
    case (_, .request): change { $0.arguments.append(argument) }
    case (_, .ignored): break
    case (_, .untranslated(let reason)):
      let value = argument.option.takesValue ? " \(argument.value.source)" : ""
      change { $0.untranslated.remark(reason, argument.source + value) }
    }
  }

  private mutating func addUnknown(_ source: String) {
    change { $0.untranslated.remark(CurlOperation.unknownOptions, source) }
  }

  // MARK: variables of curl

  private mutating func addVariable(_ value: ImportedText) {
    if let (name, content) = value.split(at: "="), let name = name.literal {
      if name.hasPrefix("%") {
        let name = String(name.dropFirst())
        variables[name] = ImportedText(
          .expression("default(env.\(name), '\(content.source.replacing("'", with: "''"))')"))
      } else {
        variables[name] = content
      }
    } else if let name = value.literal, name.hasPrefix("%") {
      variables[String(name.dropFirst())] = ImportedText(.variable(String(name.dropFirst())))
    } else if let (name, path) = value.split(at: "@"), let name = name.literal, let path = path.literal {
      variables[name] = ImportedText(.expression(fileExpression(path)))
    }
  }

  /// The text of an option of `--expand-…`, with the values of its variables.
  private func expanded(_ text: ImportedText) -> ImportedText {
    text.replacingParts { part in
      guard case .text(let text) = part else { return nil }
      return ImportedText(text, between: "{{", "}}") { value($0) }
    }
  }

  /// The value of `name:function:function`.
  private func value(_ placeholder: String) -> ImportedText {
    let words = placeholder.split(separator: ":").map(String.init)
    guard let name = words.first, var value = variables[name] else {
      return ImportedText(.unknown("{{\(placeholder)}}"))
    }
    for function in words.dropFirst() {
      guard let text = value.literal else { return ImportedText(.unknown("{{\(placeholder)}}")) }
      switch function {
      case "trim": value = ImportedText(text.trimmed)
      case "url": value = ImportedText(percentEncoded(text, allowed: .unreserved))
      case "json": value = ImportedText(String(Value.text(Text(text)).jsonText().string.dropFirst().dropLast()))
      case "b64": value = ImportedText(base64Encoded(Array(text.utf8)))
      case "64dec":
        value = ImportedText(base64Decoded(text).map { String(decoding: $0, as: UTF8.self) } ?? "[64dec-fail]")
      default: return ImportedText(.unknown("{{\(placeholder)}}"))
      }
    }
    return value
  }
}
