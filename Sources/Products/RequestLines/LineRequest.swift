import DataCompression
import JSONQueries
import RequestBodies
import URLs
import Values
import YAMLNodes

/// A request line as a person would write it in a spec.
package struct LineRequest: Sendable {
  /// The keys of the request.
  package let keys: [(key: String, value: YAMLNode)]
  /// The values of the secrets that the keys read.
  package let secrets: [(name: String, value: String)]
}

extension RequestLine {
  /// Writes the request.
  ///
  /// - Parameter files: the files that items name.
  package func request(_ files: Files) throws(RequestLineProblem) -> LineRequest {
    var writer = LineWriter(line: self, files: files)
    try writer.write()
    return LineRequest(keys: writer.keys, secrets: writer.secrets.all)
  }
}

/// The `Accept` header of requests with JSON, as HTTPie and xh send it.
private let acceptedJSON = "application/json, */*;q=0.5"

/// Writes the keys of a request line.
private struct LineWriter {
  let line: RequestLine
  let files: RequestLine.Files
  var keys: [(key: String, value: YAMLNode)] = []
  var secrets: LineSecrets
  /// By their names in lower case.
  private var headers = OrderedMembers<(name: String, values: [YAMLNode])>()

  init(line: RequestLine, files: RequestLine.Files) {
    (self.line, self.files) = (line, files)
    secrets = LineSecrets(taken: line.takenNames, known: line.knownSecrets)
  }

  mutating func write() throws(RequestLineProblem) {
    try readHeaders()
    let body = try body()
    let method = line.method ?? (body == nil && line.raw == nil ? "GET" : "POST")
    if let name = line.name { keys.append(("name", .text(name))) }
    if method != (body == nil ? "GET" : "POST") { keys.append(("method", .text(method))) }
    keys.append(
      ("url", .text(secrets.url(line.isPathAsIs ? line.url.text : removingDotSegments(ofURL: line.url.text)))))
    if !headers.all.isEmpty {
      keys.append(
        (
          "headers",
          .mapping(headers.all.map(\.value).map { ($0.name, $0.values.count == 1 ? $0.values[0] : .list($0.values)) })
        ))
    }
    let query = try query()
    if !query.isEmpty { keys.append(("query", .mapping(query))) }
    if let body { keys.append(body) }
    if body != nil, ["GET", "HEAD"].contains(method) { keys.append(("body_on_get", .bool(true))) }
    if body != nil, try isCompressed() { keys.append(("compress", .text("deflate"))) }
    if let credentials = line.credentials ?? line.session?.credentials { keys.append(("auth", node(credentials))) }
    if line.followsRedirects == false {
      keys.append(("redirects", .text("none")))
    } else if let limit = line.maxRedirects {
      keys.append(("redirects", .mapping([("max", .number(String(limit)))])))
    }
    if let path = line.download {
      let members: [(key: String, value: YAMLNode)] = [("to", .text(files.written(path)))]
      // A name that the server chooses replaces nothing.
      keys.append(("download", .mapping(members + (path.hasSuffix("/") ? [] : [("overwrite", .bool(true))]))))
    }
    if line.isStream { keys.append(("timeout", .mapping([("request", .text("1h")), ("resource", .text("24h"))]))) }
    if let socket = line.url.socket { keys.append(("unix_socket", .text(socket))) }
  }

  // MARK: Headers and query

  private mutating func readHeaders() throws(RequestLineProblem) {
    for (name, value) in try line.ownHeaders(files) {
      let key = name.lowercased()
      // The jar of the session has them.
      if line.session != nil, key == "cookie" { continue }
      let node = value.map { secrets.node($0, named: name) } ?? .null
      headers.change(key, first: (name, [])) { header in
        // It removes what was given so far, too.
        if node.isNull || header.values.first?.isNull ?? false { header.values = [] }
        header.values.append(node)
      }
    }
    let own = Set(headers.all.map(\.key))
    for header in line.session?.headers ?? [] where !own.contains(header.name.lowercased()) {
      let node = secrets.node(header.value, named: header.name)
      headers.change(header.name.lowercased(), first: (header.name, [])) { $0.values.append(node) }
    }
  }

