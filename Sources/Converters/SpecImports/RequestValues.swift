import DocumentQueries
import HTTPSemantics
import Values

/// A value of a request, and its place there.
struct ValueUse {
  let value: String
  /// The URL up to the segment of the path that it is.
  var path: String?
  /// The name of the parameter, field or member that it stands under.
  var name: String?
}

extension ImportedRequest {
  /// Replaces literal values: segments of the path, values of the query, of headers, cookies and bodies.
  ///
  /// - Parameter replacement: the name of the variable in place of a decoded value; nil keeps it.
  mutating func replaceValues(_ replacement: (ValueUse) -> String?) {
    url = url.literal.map { Self.replaced(url: $0, replacement) } ?? url
    for index in headers.indices {
      guard let value = headers[index].value?.literal else { continue }
      let isURL = headers[index].name.literal.map { equalsIgnoringCase($0, "referer") } ?? false
      headers[index].value =
        isURL ? Self.replaced(url: value, replacement) : Self.replaced(header: value, replacement)
    }
    for index in cookies.indices { cookies[index].value = cookies[index].value.replaced(nil, replacement) }
    switch body {
    case .form(var pairs)?:
      for index in pairs.indices {
        pairs[index].value = pairs[index].value.replaced(pairs[index].name.literal, replacement)
      }
      body = .form(pairs)
    case .multipart(var parts)?:
      for index in parts.indices {
        guard case .text(let text) = parts[index].content else { continue }
        parts[index].content = .text(text.replaced(parts[index].name.literal, replacement))
      }
      body = .multipart(parts)
    case .json(let text)?: body = .json(text.replacedInJSON(replacement))
    case .graphql(let query, let variables?, let operation)?:
      body = .graphql(query: query, variables: variables.replacedInJSON(replacement), operation: operation)
    case .text(let text)?: body = .text(text.replaced(nil, replacement))
    default: break
    }
  }

  private static func replaced(url: String, _ replacement: (ValueUse) -> String?) -> ImportedText {
    var result = ImportedText()
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let query = url.firstIndex(of: "?") ?? url.endIndex
    let path = url[start..<max(start, query)].firstIndex(of: "/") ?? query
    result.append(String(url[..<path]))
    for (index, segment) in url[path..<query].split(separator: "/", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { result.append("/") }
      let before = url[..<segment.startIndex].dropLast()
      result.append(
        replaced(encoded: segment, .init(value: percentDecoded(segment), path: String(before)), replacement))
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
      result.append(
        replaced(encoded: value, .init(value: formDecoded(value), name: formDecoded(name)), replacement))
    }
    return result
  }

  private static func replaced(
    encoded text: Substring, _ use: ValueUse, _ replacement: (ValueUse) -> String?
  ) -> ImportedText {
    guard let found = replacement(use) else { return ImportedText(String(text)) }
    let isPlain = percentEncoded(use.value, allowed: .unreserved) == use.value
    return ImportedText(isPlain ? .variable(found) : .expression("url_encode({{\(found)}})"))
  }

  /// The value of a header, or the word after its scheme.
  private static func replaced(header value: String, _ replacement: (ValueUse) -> String?) -> ImportedText {
    if let found = replacement(.init(value: value)) { return ImportedText(.variable(found)) }
    guard let blank = value.firstIndex(of: " "),
      let found = replacement(.init(value: String(value[value.index(after: blank)...])))
    else {
      return ImportedText(value)
    }
    return ImportedText(String(value[...blank])) + ImportedText(.variable(found))
  }
}

extension ImportedText {
  fileprivate func replaced(_ name: String?, _ replacement: (ValueUse) -> String?) -> ImportedText {
    guard let literal, !literal.isEmpty, let found = replacement(.init(value: literal, name: name)) else { return self }
    return ImportedText(.variable(found))
  }

  fileprivate func replacedInJSON(_ replacement: (ValueUse) -> String?) -> ImportedText {
    guard let literal, let document = try? JSONDocument(parsing: literal) else { return self }
    return document.replacingTexts { string, name in
      replacement(.init(value: string, name: name)).map { .variable($0) }
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
