import HTTPSemantics
import Values

/// Builds heads and trailers from the lines that libcurl's header callback receives.
struct ResponseHeadReader {
  enum Event {
    case unfinished
    case informational(ResponseHead)
    case final(ResponseHead)
  }

  /// Indicates whether 101 starts HTTP/2, in which the response then follows.
  private let mayUpgrade: Bool
  private var head: ResponseHead?
  /// Indicates whether the blank line after the final head was received.
  private(set) var isComplete = false
  /// Fields received after the final head.
  private(set) var trailers = HeaderFields()

  init(mayUpgrade: Bool = false) { self.mayUpgrade = mayUpgrade }

  mutating func read(_ line: UnsafeRawBufferPointer) -> Event {
    var end = line.count
    if end > 0, line[end - 1] == 0x0A { end -= 1 }
    if end > 0, line[end - 1] == 0x0D { end -= 1 }
    let content = UnsafeRawBufferPointer(rebasing: line[..<end])
    if isComplete {
      Self.append(content, to: &trailers)
    } else if var current = head {
      guard content.isEmpty else {
        // Taken out first, so that the array of fields is not copied.
        head = nil
        Self.append(content, to: &current.headers)
        head = current
        return .unfinished
      }
      head = nil
      // Otherwise 101 ends HTTP on this connection: nothing follows it.
      if (100..<200).contains(current.status), mayUpgrade || current.status != 101 { return .informational(current) }
      isComplete = true
      return .final(current)
    } else if !content.isEmpty {
      head = Self.statusLine(content)
    }
    return .unfinished
  }

  private static func statusLine(_ content: UnsafeRawBufferPointer) -> ResponseHead {
    func word(from start: Int) -> (end: Int, next: Int) {
      let end = content[start...].firstIndex(of: 0x20) ?? content.count
      return (end, min(end + 1, content.count))
    }
    let version = word(from: 0)
    let status = word(from: version.next)
    let isHTTP = content[..<version.end].starts(with: "HTTP/".utf8)
    return ResponseHead(
      status: Int(text(content, version.next..<status.end)) ?? 0, reason: text(content, status.next..<content.count),
      httpVersion: isHTTP ? text(content, 5..<version.end) : "", headers: HeaderFields())
  }

  private static func append(_ content: UnsafeRawBufferPointer, to headers: inout HeaderFields) {
    guard let first = content.first else { return }
    if isBlank(first) {
      // Obsolete line folding: one space replaces the fold (RFC 9112, section 5.2).
      let continuation = trimmedText(content, 0..<content.count)
      guard !headers.fields.isEmpty, !continuation.isEmpty else { return }
      headers.fields[headers.fields.count - 1].value += " " + continuation
    } else if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
      let value = trimmedText(content, colon + 1..<content.count)
      let isLatin1 = content[(colon + 1)...].contains { $0 >= 0x80 } && !isUTF8(content[(colon + 1)...])
      headers.fields.append(
        HeaderFields.Field(name: trimmedText(content, 0..<colon), value: value, isLatin1: isLatin1))
    }
  }

  private static func trimmedText(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return text(bytes, start..<end)
  }

  private static func isUTF8(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  /// The text as UTF-8, or else as ISO 8859-1.
  private static func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes[range])
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
