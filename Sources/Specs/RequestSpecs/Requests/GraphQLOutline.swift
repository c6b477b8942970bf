import Values

/// The operations of a GraphQL document, as far as mistakes in them can be seen without its schema.
struct GraphQLOutline {
  /// The names of operations; nil for one without.
  private(set) var operations: [String?] = []
  /// The variables that operations declare.
  private(set) var variables: Set<String> = []
  /// The types of variables without a default, such as `[ID!]!`.
  private(set) var types: [String: String] = [:]
  /// The variables that are read, with their places.
  private(set) var uses: [(name: String, range: Range<Int>)] = []
  /// Indicates whether a `{` follows another directly, which no query has.
  private(set) var hasDoubleBrace = false
  /// The offset of a `{` or `(` that is never closed.
  private(set) var unclosed: Int?

  private enum Token: Equatable {
    case name(String)
    case sign(UInt8)
  }

  init(_ text: String) {
    let tokens = Self.tokens(Array(text.utf8))
    var open: [(sign: UInt8, offset: Int)] = []
    var isOperation = false
    for (index, (token, offset)) in tokens.enumerated() {
      let next = index + 1 < tokens.count ? tokens[index + 1].token : nil
      switch token {
      case .name(let word) where open.isEmpty && ["query", "mutation", "subscription"].contains(word):
        isOperation = true
        if case .name(let name)? = next { operations.append(name) } else { operations.append(nil) }
      case .name("fragment") where open.isEmpty: isOperation = true
      case .sign(UInt8(ascii: "$")):
        guard case .name(let name)? = next else { break }
        if open.count == 1, open[0].sign == UInt8(ascii: "("), index + 2 < tokens.count,
          tokens[index + 2].token == .sign(UInt8(ascii: ":"))
        {
          variables.insert(name)
          types[name] = Self.type(tokens.dropFirst(index + 3))
        } else {
          uses.append((name, offset..<offset + 1 + name.utf8.count))
        }
      case .sign(let sign) where "{(".utf8.contains(sign):
        if open.isEmpty, sign == UInt8(ascii: "{") {
          if !isOperation { operations.append(nil) }
          isOperation = false
        }
        if sign == UInt8(ascii: "{"), next == .sign(sign) { hasDoubleBrace = true }
        open.append((sign, offset))
      case .sign(let sign) where "})".utf8.contains(sign): _ = open.popLast()
      default: break
      }
    }
    unclosed = open.last?.offset
  }

  /// The type that follows; nil if it has a default.
  private static func type(_ tokens: ArraySlice<(token: Token, offset: Int)>) -> String? {
    var type = ""
    var hasName = false
    for (token, _) in tokens {
      switch token {
      case .name(let name) where !hasName: (type, hasName) = (type + name, true)
      case .sign(let sign) where "![]".utf8.contains(sign): type.unicodeScalars.append(Unicode.Scalar(sign))
      case .sign(UInt8(ascii: "=")): return nil
      default: return type
      }
    }
    return type
  }

  /// The names and signs, without strings, numbers and comments.
  private static func tokens(_ utf8: [UInt8]) -> [(token: Token, offset: Int)] {
    var tokens: [(Token, Int)] = []
    var index = 0
    while index < utf8.count {
      let start = index
      let byte = utf8[index]
      index += 1
      if byte == UInt8(ascii: "#") {
        while index < utf8.count, utf8[index] != 0x0A { index += 1 }
      } else if byte == UInt8(ascii: "\"") {
        let isBlock = utf8[start...].starts(with: "\"\"\"".utf8)
        index += isBlock ? 2 : 0
        let end: [UInt8] = Array((isBlock ? "\"\"\"" : "\"").utf8)
        while index < utf8.count, !utf8[index...].starts(with: end) {
          index += utf8[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += end.count
      } else if isWordCharacter(byte) {
        while index < utf8.count, isWordCharacter(utf8[index]) { index += 1 }
        tokens.append((.name(String(decoding: utf8[start..<index], as: UTF8.self)), start))
      } else if "{}()$:![]=".utf8.contains(byte) {
        tokens.append((.sign(byte), start))
      }
    }
    return tokens
  }
}
