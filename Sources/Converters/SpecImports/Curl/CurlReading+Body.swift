import HTTPSemantics
import Values

/// The standard input of a command.
enum ShellInput: Sendable {
  case file(ImportedText)
  case text(ImportedText)
  /// The output of a command that isn't executed.
  case unknown(String)
}

/// A piece of the data of `--data…` and `--json`.
enum CurlData {
  case text(ImportedText, isJSON: Bool)
  case file(ImportedText, keepsLines: Bool, isJSON: Bool)
  case pair(name: ImportedText, value: ImportedText)

  fileprivate var isJSON: Bool {
    switch self {
    case .text(_, let isJSON), .file(_, _, let isJSON): isJSON
    case .pair: false
    }
  }
}

/// The options that make a body: `--data…`, `--json`, `--form…`, `--upload-file`.
extension CurlReading {
  mutating func readData(_ argument: CurlArgument) {
    let value = argument.value
    switch argument.option.name {
    case "data", "data-ascii": add(value, keepsLines: false, isJSON: false)
    case "data-binary": add(value, keepsLines: true, isJSON: false)
    case "json": add(value, keepsLines: true, isJSON: true)
    case "data-raw": data.append(.text(value, isJSON: false))
    case "data-urlencode": data.append(encodedPiece(value))
    default: break
    }
  }

  private mutating func add(_ value: ImportedText, keepsLines: Bool, isJSON: Bool) {
    guard value.hasPrefix("@") else { return data.append(.text(value, isJSON: isJSON)) }
    let path = value.dropFirst(1)
    guard path.literal == "-" else { return data.append(.file(path, keepsLines: keepsLines, isJSON: isJSON)) }
    switch standardInput("@-") {
    case .file(let path)?: data.append(.file(path, keepsLines: keepsLines, isJSON: isJSON))
    case .text(let text)?:
      data.append(.text(keepsLines ? text : text.mapText { $0.filter { !$0.isNewline } }, isJSON: isJSON))
    default: data.append(.text(ImportedText(), isJSON: isJSON))
    }
  }

  /// The standard input; nil with a remark if it isn't known.
  private mutating func standardInput(_ source: String) -> ShellInput? {
    switch input {
    case .unknown(let command)?: request.remark("bodies from other commands", command)
    case nil: request.remark("bodies from standard input", source)
    case let input?: return input
    }
    return nil
  }

  // MARK: encoded data

  private mutating func encodedPiece(_ value: ImportedText) -> CurlData {
    if let (name, content) = value.split(at: "=") { return .pair(name: name, value: content) }
    guard let (name, path) = value.split(at: "@") else { return .pair(name: ImportedText(), value: value) }
    switch path.literal == "-" ? standardInput(value.source) : .file(path) {
    case .file(let path)?: return .pair(name: name, value: fileText(path) { $0 })
    case .text(let text)?: return .pair(name: name, value: text)
    default: return .pair(name: name, value: ImportedText())
    }
  }

  /// Adds the pairs of `--url-query` to a URL.
  mutating func addQueries() {
    for argument in operation.arguments where argument.option.name == "url-query" {
      if argument.value.hasPrefix("+") {
        request.url.appendQuery(argument.value.dropFirst(1))
      } else if case .pair(let name, let content) = encodedPiece(argument.value) {
        request.url.appendQuery(Self.encodedPair(name, content))
      }
    }
  }

  private static func encodedPair(_ name: ImportedText, _ value: ImportedText) -> ImportedText {
    (name.isEmpty ? name : name + ImportedText("=")) + encoded(value)
  }

  /// The text as curl encodes it.
  private static func encoded(_ text: ImportedText) -> ImportedText {
    text.replacingParts { part in
      switch part {
      case .text(let text):
        ImportedText(percentEncoded(text, allowed: .unreserved.inserting(" ")).replacing(" ", with: "+"))
      case .expression(let expression): ImportedText(.expression("url_encode(\(expression))"))
      default: nil
      }
    }
  }

  /// The text of a file.
  private func fileText(_ path: ImportedText, _ convert: (String) -> String) -> ImportedText {
    guard let path = path.literal else { return ImportedText(.unknown("@\(path.source)")) }
    return ImportedText(.expression(convert(fileExpression(path))))
  }

  // MARK: the body

  /// Sets the body of the request, or its query with `--get`.
  mutating func addBody(upload: ImportedText?) {
    let form = operation.arguments.filter { ["form", "form-string"].contains($0.option.name) }
    if let upload {
      addUpload(upload)
    } else if !form.isEmpty {
      for argument in form { addPart(argument) }
      request.body = .multipart(parts)
    } else if !data.isEmpty {
      if operation.has("get") { request.url.appendQuery(joined()) } else { addData() }
    }
  }

