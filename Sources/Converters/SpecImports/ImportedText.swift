/// A text of another tool, with parts that have a value only later.
package struct ImportedText: Sendable, Hashable {
  package enum Part: Sendable, Hashable {
    case text(String)
    /// The value of a variable, by the name that it has in the source.
    case variable(String)
    /// An expression of reqrun's templates, such as `uuid`, in which `{{name}}` is the value of a variable.
    case expression(String)
    /// A literal credential, and the name of what it is, such as `password`: it is never written.
    case secret(String, name: String)
    /// A part that has no form in a template, as it is written: it stays as it is, with a remark.
    case unknown(String)
  }

  package private(set) var parts: [Part] = []

  package init() {}

  package init(_ text: String) {
    append(text)
  }

  package init(_ part: Part) {
    append(part)
  }

  init(parts: some Sequence<Part>) {
    for part in parts { append(part) }
  }

  /// The text if all of it is known.
  package var literal: String? {
    switch parts.count {
    case 0: ""
    case 1: if case .text(let text) = parts[0] { text } else { nil }
    default: nil
    }
  }

  package var isEmpty: Bool { parts.isEmpty }

  /// The names of the variables that it reads.
  var readVariables: Set<String> {
    var names: Set<String> = []
    for part in parts {
      switch part {
      case .variable(let name): names.insert(name)
      case .expression(let text):
        for part in ImportedText(placeholdersIn: text, { .variable($0) }).parts {
          if case .variable(let name) = part { names.insert(name) }
        }
      default: break
      }
    }
    return names
  }

  /// The text as it is written, for messages.
  package var source: String {
    parts.map { part in
      switch part {
      case .text(let text), .unknown(let text): text
      case .variable(let name): "{{\(name)}}"
      case .expression(let text): "${{ \(text) }}"
      case .secret: "***"
      }
    }.joined()
  }

  package mutating func append(_ text: String) {
    if text.isEmpty { return }
    if case .text(let last)? = parts.last {
      parts[parts.count - 1] = .text(last + text)
    } else {
      parts.append(.text(text))
    }
  }

  package mutating func append(_ part: Part) {
    if case .text(let text) = part { append(text) } else { parts.append(part) }
  }

  package mutating func append(_ other: ImportedText) { for part in other.parts { append(part) } }

  package static func + (one: ImportedText, other: ImportedText) -> ImportedText {
    ImportedText(parts: one.parts + other.parts)
  }

  /// Returns whether the text begins with known text.
  package func hasPrefix(_ prefix: String) -> Bool {
    if case .text(let text)? = parts.first { text.hasPrefix(prefix) } else { prefix.isEmpty }
  }

  /// The text without a number of characters at its start, which must be known.
  package func dropFirst(_ count: Int) -> ImportedText {
    guard count > 0, case .text(let text)? = parts.first else { return self }
    return ImportedText(parts: [.text(String(text.dropFirst(count)))] + parts.dropFirst())
  }

  /// The text without a number of characters at its end, which must be known.
  func dropLast(_ count: Int) -> ImportedText {
    guard count > 0, case .text(let text)? = parts.last else { return self }
    return ImportedText(parts: parts.dropLast() + [.text(String(text.dropLast(count)))])
  }

  /// The parts before and after the first of a separator in what is known; nil without one.
  package func split(at separator: Character) -> (before: ImportedText, after: ImportedText)? {
    for (index, part) in parts.enumerated() {
      guard case .text(let text) = part, let place = text.firstIndex(of: separator) else { continue }
      return divided(at: index, before: text[..<place], after: text[text.index(after: place)...])
    }
    return nil
  }

  /// The texts before and after a place in a known part.
  func divided(at index: Int, before: Substring, after: Substring) -> (before: ImportedText, after: ImportedText) {
    (
      ImportedText(parts: parts[..<index] + [.text(String(before))]),
      ImportedText(parts: [.text(String(after))] + parts[(index + 1)...])
    )
  }

  /// The texts between separators in what is known.
  func split(separator: Character) -> [ImportedText] {
    var results = [ImportedText()]
    for part in parts {
      guard case .text(let text) = part else {
        results[results.count - 1].append(part)
        continue
      }
      let pieces = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
      results[results.count - 1].append(pieces[0])
      results += pieces.dropFirst().map { ImportedText($0) }
    }
    return results
  }

  /// The text with its known parts converted.
  package func mapText(_ convert: (String) -> String) -> ImportedText {
    replacingParts { if case .text(let text) = $0 { ImportedText(convert(text)) } else { nil } }
  }

  /// The text with others in place of some of its parts.
  ///
  /// - Parameter replacement: what stands in place of a part; nil keeps it.
  func replacingParts(_ replacement: (Part) -> ImportedText?) -> ImportedText {
    ImportedText(parts: parts.flatMap { replacement($0)?.parts ?? [$0] })
  }

  /// Indicates that the meaning of a part isn't known.
  var hasUnknown: Bool { parts.contains { if case .unknown = $0 { true } else { false } } }

  /// The text without blanks at its ends.
  package var trimmed: ImportedText {
    var result = ImportedText()
    for (index, part) in parts.enumerated() {
      guard case .text(var text) = part else {
        result.append(part)
        continue
      }
      if index == 0 { text = String(text.drop(while: \.isWhitespace)) }
      if index == parts.count - 1 { text = text.trimmedAtEnd }
      result.append(text)
    }
    return result
  }
}

