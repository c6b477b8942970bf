import Cryptography
import OperatingSystem
import Values

/// The ranges of a file that the server has stored, kept beside the file to resume an interrupted upload.
///
/// A line for each segment is added once the server has confirmed it, so that the journal is valid even if the process
/// is killed at any time; an incomplete last line is ignored. It contains neither URLs nor bytes of the file.
package final class UploadJournal {
  /// The identity that an upload must have to be resumed.
  package struct Identity: Sendable, Hashable {
    /// A hash of the method, the URL and everything else that identifies an upload.
    let request: String
    /// The file's size, time, inode and beginning.
    let file: String
    let size: Int64

    /// - Parameters:
    ///   - request: the parts that identify an upload; only their hash is kept.
    ///   - start: the beginning of the file.
    package init(request: [String], size: Int64, modified: String, inode: UInt64, start: [UInt8]) {
      self.size = size
      self.request = hexEncoded(DigestAlgorithm.sha256.digest(of: request.joined(separator: "\n")))
      file = "\(size) \(modified) \(inode) \(hexEncoded(DigestAlgorithm.sha256.digest(of: start)))"
    }
  }

  private static let format = "reqrun upload 1"
  /// The maximum size: a line for each of some million segments.
  private static let limit = 64 << 20

  /// Nil to keep nothing.
  private let path: String?
  private let identity: Identity
  private var file: LockedFile?
  /// The ID of the upload for the server, if segments contain it.
  package private(set) var uploadID: String
  package private(set) var done = ByteRanges()
  private var endsWithinLine = false
  /// The reason why progress cannot be recorded.
  package private(set) var problem: String?

  /// Reads the journal of an earlier run, if it is for the same upload and the same file.
  ///
  /// - Parameters:
  ///   - file: the path of the file; nil to keep no journal.
  ///   - newID: the ID of a new upload.
  package init(beside file: String?, _ identity: Identity, newID: String) {
    path = file.map { "\($0).\(identity.request.prefix(12)).upload" }
    self.identity = identity
    uploadID = newID
    guard let path else { return }
    do throws(SystemProblem) {
      guard let left = try LockedFile(path: path, isMade: false) else { return }
      self.file = left
      read(try left.contents(limit: UploadJournal.limit))
      if done.ranges.isEmpty { left.removeAll() }
    } catch {
      problem = error.reason
    }
  }

  private func read(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
    guard lines.count > 4, Array(lines[..<3]) == header, lines[3].hasPrefix("id ") else { return }
    uploadID = String(lines[3].dropFirst(3))
    endsWithinLine = bytes.last != 0x0A
    for line in lines[4...] {
      // A truncated line claims nothing, or less than was stored.
      let bounds = line.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
      guard bounds.count == 2, let first = bounds[0], let last = bounds[1], 0 <= first, first <= last,
        last < identity.size
      else { continue }
      done.insert(first..<last + 1)
    }
  }

  private var header: [String] {
    [UploadJournal.format, "request \(identity.request)", "file \(identity.file)"]
  }

  /// Records that the server has stored these bytes.
  package func add(_ range: Range<Int64>) {
    guard !range.isEmpty, problem == nil else { return }
    guard let path else { return done.insert(range) }
    var text = endsWithinLine ? "\n" : ""
    endsWithinLine = false
    if done.ranges.isEmpty {
      do throws(SystemProblem) {
        if file == nil { file = try LockedFile(path: path, isMade: true) }
      } catch {
        problem = error.reason
        return
      }
      guard let file else {
        problem = "the same upload runs already"
        return
      }
      file.removeAll()
      text = (header + ["id \(uploadID)"]).map { $0 + "\n" }.joined()
    }
    text += "\(range.lowerBound)-\(range.upperBound - 1)\n"
    done.insert(range)
    if file?.append(Array(text.utf8)) != true { problem = "the disk takes no more" }
  }

  /// Forgets that the server has stored these bytes: they are sent again for the sake of a response.
  package func forget(_ range: Range<Int64>) {
    done.remove(range)
  }

  /// Starts over.
  package func restart(newID: String) {
    uploadID = newID
    done = ByteRanges()
    file?.removeAll()
  }

  /// - Parameter isNeeded: whether the upload is to be resumed.
  package func close(isNeeded: Bool) {
    if let path, file != nil, !isNeeded || done.ranges.isEmpty { removeFile(path) }
    file = nil
  }
}