  private mutating func addUpload(_ file: ImportedText) {
    request.method = request.method ?? ImportedText("PUT")
    if file.literal == "-" || file.literal == "." {
      switch standardInput("--upload-file \(file.source)") {
      case .file(let path)?: request.body = .file(path)
      case .text(let text)?: request.body = .text(text)
      default: break
      }
      return
    }
    request.body = .file(file)
    guard let name = file.literal?.split(separator: "/").last else { return }
    // A URL that ends with a slash gets the file's name.
    let (address, query) = request.url.halves(at: "?")
    let hasPath = address.source.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).count > 3
    guard !hasPath || address.source.hasSuffix("/") else { return }
    let encodedName = percentEncoded(String(name), allowed: .unreserved)
    request.url = address + ImportedText((hasPath ? "" : "/") + encodedName)
    if let query { request.url = request.url + ImportedText("?") + query }
  }

  private mutating func addData() {
    let type = request.header("Content-Type")?.literal.map { mediaType(of: $0) }
    let isTyped = request.hasHeader("Content-Type")
    let isJSON = type.map(isJSONType) ?? false
    if data.count == 1, case .file(let path, let keepsLines, _) = data[0], keepsLines || isJSON {
      request.body = .file(path)
    } else if type == "application/x-www-form-urlencoded" || !isTyped, let pairs = formPairs() {
      // The form brings its type.
      _ = request.takeHeader("Content-Type")
      request.body = .form(pairs)
      return
    } else {
      let text = joined()
      // A lone variable may have any text.
      var isKnown = false
      if case .text(let start)? = text.parts.first { isKnown = !start.trimmed.isEmpty }
      request.body = isJSON && isKnown ? .json(text) : .text(text)
    }
    if !isTyped {
      request.headers.append(.init(name: "Content-Type", value: "application/x-www-form-urlencoded"))
    }
  }

  /// All data in one text, as curl sends it.
  private func joined() -> ImportedText {
    var result = ImportedText()
    for (index, piece) in data.enumerated() {
      if index > 0, !piece.isJSON { result.append("&") }
      switch piece {
      case .text(let text, _): result.append(text)
      case .pair(let name, let value): result.append(Self.encodedPair(name, value))
      case .file(let path, let keepsLines, _):
        result.append(fileText(path) { keepsLines ? $0 : "replace_regex(\($0), '[\\r\\n]', '')" })
      }
    }
    return result
  }

  // MARK: forms

  /// The pairs of a form; nil for other data.
  private func formPairs() -> [ImportedRequest.Pair]? {
    var pairs: [ImportedRequest.Pair] = []
    for piece in data {
      switch piece {
      case .pair(let name, let value):
        guard !name.isEmpty, let name = name.formDecodedExactly, name.isFieldName else { return nil }
        pairs.append(.init(name: name, value: value))
      case .text(let text, false):
        guard let found = text.formPairs else { return nil }
        pairs += found
      case .text, .file: return nil
      }
    }
    return pairs.areTogether ? pairs : nil
  }
}

/// Returns whether a `Content-Type` is one of JSON.
func isJSONType(_ text: String) -> Bool {
  let type = mediaType(of: text)
  return type == "application/json" || type.hasSuffix("+json")
}

/// The expression for the text of a file.
func fileExpression(_ path: String) -> String { "file('\(path.replacing("'", with: "''"))')" }

extension ImportedText {
  /// The pairs of a text that is certainly a form; nil for any other.
  var formPairs: [ImportedRequest.Pair]? {
    var pairs: [ImportedRequest.Pair] = []
    for piece in split(separator: "&") {
      guard let (name, value) = piece.split(at: "="), !name.isEmpty, let name = name.formDecodedExactly,
        let value = value.formDecodedExactly, name.isFieldName
      else { return nil }
      pairs.append(.init(name: name, value: value))
    }
    return pairs
  }

  /// The text of a form with its octets decoded; nil if it would not be encoded to the same again.
  var formDecodedExactly: ImportedText? {
    var result = ImportedText()
    for part in parts {
      guard case .text(let text) = part else {
        result.append(part)
        continue
      }
      let bytes = percentDecodedBytes(text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
      let decoded = String(decoding: bytes, as: UTF8.self)
      let count = text.utf8.count { $0 == UInt8(ascii: "%") }
      guard decoded.utf8.elementsEqual(bytes), text.utf8.count - bytes.count == 2 * count else { return nil }
      result.append(decoded)
    }
    return result
  }

  /// Indicates that it is a name for a field, not the beginning of JSON or of another text.
  fileprivate var isFieldName: Bool {
    literal.map { $0.allSatisfy { $0.isLetter || $0.isNumber || "_-.[]$: ".contains($0) } } ?? false
  }
}
