/// A row of the page, and what the page reads once the row is opened. All of it is JSON.
package struct HTMLEntry {
  var row: [UInt8]
  /// Indicates whether it is a request that failed.
  package var isFailure = false
  /// The result of a request without its bodies; empty for a file and a group.
  package var details: [UInt8] = []
  /// The bodies of a request.
  package var bodies: [UInt8] = []

  var isRequest: Bool { !details.isEmpty }

  /// The entry in a stream of entries: the sizes of its parts precede them.
  package var frame: [UInt8] {
    var frame = [isFailure ? 1 : 0] as [UInt8]
    for part in [row, details, bodies] {
      withUnsafeBytes(of: UInt64(part.count).littleEndian) { frame += $0 }
    }
    return frame + row + details + bodies
  }

  package init(row: [UInt8]) { self.row = row }

  /// Takes the first entry of a stream; nil if it isn't there as a whole.
  init?(takingFrom stream: inout ArraySlice<UInt8>) {
    var rest = stream
    func take(_ count: Int) -> [UInt8]? {
      guard rest.count >= count else { return nil }
      defer { rest.removeFirst(count) }
      return Array(rest.prefix(count))
    }
    guard let head = take(1 + 3 * 8) else { return nil }
    let sizes = (0..<3).map { part in head[(1 + 8 * part)...].prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) } }
    guard let row = take(sizes[0]), let details = take(sizes[1]), let bodies = take(sizes[2]) else { return nil }
    (isFailure, self.row, self.details, self.bodies) = (head[0] == 1, row, details, bodies)
    stream = rest
  }
}
