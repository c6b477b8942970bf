import FileSegments
import HTTPMessages
import OperatingSystem

/// What is known of a part of a file, so that a later run can go on from there.
///
/// A small text of a line each; the URL is there as a digest, since it may hold secrets.
package struct DownloadJournal: Sendable, Hashable {
  /// Of the request: its method and URL.
  package var request: String
  package var validator: RangeValidator
  /// Of the whole file; nil where the server does not say.
  package var total: Int64?
  /// What of it is there; nil where that is all from the beginning to the part's end.
  package var ranges: ByteRanges?

  private static let firstLine = "reqrun download 1"
  private static let lastLine = "end"

  package init(request: String, validator: RangeValidator, total: Int64?, ranges: ByteRanges? = nil) {
    self.request = request
    self.validator = validator
    self.total = total
    self.ranges = ranges
  }

  package var text: String {
    var lines = [DownloadJournal.firstLine, "request \(request)"]
    switch validator {
    case .entityTag(let tag): lines.append("etag \(tag)")
    case .lastModified(let date): lines.append("last-modified \(date)")
    }
    if let total { lines.append("length \(total)") }
    if let ranges {
      lines.append("ranges " + ranges.ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " "))
    }
    return (lines + [DownloadJournal.lastLine, ""]).joined(separator: "\n")
  }

  /// Nil if anything of it is not as ``text`` writes it.
  package init?(parsing text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard lines.count >= 5, lines.popFirst() ?? "" == DownloadJournal.firstLine, lines.popLast() == "",
      lines.popLast() ?? "" == DownloadJournal.lastLine
    else { return nil }
    var values: [Substring: String] = [:]
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, values.updateValue(String(words[1]), forKey: words[0]) == nil else { return nil }
    }
    let known: Set<Substring> = ["request", "etag", "last-modified", "length", "ranges"]
    guard known.isSuperset(of: values.keys), let request = values["request"] else { return nil }
    switch (values["etag"], values["last-modified"]) {
    case (let tag?, nil): validator = .entityTag(tag)
    case (nil, let date?): validator = .lastModified(date)
    default: return nil
    }
    self.request = request
    if let length = values["length"] {
      guard let total = Int64(length), total >= 0 else { return nil }
      self.total = total
    }
    guard let list = values["ranges"] else { return }
    // Without a length, nobody knows what is missing behind the last.
    guard let total else { return nil }
    var ranges = ByteRanges()
    for word in list.split(separator: " ") {
      let ends = word.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let start = Int64(ends[0]), let end = Int64(ends[1]), start >= 0, start < end, end <= total
      else { return nil }
      ranges.insert(start..<end)
    }
    self.ranges = ranges
  }

  /// The most that a journal takes: ranges are few.
  private static let sizeLimit = 1 << 20

  /// Nil if there is none, or what is there is no journal of reqrun's.
  init?(at path: String) {
    guard !isSymbolicLink(path), isRegularFile(path),
      case .success(let bytes) = readFile(path, limit: DownloadJournal.sizeLimit)
    else { return nil }
    self.init(parsing: String(decoding: bytes, as: UTF8.self))
  }

  /// Puts it at the path at once.
  func write(to path: String) throws(SystemProblem) {
    let file = try ReplacementFile(of: path, isPrivate: true)
    file.write(Array(text.utf8))
    try file.commit()
  }
}
