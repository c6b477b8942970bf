import HTTPSemantics
import SpecExecution
import Values

/// The hops of a step as JSON, made as they end: of very many the first and the last.
struct HTMLHops {
  private static let limit = 20
  /// The longest body, in bytes.
  private static let bodyLimit = 16 << 10
  /// The maximum number of messages of a WebSocket.
  private static let messageLimit = 100

  private struct Entry {
    let hop: [UInt8]
    let bodies: [UInt8]
    let isPart: Bool
  }

  private var entries: [Entry] = []
  /// The number of hops in the middle that were left out.
  private(set) var leftOut = 0
  /// Method and URL of the first hop.
  private(set) var url = ""
  /// The timings of the last hop that is not part of a transfer, in milliseconds; nil if there are none.
  private(set) var timings: String?

  var isEmpty: Bool { entries.isEmpty }
  /// The list of hops without the content of their bodies.
  var hops: [UInt8] { JSONLine.list(entries.map(\.hop)) }
  /// The bodies of each hop: those of its request and of its response.
  var bodies: [UInt8] { JSONLine.list(entries.map(\.bodies)) }

  mutating func add(_ hop: HopReport) {
    if entries.isEmpty { url = "\(hop.request.method) \(hop.request.url)" }
    leftOut += hop.leftOut
    if entries.count == HTMLHops.limit {
      // The exchange with the response of the step stays.
      let middle = HTMLHops.limit / 2
      entries.remove(at: entries[middle...].firstIndex(where: \.isPart) ?? middle)
      leftOut += 1
    }
    entries.append(
      Entry(
        hop: JSONHopRecords.hop.json(of: shown(hop)),
        bodies: JSONLine.list([json(of: hop.request.body), json(of: hop.response?.body)]), isPart: hop.isPart))
    if hop.isPart { return }
    timings = hop.timings.map { timings in
      "[\(timings.ends.map { $0.map(HTMLText.milliseconds) ?? "null" }.joined(separator: ","))]"
    }
  }

  /// The hop without its bodies, and with the first messages.
  private func shown(_ hop: HopReport) -> HopReport {
    var shown = hop.withoutBodies
    guard let messages = hop.response?.messages.prefix(HTMLHops.messageLimit), !messages.isEmpty else { return shown }
    shown.response?.messages = Array(messages)
    shown.response?.moreMessages -= messages.count
    return shown
  }

  /// The beginning of a body as JSON; `null` if there is nothing to show.
  private func json(of body: BodyReference?) -> [UInt8] {
    guard let body, let excerpt = body.excerpt() else { return Array("null".utf8) }
    let beginning = excerpt.beginning(HTMLHops.bodyLimit)
    return JSONHopRecords.body.json(
      of: ReportedBody(BodyReference(size: body.size, wireSize: body.wireSize, excerpt: { beginning })))
  }
}

extension BodyExcerpt {
  /// An excerpt of at most that many bytes.
  fileprivate func beginning(_ count: Int) -> BodyExcerpt {
    switch content {
    case .text(let text):
      let utf8 = text.utf8
      var end = utf8.index(utf8.startIndex, offsetBy: count, limitedBy: utf8.endIndex) ?? utf8.endIndex
      while end < utf8.endIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
      return BodyExcerpt(.text(String(text[..<end])), isCut: isCut || end < utf8.endIndex, contentType: contentType)
    // Bytes are drawn as numbers, of which the first few show the format.
    case .data(let bytes): return BodyExcerpt(.data(Array(bytes.prefix(256))), isCut: true, contentType: contentType)
    case .description: return self
    }
  }
}
