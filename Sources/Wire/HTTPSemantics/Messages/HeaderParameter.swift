/// The media type of a `Content-Type` in lower case, without its parameters (RFC 9110, section 8.3.1).
package func mediaType(of contentType: String) -> String {
  contentType.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
}

/// The value of a parameter of a header value such as `form-data; name="x"`, without quotes.
package func headerParameter(_ name: String, of value: String) -> String? {
  var rest = value[...]
  while let semicolon = rest.firstIndex(of: ";") {
    rest = rest[rest.index(after: semicolon)...].drop { $0 == " " }
    guard let equals = rest.firstIndex(where: { $0 == "=" || $0 == ";" }), rest[equals] == "=" else { continue }
    let found = rest[..<equals].lowercased() == name
    rest = rest[rest.index(after: equals)...]
    var text = ""
    if rest.first == "\"" {
      rest = rest.dropFirst()
      while let character = rest.popFirst(), character != "\"" {
        text.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
      }
    } else {
      text = String(rest.prefix { $0 != ";" }).filter { $0 != " " }
    }
    if found { return text }
  }
  return nil
}
