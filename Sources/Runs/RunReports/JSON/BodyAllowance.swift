import SpecExecution
import Synchronization

/// The bodies that a report takes in total, so that it stays a file that people can open.
package final class BodyAllowance: Sendable {
  private let left: Atomic<Int>

  package init(_ bytes: Int = 256 << 20) {
    left = Atomic(bytes)
  }

  /// Returns whether there is room for the bodies of a hop.
  package func takesBodies(of hop: HopReport) -> Bool {
    let size =
      (hop.request.body?.reportedSize ?? 0) + (hop.response?.body?.reportedSize ?? 0)
      + (hop.response?.messages.reduce(0) { $0 + min($1.size, ReportedMessage.contentLimit) + 64 } ?? 0)
    if size == 0 { return true }
    if left.load(ordering: .relaxed) < size { return false }
    left.subtract(size, ordering: .relaxed)
    return true
  }
}

extension BodyReference {
  /// The size of the part that a report shows.
  fileprivate var reportedSize: Int { Int(clamping: min(size ?? .max, Int64(BodyExcerpt.limit))) }

  fileprivate var withoutContent: BodyReference {
    BodyReference(size: size, wireSize: wireSize, excerpt: { BodyExcerpt(.text(""), isCut: true) })
  }
}

extension HopReport {
  /// The hop without the contents of its bodies.
  package var withoutBodies: HopReport {
    var hop = self
    hop.request.body = request.body?.withoutContent
    hop.response?.body = response?.body?.withoutContent
    if let response { hop.response?.moreMessages += response.messages.count }
    hop.response?.messages = []
    return hop
  }
}
