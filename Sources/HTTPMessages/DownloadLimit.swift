import OperatingSystem
import Values

/// How large what comes may be, all of it together.
package struct DownloadLimit: Sendable {
  /// Where neither the user nor the disk says less.
  package static let largest: Int64 = 64 << 30

  package let bytes: Int64
  private let isFreeSpace: Bool

  /// - Parameters:
  ///   - given: what the user allows; nil for 64 GiB, or what the disk has room for where that is less.
  ///   - count: how much of it is there already.
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
