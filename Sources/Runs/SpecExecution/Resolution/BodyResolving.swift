import HTTPSemantics
import Matching
import RequestSpecs
import Templates
import Values

/// A body with its values, and its content type.
package struct BodyWithType {
  package var body: ResolvedBody
  package var contentType: String?

  package init(_ body: ResolvedBody, _ contentType: String? = nil) {
    self.body = body
    self.contentType = contentType
  }
}

extension RequestResolver {
  /// - Parameter headers: the request's own; a multipart type among them determines the boundary, or gets it.
  package func resolvedBody(
    _ encoding: EncodingOptions, _ headers: inout [(name: Text, value: Text)]
  ) throws(TemplateError) -> BodyWithType {
    switch request.settings.body.value {
    case nil: return BodyWithType(.none)
    case .form(let form, _): return BodyWithType(.text(try encoded(form, encoding)), EncodedParameters.formContentType)
    case .json(let template): return json(try template.resolve(in: scope), encoding)
    case .text(let field): return BodyWithType(.text(try field.resolve(in: scope)))
    case .base64(let field):
      let text = try field.resolve(in: scope)
      guard let bytes = base64Decoded(text.string) else {
        throw TemplateError("the body is not base64", at: field.range)
      }
      return BodyWithType(.data(Bytes(bytes, isSecret: text.isSecret)))
    case .file(let path): return BodyWithType(.file(try scope.bodyFile(try path.resolve(in: scope), at: path.range)))
    case .textFile(let file): return BodyWithType(.text(try text(of: file)))
    case .multipart(let parts, let range): return try multipart(parts, range, encoding, &headers)
    case .graphQL(let query, let variables, let operation, _, _):
      let text: Text
      switch query {
      case .field(let field): text = try field.resolve(in: scope)
      case .file(let file): text = try self.text(of: file)
      }
      var members = [Mapping.Member(key: "query", value: .text(text))]
      if let variables { members.append(Mapping.Member(key: "variables", value: try variables.resolve(in: scope))) }
      if let operation {
        members.append(Mapping.Member(key: "operationName", value: .text(try operation.resolve(in: scope))))
      }
      return json(.mapping(Mapping(members)), encoding)
    }
  }

  private func json(_ value: Value, _ encoding: EncodingOptions) -> BodyWithType {
    BodyWithType(.text(jsonBody(value, options: encoding)), EncodedParameters.jsonContentType)
  }

  private func text(of file: TextFile) throws(TemplateError) -> Text {
    if let standIn = try scope.standIn(for: file) { return standIn }
    return try file.resolve(in: scope)
  }

  // MARK: multipart

  private func multipart(
    _ specs: KeyedSettings<[PartSpec]>, _ range: SourceRange, _ encoding: EncodingOptions,
    _ headers: inout [(name: Text, value: Text)]
  ) throws(TemplateError) -> BodyWithType {
    var parts: [ResolvedPart] = []
    for member in try specs.whole?.resolve(in: scope).members ?? [] {
      parts += try self.parts(member.key, member.value, encoding, at: range)
    }
    for entry in specs.entries {
      let name = try entry.key.resolve(in: scope)
      if specs.whole != nil { parts.removeAll { $0.name == name } }
      for spec in entry.value ?? [] { parts += try self.parts(name, spec, encoding) }
    }
    let plain = parts.map(\.plain)
    let index = headers.firstIndex { equalsIgnoringCase($0.name.string, "content-type") }
    guard let index else {
      let boundary = MultipartBody.boundary(for: plain, random: scope.nextRandom)
      return BodyWithType(.multipart(parts, boundary: boundary), "multipart/form-data; boundary=\(boundary)")
    }
    // A boundary is added unless there is one.
    let written = headers[index].value
    guard let type = MediaRange(parsing: written.string), type.type.lowercased() == "multipart" else {
      throw TemplateError(
        "the header Content-Type says \"\(written.masked)\", and `multipart` makes another body", at: range,
        help: "leave the header out, or take it away with `Content-Type: null`")
    }
    if let boundary = headerParameter("boundary", of: written.string) {
      guard isBoundary(boundary), !MultipartBody.boundaryOccurs(boundary, in: plain) else {
        throw TemplateError(
          "the boundary of the header Content-Type is invalid, or occurs in one of the parts", at: range,
          help: "leave it out: one is chosen that no part has")
      }
      return BodyWithType(.multipart(parts, boundary: boundary))
    }
    let boundary = MultipartBody.boundary(for: plain, random: scope.nextRandom)
    headers[index].value = written + Text("; boundary=\(boundary)")
    return BodyWithType(.multipart(parts, boundary: boundary))
  }

