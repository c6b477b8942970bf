import DocumentQueries
import HTTPSemantics
import OperatingSystem
import Values
import YAMLNodes

/// The `Accept` header of requests with JSON, as HTTPie and xh send it.
private let acceptedJSON = "application/json, */*;q=0.5"

extension LineWriter {
  private var fields: [RequestItem] { line.items.filter(\.kind.isData) }

  /// The key of the body with its value; nil if there is none. It may add headers.
  mutating func body() throws(SendProblem) -> (key: String, value: YAMLNode)? {
    let fields = fields
    let wholeFile = fields.first { $0.kind == .file && $0.name.isEmpty }
    let sources = [
      line.raw.map { _ in "--raw" }, wholeFile.map { "\"\($0.text)\"" },
      fields.first { $0.kind != .file || !$0.name.isEmpty }.map { _ in line.graphQL == nil ? "fields" : nil } ?? nil,
      line.graphQL.map { _ in "--graphql" }, line.input.map { _ in "standard input" },
    ].compactMap(\.self)
    guard sources.count < 2 else {
      throw SendProblem(
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
        throw SendProblem(
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
    guard line.isSaved, case .text(let text)? = node.scalar?.meaning else { return ("body", node) }
    return ("body", .text(secrets.text(text)))
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

  /// Returns whether the body is compressed: unless always, if the texts and files in it get smaller.
  func isCompressed() throws(SendProblem) -> Bool {
    guard line.compression == .ifSmaller else { return line.compression == .always }
    var bytes = line.input ?? Array((line.raw ?? line.graphQL ?? "").utf8)
    for item in fields {
      bytes += item.name.utf8
      switch item.kind {
      case .fieldFile, .jsonFile: bytes += try files.text(of: item).utf8
      case .file:
        // One that is too large to be read here is worth it.
        guard let content = try? files.read(FileArgument(item, files).path) else { return true }
        bytes += content
      default: bytes += item.value.utf8
      }
    }
    return compressed(bytes, .zlib).count < bytes.count
  }

  private mutating func fileBody(_ item: RequestItem) throws(SendProblem) -> (key: String, value: YAMLNode) {
    let file = try FileArgument(item, files)
    guard file.filename == nil else {
      throw SendProblem("the body in \"\(item.text)\" has no file name", help: "only parts of a form have one")
    }
    if let type = file.type {
      addHeader("Content-Type", type)
    } else {
      let type = mediaType(ofFileNamed: file.path)
      if type != "application/octet-stream" { addHeader("Content-Type", type) }
    }
    return rawBody(.mapping([("file", .text(files.written(file.path)))]))
  }

  private mutating func json(_ fields: [RequestItem]) throws(SendProblem) -> YAMLNode {
    var tree = BodyTree.unset
    for item in fields {
      try tree.set(try value(of: item), at: NestedName(item.name), of: item.text)
    }
    return secrets.protected(tree.node)
  }

  private mutating func graphQL(_ query: String, _ fields: [RequestItem]) throws(SendProblem) -> YAMLNode {
    var members: [(key: String, value: YAMLNode)] = []
    if query.hasPrefix("@") {
      members.append(
        ("query", .mapping([("file", .text(files.written(FileArgument.expanded(String(query.dropFirst()), files))))])))
    } else {
      members.append(("query", .text(secrets.text(query))))
    }
    if let file = fields.first(where: { $0.kind == .file }) {
      throw SendProblem(
        "a variable of GraphQL can't be a file, as in \"\(file.text)\"", help: "write name=@file")
    }
    if !fields.isEmpty { members.append(("variables", try json(fields))) }
    return .mapping(members)
  }

  /// The value of a field of a JSON body.
  private func value(of item: RequestItem) throws(SendProblem) -> BodyTree {
    switch item.kind {
    case .json: return try tree(item.value, of: item) { .text($0) }
    case .jsonFile: return try tree(files.text(of: item), of: item) { .text(escapingTemplates($0)) }
    case .fieldFile: return .scalar(.text(try files.literal(of: item)))
    default: return .scalar(.text(item.value))
    }
  }

  private func tree(
    _ text: String, of item: RequestItem, _ convert: (String) -> YAMLNode
  ) throws(SendProblem) -> BodyTree {
    do throws(JSONParseError) {
      return try BodyTree(json: text, convert: convert)
    } catch {
      throw SendProblem(
        "the value in \"\(item.text)\" is not JSON" + (item.hasSecret ? "" : ": \(error.message)"),
        help: item.kind == .json ? "write \(item.name)=\(item.shownValue) for text" : nil)
    }
  }

  private mutating func formFields(
    _ fields: [RequestItem]
  ) throws(SendProblem) -> [(key: String, value: YAMLNode)] {
    var pairs = OrderedMembers<[YAMLNode]>()
    for item in fields { pairs.add(try formValue(of: item), named: item.name) }
    return pairs.members
  }

  private mutating func parts(_ fields: [RequestItem]) throws(SendProblem) -> [(key: String, value: YAMLNode)] {
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
  private mutating func formValue(of item: RequestItem) throws(SendProblem) -> YAMLNode {
    guard case .scalar(let node) = try value(of: item), !node.isNull else {
      throw SendProblem(
        "the value in \"\(item.text)\" is not text, a number, true or false", help: "only JSON has other values")
    }
    return secrets.protected(node, named: item.name)
  }

  /// Bytes that are not part of the line: text as it is, or base64.
  private func literal(_ bytes: [UInt8]) -> YAMLNode {
    if let text = String(validating: bytes, as: UTF8.self) { return .text(escapingTemplates(text)) }
    return .mapping([("base64", .text(base64Encoded(bytes)))])
  }
}
