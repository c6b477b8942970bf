import JSONQueries
import MarkupQueries
import TextDecoding
import Values

/// A body as captures and assertions look at it: text, JSON, XML, HTML. Each is made at most once.
final class AnswerBody {
  private let collector: ResponseCollector
  private let contentType: String?
  private let registry: SecretRegistry

  init(_ collector: ResponseCollector, contentType: String?, registry: SecretRegistry) {
    self.collector = collector
    self.contentType = contentType
    self.registry = registry
  }

  private lazy var charset = BodyCharset(contentType: contentType) { collector.beginning($0) }

  // MARK: text

  /// Decoded; where nothing says how, what is no UTF-8 is U+FFFD.
  private(set) lazy var text: Result<String, Answer.Unreadable> = {
    guard charset.encoding == .utf8 else {
      return decoded().map { String(decoding: $0, as: UTF8.self) }
    }
    guard let text = collector.wholeText() else { return .failure(notStored) }
    // What was replaced may also have been written so.
    if charset.source != .assumption, holdsReplacement(text), case .failure(let problem) = decoded() {
      return .failure(problem)
    }
    return .success(text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text)
  }()

  /// The body in UTF-8, without a byte order mark.
  private func decoded() -> Result<[UInt8], Answer.Unreadable> {
    guard let encoding = charset.encoding else {
      return .failure(
        Answer.Unreadable(registry.masked(message: charset.unknownMessage), help: "`bytes` looks at what is not text"))
    }
    return whole.flatMap { bytes in
      do throws(TextDecodingError) {
        return .success(try encoding.decode(bytes))
      } catch {
        return .failure(
          Answer.Unreadable(registry.masked(message: charset.message(error)), help: "`bytes` looks at what is not text")
        )
      }
    }
  }

  /// That the text has characters in it that are not in the body.
  var note: String? {
    guard charset.source == .assumption, let text = try? text.get(), holdsReplacement(text),
      let bytes = collector.wholeBody()
    else { return nil }
    do throws(TextDecodingError) {
      _ = try TextEncoding.utf8.decode(bytes)
      return nil
    } catch {
      return charset.message(error)
    }
  }

  private var whole: Result<[UInt8], Answer.Unreadable> {
    collector.wholeBody().map { .success($0) } ?? .failure(notStored)
  }

  var notStored: Answer.Unreadable {
    Answer.Unreadable("the body could not be kept: \(collector.storageProblem ?? "it cannot be read again")")
  }

  // MARK: JSON

  private(set) lazy var json: Result<JSONDocument, Answer.Unreadable> = {
    // The parser itself knows where UTF-8 is none.
    let source = charset.encoding == .utf8 ? whole : decoded()
    let bytes: [UInt8]
    switch source {
    case .success(let content): bytes = content
    case .failure(let problem): return .failure(problem)
    }
    guard !bytes.isEmpty else { return .failure(Answer.Unreadable("the body is empty")) }
    do throws(JSONParseError) {
      return .success(try JSONDocument(parsing: bytes))
    } catch {
      return .failure(
        unreadable(
          "is not JSON", registry.masked(message: error.message), (error.line, error.column), help: excerpt(of: bytes, around: error.offset)))
    }
  }()

  // MARK: XML and HTML

  private(set) lazy var markup: Result<MarkupDocument, Answer.Unreadable> = {
    let type = MediaType(contentType)
    let language: MarkupDocument.Language =
      type.isHTML || !type.isXML && looksLikeHTML(collector.beginning(BodyCharset.beginningLength)) ? .html : .xml
    let source: Result<[UInt8], Answer.Unreadable> =
      charset.source == .assumption && language == .html ? text.map { Array($0.utf8) } : decoded()
    let bytes: [UInt8]
    switch source {
    case .success(let content): bytes = content
    case .failure(let problem): return .failure(problem)
    }
    guard !bytes.isEmpty else { return .failure(Answer.Unreadable("the body is empty")) }
    do throws(MarkupParseError) {
      return .success(try MarkupDocument(parsing: bytes, as: language))
    } catch {
      let place = error.line.map { ($0, error.column) }
      return .failure(
        unreadable(
          "cannot be read as \(language == .html ? "HTML" : "XML")", registry.masked(error.message), place,
          help: error.line.map { excerpt(of: bytes, around: offset(ofLine: $0, column: error.column ?? 1, in: bytes)) }
            ?? nil))
    }
  }()

  // MARK: what is wrong

  private func unreadable(
    _ problem: String, _ message: String, _ place: (line: Int, column: Int?)?, help: String?
  ) -> Answer.Unreadable {
    let position = place.map { place in
      "line \(place.line)" + (place.column.map { ", column \($0)" } ?? "") + ": "
    }
    let type = contentType.map { "its content type is \(registry.masked($0))" } ?? "it has no content type"
    return Answer.Unreadable("the body \(problem) (\(position ?? "")\(message)); \(type)", help: help)
  }

  /// How the text reads around an offset, or at its beginning; nil where that says nothing.
  private func excerpt(of bytes: [UInt8], around offset: Int) -> String? {
    let reach = 64 << 10
    // A secret must not be cut in two: it would not be found.
    let window = max(0, offset - reach)..<min(bytes.count, offset + reach)
    let lower = bytes[window].firstIndex { $0 & 0xC0 != 0x80 } ?? window.lowerBound
    let before = String(decoding: bytes[lower..<max(lower, offset)], as: UTF8.self)
    let text = registry.filtered(
      before + String(decoding: bytes[max(lower, offset)..<window.upperBound], as: UTF8.self))
    let middle = before.utf8.count
    let (left, right) = (text.prefix(utf8: middle).masked, text.dropping(first: middle).masked)
    if offset < 40 {
      guard let line = (left + right).split(whereSeparator: \.isNewline).first(where: { !$0.isEmpty }) else {
        return nil
      }
      return "the body begins with \"\(line.prefix(60))\(line.count > 60 ? "…" : "")\""
    }
    let start = left.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).last ?? ""
    let end = right.prefix { !$0.isNewline }
    let shown = "\(start.count > 40 ? "…" : "")\(start.suffix(40))\(end.prefix(30))\(end.count > 30 ? "…" : "")"
    return shown.isEmpty ? nil : "there the body reads \"\(shown)\""
  }

  private func offset(ofLine line: Int, column: Int, in bytes: [UInt8]) -> Int {
    var start = 0
    for _ in 1..<max(1, line) {
      guard let end = bytes[start...].firstIndex(of: 0x0A) else { break }
      start = end + 1
    }
    return min(bytes.count, start + column - 1)
  }
}

private func holdsReplacement(_ text: String) -> Bool {
  let bytes = text.utf8
  return bytes.withContiguousStorageIfAvailable { bytes in
    var index = 0
    while index + 2 < bytes.count {
      if bytes[index] == 0xEF, bytes[index + 1] == 0xBF, bytes[index + 2] == 0xBD { return true }
      index += 1
    }
    return false
  } ?? text.unicodeScalars.contains("\u{FFFD}")
}

private func looksLikeHTML(_ beginning: [UInt8]) -> Bool {
  let text = String(decoding: beginning, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(20)
    .lowercased()
  return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
}
