import HTTPSemantics
import RequestSpecs
import SpecExecution
import Values

extension SpecForm {
  /// HTTP archives (1.2) of requests without responses.
  package static let har = SpecForm(supports: { _ in false }) { files, words in
    var export = SpecExport()
    for (file, name) in zip(files, fileNames(files)) {
      var archive = HARFileWriter(words)
      let document = archive.document(file)
      export.add(file)
      export.remarks += archive.remarks
      export.files.append(("\(name).har", document))
    }
    return export
  }
}

/// An HTTP archive of the requests of a spec.
private struct HARFileWriter {
  private let words: ExportWords
  private(set) var remarks: [ExportRemark] = []

  init(_ words: ExportWords) { self.words = words }

  mutating func document(_ file: ExportedFile) -> [UInt8] {
    let entries = file.requests.compactMap { entry($0) }
    return jsonObject([
      "log": jsonObject([
        "version": .text("1.2"), "creator": jsonObject(["name": .text("reqrun"), "version": .text("0.1")]),
        "comment": .text(file.heading), "entries": .list(entries),
      ])
    ]).document
  }

  private mutating func entry(_ request: ExportedRequest) -> Value? {
    let writer = HARRequestWriter(request, words)
    if request.step.poll != nil { remarks.add("`poll`", request) }
    if !request.checks.captures.isEmpty { remarks.add("an archive has no captures", request) }
    if !request.checks.checks.isEmpty { remarks.add("an archive has no expectations", request) }
    for reason in writer.missing { remarks.add(reason, request) }
    return jsonObject([
      "startedDateTime": .text("1970-01-01T00:00:00.000Z"), "time": .integer(0), "comment": .text(request.label),
      "request": writer.value, "response": HARFileWriter.noResponse, "cache": jsonObject([:]),
      "timings": jsonObject(["send": .integer(0), "wait": .integer(0), "receive": .integer(0)]),
    ])
  }

  private static var noResponse: Value {
    jsonObject([
      "status": .integer(0), "statusText": .text(""), "httpVersion": .text("HTTP/1.1"), "cookies": .list([]),
      "headers": .list([]), "content": jsonObject(["size": .integer(0), "mimeType": .text("x-unknown")]),
      "redirectURL": .text(""), "headersSize": .integer(-1), "bodySize": .integer(-1),
    ])
  }
}

/// A request of an archive: variables have their values, others are names in double braces.
private struct HARRequestWriter {
  private let request: ExportedRequest
  private let words: ExportWords
  private var resolved: ResolvedRequest { request.request }

  init(_ request: ExportedRequest, _ words: ExportWords) { (self.request, self.words) = (request, words) }

  /// The text with the values of variables.
  private func text(_ text: String, depth: Int = 0) -> String {
    words.rendered(text) { value in
      if case .variable(let name) = value.plain, depth < 64,
        let known = request.variables.first(where: { $0.name == name })
      {
        let own = self.text(known.value.asText.string, depth: depth + 1)
        // A name in braces stands for its encoded value.
        let isKnown = !ExportWords.hasWord(known.value.asText.string[...])
        if case .placed(_, .parameter) = value, isKnown {
          return percentEncoded(Array(own.utf8)[...], also: "!$&'()*+,;=:@/?")
        }
        return own
      }
      let curly = CurlyRendering(words: words, function: { _ in nil })
      if case .placed(let value, .link(let base)) = value {
        return (base.map { self.text($0, depth: depth + 1) } ?? "") + curly.reference(value)
      }
      return curly.reference(value)
    }
  }

