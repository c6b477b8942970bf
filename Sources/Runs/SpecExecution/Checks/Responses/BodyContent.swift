import DocumentQueries
import HTTPSemantics
import Matching
import OperatingSystem
import Values

/// A body for captures and assertions: text, JSON, XML, HTML. Each is made at most once.
package final class BodyContent {
  let collector: ResponseCollector
  private let contentType: String?
  private let registry: SecretRegistry
  /// The name for messages.
  private let name: String
  /// The number of received bytes, if these were compressed.
  private let wireCount: Int64?
  private let storage: StorageBudget
  /// The memory of everything that is made from the body.
  private lazy var share = StorageBudget.Share(of: storage)

  package init(
    _ collector: ResponseCollector, name: String, wireCount: Int64? = nil, contentType: String?,
    registry: SecretRegistry, storage: StorageBudget
  ) {
    self.collector = collector
    self.name = name
    self.wireCount = wireCount
    self.contentType = contentType
    self.registry = registry
    self.storage = storage
  }

  /// Reserves memory for a representation of the body before it is made.
  private func take(_ memory: Int, for what: String, _ details: @autoclosure () -> String = "") throws(Response
    .Unreadable)
  {
    do throws(MemoryShortage) {
      try share.takeMemory(memory)
    } catch {
      let origin = wireCount.flatMap { $0 == collector.count ? nil : " decoded from \(byteCountText($0))" } ?? ""
      let isSaid = origin.isEmpty && memory == collector.count
      throw Response.Unreadable(
        error, "\(what) of \(name)", isSaid ? nil : "\(details())\(byteCountText(collector.count))\(origin)")
    }
  }

  private(set) lazy var charset = BodyCharset(contentType: contentType) { collector.beginning($0) }

  /// Indicates whether the body is declared as UTF-16, which has zero bytes in its text.
  package var isUTF16: Bool { charset.encoding?.name.hasPrefix("utf-16") ?? false }

  // MARK: text

  /// The decoded text; without a declared encoding, invalid UTF-8 becomes U+FFFD.
  package private(set) lazy var text: Result<String, Response.Unreadable> = {
    guard charset.encoding == .utf8 else {
      return decoded().map { String(decoding: $0, as: UTF8.self) }
    }
    var found: String?
    do throws(Response.Unreadable) {
      try take(Int(collector.count), for: "the text")
      found = collector.wholeText(ifValid: true)
      if found == nil, collector.storageProblem == nil {
        // Each invalid byte becomes three.
        try take(3 * Int(collector.count), for: "the text")
        found = collector.wholeText(ifValid: false)
      }
    } catch {
      return .failure(error)
    }
    guard let text = found else { return .failure(notStored) }
    // U+FFFD may also have been in the body.
    if charset.source != .assumption, text.contains("\u{FFFD}" as String), case .failure(let problem) = decoded() {
      return .failure(problem)
    }
    return .success(text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text)
  }()

  /// The body in UTF-8, without a byte order mark.
  private func decoded() -> Result<[UInt8], Response.Unreadable> {
    guard let encoding = charset.encoding else {
      // The label may be a part of a secret.
      let hidesLabel = contentType.map { registry.filtered($0).isSecret } ?? false
      let message = hidesLabel ? "the charset that its content type names is not known" : charset.unknownMessage
      return .failure(Response.Unreadable(registry.masked(message: message), help: "`bytes` looks at what is not text"))
    }
    return bytes.flatMap { bytes in
      do throws(Response.Unreadable) {
        // One byte becomes at most three, first as bytes and then as text.
        try take(6 * bytes.count, for: "the text")
      } catch {
        return .failure(error)
      }
      do throws(TextDecodingError) {
        return .success(try encoding.decode(bytes))
      } catch {
        return .failure(
          Response.Unreadable(
            registry.masked(message: charset.message(error)), help: "`bytes` looks at what is not text")
        )
      }
    }
  }

  /// A note that the text has characters that aren't in the body.
  package var note: String? {
    guard charset.source == .assumption, let text = try? text.get(), text.contains("\u{FFFD}" as String),
      let bytes = try? bytes.get(), (try? share.takeMemory(bytes.count)) != nil
    else { return nil }
    do throws(TextDecodingError) {
      _ = try TextEncoding.utf8.decode(bytes)
      return nil
    } catch {
      return charset.message(error)
    }
  }

  /// The body without content codings.
  package private(set) lazy var bytes: Result<[UInt8], Response.Unreadable> = {
    do throws(Response.Unreadable) {
      if collector.isOnDisk { try take(Int(collector.count), for: "the body") }
      return collector.wholeBody().map { .success($0) } ?? .failure(notStored)
    } catch {
      return .failure(error)
    }
  }()

  private var notStored: Response.Unreadable {
    Response.Unreadable("the body could not be kept: \(collector.storageProblem ?? "it cannot be read again")")
  }

  // MARK: JSON

  package private(set) lazy var json: Result<JSONDocument, Response.Unreadable> = {
    // The parser itself finds invalid UTF-8.
    filled(charset.encoding == .utf8 ? bytes : decoded()).flatMap { bytes in
      let footprint: JSONFootprint?
      do throws(Response.Unreadable) {
        footprint = try self.footprint(ofJSON: bytes)
      } catch {
        return .failure(error)
      }
      do throws(JSONParseError) {
        return .success(try JSONDocument(parsing: bytes, footprint: footprint))
      } catch {
        return .failure(
          unreadable(
            Fault(form: "JSON", problem: "is not JSON", message: registry.masked(message: error.message)), of: bytes,
            at: error.offset, (error.line, error.column)))
      }
    }
  }()

  /// The size in bytes up to which the memory for a text is estimated without a scan.
  private static let countedLength = 1 << 16

  /// The footprint of a JSON text, whose memory was reserved; nil if an estimate is enough.
  private func footprint(ofJSON bytes: [UInt8]) throws(Response.Unreadable) -> JSONFootprint? {
    guard bytes.count > BodyContent.countedLength else {
      try take(JSONFootprint.memory(ofLength: bytes.count), for: "the JSON")
      return nil
    }
    // Anything but a list or object is at most one value, whatever it looks like.
    guard let first = bytes.first(where: { $0 > 0x20 && $0 < 0x80 }), first | 0x20 == UInt8(ascii: "{") else {
      return nil
    }
    let footprint = JSONFootprint(of: bytes)
    try take(footprint.memory, for: "the JSON", "\(footprint.nodes) values in ")
    return footprint
  }

  /// Rejects an empty body, which can't be parsed.
  private func filled(_ bytes: Result<[UInt8], Response.Unreadable>) -> Result<[UInt8], Response.Unreadable> {
    bytes.flatMap { $0.isEmpty ? .failure(Response.Unreadable("the body is empty")) : .success($0) }
  }

  // MARK: CSV

  /// The rows as a JSON list of objects.
  package private(set) lazy var csv: Result<JSONDocument, Response.Unreadable> = {
    filled(text.map { Array($0.utf8) }).flatMap { bytes in
      var rows = CSVObjects(bytes)
      var json = [UInt8(ascii: "[")]
      do {
        try take(bytes.count, for: "the CSV")
        while let row = try rows.next() {
          // Names are repeated in each row.
          try take(2 * row.count, for: "the CSV")
          if json.count > 1 { json.append(UInt8(ascii: ",")) }
          json += row
        }
        json.append(UInt8(ascii: "]"))
        return .success(try JSONDocument(parsing: json, footprint: try footprint(ofJSON: json)))
      } catch let error as CSVParser.Problem {
        let fault = Fault(form: "CSV", problem: "is not CSV", message: registry.masked(message: error.message))
        let start = offset(ofLine: error.line, column: 1, in: bytes)
        return .failure(unreadable(fault, of: bytes, at: start, (error.line, nil)))
      } catch let error as JSONParseError {
        let fault = Fault(form: "CSV", problem: "cannot be read as CSV", message: error.message)
        return .failure(unreadable(fault, of: [], at: nil, nil))
      } catch {
        return .failure(error as? Response.Unreadable ?? Response.Unreadable("\(error)"))
      }
    }
  }()

  // MARK: XML and HTML

  package private(set) lazy var markup: Result<MarkupDocument, Response.Unreadable> = {
    let type = MediaType(contentType)
    let language: MarkupDocument.Language =
      type.isHTML || !type.isXML && looksLikeHTML(collector.beginning(BodyCharset.beginningLength)) ? .html : .xml
    let form = language == .html ? "HTML" : "XML"
    guard collector.count <= MarkupDocument.sizeLimit else {
      let message = "it is larger than \(byteCountText(Int64(MarkupDocument.sizeLimit)))"
      return .failure(
        unreadable(
          Fault(form: form, problem: "cannot be read as \(form)", message: message), of: [], at: nil, nil))
    }
    let isAssumed = charset.source == .assumption && language == .html
    return filled(isAssumed ? text.map { Array($0.utf8) } : decoded()).flatMap { bytes in
      let footprint = MarkupFootprint(of: bytes)
      // A longer text isn't parsed, and the parser reports its errors.
      if bytes.count <= MarkupDocument.sizeLimit {
        do throws(Response.Unreadable) {
          try take(footprint.memory, for: "the \(form)")
        } catch {
          return .failure(error)
        }
      }
      do throws(MarkupParseError) {
        return .success(try MarkupDocument(parsing: bytes, as: language, footprint: footprint))
      } catch {
        let fault = Fault(form: form, problem: "cannot be read as \(form)", message: registry.masked(error.message))
        guard let line = error.line else { return .failure(unreadable(fault, of: bytes, at: nil, nil)) }
        let column = error.column ?? 1
        return .failure(
          unreadable(fault, of: bytes, at: offset(ofLine: line, column: column, in: bytes), (line, column)))
      }
    }
  }()

  // MARK: errors

  /// An error in the body's format.
  private struct Fault {
    let form: String
    let problem: String
    let message: String
  }

  /// The maximum size in bytes of a body that is quoted in part.
  private static let excerptLimit = 1 << 20

  private func unreadable(
    _ fault: Fault, of bytes: [UInt8], at offset: Int?, _ place: (line: Int, column: Int?)?
  ) -> Response.Unreadable {
    var help: String? = "it has no content type"
    if let contentType {
      // A hint that says the same explains nothing.
      help =
        contentType.contains(fault.form.lowercased()) ? nil : "its content type is \(registry.masked(contentType))"
    }
    let position = place.map { "line \($0.line)\($0.column.map { ", column \($0)" } ?? ""): " } ?? ""
    // Only the surroundings in a large body are searched for secrets, and none is shown.
    let isLarge = bytes.count > BodyContent.excerptLimit
    let part = isLarge ? surroundings(of: offset ?? 0, in: bytes) : bytes.indices
    let text = registry.filtered(String(decoding: bytes[part], as: UTF8.self))
    let isAligned = text.string.utf8.count == part.count
    var message = fault.message
    // Masking the message would not find a part of a secret.
    let word = (offset ?? 0) - part.lowerBound..<(offset ?? 0) - part.lowerBound + longestQuotedWord
    if offset != nil, text.isSecret, !isAligned || text.secretRanges.contains(where: { $0.overlaps(word) }) {
      message = withoutQuotedWord(message)
    }
    var result = Response.Unreadable("the body \(fault.problem) (\(position)\(message))", help: help)
    if let offset, isAligned, !isLarge {
      result.excerpt = unreadableExcerpt(
        of: text, at: offset, form: fault.form, problem: fault.problem, because: message)
    }
    return result
  }

  /// The 64 KiB before and after a position, from the beginning of a character on.
  private func surroundings(of offset: Int, in bytes: [UInt8]) -> Range<Int> {
    var start = max(0, offset - 65_536)
    while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 }
    var end = min(bytes.count, offset + 65_536)
    while end < bytes.count, end > offset, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return start..<end
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
