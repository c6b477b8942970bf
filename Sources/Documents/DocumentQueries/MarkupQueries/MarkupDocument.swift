internal import CLibXML2
import OperatingSystem

/// A parsed XML or HTML document. It belongs to one task.
///
/// Nothing outside of the text is read: no DTD, no entity, no host. A document that declares entities is rejected,
/// since they can make a small document a huge one.
package final class MarkupDocument {
  package enum Language: Sendable, Hashable {
    case xml
    /// HTML by libxml2's parser, which repairs errors and doesn't implement HTML 5 tree construction.
    case html
  }

  /// The maximum size of a text in bytes: the tree takes up to thirty times as much.
  package static let sizeLimit = 32 << 20

  package let language: Language
  let document: xmlDocPtr
  let xml: reqrun_libxml2
  /// The maximum number of steps of a query.
  let stepLimit: Int

  /// Parses UTF-8, whatever encoding the text itself declares.
  ///
  /// - Parameter footprint: the footprint of the text.
  package init(
    parsing text: borrowing [UInt8], as language: Language, footprint: MarkupFootprint
  ) throws(MarkupParseError) {
    guard let xml = libxml2 else { throw MarkupParseError(message: "libxml2, which reads it, is not installed") }
    guard text.count <= MarkupDocument.sizeLimit else {
      throw MarkupParseError(message: "the text is larger than \(MarkupDocument.sizeLimit >> 20) MiB")
    }
    guard !footprint.hasTooManyAttributes else {
      throw .tooManyAttributes
    }
    guard let context = MarkupParserContext(language, xml) else {
      throw MarkupParseError(message: "there is no memory")
    }
    document = try context.parse(text)
    self.xml = xml
    self.language = language
    stepLimit = 2_000_000 + 8 * text.count
    numberNodes(of: document)
  }

  package convenience init(parsing text: borrowing [UInt8], as language: Language) throws(MarkupParseError) {
    try self.init(parsing: text, as: language, footprint: MarkupFootprint(of: text))
  }

  deinit { xml.xmlFreeDoc(document) }
}

/// The reason why a text isn't a document, with its position.
package struct MarkupParseError: Error, Sendable, Hashable {
  package let message: String
  /// The line, counted from 1; nil for the whole text.
  package var line: Int?
  /// The column in characters, counted from 1.
  package var column: Int?

  fileprivate static let tooManyAttributes = MarkupParseError(message: "its tags have too many attributes")
}

private struct MarkupParserContext: ~Copyable {
  private let context: xmlParserCtxtPtr
  private let xml: reqrun_libxml2
  private let language: MarkupDocument.Language
  private let monitor = ParserMonitor()

  init?(_ language: MarkupDocument.Language, _ xml: reqrun_libxml2) {
    guard let context = language == .xml ? xml.xmlNewParserCtxt() : xml.htmlNewParserCtxt() else { return nil }
    self.context = context
    self.xml = xml
    self.language = language
    context.pointee._private = Unmanaged.passUnretained(monitor).toOpaque()
    guard let handlers = context.pointee.sax else { return }
    // Without a handler the library prints to stderr.
    handlers.pointee.serror = { parser, error in
      guard let error else { return }
      ParserMonitor.of(parser)?.note(error.pointee)
    }
    if language == .xml {
      handlers.pointee.entityDecl = { parser, _, _, _, _, _ in
        ParserMonitor.of(parser)?.refuseEntities(stopping: parser)
      }
      monitor.watch(handlers)
    }
  }

  deinit {
    switch language {
    case .xml: xml.xmlFreeParserCtxt(context)
    case .html: xml.htmlFreeParserCtxt(context)
    }
  }