  var missing: [String] {
    var reasons: [String] = []
    let open = request.values.map(\.plain)
    if open.contains(where: { if case .capture = $0 { true } else { false } }) {
      reasons.append("a value that a response gives, which is a name in braces")
    }
    if open.contains(where: { if case .environment = $0 { true } else { false } }) {
      reasons.append("a secret, which is a name in braces")
    }
    if resolved.transfer != nil { reasons.append("streams, uploads, downloads and playlists") }
    if resolved.coding != nil { reasons.append("`compress`") }
    switch resolved.credentials {
    case .password(let scheme, _, _)? where scheme != .basic: reasons.append("`auth.\(scheme.rawValue)`")
    case .awsSigV4?: reasons.append("`auth.aws_sigv4`")
    case .negotiate?, .netrc?: reasons.append("`auth` of the system")
    default: break
    }
    if case .password(.basic, _, let password)? = resolved.credentials, ExportWords.hasWord(password.string[...]) {
      reasons.append("`auth.basic`, whose header would need the secret")
    }
    return reasons
  }

  private func pair(_ name: String, _ value: String) -> Value {
    jsonObject(["name": .text(name), "value": .text(value)])
  }

  private var headers: [(name: String, value: String)] {
    var headers = request.headers.map { (name: text($0.name), value: text($0.value)) }
    if resolved.outgoing.headers.values("Authorization").isEmpty {
      switch resolved.credentials {
      case .bearer(let token): headers.append(("Authorization", "Bearer \(text(token.string))"))
      case .password(.basic, let name, let password):
        if !ExportWords.hasWord(password.string[...]) {
          let pair = "\(text(name.string)):\(password.string)"
          headers.append(("Authorization", "Basic \(base64Encoded(Array(pair.utf8)))"))
        }
      default: break
      }
    }
    if !resolved.cookies.isEmpty {
      let pairs = resolved.cookies.map { "\(text($0.name.string))=\(text($0.value.string))" }
      headers.append(("Cookie", pairs.joined(separator: "; ")))
    }
    return headers
  }

  var value: Value {
    let url = text(resolved.outgoing.url.string)
    let mark = url.firstIndex(of: "?") ?? url.endIndex
    let query = url[mark...].dropFirst().split(separator: "&").map { item in
      let equals = item.firstIndex(of: "=") ?? item.endIndex
      return pair(
        percentDecoded(String(item[..<equals])),
        percentDecoded(item[equals...].dropFirst().replacing("+", with: " ")))
    }
    let cookies = resolved.cookies.map { pair(text($0.name.string), text($0.value.string)) }
    return jsonObject([
      "method": .text(resolved.method.rawValue), "url": .text(url), "httpVersion": .text("HTTP/1.1"),
      "cookies": .list(cookies), "headers": .list(headers.map { pair($0.name, $0.value) }), "queryString": .list(query),
      "postData": body, "headersSize": .integer(-1), "bodySize": .integer(-1),
    ])
  }

  private var body: Value? {
    let type = Value.text(resolved.outgoing.headers.values("Content-Type").last ?? "")
    switch resolved.body {
    case .none: return nil
    case .text(let content): return jsonObject(["mimeType": type, "text": .text(text(content.string))])
    case .data(let data):
      return jsonObject([
        "mimeType": type, "text": .text(base64Encoded(data.bytes)), "encoding": .text("base64"),
      ])
    case .file(let file):
      return jsonObject(["mimeType": type, "text": .text(""), "comment": .text("the file \(file.path.string)")])
    case .multipart(let parts, _):
      let values = parts.map { part -> Value in
        var content: Value?
        switch part.content {
        case .text(let value): content = .text(text(value.string))
        case .data(let data): content = .text(String(decoding: data.bytes, as: UTF8.self))
        case .file: content = nil
        }
        var filename = part.filename.map { Value.text($0.string) }
        var comment: Value?
        if case .file(let file) = part.content {
          filename = filename ?? .text(file.name.string)
          comment = .text("the file \(file.path.string)")
        }
        return jsonObject([
          "name": .text(text(part.name.string)), "value": content, "fileName": filename,
          "contentType": part.type.map { .text($0.string) }, "comment": comment,
        ])
      }
      return jsonObject(["mimeType": .text("multipart/form-data"), "params": .list(values)])
    }
  }
}