extension [ImportedText] {
  /// The texts with a separator between each two.
  func joined(by separator: String) -> ImportedText {
    ImportedText(parts: enumerated().flatMap { ($0 == 0 ? [] : [.text(separator)]) + $1.parts })
  }
}

extension ImportedText: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}

extension ImportedText {
  /// Reads the placeholders of tools such as Postman, Hurl and REST Client: `{{name}}`.
  ///
  /// - Parameter part: what stands for the text between the braces, without blanks at its ends.
  package init(placeholdersIn text: String, _ part: (String) -> Part) {
    self.init(text, between: "{{", "}}") { ImportedText(part($0.trimmed)) }
  }

  /// - Parameter replacement: what stands for the text between two marks, and for the marks.
  init(_ text: String, between open: String, _ close: String, _ replacement: (String) -> ImportedText) {
    self.init()
    var rest = text[...]
    while let start = rest.firstRange(of: open) {
      guard let end = rest[start.upperBound...].firstRange(of: close) else { break }
      append(String(rest[..<start.lowerBound]))
      append(replacement(String(rest[start.upperBound..<end.lowerBound])))
      rest = rest[end.upperBound...]
    }
    append(String(rest))
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  package var trimmed: String {
    let isTrimmed = unicodeScalars.first.map(isVisibleASCII) ?? true
    return isTrimmed ? trimmedAtEnd : self[(firstIndex { !$0.isWhitespace } ?? endIndex)...].trimmedAtEnd
  }

  /// The text without white space at its end.
  package var trimmedAtEnd: String {
    if unicodeScalars.last.map(isVisibleASCII) ?? true { return String(self) }
    var end = endIndex
    while end > startIndex, self[index(before: end)].isWhitespace { end = index(before: end) }
    return String(self[..<end])
  }
}

private func isVisibleASCII(_ scalar: Unicode.Scalar) -> Bool { ("!"..."~").contains(scalar) }

/// The control character of an escape such as `\n`, as C and JavaScript have them; nil for any other letter.
func controlCharacter(escapedBy letter: UInt8) -> UInt8? {
  switch letter {
  case UInt8(ascii: "b"): 0x08
  case UInt8(ascii: "t"): 0x09
  case UInt8(ascii: "n"): 0x0A
  case UInt8(ascii: "v"): 0x0B
  case UInt8(ascii: "f"): 0x0C
  case UInt8(ascii: "r"): 0x0D
  default: nil
  }
}