  borrowing func parse(_ text: borrowing [UInt8]) throws(MarkupParseError) -> xmlDocPtr {
    let document = text.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let count = Int32(truncatingIfNeeded: bytes.count)
      switch language {
      case .xml:
        // CDATA is text like any other in XPath's model. Since 2.13, XML_PARSE_NOERROR would disable the handler.
        let options =
          XML_PARSE_NONET.rawValue | XML_PARSE_NOWARNING.rawValue | XML_PARSE_NOCDATA.rawValue
          | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_BIG_LINES.rawValue
        return xml.xmlCtxtReadMemory(context, start, count, nil, "UTF-8", Int32(options))
      case .html:
        let options =
          HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
          | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        return xml.htmlCtxtReadMemory(context, start, count, nil, "UTF-8", Int32(options))
      }
    }
    // The HTML parser repairs errors, except for those that abort it.
    if language == .html, let error = xml.xmlCtxtGetLastError(context) { monitor.note(error.pointee) }
    if let error = monitor.error {
      if let document { xml.xmlFreeDoc(document) }
      throw error
    }
    guard let document else { throw MarkupParseError(message: "it has no root element") }
    guard xml.xmlDocGetRootElement(document) != nil else {
      xml.xmlFreeDoc(document)
      throw MarkupParseError(message: "it has no element")
    }
    return document
  }
}

/// The state that a parser's callbacks collect.
private final class ParserMonitor {
  /// The first error; later ones mostly follow from it.
  private(set) var error: MarkupParseError?
  private let meter = EvaluationBudget.meter
  /// The library's own handlers.
  private var startElement: startElementNsSAX2Func?
  private var declareAttribute: attributeDeclSAXFunc?
  private var comparisons = 0
  private var declarations = 0

  static func of(_ parser: UnsafeMutableRawPointer?) -> ParserMonitor? {
    guard let object = parser?.assumingMemoryBound(to: xmlParserCtxt.self).pointee._private else { return nil }
    return Unmanaged<ParserMonitor>.fromOpaque(object).takeUnretainedValue()
  }

  func note(_ error: xmlError) {
    guard self.error == nil, error.level == XML_ERR_FATAL else { return }
    self.error = MarkupParseError(
      message: messageText(error), line: error.line > 0 ? Int(error.line) : nil,
      column: error.int2 > 0 ? Int(error.int2) : nil)
  }

  /// Counts the attributes of each element, also those that a DTD adds, and the elements on the evaluation's budget.
  func watch(_ handlers: UnsafeMutablePointer<xmlSAXHandler>) {
    startElement = handlers.pointee.startElementNs
    declareAttribute = handlers.pointee.attributeDecl
    handlers.pointee.startElementNs = { parser, name, prefix, uri, spaceCount, spaces, count, defaults, attributes in
      guard let monitor = ParserMonitor.of(parser) else { return }
      monitor.startElement?(parser, name, prefix, uri, spaceCount, spaces, count, defaults, attributes)
      monitor.noteElement(Int(count), stopping: parser)
    }
    handlers.pointee.attributeDecl = { parser, element, name, type, use, value, names in
      guard let monitor = ParserMonitor.of(parser) else { return }
      monitor.declareAttribute?(parser, element, name, type, use, value, names)
      monitor.declarations += 1
      if monitor.declarations > attributeLimit { monitor.stop(parser, .tooManyAttributes) }
    }
  }

  private func noteElement(_ attributeCount: Int, stopping parser: UnsafeMutableRawPointer?) {
    comparisons += attributeCount * attributeCount
    if comparisons > comparisonLimit {
      stop(parser, .tooManyAttributes)
    } else if meter.isOver(after: 1 + attributeCount) {
      stop(parser, MarkupParseError(message: "its evaluation has ended"))
    }
  }

  func refuseEntities(stopping parser: UnsafeMutableRawPointer?) {
    stop(parser, MarkupParseError(message: "it declares entities, which are not expanded here"))
  }

  private func stop(_ parser: UnsafeMutableRawPointer?, _ reason: MarkupParseError) {
    guard error == nil, let xml = libxml2, let context = parser?.assumingMemoryBound(to: xmlParserCtxt.self) else {
      return
    }
    error = reason
    error?.line = Int(xml.xmlSAX2GetLineNumber(parser))
    xml.xmlStopParser(context)
  }
}

/// libxml2's words, which end in a line break, in the style of our messages.
private func messageText(_ error: xmlError) -> String {
  if error.message == nil { return "error \(error.code) of libxml2" }
  let text = String(cString: error.message)
  let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
  if line.hasPrefix("Excessive depth") { return "it nests deeper than 256 levels" }
  let words = line.replacing(", use XML_PARSE_HUGE option", with: "")
  // A name of the grammar, such as `AttValue`, stays as it is.
  let isName = words.prefix { $0 != " " }.dropFirst().contains { $0.isUppercase }
  return isName ? words : words.prefix(1).lowercased() + words.dropFirst()
}
