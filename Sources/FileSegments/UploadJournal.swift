import Digests
import OperatingSystem
import Values

/// What of a file the server has, kept beside the file: an upload that was cut short is gone on with.
///
/// A line for each segment is added when the server has confirmed it, so that a process that is killed at any time leaves
/// what holds; a last line that is not whole is none. Neither URLs nor bytes of the file are in it.
package final class UploadJournal {
  /// What must be the same for an upload to be gone on with.
  package struct Identity: Sendable, Hashable {
    /// Of method, URL and all else that tells one upload from another.
    let request: String
    /// Size, time and place of the file, and how it begins.
    let file: String
    let size: Int64

    /// - Parameters:
    ///   - request: what tells one upload from another; only its hash is kept.
    ///   - start: how the file begins.
    package init(request: [String], size: Int64, modified: String, inode: UInt64, start: [UInt8]) {
      self.size = size
      self.request = hexEncoded(DigestAlgorithm.sha256.digest(of: request.joined(separator: "\n")))
      file = "\(size) \(modified) \(inode) \(hexEncoded(DigestAlgorithm.sha256.digest(of: start)))"
    }
  }

  private static let format = "reqrun upload 1"
  /// A line for each of some million segments.
  private static let limit = 64 << 20

  private let path: String
  private let identity: Identity
  private var file: LockedFile?
  /// By which the server knows the upload, where segments tell.
  package private(set) var uploadID: String
  package private(set) var done = ByteRanges()
  private var endsWithinLine = false
  /// Why what is done cannot be kept.
  package private(set) var problem: String?

  /// Reads what an earlier run has left, if that is of the same upload and the same file.
  ///
  /// - Parameter newID: for an upload that begins.
  package init(beside file: String, _ identity: Identity, newID: String) {
    path = "\(file).\(identity.request.prefix(12)).upload"
    self.identity = identity
    uploadID = newID
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
      // One that was cut claims nothing, or less than is so.
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

  /// Keeps that the server has these bytes.
  package func add(_ range: Range<Int64>) {
    guard !range.isEmpty, problem == nil else { return }
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

  /// Forgets that the server has these bytes: for an answer that is needed, they are sent again.
  package func forget(_ range: Range<Int64>) {
    done.remove(range)
  }

  /// Begins anew.
  package func restart(newID: String) {
    uploadID = newID
    done = ByteRanges()
    file?.removeAll()
  }

  /// - Parameter isNeeded: whether the upload is to be gone on with.
  package func close(isNeeded: Bool) {
    if file != nil, !isNeeded || done.ranges.isEmpty { removeFile(path) }
    file = nil
  }
}
