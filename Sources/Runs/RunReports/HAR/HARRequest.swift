import HTTPSemantics
import SpecExecution
import Values

/// The request of an entry, so complete that it can be sent again: only secrets are missing.
struct HARRequest {
  let hop: HopReport

  private var request: SentRequest { hop.request }

  var value: Value {
    let answered = hop.response.map(\.httpVersion).flatMap { $0.isEmpty ? nil : "HTTP/\($0)" }
    return HARText.object([
      ("method", .text(Text(request.method))), ("url", .text(Text(url))),
      ("httpVersion", .text(Text(request.httpVersion ?? answered ?? ""))),
      ("cookies", HARText.cookies(request.cookies)), ("headers", HARText.headers(request.headers)),
      ("queryString", .list(parameters(ofTarget: request.target))),
      ("postData", body),
      ("headersSize", .integer(request.headSize ?? -1)),
      ("bodySize", .integer(Int(request.body.map { $0.size ?? -1 } ?? 0))),
    ])
  }

  /// The URL, with the scheme of WebSockets for one.
  private var url: String { hop.isWebSocket ? webSocketForm(ofHTTP: request.url) : request.url }

  private var body: Value? {
    guard let body = request.body else { return nil }
    let type = request.headers.value(of: "Content-Type") ?? ""
    var members: [(String, Value?)] = [("mimeType", .text(Text(type)))]
    let essence = mediaType(of: type)
    guard body.size ?? 0 <= BodyReference.wholeLimit, let bytes = body.bytes() ?? body.excerpt()?.wholeBytes else {
      let size = body.size.map { "\($0) bytes" } ?? "the body"
      members.append(("comment", .text(Text("\(size): not repeated here"))))
      return HARText.object(members)
    }
    if essence == "application/x-www-form-urlencoded", let text = String(validating: bytes, as: UTF8.self) {
      members.append(("params", .list(parameters(of: text))))
    } else if essence == "multipart/form-data", let parts = HARMultipart(bytes)?.parts {
      members.append(("params", .list(parts)))
    } else {
      members += HARText.content(bytes, as: "text")
    }
    if request.headers.value(of: "Content-Encoding") != nil, body.size != Int64(bytes.count) {
      members.append(("comment", .text("before it was compressed")))
    }
    return HARText.object(members)
  }

  private func parameters(ofTarget target: String) -> [Value] {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return parameters(of: target[target.utf8.index(after: mark)...].prefix { $0 != "#" })
  }

  /// The decoded parameters of a query or a form.
  private func parameters(of text: some StringProtocol) -> [Value] {
    formPairs(text).map { HARText.object([("name", .text(Text($0.name))), ("value", .text(Text($0.value)))]) }
  }
}

extension BodyExcerpt {
  /// The body, if it is not cut.
  fileprivate var wholeBytes: [UInt8]? {
    guard !isCut else { return nil }
    switch content {
    case .text(let text): return Array(text.utf8)
    case .data(let bytes): return bytes
    case .description: return nil
    }
  }
}

/// The parts of a form (RFC 7578), as parameters.
private struct HARMultipart {
  let parts: [Value]

  /// Nil for anything but a complete form.
  init?(_ bytes: [UInt8]) {
    let lineBreak: [UInt8] = [0x0D, 0x0A]
    guard let firstEnd = bytes.firstRange(of: lineBreak), bytes.starts(with: "--".utf8) else { return nil }
    // The last part ends like the others, with a delimiter after a line break.
    let delimiter = lineBreak + bytes[..<firstEnd.lowerBound]
    var parts: [Value] = []
    var rest = bytes[firstEnd.lowerBound...]
    while rest.starts(with: lineBreak) {
      rest = rest.dropFirst(2)
      guard let end = rest.firstRange(of: delimiter), let headEnd = rest.firstRange(of: lineBreak + lineBreak),
        headEnd.upperBound <= end.lowerBound
      else { return nil }
      parts.append(
        HARMultipart.part(
          head: String(decoding: rest[..<headEnd.lowerBound], as: UTF8.self),
          Array(rest[headEnd.upperBound..<end.lowerBound])))
      rest = rest[end.upperBound...]
    }
    guard rest.starts(with: "--".utf8) else { return nil }
    self.parts = parts
  }

  private static func part(head: String, _ content: [UInt8]) -> Value {
    var members: [(String, Value?)] = [("name", .text(Text(parameter("name", of: head) ?? "")))]
    members += HARText.content(content, as: "value")
    members.append(("fileName", parameter("filename", of: head).map { .text(Text($0)) }))
    let type = head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("content-type:") }
    members.append(("contentType", type.map { .text(Text(String($0.dropFirst(13).drop { $0 == " " }))) }))
    return HARText.object(members)
  }

  /// The quoted parameter of a `Content-Disposition`.
  private static func parameter(_ name: String, of head: String) -> String? {
    guard let start = head.firstRange(of: "; \(name)=\"") else { return nil }
    return String(head[start.upperBound...].prefix { $0 != "\"" })
      .replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
  }
}