  /// Adds a header unless an item has it, or removes it.
  private mutating func addHeader(_ name: String, _ value: String) {
    headers.change(name.lowercased(), first: (name, [])) { if $0.values.isEmpty { $0.values = [.text(value)] } }
  }

  private mutating func query() throws(RequestLineProblem) -> [(key: String, value: YAMLNode)] {
    var pairs = OrderedMembers<[YAMLNode]>()
    for item in line.items {
      let value: String
      switch item.kind {
      case .query: value = item.value
      case .queryFile: value = withoutLineEnd(try files.literal(of: item))
      default: continue
      }
      pairs.add(secrets.node(value, named: item.name), named: item.name)
    }
    return pairs.members
  }

  // MARK: Body

  private var fields: [RequestItem] { line.items.filter(\.kind.isData) }

  /// The key of the body with its value; nil if there is none. It may add headers.
  private mutating func body() throws(RequestLineProblem) -> (key: String, value: YAMLNode)? {
    let fields = fields
    let wholeFile = fields.first { $0.kind == .file && $0.name.isEmpty }
    let sources = [
      line.raw.map { _ in "--raw" }, wholeFile.map { "\"\($0.text)\"" },
      fields.first { $0.kind != .file || !$0.name.isEmpty }.map { _ in line.graphQL == nil ? "fields" : nil } ?? nil,
      line.graphQL.map { _ in "--graphql" }, line.input.map { _ in "standard input" },
    ].compactMap(\.self)
    guard sources.count < 2 else {
      throw RequestLineProblem(
        "the body comes from \(sources[0]) and from \(sources[1])",
        help: sources.contains("standard input") ? "leave one out; --ignore-stdin reads no input" : "leave one out")
    }
    if let query = line.graphQL { return ("graphql", try graphQL(query, fields)) }
    if let raw = line.raw, !raw.isEmpty { return rawBody(.text(raw)) }
    if let input = line.input { return input.isEmpty ? nil : rawBody(literal(input)) }
    if let wholeFile { return try fileBody(wholeFile) }
    guard !fields.isEmpty else {
      if line.form != nil || line.raw != nil { addContentHeaders() }
      return nil
    }
    let hasFile = fields.contains { $0.kind == .file }
    switch line.form ?? .json {
    case .form where !hasFile: return ("form", .mapping(try formFields(fields)))
    case .form, .multipart: return ("multipart", .mapping(try parts(fields)))
    case .json:
      if let file = fields.first(where: { $0.kind == .file }) {
        throw RequestLineProblem(
          "the file in \"\(file.text)\" is a part of a form",
          help: "give --form, or \(file.name)=@… for its text in JSON")
      }
      addHeader("Accept", acceptedJSON)
      return ("json", try json(fields))
    }
  }

  /// A body that is sent as it is: JSON unless a header or an option says otherwise.
  private mutating func rawBody(_ node: YAMLNode) -> (key: String, value: YAMLNode) {
    if line.isSaved, line.form ?? .json == .json,
      !headers.all.contains(where: { $0.key == "content-type" }),
      case .text(let text)? = node.scalar?.meaning,
      let tree = try? BodyTree(json: text, convert: { .text($0) }), tree.isContainer
    {
      addHeader("Accept", acceptedJSON)
      return ("json", secrets.protected(tree.node))
    }
    addContentHeaders()
    return ("body", node)
  }

