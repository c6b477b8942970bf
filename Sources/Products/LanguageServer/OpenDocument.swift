import OperatingSystem
import ReqrunKit
import Values

/// A unit in which the client counts columns (LSP 3.17, "PositionEncodingKind").
enum PositionEncoding: String {
  case utf8 = "utf-8"
  case utf16 = "utf-16"

  /// The number of units of a text.
  func count(of utf8: ArraySlice<UInt8>) -> Int {
    self == .utf8 ? utf8.count : utf16Count(of: utf8)
  }
}

/// A text that is open in the editor.
struct OpenDocument {
  let uri: String
  let path: String
  /// The path without links, by which files are known.
  let key: String
  var version: Int
  /// Indicates whether it could be read as a spec or an OpenAPI document before a change.
  var wasSpec = false
  private(set) var text: SourceText

  init(uri: String, path: String, version: Int, text: String) {
    (self.uri, self.path, self.version) = (uri, path, version)
    key = canonicalPath(path) ?? path
    self.text = SourceText(name: path, text: text)
  }

  /// The open text as an argument of a run.
  var source: SpecSource { .text(String(decoding: text.utf8, as: UTF8.self), name: path) }

  /// Indicates whether a line begins with a key that specs have at the top.
  var isLikeSpec: Bool {
    let keys = ["requests:", "flows:", "url:", "- url:", "expect:", "capture:"].map { Array($0.utf8) }
    return text.utf8.split(separator: 0x0A, maxSplits: 400).contains { line in
      keys.contains { line.starts(with: $0) }
    }
  }

  var directory: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

  /// The line of an offset, and the bytes of that line.
  func line(at offset: Int) -> Range<Int> { text.lineBytes(text.lineIndex(at: offset)) }

  /// Makes one of the changes of `textDocument/didChange`.
  mutating func change(_ change: JSONValue, _ encoding: PositionEncoding) {
    guard let inserted = change["text"]?.stringValue else { return }
    guard let range = change["range"], let start = text.offset(of: range["start"], encoding),
      let end = text.offset(of: range["end"], encoding)
    else {
      text = SourceText(name: path, text: inserted)
      return
    }
    var utf8 = text.utf8
    utf8.replaceSubrange(min(start, end)..<max(start, end), with: inserted.utf8)
    text = SourceText(name: path, utf8: utf8)
  }
}

extension SourceText {
  /// The offset of a position of the protocol: lines and columns count from 0, and a column past the end is the end.
  func offset(of position: JSONValue?, _ encoding: PositionEncoding) -> Int? {
    guard let line = position?["line"]?.intValue, let column = position?["character"]?.intValue, line >= 0, column >= 0
    else { return nil }
    let last = lineIndex(at: utf8.count)
    if line > last { return utf8.count }
    let bytes = lineBytes(line)
    guard encoding == .utf16 else { return min(bytes.upperBound, bytes.lowerBound.addingClamped(column)) }
    var (offset, rest) = (bytes.lowerBound, column)
    while rest > 0, offset < bytes.upperBound {
      let byte = utf8[offset]
      rest -= byte >= 0xF0 ? 2 : 1
      offset += byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
    }
    return min(offset, bytes.upperBound)
  }

  func position(_ offset: Int, _ encoding: PositionEncoding) -> JSONValue {
    let offset = min(max(0, offset), utf8.count)
    let line = lineIndex(at: offset)
    let start = lineBytes(line).lowerBound
    return ["line": number(line), "character": number(encoding.count(of: utf8[start..<max(start, offset)]))]
  }

  func range(_ bytes: Range<Int>, _ encoding: PositionEncoding) -> JSONValue {
    ["start": position(bytes.lowerBound, encoding), "end": position(bytes.upperBound, encoding)]
  }
}

/// The path of a `file:` URI; nil for another one.
func path(ofURI uri: String) -> String? {
  guard uri.hasPrefix("file://") else { return nil }
  let rest = uri.dropFirst(7)
  guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash]) else { return nil }
  let path = percentDecoded(rest[slash...])
  return hasNUL(path) ? nil : path
}

/// The `file:` URI of a path.
func uri(ofPath path: String) -> String {
  let absolute = path.hasPrefix("/") ? path : "\(canonicalPath(".") ?? "")/\(path)"
  let names = absolute.split(separator: "/", omittingEmptySubsequences: false)
  return "file://" + names.map { percentEncoded(String($0), allowed: .unreserved) }.joined(separator: "/")
}
