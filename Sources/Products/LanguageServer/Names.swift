import OperatingSystem
import ReqrunKit
import RequestSpecs
import Values

extension LanguageServer {
  func completion(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let offset = document.text.offset(of: params["position"], encoding) else { return .array([]) }
    let context = CursorContext.at(offset, in: document.text.utf8)
    let (items, word) =
      if let template = context.template {
        await templateItems(document, template)
      } else {
        (FormatCompletion(context: context, document: document).items, context.word)
      }
    let range = document.text.range(word, encoding)
    return [
      "isIncomplete": false,
      "items": .array(items.enumerated().map { $0.element.json(replacing: range, order: $0.offset) }),
    ]
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
      return (names + functionItems(asFilters: false), position.word)
    }
  }

  /// The names that the template around a place can read.
  private func readableNames(_ document: OpenDocument, at template: Range<Int>) async -> [String: NameOrigin] {
    var utf8 = document.text.utf8
    // What is half typed is replaced, with the end of the template if it has one in this line.
    let line = document.text.lineBytes(document.text.lineIndex(at: template.lowerBound))
    let rest = utf8[template.lowerBound..<line.upperBound]
    let close = rest.indices.first { rest[$0...].starts(with: "}}".utf8) }
    utf8.replaceSubrange(
      template.lowerBound..<(close.map { $0 + 2 } ?? template.upperBound), with: " \(NameRecorder.probe) }}".utf8)
    return await recorded(document.path, utf8) { $0.readable }
  }

  /// The part of the recorder that the body takes after a text is read; ranges are valid in the body.
  private func recorded<Result>(_ path: String, _ utf8: [UInt8], _ body: (NameRecorder) -> Result) async -> Result {
    let recorder = NameRecorder()
    var options = readingOptions
    options.nameRecorder = recorder
    options.specs = [.text(String(decoding: utf8, as: UTF8.self), name: path)]
    let inspection = await Runner(options).inspect()
    return withExtendedLifetime(inspection) { body(recorder) }
  }

  /// The name in a template, or the key, at a position.
  func hover(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let offset = document.text.offset(of: params["position"], encoding) else { return .null }
    let found = await recorded(document.path, document.text.utf8) { recorder -> (Range<Int>, String)? in
      guard let use = recorder.use(at: offset, in: document.path), let origin = use.origin else { return nil }
      return (use.reference.range.bytes, "`\(use.reference.name)`: \(origin.phrase)")
    }
    if let (bytes, text) = found {
      let variables = await values(in: document)
      let name = document.text.text(in: bytes)
      let value = variables.first { $0.name == name }.map { "\n\n`\($0.value)`, \($0.layer)" } ?? ""
      return hover(text + value, at: bytes, in: document)
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

  private func values(in document: OpenDocument) async -> [SpecListing.Variable] {
    var options = readingOptions
    options.specs = [document.source]
    return await Runner(options).listVariables().variables
  }

  /// The place that gives the name at a position its value, or the file that is named there.
  func definition(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let offset = document.text.offset(of: params["position"], encoding) else { return .null }
    let found = await recorded(document.path, document.text.utf8) { recorder -> JSONValue? in
      recorder.use(at: offset, in: document.path)?.origin?.range.map { location($0) }
    }
    if let found { return found }
    let line = document.text.lineBytes(document.text.lineIndex(at: offset))
    let ends = Set(" \t\"'{}[],#".utf8)
    let utf8 = document.text.utf8
    var start = offset
    while start > line.lowerBound, !ends.contains(utf8[start - 1]) { start -= 1 }
    var end = offset
    while end < line.upperBound, !ends.contains(utf8[end]) { end += 1 }
    let name = document.text.text(in: start..<end)
    guard name.contains("."), !hasNUL(name) else { return .null }
    let file = name.hasPrefix("/") ? name : "\(document.directory)/\(name)"
    guard isRegularFile(file), let path = canonicalPath(file) else { return .null }
    let beginning: JSONValue = ["line": 0, "character": 0]
    return ["uri": .string(uri(ofPath: path)), "range": ["start": beginning, "end": beginning]]
  }

  /// The places in the document that read the name at a position, or have the same origin.
  func references(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let offset = document.text.offset(of: params["position"], encoding) else { return .null }
    let includesDeclaration = params["context"]?["includeDeclaration"]?.boolValue ?? true
    return await recorded(document.path, document.text.utf8) { recorder in
      let declared = recorder.uses.compactMap { $0.origin?.range }.first { $0.isAt(offset, in: document.path) }
      guard let origin = recorder.use(at: offset, in: document.path)?.origin?.range ?? declared else {
        return .array([])
      }
      var seen: Set<SourceRange> = []
      let places = recorder.uses.filter { $0.origin?.range == origin }.map(\.reference.range)
      let all = (includesDeclaration ? [origin] : []) + places
      return .array(all.filter { seen.insert($0).inserted && !$0.source.utf8.isEmpty }.map { location($0) })
    }
  }
}

extension NameRecorder {
  fileprivate func use(at offset: Int, in path: String) -> Use? {
    uses.first { $0.reference.range.isAt(offset, in: path) }
  }
}

extension SourceRange {
  fileprivate func isAt(_ offset: Int, in path: String) -> Bool {
    bytes.lowerBound <= offset && offset <= bytes.upperBound && source.name == path
  }
}
