import OperatingSystem
import Synchronization

/// A time zone: a fixed offset from UTC, or one of the system's time zone database.
package struct TimeZone: Sendable, Hashable {
  private enum Form: Sendable, Hashable {
    case fixed(seconds: Int)
    case named(TimeZoneHistory)
  }

  private let form: Form

  /// Reads `UTC`, an offset such as `+02:00`, or an IANA name such as `Europe/Paris`; nil if there is none such.
  package init?(named name: String) {
    if let offset = TimeZone.offset(name) {
      form = .fixed(seconds: offset)
    } else if let history = TimeZoneHistory.named(name) {
      form = .named(history)
    } else {
      return nil
    }
  }

  /// The seconds east of UTC at an instant, in seconds since 1970.
  package func offset(at instant: Int64) -> Int {
    switch form {
    case .fixed(let seconds): seconds
    case .named(let history): history.offset(at: instant)
    }
  }

  /// The instant of a local time, in seconds since 1970 as if it were UTC.
  ///
  /// Of two, when clocks go back, it is the first; a time that clocks skip is moved by the hour that is skipped.
  package func instant(local: Int64) -> Int64 {
    let before = local - Int64(offset(at: local - 86_400))
    if before + Int64(offset(at: before)) == local { return before }
    let after = local - Int64(offset(at: local + 86_400))
    return after + Int64(offset(at: after)) == local ? after : before
  }

  private static func offset(_ name: String) -> Int? {
    if ["UTC", "GMT", "Z"].contains(name) { return 0 }
    var text = name[...]
    if text.hasPrefix("UTC") || text.hasPrefix("GMT") { text = text.dropFirst(3) }
    guard let offset = ZoneOffset(beginning: text.utf8), offset.length == text.utf8.count else { return nil }
    return offset.seconds
  }
}

/// An offset from UTC at the beginning of a text: `+02`, `+0200` or `+02:00`.
struct ZoneOffset {
  /// The seconds east of UTC.
  let seconds: Int
  /// The number of bytes.
  let length: Int
  let hasMinutes: Bool

  /// Nil if the text does not begin with an offset of less than a day.
  init?(beginning text: some Sequence<UInt8>) {
    let bytes = Array(text.prefix(6))
    func two(at index: Int) -> Int? {
      guard index + 2 <= bytes.count, isDigit(bytes[index]), isDigit(bytes[index + 1]) else { return nil }
      return Int(bytes[index] - 0x30) * 10 + Int(bytes[index + 1] - 0x30)
    }
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = two(at: 1),
      hours < 24
    else { return nil }
    let colon = bytes.count > 3 && bytes[3] == UInt8(ascii: ":") ? 1 : 0
    let minutes = two(at: 3 + colon)
    guard minutes ?? 0 < 60 else { return nil }
    seconds = (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + (minutes ?? 0) * 60)
    hasMinutes = minutes != nil
    length = hasMinutes ? 5 + colon : 3
  }
}

/// Indicates whether the names of time zones are known: the system's database is installed.
package var areTimeZonesNamed: Bool { TimeZoneHistory.named("Etc/UTC") != nil }

/// The offsets of a named time zone, from the system's database (TZif, RFC 8536).
final class TimeZoneHistory: Sendable, Hashable {
  private let name: String
  /// The instants from which an offset applies, ascending.
  private let starts: [Int64]
  /// One more than starts: the first is that before all of them.
  private let offsets: [Int32]
  /// The rule for instants after the last start.
  private let rule: TimeZoneRule?

  /// The zones that have been read; there are a few hundred in all.
  private static let known = Mutex<[String: TimeZoneHistory]>([:])
  private static let directories = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"]

  static func named(_ name: String) -> TimeZoneHistory? {
    guard isName(name) else { return nil }
    if let zone = known.withLock({ $0[name] }) { return zone }
    for directory in directories {
      guard case .success(let bytes) = readFile("\(directory)/\(name)", limit: 1 << 20),
        let zone = TimeZoneHistory(name: name, bytes: bytes)
      else { continue }
      known.withLock { $0[name] = zone }
      return zone
    }
    return nil
  }

