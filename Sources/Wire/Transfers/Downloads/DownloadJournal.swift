import HTTPSemantics
import OperatingSystem

/// The state of a partial file, from which a later run can resume.
///
/// A short text of one entry per line; the URL is stored as a digest, since it may contain secrets.
package struct DownloadJournal: Sendable, Hashable {
  /// A digest of the request's method and URL.
  package var request: String
  package var validator: RangeValidator
  /// The length of the whole file; nil if the server doesn't say.
  package var total: Int64?
  /// The stored ranges; nil if the part file has everything from the beginning to its end.
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

  /// Nil if any of it differs from what ``text`` writes.
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
    // Without a length, it is unknown what is missing after the last range.
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

  /// The maximum size of a journal: ranges are few.
  private static let sizeLimit = 1 << 20

  /// Nil if there is none, or it isn't a journal of reqrun.
  init?(at path: String) {
    guard !isSymbolicLink(path), isRegularFile(path),
      case .success(let bytes) = readFile(path, limit: DownloadJournal.sizeLimit)
    else { return nil }
    self.init(parsing: String(decoding: bytes, as: UTF8.self))
  }

  /// Writes it to the path atomically.
  func write(to path: String) throws(SystemProblem) {
    let file = try ReplacementFile(of: path, isPrivate: true)
    file.write(Array(text.utf8))
    try file.commit()
  }
}
