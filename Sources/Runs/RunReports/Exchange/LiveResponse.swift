import DocumentQueries
import HTTPSemantics
import SpecExecution
import Synchronization
import Values

/// Prints an exchange while it takes place: in a pipe its bytes, for people each line once it is whole.
package final class LiveResponse: Sendable {
  private struct State {
    var contentType: String?
    /// The beginning of a line.
    var rest: [UInt8] = []
  }

  /// The longest line that is kept until it is whole.
  private static let longestLine = 1 << 20

  private let options: ResponseOptions
  private let output: @Sendable ([UInt8]) -> Void
  private let state = Mutex(State())

  package init(options: ResponseOptions, output: @escaping @Sendable ([UInt8]) -> Void) {
    (self.options, self.output) = (options, output)
  }

  package func receive(_ part: ExchangePart, _ secrets: SecretRegistry) {
    switch part {
    case .request(let hop):
      var writer = ExchangeWriter(options: options, output: output)
      writer.write(hop)
      writer.separateRest()
    case .head(let head):
      state.withLock { $0.contentType = head.headers.first("Content-Type") }
      guard options.parts.contains(.responseHead) else { return }
      let fields = head.headers.fields.map { field in
        (secrets.masked(field.name), secrets.masked(header: field.name, field.value))
      }
      let response = ReceivedResponse(
        status: head.status, reason: secrets.masked(head.reason), httpVersion: head.httpVersion, headers: fields,
        body: nil)
      let text = ExchangeHead(style: options.style).text(of: response)
      output(Array((text + (options.parts.contains(.responseBody) ? "\n" : "")).utf8))
    case .body(let chunk):
      guard options.parts.contains(.responseBody) else { return }
      if options.isTerminal || options.isFormatted || options.style.isColored {
        printLines(chunk, secrets)
      } else {
        output(Array(chunk))
      }
    case .opened: break
    case .message(let event): if event.message?.isSent == false { print(event, secrets) }
    }
  }

  /// Prints a message of a WebSocket, a line or more each.
  private func print(_ event: StreamEvent, _ secrets: SecretRegistry) {
    let showsContent = options.parts.contains(.responseBody)
    switch event.type {
    case "text", "next", "error":
      guard showsContent else { return }
      let bytes = Array(event.data.utf8)
      guard options.isTerminal || options.isFormatted || options.style.isColored else {
        return output(bytes + [0x0A])
      }
      let text = layout.text(
        of: options.isTerminal ? secrets.masked(bytes) : bytes,
        contentType: event.isJSON ? "application/json" : "text/plain")
      output(Array((text.hasSuffix("\n") ? text : text + "\n").utf8))
    case "binary":
      guard showsContent else { return }
      let bytes = base64Decoded(event.data) ?? []
      output(options.isTerminal ? Array(options.style.dim("(\(byteCountText(Int64(bytes.count))))\n").utf8) : bytes)
    case "ping", "pong", "close":
      guard options.parts.contains(.requestHead) else { return }
      var line = event.type ?? ""
      if let code = event.message?.code { line += " \(code)" }
      if event.type == "close", !event.data.isEmpty { line += " \(secrets.masked(event.data))" }
      output(Array("\(options.style.dim(sanitizedForTerminal(line)))\n".utf8))
    default: break
    }
  }

  private var layout: BodyText {
    BodyText(style: options.style, isFormatted: options.isFormatted, isForTerminal: options.isTerminal)
  }

  private func printLines(_ chunk: UnsafeRawBufferPointer, _ secrets: SecretRegistry) {
    let (lines, contentType) = state.withLock { state -> ([UInt8], String?) in
      state.rest += chunk
      let end =
        state.rest.lastIndex(of: 0x0A).map { $0 + 1 } ?? (state.rest.count > Self.longestLine ? state.rest.count : 0)
      defer { state.rest.removeFirst(end) }
      return (Array(state.rest[..<end]), state.contentType)
    }
    if !lines.isEmpty { printText(lines, contentType, secrets) }
    last.withLock { $0 = secrets }
  }

  /// The secrets for what is left at the end.
  private let last = Mutex<SecretRegistry?>(nil)

  /// Prints the last line, if nothing ended it.
  package func end() {
    let (rest, contentType) = state.withLock { state in
      defer { state.rest = [] }
      return (state.rest, state.contentType)
    }
    if !rest.isEmpty, let secrets = last.withLock({ $0 }) { printText(rest, contentType, secrets) }
  }

  private func printText(_ bytes: [UInt8], _ contentType: String?, _ secrets: SecretRegistry) {
    let bytes = options.isTerminal ? secrets.masked(bytes) : bytes
    let decoded = BodyCharset(contentType: contentType) { _ in [] }.decodeReplacing(bytes)
    let colors = SyntaxColors(style: options.style)
    let isEvents = MediaType(contentType).essence == "text/event-stream"
    let isJSON = MediaType(contentType).essence.contains("json")
    var text = ""
    for line in decoded.split(separator: "\n", omittingEmptySubsequences: false).dropLast(
      decoded.hasSuffix("\n") ? 1 : 0)
    {
      let line = line.last == "\r" ? line.dropLast() : line
      let field = isEvents ? line.prefix { $0 != ":" } : ""
      let value = line.dropFirst(field.count)
      let shown = options.isTerminal ? sanitizedForTerminal(String(value)) : String(value)
      text += isEvents && !field.isEmpty ? options.style.cyan(sanitizedForTerminal(String(field))) : ""
      text += (isJSON || field == "data" ? colors.json(shown) : shown) + "\n"
    }
    output(Array(text.utf8))
  }
}