  /// Returns whether a text has the form of a zone's name, which never leaves the database's directory.
  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= 64 && name.utf8.first.map(isLetter) ?? false
      && name.utf8.allSatisfy { isAlphanumeric($0) || "/_+-".utf8.contains($0) }
  }

  private init?(name: String, bytes: [UInt8]) {
    var reader = ZoneFileReader(bytes: bytes)
    guard let contents = reader.read() else { return nil }
    self.name = name
    starts = contents.starts
    offsets = contents.offsets
    rule = contents.rule
  }

  func offset(at instant: Int64) -> Int {
    if let last = starts.last, instant >= last, let rule { return rule.offset(at: instant) }
    if starts.isEmpty, let rule { return rule.offset(at: instant) }
    return Int(offsets[starts.partitioningIndex { $0 > instant }])
  }

  static func == (left: TimeZoneHistory, right: TimeZoneHistory) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Reads a TZif file (RFC 8536).
private struct ZoneFileReader {
  struct Contents {
    var starts: [Int64] = []
    var offsets: [Int32] = []
    var rule: TimeZoneRule?
  }

  private struct Header {
    let version: UInt8
    let isUTCCount, isStandardCount, leapCount, startCount, typeCount, nameSize: Int

    func size(instantSize: Int) -> Int {
      startCount * (instantSize + 1) + typeCount * 6 + nameSize + leapCount * (instantSize + 4) + isStandardCount
        + isUTCCount
    }
  }

  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() -> Contents? {
    guard var header = header() else { return nil }
    var instantSize = 4
    if header.version >= UInt8(ascii: "2") {
      // The block with 64 bits follows that with 32.
      position += header.size(instantSize: 4)
      guard let second = self.header() else { return nil }
      header = second
      instantSize = 8
    }
    guard header.typeCount > 0, position + header.size(instantSize: instantSize) <= bytes.count else { return nil }
    var contents = Contents()
    let end = position + header.size(instantSize: instantSize)
    for _ in 0..<header.startCount { contents.starts.append(integer(size: instantSize)) }
    let kinds = bytes[position..<position + header.startCount]
    position += header.startCount
    var offsets: [Int32] = []
    for _ in 0..<header.typeCount {
      offsets.append(Int32(truncatingIfNeeded: integer(size: 4)))
      position += 2
    }
    contents.offsets = [offsets[0]]
    for kind in kinds {
      guard offsets.indices.contains(Int(kind)) else { return nil }
      contents.offsets.append(offsets[Int(kind)])
    }
    if instantSize == 8 {
      let footer = bytes[end...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
      contents.rule = TimeZoneRule(String(decoding: footer, as: UTF8.self))
    }
    // A binary search needs them in order.
    return zip(contents.starts, contents.starts.dropFirst()).allSatisfy { $0 < $1 } ? contents : nil
  }

  private mutating func header() -> Header? {
    guard position + 44 <= bytes.count, bytes[position..<position + 4].elementsEqual("TZif".utf8) else { return nil }
    let version = bytes[position + 4]
    position += 20
    let counts = (0..<6).map { _ in Int(integer(size: 4)) }
    guard counts.allSatisfy({ (0...1 << 16).contains($0) }) else { return nil }
    return Header(
      version: version, isUTCCount: counts[0], isStandardCount: counts[1], leapCount: counts[2],
      startCount: counts[3], typeCount: counts[4], nameSize: counts[5])
  }

  /// A signed number, the highest byte first; the caller has checked that the bytes exist.
  private mutating func integer(size: Int) -> Int64 {
    var value: Int64 = bytes[position] >= 0x80 ? -1 : 0
    for byte in bytes[position..<position + size] { value = value << 8 | Int64(byte) }
    position += size
    return value
  }
}
