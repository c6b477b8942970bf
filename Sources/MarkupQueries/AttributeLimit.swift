/// What looking for attributes that a tag has twice may cost: libxml2 compares each with all before it.
private let comparisonLimit = 400_000_000

/// Whether a text's tags have so many attributes that libxml2 would not end in time.
///
/// It looks at bytes only, and takes text that looks like a tag for one: scripts and comments may have some.
func hasTooManyAttributes(_ text: UnsafeRawBufferPointer) -> Bool {
  var comparisons = 0
  var count = 0
  var isInTag = false
  var quote: UInt8?
  /// Whether a name that begins here is an attribute's.
  var isSeparated = false
  /// The last byte that is no blank.
  var last: UInt8 = 0
  for byte in text {
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
      if count > 20_000 { return true }
    }
    if comparisons > comparisonLimit { return true }
  }
  return false
}

private func isNameStart(_ byte: UInt8) -> Bool {
  let letter = byte | 0x20
  return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
    || byte == UInt8(ascii: ":") || byte >= 0x80
}
