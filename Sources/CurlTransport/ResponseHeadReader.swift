import HTTPMessages

/// Builds heads and trailers from the lines that libcurl's header callback gets.
struct ResponseHeadReader {
  enum Event {
    case unfinished
    case informational(ResponseHead)
    case final(ResponseHead)
  }

  /// Whether 101 begins HTTP/2, in which the answer then comes.
  private let mayUpgrade: Bool
  private var head: ResponseHead?
  /// Whether the blank line after the final head has come.
  private(set) var isComplete = false
  /// Fields that came after the final head.
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
    let parts = content.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    let version = parts[0].starts(with: "HTTP/".utf8) ? text(parts[0].dropFirst(5)) : ""
    let status = parts.count > 1 ? Int(text(parts[1])) ?? 0 : 0
    let reason = parts.count > 2 ? text(parts[2]) : ""
    return ResponseHead(status: status, reason: reason, httpVersion: version, headers: HeaderFields())
  }

  private static func append(_ content: UnsafeRawBufferPointer, to headers: inout HeaderFields) {
    guard let first = content.first else { return }
    if first == 0x20 || first == 0x09 {
      // Obsolete line folding: one space stands for the fold (RFC 9112, section 5.2).
      let continuation = text(trimmed(content[...]))
      guard !headers.fields.isEmpty, !continuation.isEmpty else { return }
      headers.fields[headers.fields.count - 1].value += " " + continuation
    } else if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(text(trimmed(content[..<colon])), text(trimmed(content[(colon + 1)...])))
    }
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes = bytes.dropFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes = bytes.dropLast() }
    return bytes
  }

  /// As UTF-8, or else as ISO 8859-1.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) {
      return String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
