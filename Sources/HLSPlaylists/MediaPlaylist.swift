/// The segments of one stream.
package struct MediaPlaylist: Sendable {
  package enum Kind: String, Sendable {
    /// It grows, and nothing is taken away.
    case event = "EVENT"
    /// It doesn't change.
    case onDemand = "VOD"
  }

  /// The longest that a segment may take, in seconds; computed from the segments where the playlist doesn't say.
  package internal(set) var targetDuration = 1
  /// The number of the first segment.
  package internal(set) var mediaSequence: Int64 = 0
  package internal(set) var discontinuitySequence: Int64 = 0
  package internal(set) var kind: Kind?
  /// Whether it says that no segment will follow.
  package internal(set) var hasEndList = false
  package internal(set) var isIFramesOnly = false
  package internal(set) var hasIndependentSegments = false
  package internal(set) var segments: [MediaSegment] = []

  /// Whether segments may follow.
  package var isLive: Bool { !hasEndList && kind != .onDemand }
}

/// A part of a stream, in a file of its own or a part of one.
package struct MediaSegment: Sendable, Hashable {
  /// As written, variables replaced.
  package let uri: String
  /// In the playlist's text, from 1.
  package let line: Int
  /// Its number in the stream.
  package let sequenceNumber: Int64
  package let duration: SegmentDuration
  package let title: String
  package let byteRange: ByteRange?
  /// Nil for what is not encrypted.
  package let key: EncryptionKey?
  package let map: InitializationSection?
  /// Whether it doesn't go on from the one before.
  package let isDiscontinuity: Bool
  /// Whether it is missing, and must not be asked for.
  package let isGap: Bool
  /// As written.
  package let programDateTime: String?

  /// The initialization vector that its key is used with.
  package var initializationVector: [UInt8]? { key?.initializationVector(for: sequenceNumber) }
}

/// How long a segment plays, as written.
package struct SegmentDuration: Sendable, Hashable {
  package let text: String
  package let seconds: Double

  /// Digits, with or without a fraction.
  package init?(parsing text: some StringProtocol) {
    let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    guard digits, text.utf8.count <= 40, let seconds = Double(String(text)), seconds <= 1e9 else { return nil }
    self.text = String(text)
    self.seconds = seconds
  }
}

/// A key of AES-128 in CBC mode.
package struct EncryptionKey: Sendable, Hashable {
  /// As written, variables replaced.
  package let uri: String
  package let line: Int
  /// Nil stands for the segment's number.
  package let explicitVector: [UInt8]?

  /// The initialization vector for what has that number in the stream (RFC 8216, section 5.2).
  package func initializationVector(for sequenceNumber: Int64) -> [UInt8] {
    if let explicitVector { return explicitVector }
    let number = UInt64(bitPattern: sequenceNumber)
    return [UInt8](repeating: 0, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}

/// What stands before segments that cannot be read without it.
package struct InitializationSection: Sendable, Hashable {
  /// As written, variables replaced.
  package let uri: String
  package let line: Int
  package let byteRange: ByteRange?
  package let key: EncryptionKey?
  /// The number of the segment after it, in place of an initialization vector.
  package let sequenceNumber: Int64

  package var initializationVector: [UInt8]? { key?.initializationVector(for: sequenceNumber) }
}
