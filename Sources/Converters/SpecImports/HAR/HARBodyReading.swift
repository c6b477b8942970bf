import Cryptography
import DocumentQueries
import HTTPSemantics
import Values

/// The bodies of requests.
extension HARRequestReading {
  mutating func readBody(_ data: JSONNode) {
    let header = entry.requestHeaders.last { equalsIgnoringCase($0.name, "content-type") }?.value
    let type = header ?? data.text("mimeType") ?? ""
    let media = mediaType(of: type)
    let parameters = data[member: "params"]?.items ?? []
    var body = data.text("text") ?? ""
    if data.text("encoding") == "base64" || data.text("_encoding") == "base64" {
      guard let bytes = base64Decoded(body) else {
        return request.remark("bodies that are not base64", String(body.prefix(80)))
      }
      guard let decoded = String(validating: bytes, as: UTF8.self) else {
        readBytes(bytes, type)
        return addType(type, header)
      }
      body = decoded
    }
    if let bytes = bytes(of: body) {
      readBytes(bytes, type)
    } else if media.hasPrefix("multipart/") {
      readMultipart(body, type, parameters)
    } else if !body.isEmpty {
      readText(body, media)
    } else if !parameters.isEmpty {
      let pairs = data[member: "params"]?.pairs ?? []
      request.body = .form(pairs.map { .init(name: ImportedText($0.name), value: text($0.value, $0.name)) })
    } else if let path = exportedFile(data) {
      request.body = .file(path)
    } else if let comment = data.text("comment"), isOwn {
      request.remark("bodies that are not in the archive", comment)
    }
    if request.body != nil { addType(type, header) }
  }

  /// Reads a body that is not text, or has parts that are not.
  private mutating func readBytes(_ bytes: [UInt8], _ type: String) {
    if mediaType(of: type).hasPrefix("multipart/"), let parts = HARMultipartText.parts(of: bytes, type: type) {
      request.body = .multipart(
        parts.map { part, content in
          guard let content else { return part }
          var part = part
          part.content = self.content(content, named: part.filename?.literal ?? "")
          return part
        })
    } else if writesFiles {
      let subtype = mediaType(of: type).split(separator: "/").last.map(String.init) ?? ""
      request.body = .file(file(bytes, named: "body." + (subtype == "octet-stream" ? "bin" : subtype)))
    } else {
      request.body = .base64(base64Encoded(bytes))
    }
  }

  /// The content of a part that is not text.
  private mutating func content(_ bytes: [UInt8], named name: String) -> ImportedRequest.Part.Content {
    writesFiles
      ? .file(file(bytes, named: name))
      : .text(ImportedText(.expression("base64_decode('\(base64Encoded(bytes))')")))
  }

  /// The path of a file with these bytes: equal ones are one file.
  private mutating func file(_ bytes: [UInt8], named name: String) -> ImportedText {
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    let isPlain = (1...5).contains(ending.utf8.count) && ending.utf8.allSatisfy { $0 < 0x80 && isShellNameByte($0) }
    let digest = hexEncoded(DigestAlgorithm.sha256.digest(of: bytes)).prefix(12)
    // No run takes it for a spec.
    let path = "files/\(digest).\(isPlain && !["yaml", "yml"].contains(ending) ? ending : "bin")"
    attachments.append((path, bytes))
    return ImportedText(path)
  }

  /// The bytes of a body that an archive has as a text with a character for each, by the size of the body; nil for any
  /// other.
  private func bytes(of body: String) -> [UInt8]? {
    guard let size = entry.request[member: "bodySize"].flatMap({ Int($0.text) }), size < body.utf8.count,
      body.unicodeScalars.count == size
    else { return nil }
    let bytes = body.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    return bytes.count == size && String(validating: bytes, as: UTF8.self) == nil ? bytes : nil
  }

  /// Adds the type of a body that the headers don't name.
  private mutating func addType(_ type: String, _ header: String?) {
    if header != nil || type.isEmpty { return }
    request.headers.append(.init(name: ImportedText("Content-Type"), value: ImportedText(type)))
  }

  private mutating func readText(_ body: String, _ media: String) {
    if media == "application/x-www-form-urlencoded", let pairs = ImportedText(body).formPairs, pairs.areTogether {
      request.body = .form(
        pairs.map { .init(name: $0.name, value: text($0.value.literal ?? "", $0.name.literal ?? "")) })
    } else if media == "application/json" || media.hasSuffix("+json") {
      request.body = graphQL(body) ?? .json(maskedJSON(body))
    } else {
      request.body = .text(text(body, "body"))
    }
  }

  private func maskedJSON(_ body: String) -> ImportedText {
    if isExport { return text(body, "body") }
    guard isOwn, body.contains("***"), let document = try? JSONDocument(parsing: body) else {
      return ImportedText(body)
    }
    return document.replacingTexts { string, name in
      string == "***" ? .variable(HARNames.word(name ?? "secret")) : nil
    }
  }

  /// A query of GraphQL that succeeded, with nothing but what such a body has.
  private func graphQL(_ body: String) -> ImportedRequest.Body? {
    guard entry.url.prefix(while: { $0 != "?" }).lowercased().hasSuffix("graphql"),
      let root = (try? JSONDocument(parsing: body))?.root, let query = root[member: "query"], query.kind == .text,
      root.members.allSatisfy({ ["query", "variables", "operationName"].contains($0.key) }),
      !(entry.responseText ?? "").contains("\"errors\"")
    else { return nil }
    let operation = root[member: "operationName"].flatMap { $0.kind == .text ? ImportedText($0.string) : nil }
    let variables = root[member: "variables"].flatMap { $0.kind == .mapping ? ImportedText($0.text) : nil }
    return .graphql(query: ImportedText(query.string), variables: variables, operation: operation)
  }

  private mutating func readMultipart(_ body: String, _ type: String, _ parameters: [JSONNode]) {
    var parts: [ImportedRequest.Part] = []
    for item in parameters {
      guard let name = item.text("name") else { continue }
      let filename = item.text("fileName").map { ImportedText($0) }
      let contentType = item.text("contentType").map { ImportedText($0) }
      var part = ImportedRequest.Part(
        name: ImportedText(name), content: .text(ImportedText()), filename: filename, type: contentType)
      if let value = item.text("value") {
        let isEncoded = item.text("_encoding") == "base64" || item.text("encoding") == "base64"
        if isEncoded, let bytes = base64Decoded(value) {
          part.content = content(bytes, named: filename?.literal ?? "")
        } else {
          part.content = .text(text(value, name))
        }
      } else if let path = exportedFile(item) {
        part.content = .file(path)
        if path.literal?.split(separator: "/").last.map(String.init) == filename?.literal { part.filename = nil }
      } else if let filename {
        part.content = .file(filename)
        part.filename = nil
      }
      parts.append(part)
    }
    if parts.isEmpty { parts = HARMultipartText.parts(of: body, type: type) ?? [] }
    if !parts.isEmpty {
      request.body = .multipart(parts)
    } else if !body.isEmpty {
      request.body = .text(ImportedText(body))
    }
  }
}
