import DocumentQueries
import HTTPSemantics
import Values

/// The words that stand in place of a value of a request.
struct ValueReplacement {
  /// The variable that has the value.
  let name: String
  /// Indicates that the variable is a text wherever it is read.
  let isText: Bool
}

extension ImportedRequest {
  /// Replaces literal values: segments of the path, values of the query, of headers, cookies and bodies.
  ///
  /// - Parameter replacement: what stands in place of a decoded value; nil keeps it.
  mutating func replaceValues(_ replacement: (String) -> ValueReplacement?) {
    url = url.literal.map { Self.replaced(url: $0, replacement) } ?? url
    for index in headers.indices {
      if let value = headers[index].value?.literal { headers[index].value = Self.replaced(header: value, replacement) }
    }
    for index in cookies.indices { cookies[index].value = cookies[index].value.replaced(replacement) }
    switch body {
    case .form(var pairs)?:
      for index in pairs.indices { pairs[index].value = pairs[index].value.replaced(replacement) }
      body = .form(pairs)
    case .multipart(var parts)?:
      for index in parts.indices {
        if case .text(let text) = parts[index].content { parts[index].content = .text(text.replaced(replacement)) }
      }
      body = .multipart(parts)
    case .json(let text)?: body = .json(text.replacedInJSON(replacement))
    case .graphql(let query, let variables?, let operation)?:
      body = .graphql(query: query, variables: variables.replacedInJSON(replacement), operation: operation)
    case .text(let text)?: body = .text(text.replaced(replacement))
    default: break
    }
  }

  private static func replaced(url: String, _ replacement: (String) -> ValueReplacement?) -> ImportedText {
    var result = ImportedText()
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let query = url.firstIndex(of: "?") ?? url.endIndex
    let path = url[start..<max(start, query)].firstIndex(of: "/") ?? query
    result.append(String(url[..<path]))
    for (index, segment) in url[path..<query].split(separator: "/", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { result.append("/") }
      result.append(replaced(encoded: segment, percentDecoded(segment), replacement))
    }
    guard query < url.endIndex else { return result }
    result.append("?")
    for (index, pair) in url[url.index(after: query)...].split(separator: "&", omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { result.append("&") }
      let name = pair.prefix { $0 != "=" }
      guard name.endIndex < pair.endIndex else {
        result.append(String(pair))
        continue
      }
      let value = pair[pair.index(after: name.endIndex)...]
      result.append("\(name)=")
      result.append(replaced(encoded: value, formDecoded(value), replacement))
    }
    return result
  }

  private static func replaced(
    encoded text: Substring, _ value: String, _ replacement: (String) -> ValueReplacement?
  ) -> ImportedText {
    guard let found = replacement(value) else { return ImportedText(String(text)) }
    let isPlain = percentEncoded(value, allowed: .unreserved) == value
    return ImportedText(isPlain ? .variable(found.name) : .expression("url_encode(\(found.name))"))
  }

  /// The value of a header, or the word after its scheme.
  private static func replaced(header value: String, _ replacement: (String) -> ValueReplacement?) -> ImportedText {
    if let found = replacement(value) { return ImportedText(.variable(found.name)) }
    guard let blank = value.firstIndex(of: " "), let found = replacement(String(value[value.index(after: blank)...]))
    else {
      return ImportedText(value)
    }
    return ImportedText(String(value[...blank])) + ImportedText(.variable(found.name))
  }
}

extension ImportedText {
  fileprivate func replaced(_ replacement: (String) -> ValueReplacement?) -> ImportedText {
    guard let literal, !literal.isEmpty, let found = replacement(literal) else { return self }
    return ImportedText(.variable(found.name))
  }

  fileprivate func replacedInJSON(_ replacement: (String) -> ValueReplacement?) -> ImportedText {
    guard let literal, let document = try? JSONDocument(parsing: literal) else { return self }
    return document.replacingTexts { string, _ in
      // A text needs no conversion to stay one.
      replacement(string).map { $0.isText ? .expression($0.name) : .variable($0.name) }
    }
  }
}

extension JSONDocument {
  /// The text of the document with parts in place of the contents of texts, and of whole numbers.
  ///
  /// - Parameter replacement: the part for a value, from it and the name that it stands under.
  func replacingTexts(_ replacement: (String, String?) -> ImportedText.Part?) -> ImportedText {
    var result = ImportedText()
    var end = 0
    let bytes = utf8
    func visit(_ node: JSONNode, _ name: String?) {
      switch node.kind {
      case .list: for item in node.items { visit(item, name) }
      case .mapping: for member in node.members { visit(member.value, member.key) }
      case .text, .number:
        let quotes = node.kind == .text ? 1 : 0
        guard let part = replacement(node.string, name) else { return }
        let range = node.byteRange
        result.append(String(decoding: bytes[end..<(range.lowerBound + quotes)], as: UTF8.self))
        result.append(part)
        end = range.upperBound - quotes
      default: break
      }
    }
    visit(root, nil)
    result.append(String(decoding: bytes[end...], as: UTF8.self))
    return result
  }
}
