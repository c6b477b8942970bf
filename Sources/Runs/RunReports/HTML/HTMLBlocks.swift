import OperatingSystem
import Synchronization

/// Collects rows and details, and passes them on in blocks, rows as JSON and details compressed.
///
/// The page is bounded: once it is large, bodies of passed requests are left out, then their details, then those of
/// failed ones. Rows always remain.
package final class HTMLBlocks: Sendable {
  /// The number of requests with parts that were left out.
  package struct LeftOut: Sendable, Hashable {
    package var bodies = 0
    package var details = 0
  }

  /// The size of a block's details before compression.
  static let blockSize = 64 << 10
  /// The sizes of the page, in bytes, from which on parts are left out.
  package struct Limits: Sendable {
    package var bodies = 16 << 20
    package var details = 22 << 20
    package var failures = 26 << 20

    package init() {}
  }

  private struct State {
    /// The beginning of an entry.
    var rest: [UInt8] = []
    /// The items of a list.
    var rows = JSONLine()
    var details = JSONLine()
    var written = 0
    var leftOut = LeftOut()
  }

  private let limits: Limits
  private let output: @Sendable ([UInt8]) -> Void
  private let state = Mutex(State())

  package init(limits: Limits = Limits(), output: @escaping @Sendable ([UInt8]) -> Void) {
    self.limits = limits
    self.output = output
  }

  /// Takes the next bytes of a stream of entries, which may end within one.
  package func take(_ bytes: [UInt8]) {
    state.withLock { state in
      var stream = state.rest.isEmpty ? bytes[...] : (state.rest + bytes)[...]
      while let entry = HTMLEntry(takingFrom: &stream) { add(entry, &state) }
      state.rest = Array(stream)
    }
  }

  /// Passes on the last block.
  package func finish() -> LeftOut {
    state.withLock { state in
      flush(&state)
      return state.leftOut
    }
  }

  private func add(_ entry: HTMLEntry, _ state: inout State) {
    state.rows.append(entry.row)
    if entry.isRequest {
      let size = state.written + state.rows.bytes.count
      let keepsBodies = size < (entry.isFailure ? limits.details : limits.bodies)
      let keepsDetails = size < (entry.isFailure ? limits.failures : limits.details)
      if !keepsDetails {
        state.leftOut.details += 1
      } else if !keepsBodies, !entry.bodies.elementsEqual("[]".utf8) {
        state.leftOut.bodies += 1
      }
      let parts = [keepsDetails ? entry.details : nil, keepsDetails && keepsBodies ? entry.bodies : nil]
      state.details.append(JSONLine.list(parts.map { $0 ?? [UInt8(ascii: "0")] }))
    }
    if state.details.bytes.count >= HTMLBlocks.blockSize || state.rows.bytes.count >= HTMLBlocks.blockSize {
      flush(&state)
    }
  }

  private func flush(_ state: inout State) {
    guard !state.rows.bytes.isEmpty else { return }
    let list = { (items: [UInt8]) in [UInt8(ascii: "[")] + items + [UInt8(ascii: "]")] }
    let block =
      ReportPage.data("class=\"rows\"", json: list(state.rows.bytes))
      + ReportPage.data("class=\"details\"", base64: compressed(list(state.details.bytes), .zlib))
    state.written += block.count
    (state.rows, state.details) = (JSONLine(), JSONLine())
    output(block)
  }
}