  /// Adds the headers of a body that isn't made of fields, or of none: as HTTPie, also without a body.
  private mutating func addContentHeaders() {
    switch line.form {
    case .form?: addHeader("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
    case .multipart?: break
    case .json?, nil:
      addHeader("Content-Type", "application/json")
      addHeader("Accept", acceptedJSON)
    }
  }

  /// Returns whether the body is compressed: if need be, by the size of its texts and files.
  private func isCompressed() throws(RequestLineProblem) -> Bool {
    guard line.compression == .ifSmaller else { return line.compression == .always }
    var bytes = line.input ?? Array((line.raw ?? line.graphQL ?? "").utf8)
    for item in fields {
      bytes += item.name.utf8
      switch item.kind {
      case .file, .fieldFile, .jsonFile: bytes += try files.read(FileArgument(item, files).path)
      default: bytes += item.value.utf8
      }
    }
    return compressed(bytes, .zlib).count < bytes.count
  }

  private mutating func fileBody(_ item: RequestItem) throws(RequestLineProblem) -> (key: String, value: YAMLNode) {
    let file = try FileArgument(item, files)
    guard file.filename == nil else {
      throw RequestLineProblem("the body in \"\(item.text)\" has no file name", help: "only parts of a form have one")
    }
    if let type = file.type {
      addHeader("Content-Type", type)
    } else {
      let type = mediaType(ofFileNamed: file.path)
      if type != "application/octet-stream" { addHeader("Content-Type", type) }
    }
    return rawBody(.mapping([("file", .text(files.written(file.path)))]))
  }

  private mutating func json(_ fields: [RequestItem]) throws(RequestLineProblem) -> YAMLNode {
    var tree = BodyTree.unset
    for item in fields {
      try tree.set(try value(of: item), at: NestedName(item.name), of: item.text)
    }
    return secrets.protected(tree.node)
  }

  private mutating func graphQL(_ query: String, _ fields: [RequestItem]) throws(RequestLineProblem) -> YAMLNode {
    var members: [(key: String, value: YAMLNode)] = []
    if query.hasPrefix("@") {
      members.append(
        ("query", .mapping([("file", .text(files.written(FileArgument.expanded(String(query.dropFirst()), files))))])))
    } else {
      members.append(("query", .text(query)))
    }
    if let file = fields.first(where: { $0.kind == .file }) {
      throw RequestLineProblem(
        "a variable of GraphQL can't be a file, as in \"\(file.text)\"", help: "write name=@file")
    }
    if !fields.isEmpty { members.append(("variables", try json(fields))) }
    return .mapping(members)
  }

  /// The value of a field of a JSON body.
  private func value(of item: RequestItem) throws(RequestLineProblem) -> BodyTree {
    switch item.kind {
    case .json: return try tree(item.value, of: item) { .text($0) }
    case .jsonFile: return try tree(files.text(of: item), of: item) { .text(escapingTemplates($0)) }
    case .fieldFile: return .scalar(.text(try files.literal(of: item)))
    default: return .scalar(.text(item.value))
    }
  }

  private func tree(
    _ text: String, of item: RequestItem, _ convert: (String) -> YAMLNode
  ) throws(RequestLineProblem) -> BodyTree {
    do throws(JSONParseError) {
      return try BodyTree(json: text, convert: convert)
    } catch {
      throw RequestLineProblem(
        "the value in \"\(item.text)\" is not JSON" + (item.isSecret ? "" : ": \(error.message)"),
        help: item.kind == .json ? "write \(item.name)=\(item.shownValue) for text" : nil)
    }
  }

  private mutating func formFields(
    _ fields: [RequestItem]
  ) throws(RequestLineProblem) -> [(key: String, value: YAMLNode)] {
    var pairs = OrderedMembers<[YAMLNode]>()
    for item in fields { pairs.add(try formValue(of: item), named: item.name) }
    return pairs.members
  }

  private mutating func parts(_ fields: [RequestItem]) throws(RequestLineProblem) -> [(key: String, value: YAMLNode)] {
    var pairs = OrderedMembers<[YAMLNode]>()
    for item in fields {
      guard item.kind == .file else {
        pairs.add(try formValue(of: item), named: item.name)
        continue
      }
      let file = try FileArgument(item, files)
      var members: [(key: String, value: YAMLNode)] = [("file", .text(files.written(file.path)))]
      if let name = file.filename { members.append(("filename", .text(name))) }
      if let type = file.type { members.append(("type", .text(type))) }
      pairs.add(.mapping(members), named: item.name)
    }
    return pairs.members
  }

  /// The value of a field of a form: a text, a number, true or false.
  private mutating func formValue(of item: RequestItem) throws(RequestLineProblem) -> YAMLNode {
    guard case .scalar(let node) = try value(of: item), !node.isNull else {
      throw RequestLineProblem(
        "the value in \"\(item.text)\" is no text, number, true or false", help: "only JSON has other values")
    }
    guard item.kind == .field else { return node }
    return secrets.node(item.value, named: item.name)
  }

  private mutating func node(_ credentials: LineCredentials) -> YAMLNode {
    let secret = credentials.secret ?? ""
    let isToken = credentials.scheme == .bearer
    let value =
      secret.isEmpty || secret.contains("${{")
      ? secret : secrets.template(secret, named: isToken ? "token" : "password")
    let content: YAMLNode =
      isToken
      ? .text(value) : .mapping([("username", .text(credentials.user)), ("password", .text(value))])
    return .mapping([(credentials.scheme.rawValue, content)])
  }

  // MARK: Files

  private func withoutLineEnd(_ text: String) -> String {
    var text = text[...]
    while text.last?.isNewline ?? false { text.removeLast() }
    return String(text)
  }

  /// Bytes that are no part of the line: text as it is, or base64.
  private func literal(_ bytes: [UInt8]) -> YAMLNode {
    if let text = String(validating: bytes, as: UTF8.self) { return .text(escapingTemplates(text)) }
    return .mapping([("base64", .text(base64Encoded(bytes)))])
  }

}

private func escapingTemplates(_ text: String) -> String { text.replacing("${{", with: "$${{") }

extension RequestLine.Files {
  /// The text of the file that an item names, with templates as literals.
  fileprivate func literal(of item: RequestItem) throws(RequestLineProblem) -> String {
    escapingTemplates(try text(of: item))
  }

