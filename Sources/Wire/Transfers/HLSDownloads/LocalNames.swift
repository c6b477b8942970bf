import Values

/// The names of stored files: none is a server's own.
enum LocalNames {
  static let playlist = "playlist.m3u8"
  /// The playlist of the variant's own segments, if there are renditions too.
  static let mainPlaylist = "main.m3u8"
  static let mainPrefix = "segment"
  private static let prefixes = [mainPrefix, "audio", "subtitles"]

  /// The file extensions that are kept: those that players know.
  private static let extensions: Set<String> = [
    "ts", "m2ts", "m4s", "mp4", "m4v", "m4a", "cmfv", "cmfa", "aac", "mp3", "ac3", "ec3", "vtt", "webvtt", "ttml",
  ]

  static func segment(_ prefix: String, _ number: Int, extension: String) -> String {
    let digits = String(number)
    return "\(prefix)-\(String(repeating: "0", count: max(0, 5 - digits.utf8.count)))\(digits).\(`extension`)"
  }

  static func initializationSection(_ prefix: String, _ number: Int, extension: String) -> String {
    "\(prefix)-init-\(number).\(`extension`)"
  }

  static func playlist(of prefix: String) -> String { "\(prefix).m3u8" }

  /// The extension of a URL's path if it is that of media files, else the other one.
  static func fileExtension(ofPath path: String, otherwise other: String) -> String {
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: ".") else { return other }
    let ending = name[name.index(after: dot)...].lowercased()
    return extensions.contains(ending) ? ending : other
  }

  /// Returns whether a file of that name was stored by reqrun, so that another download may replace it.
  static func isOwn(_ name: String) -> Bool {
    if name == playlist || name == mainPlaylist { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    var words = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard let prefix = words.first, prefixes.contains(String(prefix)) else { return false }
    words.removeFirst()
    words.removeAll { $0 == "init" }
    let numbers = words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }
    let isMedia = parts[1] == "m3u8" || extensions.contains(String(parts[1]))
    return numbers && (1...2).contains(words.count) && isMedia
  }
}
