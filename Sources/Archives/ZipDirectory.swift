import OperatingSystem

/// What an archive holds, by its central directory.
struct ZipDirectory {
  /// In the order in which they lie in the file, none over another.
  let entries: [ZipEntry]
  /// Where the central directory begins, in the file.
  let offset: Int64
  /// The bytes of all files.
  let size: Int64

  /// More than that is no list of so many entries as are allowed.
  private static let maximumLength = 64 << 20

  init(_ file: borrowing ArchiveFile, limits: ExtractionLimits) throws(ArchiveError) {
    let end = try EndRecord(file)
    guard end.entryCount <= UInt64(limits.entries), end.length <= UInt64(ZipDirectory.maximumLength) else {
      throw ArchiveError(.unsafe, "the archive has \(end.entryCount) entries; at most \(limits.entries) are extracted")
    }
    offset = end.position - Int64(end.length)
    // What stands before the archive, such as a program that extracts it, shifts all offsets.
    guard let declared = Int64(exactly: end.offset), declared <= offset else {
      throw .damaged("its list of entries is not where it should be")
    }
    let shift = offset - declared
    let bytes = try file.bytes(at: offset, count: Int(end.length))
    var entries: [ZipEntry] = []
    entries.reserveCapacity(Int(end.entryCount))
    var rest = bytes[...]
    while !rest.isEmpty {
      guard UInt64(entries.count) < end.entryCount else { throw .damaged("it lists more entries than it counts") }
      var (entry, length) = try ZipEntry.read(ByteFields(rest))
      let (position, isTooFar) = entry.headerOffset.addingReportingOverflow(shift)
      if isTooFar { throw .damaged("an entry lies beyond its end") }
      entry.headerOffset = position
      entries.append(entry)
      rest = rest.dropFirst(length)
    }
    guard UInt64(entries.count) == end.entryCount else { throw .damaged("it lists fewer entries than it counts") }
    entries.sort { $0.headerOffset < $1.headerOffset }
    try ZipDirectory.checkPlaces(entries, end: offset)
    try ZipDirectory.checkNames(entries)
    size = try ZipDirectory.checkedSize(entries, of: file.size, limits)
    self.entries = entries
  }

  /// Entries that share bytes let a small archive expand without end.
  private static func checkPlaces(_ entries: [ZipEntry], end: Int64) throws(ArchiveError) {
    for (index, entry) in entries.enumerated() {
      let next = index + 1 < entries.count ? entries[index + 1].headerOffset : end
      let header = Int64(ZipEntry.localHeaderLength + entry.rawName.count)
      // No sum of the two overflows that a difference of places in a file is compared with.
      guard entry.compressedSize <= next - entry.headerOffset - header else {
        if index + 1 < entries.count, next <= end {
          throw ArchiveError(
            .unsafe,
            "the archive's entries \(shownName(entry.name.path)) and \(shownName(entries[index + 1].name.path)) overlap"
          )
        }
        throw .damaged("\(shownName(entry.name.path)) reaches beyond the end of the entries")
      }
    }
  }

  private static func checkNames(_ entries: [ZipEntry]) throws(ArchiveError) {
    // False for files.
    var known: [[String]: Bool] = [:]
    known.reserveCapacity(entries.count)
    for entry in entries where !entry.name.components.isEmpty {
      if known.updateValue(entry.name.isDirectory, forKey: entry.name.components) != nil {
        throw ArchiveError(.unsafe, "the archive has two entries \(shownName(entry.name.path))")
      }
    }
    for entry in entries where entry.name.components.count > 1 {
      var parent = entry.name.components.dropLast()
      while !parent.isEmpty {
        if known[Array(parent)] == false {
          throw ArchiveError(
            .unsafe, "the archive's entry \(shownName(parent.joined(separator: "/"))) is a file and a directory")
        }
        parent = parent.dropLast()
      }
    }
  }

  private static func checkedSize(
    _ entries: [ZipEntry], of archiveSize: Int64, _ limits: ExtractionLimits
  ) throws(ArchiveError) -> Int64 {
    var total: Int64 = 0
    for entry in entries {
      let (sum, isTooMuch) = total.addingReportingOverflow(entry.size)
      total = isTooMuch ? .max : sum
    }
    if total > limits.size {
      throw ArchiveError(
        .unsafe, "the archive would expand to \(total) bytes; at most \(limits.size) are extracted")
    }
    let ratio = total / max(1, archiveSize)
    if total > ExtractionLimits.harmlessSize, ratio > limits.ratio {
      throw ArchiveError(
        .unsafe,
        "the archive would expand to \(total) bytes, \(ratio) times its size; at most \(limits.ratio) times is extracted"
      )
    }
    return total
  }
}

