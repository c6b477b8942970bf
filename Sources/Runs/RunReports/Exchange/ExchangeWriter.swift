import HTTPSemantics
import SpecExecution
import Values

/// Writes the wanted parts of hops, with an empty line between them.
struct ExchangeWriter {
  /// The largest body that is written to a terminal.
  private static let terminalLimit: Int64 = 16 << 20

  private let options: ResponseOptions
  private let output: @Sendable ([UInt8]) -> Void
  private var isFirst = true
  /// Indicates whether the output is at the beginning of a line.
  private var isAtLineStart = true

  init(options: ResponseOptions, output: @escaping @Sendable ([UInt8]) -> Void) {
    (self.options, self.output) = (options, output)
  }

  mutating func write(_ hop: HopReport) {
    let parts = options.parts
    if parts.contains(.requestHead) { part(heads.text(of: hop.request)) }
    if parts.contains(.requestBody), let body = hop.request.body { write(body, of: hop.request) }
    if let response = hop.response {
      if parts.contains(.responseHead) { part(heads.text(of: response)) }
      if parts.contains(.responseBody), let body = response.body { write(body, of: response) }
      if parts.contains(.responseHead) { part(heads.text(of: response.trailers)) }
    }
    if parts.contains(.measures), hop.response != nil { part(measures(hop)) }
  }

  /// Writes the messages that would follow the request.
  mutating func write(unsent transfer: TransferReport) {
    guard options.parts.contains(.requestBody) else { return }
    part(transfer.details.map { sanitizedForTerminal($0) + "\n" }.joined())
  }

  /// Writes the empty line before what something else writes.
  mutating func separateRest() { if !isFirst { separate() } }

  /// Ends the last line on a terminal.
  mutating func end() {
    if options.isTerminal, !isAtLineStart { output([0x0A]) }
  }

  // MARK: Measures

  private func measures(_ hop: HopReport) -> String {
    var lines: [(String, String)] = []
    if let timings = hop.timings { lines.append(("Elapsed", roundedDurationText(timings.total))) }
    if let address = hop.remoteAddress { lines.append(("Address", sanitizedForTerminal(address))) }
    if let size = hop.response?.body?.size { lines.append(("Body", byteCountText(size))) }
    return lines.map { "\(options.style.dim("\($0.0): \($0.1)"))\n" }.joined()
  }

  // MARK: Bodies

  private mutating func write(_ body: BodyReference, of request: SentRequest) {
    let type = request.headers.value(of: "Content-Type")
    if let bytes = body.bytes() {
      if !bytes.isEmpty { part(layout.text(of: bytes, contentType: type)) }
    } else if let size = body.size, size > 0 {
      part(options.style.dim("(\(byteCountText(size)))") + "\n")
    }
  }

  private mutating func write(_ body: BodyReference, of response: ReceivedResponse) {
    if let query = options.query {
      guard let bytes = wholeBody(body) else { return }
      part(query.text(of: bytes, contentType: response.headers.value(of: "Content-Type"), options))
    } else if options.isTerminal, let size = body.size, size > Self.terminalLimit {
      part(options.style.dim("(\(byteCountText(size)): too large for a terminal; -o FILE stores it)") + "\n")
    } else if options.isTerminal || options.isFormatted || options.style.isColored {
      guard let bytes = wholeBody(body) else {
        part(options.style.dim("(\(byteCountText(body.size ?? 0)): not kept)") + "\n")
        return
      }
      if !bytes.isEmpty { part(layout.text(of: bytes, contentType: response.headers.value(of: "Content-Type"))) }
    } else {
      separate()
      _ = body.readOpen { output($0) }
      isAtLineStart = false
    }
  }

  private func wholeBody(_ body: BodyReference) -> [UInt8]? {
    if options.isTerminal { return body.bytes() }
    var bytes: [UInt8] = []
    return body.readOpen { bytes += $0 } ? bytes : nil
  }

  private var heads: ExchangeHead { ExchangeHead(style: options.style) }

  private var layout: BodyText {
    BodyText(style: options.style, isFormatted: options.isFormatted, isForTerminal: options.isTerminal)
  }

  // MARK: Output

  private mutating func part(_ text: String) {
    if text.isEmpty { return }
    separate()
    output(Array(text.utf8))
    isAtLineStart = text.hasSuffix("\n")
  }

  private mutating func separate() {
    if !isFirst { output(isAtLineStart ? [0x0A] : [0x0A, 0x0A]) }
    isFirst = false
    isAtLineStart = true
  }
}
