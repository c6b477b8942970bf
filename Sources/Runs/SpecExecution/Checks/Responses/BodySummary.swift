import HTTPSemantics
import RequestSpecs

/// A response's body in one line: an HTML page by its title, JSON by the members that describe errors, anything but
/// text by its type and size, everything else by its beginning.
package struct BodySummary {
  /// The beginning, or all of it, without secrets.
  package let text: String
  package let isWhole: Bool
  package let contentType: String?
  /// The size of the whole body.
  package let count: Int64

  /// The maximum length in characters of a text that is shown unchanged.
  private static let shownLimit = 240

  package var line: String? {
    if text.utf8.count <= 2 { return nil }
    if let form = formOtherThanText { return form }
    let words = oneLine(text[...])
    if words.count <= BodySummary.shownLimit { return isWhole ? words : words + "…" }
    return errorMembers ?? words.prefix(200) + "…"
  }

  /// A description of a body that is a page or isn't text.
  package var formOtherThanText: String? {
    if let binaryForm { return binaryForm }
    guard isHTML else { return nil }
    let title = element("title") ?? element("h1")
    return title.map { "HTML page \"\($0)\"" } ?? (count > 512 ? "an HTML page, \(byteCountText(count))" : nil)
  }

  /// The type and size of a body that isn't text.
  package var binaryForm: String? {
    guard isBinary else { return nil }
    let type = MediaType(contentType).essence
    return "\(type.isEmpty ? "binary data" : type), \(byteCountText(count))"
  }

  private var isHTML: Bool {
    let beginning = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(20).lowercased()
    return beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html")
      || MediaType(contentType).isHTML && beginning.hasPrefix("<")
  }

  package init(text: String, isWhole: Bool, contentType: String?, count: Int64) {
    (self.text, self.isWhole, self.contentType, self.count) = (text, isWhole, contentType, count)
  }

  /// Indicates whether much of the beginning can't be text.
  package var isBinary: Bool {
    let type = MediaType(contentType).essence
    // In an undeclared encoding.
    let isSaidToBeText = ["text/", "json", "xml", "javascript"].contains { type.contains($0) }
    var (strange, all) = (0, 0)
    for scalar in text.unicodeScalars.prefix(512) {
      all += 1
      switch scalar.value {
      case 0: return true
      case 0x09, 0x0A, 0x0C, 0x0D, 0x1B: break
      case 0..<0x20, 0x7F: strange += 1
      case 0xFFFD: strange += isSaidToBeText ? 0 : 1
      default: break
      }
    }
    // Text for terminals may contain a few, too.
    return strange > 3 && strange * 16 > all
  }

  /// The text of an element, in one line; nil if there is none, or its end is missing.
  private func element(_ name: String) -> String? {
    let bytes = text.utf8
    guard let start = bytes.firstRange(ofASCII: "<\(name)", from: bytes.startIndex),
      let open = bytes[start.upperBound...].firstIndex(of: UInt8(ascii: ">")),
      let end = bytes.firstRange(ofASCII: "</\(name)", from: open)
    else { return nil }
    let content = String(text[bytes.index(after: open)..<end.lowerBound])
    let words = oneLine(withoutEntities(withoutTags(content))[...])
    return words.isEmpty ? nil : words.count > 160 ? words.prefix(150) + "…" : words
  }

  private func withoutTags(_ text: String) -> String {
    var depth = 0
    var result = ""
    for character in text {
      if character == "<" {
        depth += 1
      } else if character == ">", depth > 0 {
        depth -= 1
      } else if depth == 0 {
        result.append(character)
      }
    }
    return result
  }

  private func withoutEntities(_ text: String) -> String {
    guard text.contains("&") else { return text }
    let entities = [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&nbsp;", " "), ("&amp;", "&"),
    ]
    return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  // MARK: JSON

  /// The members in which APIs describe errors, the most informative first.
  private static let identifyingNames = [
    "message", "detail", "error", "error_description", "errors", "title", "reason", "msg",
  ]

  /// The members `"message": "…", "errors": […]` of an object that is too long to show.
  private var errorMembers: String? {
    let members = topLevelMembers(Array(text.utf8))
    var shown: [String] = []
    for name in BodySummary.identifyingNames {
      guard let value = members[name] else { continue }
      let words = oneLine(value[...])
      shown.append("\"\(name)\": " + (words.count > 200 ? words.prefix(180) + "…" : words))
      if shown.count == 3 { break }
    }
    return shown.isEmpty ? nil : "\(shown.joined(separator: ", ")) … (JSON, \(byteCountText(count)))"
  }

  /// The members of a JSON object as written, as far as they are there; none for anything else.
  private func topLevelMembers(_ bytes: [UInt8]) -> [String: String] {
    var members: [String: String] = [:]
    var position = bytes.firstIndex { $0 > 0x20 } ?? bytes.count
    guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { return [:] }
    position += 1
    while position < bytes.count, let name = string(bytes, &position) {
      while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
      guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { break }
      position += 1
      let start = position
      skipValue(bytes, &position)
      if BodySummary.identifyingNames.contains(name), members[name] == nil {
        let value = String(decoding: bytes[start..<position], as: UTF8.self)
        if oneLine(value[...]) != "null" { members[name] = value }
      }
      position += 1
    }
    return members
  }

  /// A string after optional blanks, without its quotes; nil if there is none.
  private func string(_ bytes: [UInt8], _ position: inout Int) -> String? {
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    skipString(bytes, &position)
    return position > start ? String(decoding: bytes[start..<(position - 1)], as: UTF8.self) : nil
  }

  private func skipString(_ bytes: [UInt8], _ position: inout Int) {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(bytes.count, position + 1)
  }

  /// Moves to the comma or brace after a value.
  private func skipValue(_ bytes: [UInt8], _ position: inout Int) {
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        skipString(bytes, &position)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return
      default: break
      }
      position += 1
    }
  }

  private func oneLine(_ text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension String.UTF8View {
  /// The range of an ASCII text, regardless of case.
  fileprivate func firstRange(ofASCII wanted: String, from start: Index) -> Range<Index>? {
    let wanted = Array(wanted.utf8)
    var index = start
    while index < endIndex {
      if self[index] == wanted[0] {
        var end = index
        var matched = 0
        while end < endIndex, matched < wanted.count, self[end] | 0x20 == wanted[matched] | 0x20 {
          end = self.index(after: end)
          matched += 1
        }
        if matched == wanted.count { return index..<end }
      }
      index = self.index(after: index)
    }
    return nil
  }
}
