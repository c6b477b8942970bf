import OperatingSystem
import Values

/// The limit for the total size of downloaded files.
package struct DownloadLimit: Sendable {
  /// The limit if neither the user nor the disk sets a lower one.
  package static let largest: Int64 = 64 << 30

  package let bytes: Int64
  private let isFreeSpace: Bool

  /// - Parameters:
  ///   - given: the user's limit; nil for 64 GiB, or the disk's free space if that is less.
  ///   - count: the number of bytes that are stored already.
  package init(_ given: Int64?, in directory: String, has count: Int64 = 0) {
    if let given {
      (bytes, isFreeSpace) = (given, false)
      return
    }
    let room = (freeSpace(at: directory) ?? .max).addingClamped(count)
    isFreeSpace = room < DownloadLimit.largest
    bytes = isFreeSpace ? room : DownloadLimit.largest
  }

  package func check(_ size: Int64) throws(TransportError) {
    if size > bytes { throw error }
  }

  package var error: TransportError {
    isFreeSpace
      ? TransportError(
        .storage, "the download is larger than the \(byteCountText(bytes)) that the disk has room for",
        help: "make room on the disk; --max-download sets another limit")
      : TransportError(
        .storage, "the download is larger than \(byteCountText(bytes))",
        help: "raise the limit with --max-download if that size is right")
  }
}
