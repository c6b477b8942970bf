import HTTPSemantics
import OperatingSystem
import Values

/// The character encoding of a body, and its source.
///
/// A byte order mark wins over the content type, and this over an XML or HTML document's own declaration, as in
/// browsers; the default is UTF-8.
package struct BodyCharset {
  package enum Source {
    case byteOrderMark, contentType, document, assumption
  }

  package let source: Source
  /// The label as the content type or the document has it.
  package let label: String
  /// The encoding; nil for an unknown label.
  package let encoding: TextEncoding?

  /// - Parameter beginning: returns that number of the body's first bytes.
  package init(contentType: String?, beginning: (Int) -> [UInt8]) {
    let type = MediaType(contentType)
    if let mark = TextEncoding.byteOrderMark(of: beginning(3)) {
      (source, label, encoding) = (.byteOrderMark, mark.encoding.name, mark.encoding)
    } else if let label = type.charset {
      (source, self.label, encoding) = (.contentType, label, TextEncoding(label: label))
    } else if type.isXML || type.isHTML,
      let label = declaredCharset(beginning(BodyCharset.beginningLength), isHTML: type.isHTML)
    {
      let found = TextEncoding(label: label)
      // A document that can be read up to here isn't UTF-16, whatever it declares.
      let isWide = found?.name.hasPrefix("utf-16") == true
      (source, self.label, encoding) = (.document, label, isWide ? .utf8 : found)
    } else {
      (source, label, encoding) = (.assumption, "utf-8", .utf8)
    }
  }

  package static let beginningLength = 1024

  /// The text, with U+FFFD in place of invalid bytes.
  package func decodeReplacing(_ bytes: [UInt8]) -> String {
    (encoding ?? .utf8).decodeReplacing(bytes)
  }

  /// The message for a body that cannot be decoded.
  package func message(_ error: TextDecodingError) -> String {
    switch error {
    case .invalid(let offset):
      "the body is not \(name): the byte at offset \(offset) belongs to no character\(silence)"
    case .truncated(let offset):
      "the body is not \(name): it ends inside of the character at offset \(offset)\(silence)"
    case .unsupported: "the body is \(name), which the iconv of this system does not know"
    }
  }

  private var silence: String { source == .assumption ? ", and its content type names no charset" : "" }

  package var unknownMessage: String {
    "the charset \"\(label)\" that \(source == .document ? "the document itself" : "its content type") names is not known"
  }

  /// The encoding, and its source.
  private var name: String {
    let name = encoding?.name ?? label
    switch source {
    case .byteOrderMark: return "\(name), as its byte order mark says"
    case .contentType, .document:
      let voucher = source == .document ? "the document itself" : "its content type"
      return "\(name), as \(voucher) says" + (label.lowercased() == name ? "" : " (\"\(label)\")")
    case .assumption: return name
    }
  }
}

/// The parts of a content type that determine how to read a body.
package struct MediaType {
  /// `text/html`, in lower case and without parameters.
  package let essence: String
  package let charset: String?

  package init(_ contentType: String?) {
    guard let contentType else {
      (essence, charset) = ("", nil)
      return
    }
    // The most frequent one by far.
    if contentType == "application/json" {
      (essence, charset) = (contentType, nil)
      return
    }
    essence = lettersInLowerCase(contentType.utf8.prefix { $0 != UInt8(ascii: ";") })
    charset = charsetParameter(of: contentType)
  }

  package var isHTML: Bool { essence == "text/html" }
  package var isXML: Bool { essence.hasSuffix("/xml") || essence.hasSuffix("+xml") }
}

