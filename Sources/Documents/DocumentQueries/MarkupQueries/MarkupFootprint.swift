/// The limit of comparisons for finding duplicate attributes: libxml2 compares each with all before it.
let comparisonLimit = 400_000_000
/// The maximum number of attributes of one tag.
let attributeLimit = 20_000

/// The resources that a document needs, determined without parsing.
///
/// This scans bytes only and counts text that looks like a tag: scripts and comments may contain some.
package struct MarkupFootprint: Sendable, Hashable {
  /// Indicates whether tags have more attributes than libxml2 can handle in time.
  private(set) var hasTooManyAttributes = false
  private let textCount: Int
  private var markCount = 0
  private var attributeCount = 0

  package init(of text: borrowing [UInt8]) {
    textCount = text.count
    text.withUnsafeBytes { count($0) }
  }

  /// An upper bound of the memory that the document takes beyond its text, in bytes.
  ///
  /// Each `<` begins at most an element and ends a text, which are nodes of 120 bytes. An attribute is a node with a
  /// text, and may identify its element in a table of libxml2.
  package var memory: Int { 2 * textCount + 288 * markCount + 480 * attributeCount }

  private mutating func count(_ text: UnsafeRawBufferPointer) {
    var comparisons = 0
    var count = 0
    var isInTag = false
    var quote: UInt8?
    /// Indicates whether a name that begins here is an attribute's.
    var isSeparated = false
    /// The last byte that isn't a blank.
    var last: UInt8 = 0
    for byte in text {
      if byte == UInt8(ascii: "<") { markCount += 1 }
      if let open = quote {
        if byte == open {
          quote = nil
          isSeparated = true
          last = byte
        }
      } else if !isInTag {
        if last == UInt8(ascii: "<"), isNameStart(byte) {
          isInTag = true
          isSeparated = false
          count = 0
        }
        last = byte
      } else {
        switch byte {
        case UInt8(ascii: ">"):
          comparisons += count * count
          attributeCount += count
          count = 0
          isInTag = false
          last = byte
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C: isSeparated = true
        case UInt8(ascii: "/"):
          isSeparated = true
          last = byte
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
          if last == UInt8(ascii: "=") { quote = byte } else { last = byte }
        default:
          if isSeparated, byte != UInt8(ascii: "="), last != UInt8(ascii: "=") { count += 1 }
          isSeparated = false
          last = byte
        }
      }
      if count > attributeLimit || comparisons > comparisonLimit {
        hasTooManyAttributes = true
        return
      }
    }
    attributeCount += count
  }
}

private func isNameStart(_ byte: UInt8) -> Bool {
  let letter = byte | 0x20
  return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
    || byte == UInt8(ascii: ":") || byte >= 0x80
}
