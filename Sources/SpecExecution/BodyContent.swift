import JSONQueries
import MarkupQueries
import Matching
import TextDecoding
import Values

/// A body as captures and assertions look at it: text, JSON, XML, HTML. Each is made at most once.
final class BodyContent {
  private let collector: ResponseCollector
  private let contentType: String?
  private let registry: SecretRegistry

  init(_ collector: ResponseCollector, contentType: String?, registry: SecretRegistry) {
    self.collector = collector
    self.contentType = contentType
    self.registry = registry
  }

  private lazy var charset = BodyCharset(contentType: contentType) { collector.beginning($0) }

  /// Whether the body is said to be UTF-16, which has zero bytes in its text.
  var isUTF16: Bool { charset.encoding?.name.hasPrefix("utf-16") ?? false }

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
      // The label may be a part of a secret.
      let hidesLabel = contentType.map { registry.filtered($0).isSecret } ?? false
      let message = hidesLabel ? "the charset that its content type names is not known" : charset.unknownMessage
      return .failure(Answer.Unreadable(registry.masked(message: message), help: "`bytes` looks at what is not text"))
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
    filled(charset.encoding == .utf8 ? whole : decoded()).flatMap { bytes in
      do throws(JSONParseError) {
        return .success(try JSONDocument(parsing: bytes))
      } catch {
        return .failure(
          unreadable(
            Fault(form: "JSON", problem: "is not JSON", message: registry.masked(message: error.message)), of: bytes,
            at: error.offset, (error.line, error.column)))
      }
    }
  }()

  /// What can be parsed has at least a byte.
  private func filled(_ bytes: Result<[UInt8], Answer.Unreadable>) -> Result<[UInt8], Answer.Unreadable> {
    bytes.flatMap { $0.isEmpty ? .failure(Answer.Unreadable("the body is empty")) : .success($0) }
  }

  // MARK: XML and HTML

  private(set) lazy var markup: Result<MarkupDocument, Answer.Unreadable> = {
    let type = MediaType(contentType)
    let language: MarkupDocument.Language =
      type.isHTML || !type.isXML && looksLikeHTML(collector.beginning(BodyCharset.beginningLength)) ? .html : .xml
    let isAssumed = charset.source == .assumption && language == .html
    return filled(isAssumed ? text.map { Array($0.utf8) } : decoded()).flatMap { bytes in
      do throws(MarkupParseError) {
        return .success(try MarkupDocument(parsing: bytes, as: language))
      } catch {
        let form = language == .html ? "HTML" : "XML"
        let fault = Fault(form: form, problem: "cannot be read as \(form)", message: registry.masked(error.message))
        guard let line = error.line else { return .failure(unreadable(fault, of: bytes, at: nil, nil)) }
        let column = error.column ?? 1
        return .failure(
          unreadable(fault, of: bytes, at: offset(ofLine: line, column: column, in: bytes), (line, column)))
      }
    }
  }()

  // MARK: what is wrong

  /// What a body is not, and why.
  private struct Fault {
    let form: String
    let problem: String
    let message: String
  }

  private func unreadable(
    _ fault: Fault, of bytes: [UInt8], at offset: Int?, _ place: (line: Int, column: Int)?
  ) -> Answer.Unreadable {
    var help: String? = "it has no content type"
    if let contentType {
      // One that says as much explains nothing.
      help =
        contentType.contains(fault.form.lowercased()) ? nil : "its content type is \(registry.masked(contentType))"
    }
    let position = place.map { "line \($0.line), column \($0.column): " } ?? ""
    let text = registry.filtered(String(decoding: bytes, as: UTF8.self))
    let isAligned = text.string.utf8.count == bytes.count
    var message = fault.message
    // A part of a secret is not found by masking the message.
    if let offset, text.isSecret,
      !isAligned || text.secretRanges.contains(where: { $0.overlaps(offset..<offset + longestQuotedWord) })
    {
      message = withoutQuotedWord(message)
    }
    var result = Answer.Unreadable("the body \(fault.problem) (\(position)\(message))", help: help)
    if let offset, isAligned {
      result.excerpt = unreadableExcerpt(
        of: text, at: offset, form: fault.form, problem: fault.problem, because: message)
    }
    return result
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
