import DocumentQueries
import HTTPSemantics
import OperatingSystem
import RunReports
import SpecExecution
import Synchronization
import Values

/// Records exchanges as an HTTP archive (HAR 1.2), in a file without a name: what is secret in it goes with the process.
package final class ExchangeRecorder: Sendable {
  private struct State {
    var count = 0
    var size = 0
  }

  /// The size of an archive that an import reads, with room for the end.
  private static let sizeLimit = 255 << 20
  /// The number of requests that an import takes.
  private static let countLimit = 100_000
  /// The size of a request's body that a spec can send.
  private static let bodyLimit = 16 << 20

  private let version: String
  private let report: @Sendable (_ line: String, _ problem: String?) -> Void
  private let state = Mutex(State())
  private let file = TemporaryFile()

  /// - Parameter report: gets a line about each exchange, and one about why it is not recorded.
  package init(version: String, report: @escaping @Sendable (_ line: String, _ problem: String?) -> Void) {
    (self.version, self.report) = (version, report)
  }

  package var count: Int { state.withLock(\.count) }

  package func record(_ exchange: ProxiedExchange) {
    let reason = record(exchange.entry, exchange)
    let status = exchange.response.map { "\($0.head.status)" } ?? "failed"
    report("\(exchange.method) \(exchange.url.path) \(status)\n", reason.map { "  not recorded: \($0)\n" })
  }

  /// Returns the reason why it is not recorded.
  private func record(_ entry: @autoclosure () -> Value, _ exchange: ProxiedExchange) -> String? {
    var reason = exchange.failure
    // That is how a stream of events ends.
    if exchange.isStream, reason == ProxiedExchange.endedByClient { reason = nil }
    if exchange.body == nil, exchange.size > 0 { reason = "its body was not kept in memory" }
    if exchange.size > Self.bodyLimit { reason = "its body is larger than \(Self.bodyLimit >> 20) MiB" }
    let text = reason == nil ? Array(entry().jsonText().string.utf8) : []
    return state.withLock { state in
      let room = Self.sizeLimit - state.size
      if reason == nil, state.count >= Self.countLimit || text.count > room { reason = "the recording is full" }
      if reason == nil, !append(state.count == 0 ? beginning : Array(",\n".utf8)) || !append(text) {
        reason = "no temporary file can be written"
      }
      if reason == nil {
        state.count += 1
        state.size += text.count + 2
      }
      return reason
    }
  }

  private var beginning: [UInt8] {
    Array(#"{"log":{"version":"1.2","creator":{"name":"reqrun record","version":"\#(version)"},"entries":["#.utf8)
  }

  private func append(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { file.append($0) != nil } }

  /// Ends the archive, and makes it the standard input of the program that imports it; false if that fails.
  package func becomeStandardInput() -> Bool {
    state.withLock { _ in append(Array("]}}\n".utf8)) } && file.becomeStandardInput()
  }
}

extension ProxiedExchange {
  fileprivate var isStream: Bool { isEventStream(contentType: response?.head.headers.first("Content-Type")) }

  /// The entry of an archive.
  fileprivate var entry: Value {
    let isWebSocket = response?.head.status == 101
    let address = isWebSocket ? webSocketForm(ofHTTP: url.string) : url.string
    var request: [(String, Value)] = [
      ("method", .text(Text(method))), ("url", .text(Text(address))), ("headers", list(headers)),
    ]
    if let body, !body.isEmpty {
      let type = headers.first("Content-Type") ?? ""
      request.append(("postData", .mapping(Mapping([("mimeType", .text(Text(type)))] + content(body)))))
    }
    var members: [(String, Value)] = [
      ("startedDateTime", .text(Text(start.iso8601))), ("request", .mapping(Mapping(request))),
    ]
    if isWebSocket {
      members.append(("_webSocketMessages", .list(messages.map(\.harValue))))
      if failure != nil { members.append(("comment", .text(Text(ArchivedMessages.omitted())))) }
    }
    if let response {
      let head = response.head
      var body: [(String, Value)] = [("mimeType", .text(Text(head.headers.first("Content-Type") ?? "")))]
      if response.isWhole, response.size > 0 { body += content(response.body) }
      members.append(
        (
          "response",
          .mapping(
            Mapping([
              ("status", .integer(head.status)), ("headers", list(head.headers)), ("content", .mapping(Mapping(body))),
            ]))
        ))
    }
    return .mapping(Mapping(members))
  }

  private func list(_ headers: HeaderFields) -> Value {
    .list(
      headers.fields.map {
        .mapping(Mapping([("name", .text(Text($0.name))), ("value", .text(Text($0.value)))]))
      })
  }

  /// Bytes as text if they are UTF-8, else in base64.
  private func content(_ bytes: [UInt8]) -> [(String, Value)] {
    if let text = String(validating: bytes, as: UTF8.self) { return [("text", .text(Text(text)))] }
    return [("text", .text(Text(base64Encoded(bytes)))), ("encoding", .text("base64"))]
  }
}
