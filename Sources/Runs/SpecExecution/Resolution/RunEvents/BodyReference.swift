import Synchronization

/// A reference to a body in memory or in a file: it is read, and its secrets are masked, when a report needs it.
package struct BodyReference: Sendable {
  /// The maximum size of a request's body that is read again, from files too, so that a report has it whole.
  package static let wholeLimit: Int64 = 1 << 20

  /// The size in bytes, after content decoding; nil if it is unknown.
  package let size: Int64?
  /// The size in bytes as received; nil if the transport doesn't report it.
  package let wireSize: Int64?
  private let shared: SharedExcerpt
  private let readBytes: @Sendable () -> [UInt8]?
  private let readPieces: @Sendable (_ take: ([UInt8]) -> Void) -> Bool

  package init(
    size: Int64?, wireSize: Int64? = nil, excerpt: @escaping @Sendable () -> BodyExcerpt? = { nil },
    bytes: @escaping @Sendable () -> [UInt8]? = { nil },
    pieces: @escaping @Sendable (_ take: ([UInt8]) -> Void) -> Bool = { _ in false }
  ) {
    self.size = size
    self.wireSize = wireSize
    shared = SharedExcerpt(excerpt)
    readBytes = bytes
    readPieces = pieces
  }

  /// Returns the body, or its beginning; nil if it is empty or was not kept. It is read once for all reporters.
  package func excerpt() -> BodyExcerpt? { shared.excerpt }

  /// Returns the beginning as text for people, or the size if it isn't text; nil if there is nothing to show.
  package func beginning() -> String? {
    guard let excerpt = excerpt() else { return nil }
    switch excerpt.content {
    case .text(let text): return excerpt.isCut ? "\(text)\n… \(size.map { "\($0) bytes" } ?? "more") in all" : text
    case .data(let bytes): return "\(size ?? Int64(bytes.count)) bytes"
    case .description(let text): return text
    }
  }

  /// Returns the whole body; nil if it was not kept.
  package func bytes() -> [UInt8]? { readBytes() }

  /// Reads the whole body with its secrets, piece by piece; false if it was not kept.
  package func readOpen(_ take: ([UInt8]) -> Void) -> Bool { readPieces(take) }
}

/// A body for reports, or its beginning if it is longer than ``BodyExcerpt/limit``. Its secrets are masked, so it may be
/// shortened further.
package struct BodyExcerpt: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    /// Text, decoded: characters that are not valid are U+FFFD.
    case text(String)
    /// Bytes that aren't text.
    case data([UInt8])
    /// A description in place of the content, such as that of a form with files.
    case description(String)
  }

  /// The maximum number of bytes of a body in a report.
  package static let limit = 64 << 10

  package let content: Content
  /// Indicates whether the body is longer.
  package let isCut: Bool
  /// The content type as its header has it, masked; nil without one.
  package let contentType: String?

  package init(_ content: Content, isCut: Bool = false, contentType: String? = nil) {
    self.content = content
    self.isCut = isCut
    self.contentType = contentType
  }

  /// Creates the beginning of a text whose secrets are masked.
  package init(text: String, isCut: Bool = false, contentType: String? = nil) {
    var end = text.utf8.index(text.startIndex, offsetBy: BodyExcerpt.limit, limitedBy: text.endIndex) ?? text.endIndex
    while end < text.endIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
    self.init(.text(String(text[..<end])), isCut: isCut || end < text.endIndex, contentType: contentType)
  }
}

/// An excerpt that is made when it is first needed.
private final class SharedExcerpt: Sendable {
  private let make: @Sendable () -> BodyExcerpt?
  private let made = Mutex<BodyExcerpt??>(nil)

  init(_ make: @escaping @Sendable () -> BodyExcerpt?) {
    self.make = make
  }

  var excerpt: BodyExcerpt? {
    made.withLock { made in
      if let made { return made }
      let excerpt = make()
      made = .some(excerpt)
      return excerpt
    }
  }
}
