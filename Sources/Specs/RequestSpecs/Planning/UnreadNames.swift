import Templates
import Values
import YAMLNodes

/// Finds texts of a file that mention names which something declares and nothing reads: alone, or as templates of another
/// tool.
struct UnreadNames {
  private let names: Set<String>
  private let source: SourceText
  private var found: [ForeignTemplate] = []

  private init(_ names: Set<String>, in source: SourceText) {
    self.names = names
    self.source = source
  }

  /// The texts of a file that mention the names.
  static func mentions(of names: Set<String>, in source: SourceText) -> [ForeignTemplate] {
    var search = UnreadNames(names, in: source)
    guard search.mayBeMentioned else { return [] }
    var bag = DiagnosticBag()
    let (copy, root) = YAMLReader.read(bytes: source.utf8, name: source.name, into: &bag)
    withExtendedLifetime(copy) { if let root { search.visit(root) } }
    return search.found
  }

  /// Indicates whether a name may stand as a text of its own, or behind a sign: most files needn't be read again.
  private var mayBeMentioned: Bool {
    let lengths = names.reduce(into: UInt64(0)) { $0 |= 1 << UInt64($1.utf8.count & 63) }
    return source.utf8.withUnsafeBufferPointer { bytes in
      var position = 0
      while position < bytes.count {
        guard isWordCharacter(bytes[position]) else {
          position += 1
          continue
        }
        let start = position
        while position < bytes.count, isWordCharacter(bytes[position]) { position += 1 }
        guard lengths >> UInt64((position - start) & 63) & 1 == 1,
          position == bytes.count || bytes[position] != UInt8(ascii: ":"),
          start == 0 || isBefore(bytes[start - 1])
        else { continue }
        if names.contains(String(decoding: bytes[start..<position], as: UTF8.self)) { return true }
      }
      return false
    }
  }

  // MARK: Keys

  /// The texts of a key that may mention a name.
  private enum Texts {
    case url
    /// Values that are rarely words.
    case value
    case any
  }

  private static let texts: [String: Texts] = [
    "url": .url, "base_url": .url, "path": .value, "auth": .value, "with": .value, "headers": .value, "query": .any,
    "parameters": .any, "cookies": .any, "form": .any, "multipart": .any, "json": .any, "body": .any, "graphql": .any,
    "expect": .any, "poll": .any, "variables": .any, "upload": .any,
  ]
  /// Keys with requests, or keys of requests, below them.
  private static let groups: Set = [
    "requests", "setup", "teardown", "flows", "defaults", "stream", "during", "needs",
  ]
  /// Members whose values are words of the format, or names of files.
  private static let words: Set = ["grant_type", "service", "region", "use", "file", "query", "operation"]

  private mutating func visit(_ node: YAMLNode) {
    for item in node.items ?? [] { visit(item) }
    for member in node.members ?? [] where member.value.useSite == nil {
      if let texts = Self.texts[member.key] {
        search(member.value, texts)
      } else if Self.groups.contains(member.key) {
        visit(member.value)
      }
    }
  }

  private mutating func search(_ node: YAMLNode, _ texts: Texts) {
    switch node.content {
    case .scalar(let scalar):
      if let text = node.plainText {
        search(text, of: node, texts)
      } else if let name = quotedName(scalar.text), names.contains(name) {
        add(name, node.range(ofText: 0..<scalar.text.utf8.count))
      }
    case .sequence(let items): for item in items { search(item, texts) }
    case .mapping(let members):
      for member in members where member.value.useSite == nil && !Self.words.contains(member.key) {
        search(member.value, texts)
      }
    }
  }

  // MARK: Texts