/// The first parameter `charset` (RFC 9110, section 5.6.6).
private func charsetParameter(of contentType: String) -> String? {
  let (semicolon, quote) = (UInt8(ascii: ";"), UInt8(ascii: "\""))
  var rest = contentType.utf8.drop { $0 != semicolon }
  while !rest.isEmpty {
    rest = rest.dropFirst()
    let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != semicolon }
    rest = rest[name.endIndex...]
    guard rest.first == UInt8(ascii: "=") else { continue }
    rest = rest.dropFirst()
    let value: Substring.UTF8View
    if rest.first == quote {
      value = rest.dropFirst().prefix { $0 != quote }
      rest = rest[value.endIndex...].drop { $0 != semicolon }
    } else {
      value = rest.prefix { $0 != semicolon }
      rest = rest[value.endIndex...]
    }
    guard lettersInLowerCase(name) == "charset" else { continue }
    let label = value.filter { !isSpace($0) && $0 != UInt8(ascii: "'") }
    if !label.isEmpty { return String(decoding: label, as: UTF8.self) }
  }
  return nil
}

/// A word without blanks.
private func lettersInLowerCase(_ word: Substring.UTF8View) -> String {
  String(decoding: word.compactMap { isSpace($0) ? nil : lowercasedASCII($0) }, as: UTF8.self)
}

/// The charset in an XML declaration or a `<meta>` element.
private func declaredCharset(_ beginning: [UInt8], isHTML: Bool) -> String? {
  let text = String(
    decoding: beginning.prefix(BodyCharset.beginningLength).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self
  )
  .lowercased()
  if let rest = afterDeclaration(text), let label = labelled("encoding", in: rest) { return label }
  guard isHTML else { return nil }
  var scanner = MetaScanner(rest: text[...])
  return scanner.charset()
}

/// Finds the charset of a `<meta>` element as the prescan of the HTML Standard does (13.2.3.2): not in comments, nor in
/// values of other attributes.
private struct MetaScanner {
  /// The text in lower case.
  var rest: Substring

  mutating func charset() -> String? {
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...].dropFirst()
      if rest.hasPrefix("!--") {
        guard let end = rest.dropFirst().firstRange(of: "-->") else { return nil }
        rest = rest[end.upperBound...]
      } else if rest.first.map({ "!/?".contains($0) }) ?? false {
        rest = rest.drop { $0 != ">" }
      } else {
        let name = rest.prefix { !$0.isWhitespace && !"/>".contains($0) }
        rest = rest[name.endIndex...]
        var attributes: [Substring: Substring] = [:]
        while let (name, value) = attribute() { attributes.merge([name: value]) { first, _ in first } }
        guard name == "meta" else { continue }
        if let label = attributes["charset"], !label.isEmpty { return String(label) }
        if attributes["http-equiv"] == "content-type", let content = attributes["content"],
          let label = labelled("charset", in: content)
        {
          return label
        }
      }
    }
    return nil
  }

  /// The next attribute of a tag; nil at its end, and if its quote is never closed.
  private mutating func attribute() -> (name: Substring, value: Substring)? {
    rest = rest.drop { $0.isWhitespace || $0 == "/" }
    guard let first = rest.first, first != ">" else { return nil }
    let end = rest.dropFirst().firstIndex { $0.isWhitespace || "/>=".contains($0) } ?? rest.endIndex
    let name = rest[..<end]
    rest = rest[end...].drop { $0.isWhitespace }
    guard rest.first == "=" else { return (name, "") }
    rest = rest.dropFirst().drop { $0.isWhitespace }
    guard let quote = rest.first, quote == "\"" || quote == "'" else {
      let value = rest.prefix { !$0.isWhitespace && $0 != ">" }
      rest = rest[value.endIndex...]
      return (name, value)
    }
    let value = rest.dropFirst().prefix { $0 != quote }
    rest = rest[value.endIndex...]
    guard rest.popFirst() != nil else { return nil }
    return (name, value)
  }
}

private func afterDeclaration(_ text: String) -> Substring? {
  guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") else { return nil }
  return text[text.startIndex..<end.lowerBound].dropFirst(5)
}

/// The value after `name=`, with or without quotes.
private func labelled(_ name: String, in text: Substring) -> String? {
  guard let found = text.firstRange(of: name) else { return nil }
  var rest = text[found.upperBound...].drop { $0.isWhitespace }
  guard rest.first == "=" else { return nil }
  rest = rest.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
  let label = rest.prefix { !$0.isWhitespace && !"\"';/>?".contains($0) }
  return label.isEmpty ? nil : String(label)
}