/// The record at the very end of an archive, and its larger form.
private struct EndRecord {
  /// Where it begins, and the central directory ends.
  let position: Int64
  let entryCount: UInt64
  let length: UInt64
  /// Of the central directory, as declared.
  let offset: UInt64

  private static let shortLength = 22
  private static let locatorLength = 20
  private static let longLength = 56

  init(_ file: borrowing ArchiveFile) throws(ArchiveError) {
    // The comment behind it has 16 bits for its length.
    let tailLength = Int(min(file.size, Int64(EndRecord.shortLength + 0xFFFF)))
    let tail = try file.bytes(at: file.size - Int64(tailLength), count: tailLength)
    guard let start = EndRecord.find(in: tail) else {
      let isZip = tail.count >= 4 && (try? file.bytes(at: 0, count: 4)) == [0x50, 0x4B, 3, 4]
      throw isZip ? .damaged("its end is missing") : ArchiveError(.damaged, "it is no zip archive")
    }
    let position = file.size - Int64(tailLength - start)
    let fields = ByteFields(tail[start...])
    guard
      let long = try EndRecord.longForm(file, before: position)
    else {
      guard fields.number16(4) == 0, fields.number16(6) == 0, fields.number16(8) == fields.number16(10) else {
        throw ArchiveError(.unsupported, "the archive is one part of several")
      }
      self.init(
        position: position, entryCount: UInt64(fields.number16(10)), length: UInt64(fields.number32(12)),
        offset: UInt64(fields.number32(16)))
      try checkLength()
      return
    }
    self = long
    try checkLength()
  }

  private init(position: Int64, entryCount: UInt64, length: UInt64, offset: UInt64) {
    self.position = position
    self.entryCount = entryCount
    self.length = length
    self.offset = offset
  }

  private func checkLength() throws(ArchiveError) {
    guard length <= UInt64(position), entryCount <= length / UInt64(ZipEntry.recordLength) else {
      throw .damaged("its list of entries is not where it should be")
    }
  }

  /// Where the record begins whose comment ends with the file.
  private static func find(in tail: [UInt8]) -> Int? {
    var start = tail.count - shortLength
    while start >= 0 {
      if tail[start] == 0x50, tail[start + 1] == 0x4B, tail[start + 2] == 5, tail[start + 3] == 6,
        start + shortLength + Int(ByteFields(tail[start...]).number16(20)) == tail.count
      {
        return start
      }
      start -= 1
    }
    return nil
  }

  /// The record of Zip64, if a locator of it stands before the short one.
  private static func longForm(_ file: borrowing ArchiveFile, before position: Int64) throws(ArchiveError) -> EndRecord?
  {
    let locatorPosition = position - Int64(locatorLength)
    guard locatorPosition >= Int64(longLength) else { return nil }
    let locator = ByteFields(try file.bytes(at: locatorPosition, count: locatorLength))
    guard locator.number32(0) == 0x0706_4B50 else { return nil }
    guard locator.number32(4) == 0, locator.number32(16) <= 1 else {
      throw ArchiveError(.unsupported, "the archive is one part of several")
    }
    // Right before the locator, unless it has fields of its own; what stands before the archive shifts the other.
    var start = locatorPosition - Int64(longLength)
    var fields = ByteFields(try file.bytes(at: start, count: longLength))
    if fields.number32(0) != 0x0606_4B50, let declared = Int64(exactly: locator.number64(8)), declared <= start {
      start = declared
      fields = ByteFields(try file.bytes(at: start, count: longLength))
    }
    guard fields.number32(0) == 0x0606_4B50 else { throw .damaged("the record at its end is missing") }
    guard fields.number32(16) == 0, fields.number32(20) == 0, fields.number64(24) == fields.number64(32) else {
      throw ArchiveError(.unsupported, "the archive is one part of several")
    }
    return EndRecord(
      position: start, entryCount: fields.number64(32), length: fields.number64(40), offset: fields.number64(48))
  }
}