  private mutating func search(_ text: String, of node: YAMLNode, _ texts: Texts) {
    let bytes = Array(text.utf8.prefix(1 << 12))
    guard bytes.count <= 200, !text.contains(where: \.isNewline) else { return searchJSON(bytes, of: node) }
    if names.contains(text) {
      if texts == .value || texts == .any && isNoWord(text) { add(text, node.range) }
      return
    }
    if bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") { searchJSON(bytes, of: node) }
    for (start, byte) in bytes.enumerated() {
      guard let (opening, closing) = signs(at: start, byte, bytes, texts) else { continue }
      let name = bytes[(start + opening)...].prefix(while: isWordCharacter)
      let end = name.endIndex + closing.count
      guard bytes[name.endIndex...].starts(with: closing), names.contains(String(decoding: name, as: UTF8.self)),
        closing.isEmpty ? !isAssigned(bytes[end...]) : true
      else { continue }
      add(String(decoding: name, as: UTF8.self), node.range(ofText: start..<end))
    }
  }

  /// Finds `"$name"` in a text that is JSON.
  private mutating func searchJSON(_ bytes: [UInt8], of node: YAMLNode) {
    guard bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") else { return }
    var rest = bytes[...]
    while let sign = rest.firstRange(of: "\"$".utf8) {
      let name = bytes[sign.upperBound...].prefix(while: isWordCharacter)
      rest = bytes[name.endIndex...]
      let text = String(decoding: name, as: UTF8.self)
      guard rest.first == UInt8(ascii: "\""), names.contains(text) else { continue }
      add(text, node.range(ofText: sign.lowerBound + 1..<name.endIndex))
    }
  }

  /// The length of the sign before a name, and the sign behind it, in the notations of other tools.
  private func signs(
    at start: Int, _ byte: UInt8, _ bytes: [UInt8], _ texts: Texts
  ) -> (opening: Int, closing: [UInt8])? {
    let next = start + 1 < bytes.count ? bytes[start + 1] : 0
    switch byte {
    case UInt8(ascii: "$") where next == UInt8(ascii: "("): return (2, [UInt8(ascii: ")")])
    // A query of GraphQL has variables of its own.
    case UInt8(ascii: "$") where !bytes.contains(UInt8(ascii: "{")): return (1, [])
    case UInt8(ascii: "#") where next == UInt8(ascii: "{"): return (2, [UInt8(ascii: "}")])
    case UInt8(ascii: "%"): return (1, [byte])
    case UInt8(ascii: "{") where texts == .value || texts == .any && start == 0 && bytes.last == UInt8(ascii: "}"):
      return (1, [UInt8(ascii: "}")])
    case UInt8(ascii: "<") where next == UInt8(ascii: "%"):
      let blanks = bytes[(start + 2)...].prefix { $0 == UInt8(ascii: "=") || $0 == 0x20 }
      return (2 + blanks.count, Array((blanks.last == 0x20 ? " %>" : "%>").utf8))
    case UInt8(ascii: "<") where texts != .any: return (1, [UInt8(ascii: ">")])
    case UInt8(ascii: ":") where texts == .url && start > 0 && bytes[start - 1] == UInt8(ascii: "/"): return (1, [])
    default: return nil
    }
  }

  /// Returns whether a name is given a value or parameters, as in a language of its own: `$id=1`.
  private func isAssigned(_ rest: ArraySlice<UInt8>) -> Bool { rest.first.map("=:(".utf8.contains) ?? false }

  private mutating func add(_ name: String, _ range: SourceRange) {
    found.append(
      ForeignTemplate(name: name, expression: name, range: SourceRange(source, range.bytes), isUnread: true))
  }
}

/// The name in `${{ 'name' }}`, a template of a text alone.
private func quotedName(_ text: String) -> String? {
  guard text.hasPrefix("${{"), text.hasSuffix("}}"), text.utf8.count < 200 else { return nil }
  let inside = text.dropFirst(3).dropLast(2).filter { $0 != " " }
  guard let quote = inside.first, quote == "'" || quote == "\"", inside.last == quote else { return nil }
  return String(inside.dropFirst().dropLast())
}

/// Returns whether a text is unlikely in data: `API_KEY`, `userId`.
private func isNoWord(_ text: String) -> Bool {
  text.utf8.count > 2 && (text.contains("_") || text.dropFirst().contains(where: \.isUppercase))
}

/// Returns whether a text or a template of another tool may begin behind a byte.
private func isBefore(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x20, 0x22, 0x27, 0x5B, 0x7B, 0x28, 0x24, 0x25, 0x3C, 0x3A: true
  default: false
  }
}
