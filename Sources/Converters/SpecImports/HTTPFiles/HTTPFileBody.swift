import DocumentQueries
import HTTPSemantics
import Values

/// The body of a request in a `.http` file.
struct HTTPFileBody {
  enum Content {
    case body(ImportedRequest.Body)
    /// A file with placeholders.
    case template(ImportedText)
    /// A query of GraphQL in a file, and its variables.
    case queryFile(ImportedText, variables: ImportedValue?)
  }

  private let lines: [String]
  private let isGraphQL: Bool
  /// The operation of GraphQL.
  private let operation: String?
  /// The content type as it is written.
  private let contentType: String

  init(block: HTTPFile.Block, type: String?) {
    lines = block.body
    operation = block.header("x-graphql-operation")
    contentType = type ?? ""
    let word = block.requestLine.prefix { !$0.isWhitespace }
    let first = block.body.first { !$0.trimmed.isEmpty }?.trimmed ?? ""
    let isQuery = ["query ", "query{", "mutation ", "mutation{", "subscription ", "fragment "].contains {
      first.hasPrefix($0)
    }
    isGraphQL =
      word == "GRAPHQL"
      || block.header("x-request-type")?.lowercased() == "graphql"
      || isQuery && (contentType.isEmpty || contentType.lowercased().contains("json"))
  }

  /// - Parameter text: reads the placeholders of a text.
  func read(_ text: (String) -> ImportedText) -> Content? {
    guard lines.contains(where: { !$0.trimmed.isEmpty }) else { return nil }
    if isGraphQL { return graphQL(text) }
    let written = lines.filter { !$0.trimmed.isEmpty }
    let media = mediaType(of: contentType)
    if media == "multipart/form-data", let parts = parts(text) { return .body(.multipart(parts)) }
    if written.count == 1, let (path, isTemplate) = HTTPFileBody.file(written[0]) {
      return isTemplate ? .template(text(path)) : .body(.file(text(path)))
    }
    if media == "application/x-www-form-urlencoded" {
      // Each pair may have a line of its own.
      let joined = text(lines.map(\.trimmed).joined())
      return .body(HTTPFileBody.pairs(joined).map { .form($0) } ?? .text(joined))
    }
    let isJSON = isJSONType(contentType)
    if isJSON || contentType.isEmpty && written.first.map({ "{[".contains($0.trimmed.prefix(1)) }) ?? false {
      let content = lines.filter { line in
        // Comments, which JSON doesn't have.
        let start = line.drop(while: \.isWhitespace)
        return !start.hasPrefix("//") && !start.hasPrefix("# ")
      }
      let body = text(content.joined(separator: "\n"))
      return .body(isJSON ? .json(body) : .text(body))
    }
    return .body(.text(text(lines.joined(separator: "\n"))))
  }

  /// The path of `< file` and `<@ file`.
  static func file(_ line: String) -> (path: String, isTemplate: Bool)? {
    guard line.hasPrefix("<") else { return nil }
    let rest = line.dropFirst()
    if rest.first?.isWhitespace ?? false { return (String(rest).trimmed.strippedOfDot, false) }
    guard rest.hasPrefix("@"), let blank = rest.firstIndex(where: \.isWhitespace) else { return nil }
    return (String(rest[blank...]).trimmed.strippedOfDot, true)
  }

  // MARK: forms

  /// The decoded pairs of a form; nil if a part of it is not a pair.
  private static func pairs(_ text: ImportedText) -> [ImportedRequest.Pair]? {
    var pairs: [ImportedRequest.Pair] = []
    for pair in text.split(separator: "&").map(\.trimmed) where !pair.isEmpty {
      guard let (name, value) = pair.split(at: "=") else { return nil }
      pairs.append(
        ImportedRequest.Pair(
          name: name.trimmed.mapText { formDecoded($0) }, value: value.trimmed.mapText { formDecoded($0) }))
    }
    return pairs.isEmpty ? nil : pairs
  }

  /// The parts of a multipart body; nil without a boundary.
  private func parts(_ text: (String) -> ImportedText) -> [ImportedRequest.Part]? {
    guard let boundary = ContentDisposition(parsing: contentType)["boundary"] else { return nil }
    var sections: [[String]] = []
    for line in lines {
      let text = line.trimmed
      if text == "--\(boundary)" {
        sections.append([])
      } else if text == "--\(boundary)--" {
        break
      } else if !sections.isEmpty {
        sections[sections.count - 1].append(line)
      }
    }
    let parts = sections.compactMap { part($0, text) }
    return parts.count == sections.count && !parts.isEmpty ? parts : nil
  }

  private func part(_ lines: [String], _ text: (String) -> ImportedText) -> ImportedRequest.Part? {
    let end = lines.firstIndex { $0.trimmed.isEmpty } ?? lines.count
    var headers = lines[..<end].compactMap { HTTPFileRequest.header($0) }
    var content = Array(lines[min(end + 1, lines.count)...])
    // A part may have its content right after its headers.
    if end == lines.count, let last = lines.last, HTTPFileBody.file(last) != nil {
      content = [last]
      headers = lines.dropLast().compactMap { HTTPFileRequest.header($0) }
    }
    while content.last?.trimmed.isEmpty ?? false { content.removeLast() }
    guard let header = headers.first(where: { $0.name.lowercased() == "content-disposition" }) else { return nil }
    let disposition = ContentDisposition(parsing: header.value)
    let filename = disposition["filename"].map(text)
    let type = headers.first { $0.name.lowercased() == "content-type" }.map { text($0.value) }
    var part = ImportedRequest.Part(
      name: text(disposition["name"] ?? ""), content: .text(text(content.joined(separator: "\n"))), filename: filename,
      type: type)
    if content.count == 1, let (path, _) = HTTPFileBody.file(content[0]) {
      part.content = .file(text(path))
      if filename?.literal == path.split(separator: "/").last.map(String.init) { part.filename = nil }
    }
    return part
  }

  // MARK: GraphQL

  /// A query, and its variables as an object after an empty line.
  private func graphQL(_ text: (String) -> ImportedText) -> Content {
    var query = lines
    var variables: ImportedText?
    for (index, line) in lines.enumerated().dropFirst() {
      guard line.hasPrefix("{"), lines[index - 1].trimmed.isEmpty else { continue }
      let rest = text(lines[index...].joined(separator: "\n"))
      guard rest.json?.members != nil else { continue }
      variables = rest
      query = Array(lines[..<index])
      break
    }
    while query.last?.trimmed.isEmpty ?? false { query.removeLast() }
    if query.count == 1, let (path, _) = HTTPFileBody.file(query[0]) {
      return .queryFile(text(path), variables: variables?.json)
    }
    return .body(
      .graphql(query: text(query.joined(separator: "\n")), variables: variables, operation: operation.map(text)))
  }
}

extension String {
  /// A path without `./` at its start.
  fileprivate var strippedOfDot: String { hasPrefix("./") ? String(dropFirst(2)) : self }
}
