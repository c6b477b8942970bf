import Values

/// The place of the cursor in a YAML text, found without a tree, since half-typed text has none.
struct CursorContext: Equatable {
  /// A step from a node to one inside it.
  enum Step: Hashable {
    case key(String), item
  }

  enum Kind: Equatable {
    /// A key, or a plain scalar that may become one.
    case key
    case value
    /// A comment, or the text of a block scalar.
    case text
  }

  var kind: Kind
  /// The way to the mapping of a key, or to the value.
  var path: [Step]
  /// The keys on that way.
  var keys: [String] { path.compactMap { if case .key(let name) = $0 { name } else { nil } } }
  /// The bytes of the word at the cursor, with its end behind it.
  var word: Range<Int>
  /// The column of the mapping of a key, counted from 0; nil in flow style.
  var column: Int?
  /// The keys that the mapping has before the cursor.
  var siblings: Set<String> = []
  /// Indicates whether a colon follows the word.
  var hasColon = false
  /// The bytes between `${{` and the cursor, if the cursor is in a template.
  var template: Range<Int>?

  init(_ kind: Kind, _ path: [Step], word: Range<Int>, column: Int? = nil) {
    (self.kind, self.path, self.word, self.column) = (kind, path, word, column)
  }

  /// The context of an offset in a text.
  static func at(_ offset: Int, in utf8: [UInt8]) -> CursorContext {
    var scanner = OutlineScanner(utf8, end: min(max(0, offset), utf8.count))
    var context = scanner.context()
    context.template = template(before: scanner.end, in: utf8)
    return context
  }

  /// The expression that is open at an offset; templates don't span lines here.
  private static func template(before offset: Int, in utf8: [UInt8]) -> Range<Int>? {
    let open = Array("${{".utf8)
    var position = offset
    while position > 0, utf8[position - 1] != 0x0A {
      position -= 1
      if utf8[position] == UInt8(ascii: "}"), position + 1 < offset, utf8[position + 1] == UInt8(ascii: "}") {
        return nil
      }
      if position + 3 <= offset, utf8[position..<position + 3].elementsEqual(open) {
        let isEscaped = position > 0 && utf8[position - 1] == UInt8(ascii: "$")
        return isEscaped ? nil : position + 3..<offset
      }
    }
    return nil
  }
}
