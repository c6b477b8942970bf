import OperatingSystem
import Values

/// The path of an entry's file or directory within the target directory.
struct EntryName: Hashable {
  /// The maximum depth, since directories are opened and removed level by level. The system limits the length of names.
  static let maximumDepth = 64

  /// The components, none of them empty, `.` or `..`; none for the directory itself.
  let components: [String]
  let isDirectory: Bool

  /// The path, with `/` between the components.
  var path: String { components.joined(separator: "/") }

  /// - Parameter text: the name; `\` separates like `/`, since the archive may be from a system that uses it.
  init(_ text: String) throws(ArchiveError) {
    func refuse(_ why: String) -> ArchiveError {
      ArchiveError(.unsafe, "the archive's entry \(shownName(text)) \(why)")
    }
    let path = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\\" ? "/" : $0 }))
    if path.isEmpty { throw ArchiveError.damaged("an entry has no name") }
    if path.unicodeScalars.contains(where: isHidden) {
      throw refuse("has a control character, or one that doesn't show, in its name")
    }
    if path.utf8.first == UInt8(ascii: "/") { throw refuse("has an absolute path") }
    // By bytes: a character may be a slash with combining marks.
    var components: [String] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      let name = String(part) ?? String(decoding: part, as: UTF8.self)
      if name.utf8.elementsEqual("..".utf8) { throw refuse("leads out of the directory by `..`") }
      components.append(name)
    }
    if let drive = components.first?.utf8.prefix(2), drive.count == 2, drive.last == UInt8(ascii: ":"),
      drive.first.map({ ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }) == true
    {
      throw refuse("begins with a drive")
    }
    if components.count > EntryName.maximumDepth {
      throw refuse("is more than \(EntryName.maximumDepth) directories deep")
    }
    for name in components where components.first != EntryName.finderFolder && name != EntryName.finderFile {
      if name.hasPrefix(".") { throw refuse("has a name that begins with a dot") }
      if name.hasSuffix(".") || name.last?.isWhitespace == true || name.first?.isWhitespace == true {
        throw refuse("has a name with a dot or a space at its end")
      }
      if isDeviceName(name) { throw refuse("has a name that stands for a device on Windows") }
    }
    self.components = components
    isDirectory = path.utf8.last == UInt8(ascii: "/")
  }

  private init(components: [String]) {
    self.components = components
    isDirectory = true
  }

  private static let finderFolder = "__MACOSX"
  private static let finderFile = ".DS_Store"

  /// Indicates whether it is one of the Finder's own files, which aren't extracted.
  var isOfFinder: Bool {
    components.first == EntryName.finderFolder || components.contains(EntryName.finderFile)
  }

  var asDirectory: EntryName { EntryName(components: components) }
}

/// A name for a message: an archive's may be 64 KiB long.
func shownName(_ name: String) -> Excerpt { Excerpt(name, limit: 100) }

/// The text of a name that isn't marked as UTF-8: in UTF-8 if it is valid, else in the format's own code page 437.
func unmarkedName(_ bytes: ArraySlice<UInt8>) -> String {
  if let text = String(validating: bytes, as: UTF8.self) { return text }
  var result = String.UnicodeScalarView()
  for byte in bytes {
    result.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80])
  }
  return String(result)
}

/// Code page 437 from 0x80 on.
private let upperHalf = Array(
  """
  ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
  αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
  """.unicodeScalars)
