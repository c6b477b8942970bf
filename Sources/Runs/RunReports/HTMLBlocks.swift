import DataCompression
import ReportPage
import Synchronization

/// Collects rows and details, and passes them on in blocks, rows as JSON and details compressed.
///
/// A row ends with a line break; a request's has its details and its bodies after it, separated by tabs, which JSON
/// escapes. The page is bounded: once it is large, bodies of passed requests are left out, then their details, then
/// those of failed ones. Rows always remain.
package final class HTMLBlocks: Sendable {
  /// The number of requests with parts that were left out.
  package struct LeftOut: Sendable, Hashable {
    package var bodies = 0
    package var details = 0
  }

  /// The size of a block's details before compression.
  package static let blockSize = 64 << 10
  /// The sizes of the page, in bytes, from which on parts are left out.
  package struct Limits: Sendable {
    package var bodies = 16 << 20
    package var details = 22 << 20
    package var failures = 26 << 20

    package init() {}
  }

  private struct State {
    var line: [UInt8] = []
    var rows: [UInt8] = []
    var details: [UInt8] = []
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

  /// Takes the next bytes, which may end within a line.
  package func take(_ bytes: [UInt8]) {
    state.withLock { state in
      var rest = bytes[...]
      while let end = rest.firstIndex(of: 0x0A) {
        if state.line.isEmpty {
          add(rest[..<end], &state)
        } else {
          state.line += rest[..<end]
          let line = state.line
          state.line = []
          add(line[...], &state)
        }
        rest = rest[(end + 1)...]
      }
      state.line += rest
    }
  }

  /// Passes on the last block.
  package func finish() -> LeftOut {
    state.withLock { state in
      flush(&state)
      return state.leftOut
    }
  }

  private func add(_ line: ArraySlice<UInt8>, _ state: inout State) {
    let parts = line.split(separator: 0x09, maxSplits: 2)
    guard let row = parts.first else { return }
    if !state.rows.isEmpty { state.rows.append(UInt8(ascii: ",")) }
    state.rows += row
    if parts.count == 3 {
      let size = state.written + state.rows.count
      // The row of a failed request begins with 1, 2 or 3.
      let isFailure = (UInt8(ascii: "1")...UInt8(ascii: "3")).contains(row.dropFirst().first ?? 0)
      let keepsBodies = size < (isFailure ? limits.details : limits.bodies)
      let keepsDetails = size < (isFailure ? limits.failures : limits.details)
      if !keepsDetails {
        state.leftOut.details += 1
      } else if !keepsBodies, !parts[2].elementsEqual(Array("[]".utf8)) {
        state.leftOut.bodies += 1
      }
      if !state.details.isEmpty { state.details.append(UInt8(ascii: ",")) }
      state.details.append(UInt8(ascii: "["))
      state.details += keepsDetails ? parts[1] : [UInt8(ascii: "0")]
      state.details.append(UInt8(ascii: ","))
      state.details += keepsDetails && keepsBodies ? parts[2] : [UInt8(ascii: "0")]
      state.details.append(UInt8(ascii: "]"))
    }
    if state.details.count >= HTMLBlocks.blockSize || state.rows.count >= HTMLBlocks.blockSize { flush(&state) }
  }

  private func flush(_ state: inout State) {
    guard !state.rows.isEmpty else { return }
    let list = { (items: [UInt8]) in [UInt8(ascii: "[")] + items + [UInt8(ascii: "]")] }
    let block =
      ReportPage.data("class=\"rows\"", json: list(state.rows))
      + ReportPage.data("class=\"details\"", base64: compressed(list(state.details), .zlib))
    state.written += block.count
    (state.rows, state.details) = ([], [])
    output(block)
  }
}
