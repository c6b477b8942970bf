import OperatingSystem
import ReqrunKit
import RequestSpecs
import Values

extension LanguageServer {
  mutating func completion(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let offset = document.text.offset(of: params["position"], encoding) else { return .array([]) }
    let context = CursorContext.at(offset, in: document.text.utf8)
    let (items, word) =
      if let template = context.template {
        await templateItems(document, template)
      } else {
        (await otherItems(document, context, offset), context.word)
      }
    let range = document.text.range(word, encoding)
    return [
      "isIncomplete": false,
      "items": .array(items.enumerated().map { $0.element.json(replacing: range, order: $0.offset) }),
    ]
  }

  /// Names that specs, contracts and the last run know; where there are none, the keys and values of the format.
  private mutating func otherItems(
    _ document: OpenDocument, _ context: CursorContext, _ offset: Int
  ) async -> [CompletionItem] {
    if KnownNames.concerns(context) {
      let items = KnownNames(
        context: context, document: document, reading: await reading(of: document), last: results[document.uri],
        offset: offset
      ).items
      if !items.isEmpty { return items }
    }
    return FormatCompletion(context: context, document: document).items
  }

  private func templateItems(
    _ document: OpenDocument, _ template: Range<Int>
  ) async -> (items: [CompletionItem], word: Range<Int>) {
    let position = TemplatePosition(template, in: document.text.utf8)
    switch position.kind {
    case .text: return ([], position.word)
    case .filter: return (functionItems(asFilters: true), position.word)
    case .member(let owner):
      let members = await readableNames(document, at: template)[owner]?.members ?? []
      return (members.map { CompletionItem($0, .variable) }, position.word)
    case .operand:
      let names = await readableNames(document, at: template).sorted { $0.key < $1.key }.map { name, origin in
        CompletionItem(name, .variable, detail: origin.phrase + (isSecretName(name) ? ", secret" : ""))
      }
      let environment = CompletionItem("env", .variable, detail: "variables of the environment")
      return (names + [environment] + functionItems(asFilters: false), position.word)
    }
  }

  /// The names that the template around a place can read.
  private func readableNames(_ document: OpenDocument, at template: Range<Int>) async -> [String: NameOrigin] {
    var utf8 = document.text.utf8
    // What is half typed is replaced, with the end of the template if it has one in this line.
    let line = document.text.lineBytes(document.text.lineIndex(at: template.lowerBound))
    let rest = utf8[template.lowerBound..<line.upperBound]
    let close = rest.indices.first { rest[$0...].starts(with: "}}".utf8) }
    // What the line leaves open ends behind the cursor.
    let isLast = utf8[template.upperBound..<line.upperBound].allSatisfy { $0 == 0x20 }
    let ends = isLast ? closing(utf8[line.lowerBound..<template.lowerBound]) : []
    utf8.replaceSubrange(
      template.lowerBound..<(close.map { $0 + 2 } ?? template.upperBound),
      with: Array(" \(NameRecorder.probe) }}".utf8) + ends)
    return await read([.text(String(decoding: utf8, as: UTF8.self), name: document.path)]).names.readable
  }

  /// The quote and the brackets that end what is open before a template.
  private func closing(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var brackets: [UInt8] = []
    var quote: UInt8?
    for (byte, next) in zip(text, text.dropFirst() + [0]) {
      switch byte {
      case quote: quote = nil
      case _ where quote != nil: break
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "{") where next != byte: brackets.append(UInt8(ascii: "}"))
      case UInt8(ascii: "["): brackets.append(UInt8(ascii: "]"))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): if brackets.last == byte { brackets.removeLast() }
      default: break
      }
    }
    // The template's own.
    if quote == nil, brackets.last == UInt8(ascii: "}"), text.suffix(3).elementsEqual("${{".utf8) {
      brackets.removeLast()
    }
    return (quote.map { [$0] } ?? []) + brackets.reversed()
  }

  /// The name in a template, or the key, at a position.
  mutating func hover(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let offset = document.text.offset(of: params["position"], encoding) else { return .null }
    let reading = await reading(of: document)
    if let use = reading.use(at: offset, in: document) {
      let variables = reading.inspection.variables(ofFileAt: document.path)
      let value = variables.first { $0.name == use.name }.map { "\n\n`\($0.value)`, \($0.layer)" } ?? ""
      return hover("`\(use.name)`: \(use.origin.phrase)\(value)", at: use.range.bytes, in: document)
    }
    let context = CursorContext.at(offset, in: document.text.utf8)
    guard context.kind == .key, context.hasColon else { return .null }
    let name = document.text.text(in: context.word)
    guard let key = ShapePath(context.path, in: document.shape).keys.first(where: { $0.name == name }) else {
      return .null
    }
    return hover("`\(name)`: \(key.documentation)", at: context.word, in: document)
  }

  private func hover(_ markdown: String, at bytes: Range<Int>, in document: OpenDocument) -> JSONValue {
    [
      "contents": ["kind": "markdown", "value": .string(markdown)], "range": document.text.range(bytes, encoding),
    ]
  }

  /// The place that gives the name at a position its value, or the file that is named there.
  mutating func definition(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let offset = document.text.offset(of: params["position"], encoding) else { return .null }
    if let use = await reading(of: document).use(at: offset, in: document) {
      return use.origin.range.map { location($0) } ?? .null
    }
    let utf8 = document.text.utf8
    let ends = Set(" \t\"'{}[],#".utf8)
    let line = document.line(at: offset)
    let start = utf8[line.lowerBound..<offset].lastIndex { ends.contains($0) }.map { $0 + 1 } ?? line.lowerBound
    let end = utf8[offset..<line.upperBound].firstIndex { ends.contains($0) } ?? line.upperBound
    guard let path = document.file(named: document.text.text(in: start..<end)) else { return .null }
    let beginning: JSONValue = ["line": 0, "character": 0]
    return ["uri": .string(uri(ofPath: path)), "range": ["start": beginning, "end": beginning]]
  }

  /// The places in the document that read the name at a position, or have the same origin.
  mutating func references(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let offset = document.text.offset(of: params["position"], encoding) else { return .null }
    let includesDeclaration = params["context"]?["includeDeclaration"]?.boolValue ?? true
    let reading = await reading(of: document)
    let uses = reading.names.uses
    let declared = uses.compactMap { $0.origin?.range }.first { $0.isAt(offset, in: document.path) }
    guard let origin = reading.use(at: offset, in: document)?.origin.range ?? declared else { return .array([]) }
    var seen: Set<SourceRange> = []
    let places =
      (includesDeclaration ? [origin] : []) + uses.filter { $0.origin?.range == origin }.map(\.reference.range)
    return .array(places.filter { seen.insert($0).inserted && !$0.source.utf8.isEmpty }.map { location($0) })
  }
}

extension OpenDocument {
  /// The path of a file that the document names, such as `login.yaml#log in`; nil if that is none.
  func file(named name: String) -> String? {
    let name = name.prefix { $0 != "#" }
    guard name.contains("."), !hasNUL(String(name)) else { return nil }
    let file = name.hasPrefix("/") ? String(name) : "\(directory)/\(name)"
    return isRegularFile(file) ? canonicalPath(file) : nil
  }
}
