import HTTPSemantics
import Values

/// The `NAME=value` pairs of a tag (RFC 8216, section 4.2).
struct AttributeList {
  private struct Attribute {
    let name: Substring
    let value: String
  }

  private static let limit = 100

  private let tag: String
  private let line: Int
  private var attributes: [Attribute] = []

  init(
    parsing text: Substring, of tag: String, line: Int, variables: PlaylistVariables
  ) throws(PlaylistProblem) {
    self.tag = tag
    self.line = line
    var rest = text.utf8
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    while true {
      rest = rest.drop(while: isSpace)
      if rest.isEmpty { return }
      let name = Substring(rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") })
      rest = rest.dropFirst(name.utf8.count)
      guard rest.popFirst() == UInt8(ascii: "="), !name.isEmpty, name.utf8.allSatisfy(AttributeList.isNameByte) else {
        throw PlaylistProblem("\(tag) has no NAME=value where \"\(excerpt(name))\" stands", line: line)
      }
      let value: String
      if rest.first == UInt8(ascii: "\"") {
        rest = rest.dropFirst()
        let quoted = rest.prefix { $0 != UInt8(ascii: "\"") }
        rest = rest.dropFirst(quoted.count)
        guard rest.popFirst() != nil else {
          throw PlaylistProblem("the value of \(name) in \(tag) has no closing quote", line: line)
        }
        value = try variables.replaced(in: Substring(quoted), line: line)
        rest = rest.drop(while: isSpace)
      } else {
        let bare = rest.prefix { $0 != UInt8(ascii: ",") }
        rest = rest.dropFirst(bare.count)
        var word = Substring(bare)
        while word.utf8.last.map(isSpace) == true { word.removeLast() }
        value = String(word)
      }
      guard rest.isEmpty || rest.popFirst() == UInt8(ascii: ",") else {
        throw PlaylistProblem("\(tag) has no comma after the value of \(name)", line: line)
      }
      guard !attributes.contains(where: { $0.name == name }) else {
        throw PlaylistProblem("\(tag) has \(name) twice", line: line, help: "an attribute may stand once in a tag")
      }
      guard attributes.count < AttributeList.limit else {
        throw PlaylistProblem("\(tag) has more than \(AttributeList.limit) attributes", line: line)
      }
      attributes.append(Attribute(name: name, value: value))
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// A value without its quotes.
  subscript(name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }

  /// The value of a required attribute.
  func required(_ name: String) throws(PlaylistProblem) -> String {
    guard let value = self[name], !value.isEmpty else { throw PlaylistProblem("\(tag) has no \(name)", line: line) }
    return value
  }

  func integer(_ name: String) throws(PlaylistProblem) -> Int64? {
    guard let text = self[name] else { return nil }
    if let value = decimalInteger(text) { return value }
    throw PlaylistProblem("\(name) of \(tag) is a number, found \"\(excerpt(text))\"", line: line)
  }

  /// True for `YES`, false for `NO` and without the attribute.
  func flag(_ name: String) throws(PlaylistProblem) -> Bool {
    switch self[name] {
    case "YES": return true
    case "NO", nil: return false
    case let text?: throw PlaylistProblem("\(name) of \(tag) is YES or NO, found \"\(excerpt(text))\"", line: line)
    }
  }

  func resolution(_ name: String) throws(PlaylistProblem) -> Resolution? {
    guard let text = self[name] else { return nil }
    if let value = Resolution(parsing: text) { return value }
    throw PlaylistProblem(
      "\(name) of \(tag) is a size such as 1280x720, found \"\(excerpt(text))\"", line: line)
  }

  /// A byte range; without an offset it starts at the resource's beginning.
  func byteRange(_ name: String) throws(PlaylistProblem) -> ByteRange? {
    guard let text = self[name] else { return nil }
    if let parts = byteRangeParts(text), let range = ByteRange(offset: parts.offset ?? 0, length: parts.length) {
      return range
    }
    throw PlaylistProblem(
      "\(name) of \(tag) is length@offset, found \"\(excerpt(text))\"", line: line)
  }

  /// 128 bits in hexadecimal.
  func initializationVector(_ name: String) throws(PlaylistProblem) -> [UInt8]? {
    guard let text = self[name] else { return nil }
    let digits = text.utf8.dropFirst(2)
    if text.hasPrefix("0x") || text.hasPrefix("0X"), (1...32).contains(digits.count) {
      let values = digits.compactMap(hexDigitValue)
      if values.count == digits.count {
        let all = [UInt8](repeating: 0, count: 32 - values.count) + values
        return (0..<16).map { all[2 * $0] << 4 | all[2 * $0 + 1] }
      }
    }
    throw PlaylistProblem(
      "\(name) of \(tag) is 0x and up to 32 hexadecimal digits, found \"\(excerpt(text))\"", line: line)
  }
}

/// The numbers of `length` or `length@offset`; nil if the text is neither.
func byteRangeParts(_ text: some StringProtocol) -> (length: Int64, offset: Int64?)? {
  let parts = text.split(separator: "@", omittingEmptySubsequences: false)
  guard parts.count <= 2, let length = decimalInteger(parts[0]) else { return nil }
  if parts.count == 1 { return (length, nil) }
  return decimalInteger(parts[1]).map { (length, $0) }
}