  fileprivate func text(of item: RequestItem) throws(RequestLineProblem) -> String {
    guard let text = String(validating: try read(FileArgument.expanded(item.value, self)), as: UTF8.self) else {
      throw RequestLineProblem(
        "the file in \"\(item.text)\" is not UTF-8", help: "send it as a file: \(item.name)@\(item.value)")
    }
    return text
  }
}

extension RequestLine {
  /// The headers of the items in their order; nil removes one.
  func ownHeaders(_ files: Files) throws(RequestLineProblem) -> [(name: String, value: String?)] {
    var headers: [(name: String, value: String?)] = []
    for item in items {
      switch item.kind {
      case .header: headers.append((item.name, item.value.isEmpty ? nil : trimmed(item.value)))
      case .emptyHeader: headers.append((item.name, ""))
      case .headerFile: headers.append((item.name, trimmed(try files.literal(of: item))))
      default: break
      }
    }
    return headers
  }
}

private func trimmed(_ value: String) -> String {
  var value = value[...]
  while value.last?.isWhitespace ?? false { value.removeLast() }
  return String(value.drop { $0.isWhitespace })
}

/// The file of an item, with its type and its name: `path;type=image/png;filename=x.png`.
private struct FileArgument {
  var path: String
  var type: String?
  var filename: String?

  init(_ item: RequestItem, _ files: RequestLine.Files) throws(RequestLineProblem) {
    var rest = item.value[...]
    // From the end: a path may have semicolons.
    while true {
      if let found = rest.ranges(of: ";type=").last, !rest[found.upperBound...].contains(";filename=") {
        type = String(rest[found.upperBound...])
        rest = rest[..<found.lowerBound]
      } else if let found = rest.ranges(of: ";filename=").last {
        filename = String(rest[found.upperBound...])
        rest = rest[..<found.lowerBound]
      } else {
        break
      }
    }
    if rest.isEmpty { throw RequestLineProblem("the item \"\(item.text)\" names no file") }
    path = Self.expanded(String(rest), files)
  }

  static func expanded(_ path: String, _ files: RequestLine.Files) -> String {
    guard let home = files.home, path == "~" || path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
  }
}

extension YAMLNode {
  fileprivate var isNull: Bool { if case .null? = scalar?.meaning { true } else { false } }
}
