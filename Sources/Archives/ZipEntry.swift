import DataCompression

/// One entry of an archive's central directory.
struct ZipEntry {
  enum Method: UInt16 {
    case stored = 0
    case deflated = 8
  }

  let name: EntryName
  /// As it stands in both lists of the archive.
  let rawName: [UInt8]
  let method: Method
  let crc: UInt32
  let compressedSize: Int64
  let size: Int64
  /// Where its local header begins, in the file.
  var headerOffset: Int64
  let isExecutable: Bool

  /// The length of a record in the central directory, without name, extra field and comment; of a local header too.
  static let recordLength = 46
  static let localHeaderLength = 30

  /// Reads the record at the start of the fields.
  ///
  /// - Returns: the entry and the record's length.
  static func read(_ fields: ByteFields) throws(ArchiveError) -> (entry: ZipEntry, length: Int) {
    let nameLength = Int(fields.number16(28))
    let extraLength = Int(fields.number16(30))
    let length = recordLength + nameLength + extraLength + Int(fields.number16(32))
    guard fields.number32(0) == 0x0201_4B50, length <= fields.count,
      let rawName = fields.slice(recordLength, count: nameLength),
      let extra = fields.slice(recordLength + nameLength, count: extraLength)
    else { throw .damaged("its list of entries ends in the middle of one") }
    return (try ZipEntry(fields, rawName, ExtraFields(extra)), length)
  }

  private init(_ fields: ByteFields, _ rawName: ArraySlice<UInt8>, _ extra: ExtraFields) throws(ArchiveError) {
    let flags = fields.number16(8)
    let system = fields.byte(5)
    let text = try ZipEntry.text(of: rawName, isUTF8: flags & 0x800 != 0, extra)
    // MS-DOS, NTFS, VFAT
    var name = try EntryName(text, hasBackslashes: [0, 10, 14].contains(system))
    func refuse(_ why: String) -> ArchiveError {
      ArchiveError(.unsupported, "the archive's entry \(shownName(text)) \(why)")
    }
    // The plain and the strong encryption, and that of the list.
    if flags & 0x2041 != 0 || fields.number16(10) == 99 {
      throw refuse("is encrypted; only archives without a password can be extracted")
    }
    guard flags & 0x20 == 0, let method = Method(rawValue: fields.number16(10)) else {
      throw refuse(
        "is compressed by \(ZipEntry.methodName(fields.number16(10))); only stored and deflated ones can be extracted")
    }
    let attributes = fields.number32(38)
    // Unix and macOS keep the file's mode there.
    let mode = system == 3 || system == 19 ? attributes >> 16 : 0
    switch mode & 0o170000 {
    case 0, 0o100000: break
    case 0o040000: name = name.asDirectory
    case 0o120000: throw refuse("is a symbolic link; none are made, for one can lead anywhere")
    default: throw refuse("is neither a file nor a directory")
    }
    if system == 0, attributes & 0x10 != 0 { name = name.asDirectory }
    let sizes = try extra.sizes(
      size: fields.number32(24), compressedSize: fields.number32(20), offset: fields.number32(42),
      disk: fields.number16(34))
    guard sizes.disk == 0 else { throw ArchiveError(.unsupported, "the archive is one part of several") }
    if name.isDirectory, sizes.size != 0 {
      throw .damaged("the directory \(shownName(text)) has a content")
    }
    if name.components.isEmpty, !name.isDirectory { throw refuse("is a file without a name") }
    if method == .stored, sizes.size != sizes.compressedSize {
      throw .damaged("the sizes of \(shownName(text)) differ, though it isn't compressed")
    }
    self.name = name
    self.rawName = Array(rawName)
    self.method = method
    crc = fields.number32(16)
    compressedSize = sizes.compressedSize
    size = sizes.size
    headerOffset = sizes.offset
    isExecutable = mode & 0o100 != 0
  }

  private static func text(
    of bytes: ArraySlice<UInt8>, isUTF8: Bool, _ extra: ExtraFields
  ) throws(ArchiveError) -> String {
    if isUTF8 {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw .damaged("a name is marked as UTF-8, but isn't")
      }
      return text
    }
    return extra.unicodePath(of: bytes) ?? unmarkedName(bytes)
  }

  private static func methodName(_ number: UInt16) -> String {
    switch number {
    case 8: "a patch"
    case 9: "deflate64"
    case 12: "bzip2"
    case 14: "LZMA"
    case 93: "zstd"
    case 95: "xz"
    default: "method \(number)"
    }
  }
}

/// The fields that later versions of the format have added to an entry.
struct ExtraFields {
  private var zip64: ByteFields?
  private var unicodePath: ByteFields?

  /// Reads as many as are whole: what isn't is padding.
  init(_ bytes: ArraySlice<UInt8>) {
    let fields = ByteFields(bytes)
    var offset = 0
    while let content = fields.slice(offset + 4, count: Int(fields.number16(offset + 2))), offset + 4 <= fields.count {
      switch fields.number16(offset) {
      case 0x0001: zip64 = ByteFields(content)
      case 0x7075: unicodePath = ByteFields(content)
      default: break
      }
      offset += 4 + content.count
    }
  }

  struct Sizes {
    let size: Int64
    let compressedSize: Int64
    let offset: Int64
    let disk: UInt32
  }

  /// The sizes of an entry: those for which 32 bits are too few stand here.
  func sizes(
    size: UInt32, compressedSize: UInt32, offset: UInt32, disk: UInt16
  ) throws(ArchiveError) -> Sizes {
    var position = 0
    func large(_ value: UInt32) throws(ArchiveError) -> Int64 {
      guard value == .max else { return Int64(value) }
      guard let zip64, position + 8 <= zip64.count, let value = Int64(exactly: zip64.number64(position)) else {
        throw .damaged("the size of an entry is missing")
      }
      position += 8
      return value
    }
    let size = try large(size)
    let compressedSize = try large(compressedSize)
    let offset = try large(offset)
    let part = disk == .max ? zip64?.number32(position) ?? UInt32(disk) : UInt32(disk)
    return Sizes(size: size, compressedSize: compressedSize, offset: offset, disk: part)
  }

  /// The name in UTF-8 that Info-ZIP's field gives, if it is about this name.
  func unicodePath(of name: ArraySlice<UInt8>) -> String? {
    guard let unicodePath, unicodePath.count > 5, unicodePath.byte(0) == 1,
      unicodePath.number32(1) == name.withUnsafeBytes(checksum),
      let bytes = unicodePath.slice(5, count: unicodePath.count - 5)
    else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

private func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  var crc = CRC32()
  crc.update(bytes)
  return crc.value
}