  private func parts(
    _ name: Text, _ spec: PartSpec, _ encoding: EncodingOptions
  ) throws(TemplateError) -> [ResolvedPart] {
    var filename = try spec.filename?.resolve(in: scope)
    var type = try spec.type?.resolve(in: scope)
    switch spec.content {
    case .file(let path):
      let file = try scope.bodyFile(try path.resolve(in: scope), at: path.range)
      filename = filename ?? file.name
      type = type ?? Text(mediaType(ofFileNamed: filename?.string ?? ""))
      return [ResolvedPart(name: name, content: .file(file), filename: filename, type: type)]
    case .value(let template):
      let value = try template.resolve(in: scope)
      if spec.filename == nil, spec.type == nil { return try parts(name, value, encoding, at: template.range) }
      if let filename, type == nil { type = Text(mediaType(ofFileNamed: filename.string)) }
      let content: ResolvedPart.Content
      switch value {
      case .mapping, .list: content = .text(jsonBody(value, options: encoding))
      default: content = try self.content(name, value, encoding, at: template.range)
      }
      return [ResolvedPart(name: name, content: content, filename: filename, type: type)]
    }
  }

  /// A plain value; a list is several parts with one name.
  private func parts(
    _ name: Text, _ value: Value, _ encoding: EncodingOptions, at range: SourceRange
  ) throws(TemplateError) -> [ResolvedPart] {
    let items: [Value] = if case .list(let items) = value { items } else { [value] }
    var parts: [ResolvedPart] = []
    for item in items {
      let content = try self.content(name, item, encoding, at: range)
      parts.append(ResolvedPart(name: name, content: content, filename: nil, type: nil))
    }
    return parts
  }

  private func content(
    _ name: Text, _ value: Value, _ encoding: EncodingOptions, at range: SourceRange
  ) throws(TemplateError) -> ResolvedPart.Content {
    switch value {
    case .data(let data): return .data(data)
    case .text, .number, .bool, .date: return .text(scalarText(value, encoding))
    case .null, .list, .mapping:
      throw TemplateError(
        "the part `\(name.masked)` is \(value.kind.phrase): its value is text, a number, or true or false", at: range,
        help: value.kind == .mapping ? "write {value: …, type: application/json} for JSON" : nil)
    }
  }

  private func scalarText(_ value: Value, _ encoding: EncodingOptions) -> Text {
    switch value {
    case .bool(let flag) where encoding.boolEncoding == .numeric: Text(flag ? "1" : "0")
    case .date(let date): Text(encoding.dateEncoding.formText(date), isSecret: date.isSecret)
    default: value.asText
    }
  }

  // MARK: compress and digest

  /// Applies `compress` and `digest` to the body, and adds their headers.
  ///
  /// - Returns: the content coding.
  package func wrap(
    _ request: inout OutgoingRequest, _ headers: inout [(name: Text, value: Text)]
  ) throws(TemplateError) -> ContentCoding? {
    guard let settings = self.request.settings.bodyCoding, !request.body.isEmpty else { return nil }
    var coding: ContentCoding?
    func add(_ name: String, _ value: String) {
      headers.append((Text(name), Text(value)))
      request.headers.append(name, value)
    }
    if let field = settings.compress.value,
      let chosen = ContentCoding(rawValue: try field.resolve(in: scope).rawValue)
    {
      if request.headers.contains("Content-Encoding") {
        throw TemplateError(
          "the request has a Content-Encoding of its own, and `compress` would put another around it", at: field.range,
          help: "leave out the header, or write `compress: none`")
      }
      request.body = request.body.coded(chosen)
      add("Content-Encoding", chosen.rawValue)
      coding = chosen
    }
    guard let digest = settings.digest.value else { return coding }
    for (name, fields) in [("Content-Digest", digest.content), ("Repr-Digest", digest.representation)] {
      if fields.isEmpty || request.headers.contains(name) { continue }
      var algorithms: [ContentDigest.Algorithm] = []
      for field in fields {
        let word = try field.resolve(in: scope).rawValue
        algorithms += ContentDigest.Algorithm.allCases.filter { $0.rawValue == word && !algorithms.contains($0) }
      }
      let digest = ContentDigest(header: name, algorithms: algorithms)
      // For files it is computed when they are sent.
      if case .bytes(let bytes) = request.body {
        add(name, digest.value(of: bytes))
      } else {
        request.digests.append(digest)
      }
    }
    return coding
  }
}
