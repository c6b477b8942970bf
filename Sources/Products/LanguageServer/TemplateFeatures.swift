import ReqrunKit
import Templates
import Values

extension LanguageServer {
  /// The signature of the function whose arguments are being typed.
  func signatureHelp(_ document: OpenDocument, _ params: JSONValue) -> JSONValue {
    guard let offset = document.text.offset(of: params["position"], encoding),
      let template = CursorContext.at(offset, in: document.text.utf8).template,
      let call = TemplateCall(before: template.upperBound, from: template.lowerBound, in: document.text.utf8),
      let function = Template.functions.first(where: { $0.name == call.function })
    else { return .null }
    let argument = call.argument + (call.isFilter ? 1 : 0)
    let last = function.parameters.count - 1
    let isOpen = function.parameters.last?.hasSuffix("…") ?? false
    return [
      "signatures": [
        [
          "label": .string(function.signature),
          "documentation": function.documentation.map { .string($0) } ?? .null,
          "parameters": .array(function.parameters.map { ["label": .string($0)] }),
        ]
      ],
      "activeSignature": 0, "activeParameter": number(isOpen ? min(argument, last) : argument),
    ]
  }

  /// The tokens inside of templates.
  func semanticTokens(_ document: OpenDocument) -> JSONValue {
    let utf8 = document.text.utf8
    var data: [JSONValue] = []
    // The place of the token before, from which each is counted.
    var (line, place) = (0, 0)
    for token in SemanticToken.all(in: utf8) {
      guard let kind = SemanticToken.Kind.allCases.firstIndex(of: token.kind) else { continue }
      let ownLine = document.text.lineIndex(at: token.bytes.lowerBound)
      if ownLine != line { place = document.text.lineBytes(ownLine).lowerBound }
      let column = encoding.count(of: utf8[place..<token.bytes.lowerBound])
      data += [ownLine - line, column, encoding.count(of: utf8[token.bytes]), kind, 0].map { number($0) }
      (line, place) = (ownLine, token.bytes.lowerBound)
    }
    return ["data": .array(data)]
  }
}

/// The innermost call whose parenthesis is open.
struct TemplateCall {
  let function: String
  /// The number of commas before the cursor.
  let argument: Int
  /// Indicates whether the first argument stands before `|`.
  let isFilter: Bool

  init?(before end: Int, from start: Int, in utf8: [UInt8]) {
    var open: [(name: Range<Int>, commas: Int)] = []
    var quote: UInt8?
    for index in start..<end {
      let byte = utf8[index]
      if let current = quote {
        if byte == current { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
      case UInt8(ascii: "("), UInt8(ascii: "["):
        let name = utf8[start..<index].lastIndex { !isWordCharacter($0) }.map { $0 + 1 } ?? start
        open.append((name..<(byte == UInt8(ascii: "[") ? name : index), 0))
      case UInt8(ascii: ")"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: ","): if !open.isEmpty { open[open.count - 1].commas += 1 }
      default: break
      }
    }
    guard let (name, commas) = open.last, !name.isEmpty else { return nil }
    function = String(decoding: utf8[name], as: UTF8.self)
    argument = commas
    isFilter = utf8[start..<name.lowerBound].last { $0 != 0x20 } == UInt8(ascii: "|")
  }
}

/// A part of a template that editors color.
struct SemanticToken {
  /// Types of the protocol, "SemanticTokenTypes".
  enum Kind: String, CaseIterable {
    case variable, property, function, string, number, keyword, `operator`
  }

  let kind: Kind
  let bytes: Range<Int>

  private static let keywords: Set = ["true", "false", "null", "and", "or", "not", "in", "if", "else"]

  static func all(in utf8: [UInt8]) -> [SemanticToken] {
    var tokens: [SemanticToken] = []
    var position = 0
    while let dollar = utf8[position...].firstIndex(of: UInt8(ascii: "$")) {
      position = dollar + 1
      guard utf8[dollar...].starts(with: "${{".utf8) else { continue }
      // `$${{` is text.
      if dollar > 0, utf8[dollar - 1] == UInt8(ascii: "$") { continue }
      position = add(from: dollar + 3, in: utf8, to: &tokens)
    }
    return tokens
  }

  /// Adds the tokens of an expression to its end in the line, and returns that.
  private static func add(from start: Int, in utf8: [UInt8], to tokens: inout [SemanticToken]) -> Int {
    var position = start
    while position < utf8.count, utf8[position] != 0x0A, !utf8[position...].starts(with: "}}".utf8) {
      let byte = utf8[position]
      let begin = position
      position += 1
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        while position < utf8.count, utf8[position] != byte, utf8[position] != 0x0A { position += 1 }
        position = min(position + 1, utf8.count)
        tokens.append(SemanticToken(kind: .string, bytes: begin..<position))
      case UInt8(ascii: "|"): tokens.append(SemanticToken(kind: .operator, bytes: begin..<position))
      case _ where isWordCharacter(byte):
        while position < utf8.count, isWordCharacter(utf8[position]) { position += 1 }
        tokens.append(SemanticToken(kind: kind(of: begin..<position, from: start, in: utf8), bytes: begin..<position))
      default: break
      }
    }
    return position
  }

  private static func kind(of word: Range<Int>, from start: Int, in utf8: [UInt8]) -> Kind {
    let text = String(decoding: utf8[word], as: UTF8.self)
    let before = utf8[start..<word.lowerBound].last { $0 != 0x20 }
    if utf8[word.lowerBound] <= UInt8(ascii: "9") { return .number }
    if before == UInt8(ascii: ".") { return .property }
    if before == UInt8(ascii: "|") || word.upperBound < utf8.count && utf8[word.upperBound] == UInt8(ascii: "(") {
      return .function
    }
    return keywords.contains(text) ? .keyword : .variable
  }
}
