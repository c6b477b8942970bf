import HTTPMessages
import HTTPSemantics
import Values

/// Tells what went over the wire, masked.
struct ExchangeTracer {
  let registry: SecretRegistry
  let includesBodies: Bool

  func trace(_ hops: [Hop], request: ResolvedRequest, preview: [UInt8], total: Int64) -> [HopTrace] {
    hops.enumerated().map { index, hop in
      HopTrace(
        requestLine:
          "\(hop.request.method.rawValue) \(masked(hop.request.requestTarget ?? hop.request.url.originForm)) (\(hop.request.url.authority))",
        requestHeaders: headers(hop.request.headers),
        requestBody: includesBodies && index == 0 ? requestBody(request) : nil,
        statusLine: statusLine(hop.head), responseHeaders: headers(hop.head.headers),
        responseBody: includesBodies && index == hops.count - 1 ? body(preview, total: total, head: hop.head) : nil,
        timings: hop.summary.timings, remoteAddress: hop.summary.remoteAddress)
    }
  }

  private func masked(_ text: String) -> String { registry.masked(text) }

  private func statusLine(_ head: ResponseHead) -> String {
    let version = head.httpVersion.isEmpty ? "HTTP" : "HTTP/\(head.httpVersion)"
    return head.reason.isEmpty ? "\(version) \(head.status)" : "\(version) \(head.status) \(masked(head.reason))"
  }

  private func headers(_ fields: HeaderFields) -> [(name: String, value: String)] {
    fields.fields.map { field in
      (field.name, maskedHeaders.contains(field.name.lowercased()) ? Text.mask : masked(field.value))
    }
  }

  private func requestBody(_ request: ResolvedRequest) -> String? {
    switch request.body {
    case .none: nil
    case .text(let text): masked(text.masked)
    case .data(let data): "\(data.bytes.count) bytes"
    }
  }

  private func body(_ preview: [UInt8], total: Int64, head: ResponseHead) -> String? {
    guard !preview.isEmpty else { return nil }
    var bytes = preview
    let isCut = Int64(bytes.count) < total
    // A cut may fall inside a character.
    if isCut { while let last = bytes.last, last & 0xC0 == 0x80 || last >= 0xC0 { bytes.removeLast() } }
    let text = decodeText(bytes, contentType: head.headers.first("Content-Type"))
    guard !text.unicodeScalars.contains("\0") else { return "\(total) bytes" }
    return masked(text) + (isCut ? "\n… \(total) bytes in all" : "")
  }
}
