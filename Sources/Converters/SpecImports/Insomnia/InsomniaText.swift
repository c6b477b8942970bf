import Values

/// The texts of Insomnia's documents, and what their tags read of responses.
struct InsomniaTexts {
  /// The names of requests by their IDs.
  let requests: [String: String]
  /// The names that environments declare.
  let variables: Set<String>
  /// The text that is captured of requests, by their IDs.
  private(set) var captures: [String: [(key: String, value: ImportedValue)]] = [:]
  var captureNames: [String: String] = [:]

  /// Reads `{{ _.name }}` and tags such as `{% uuid 'v4' %}`.
  mutating func text(_ source: String) -> ImportedText {
    // What stands in braces, as a variable or an expression until its meaning is known.
    let tags = ImportedText(source, between: "{%", "%}") { ImportedText(.expression($0)) }
    let marked = tags.replacingParts { part in
      guard case .text(let text) = part else { return nil }
      return ImportedText(text, between: "{{", "}}") { ImportedText(.variable($0)) }
    }
    return ImportedText(
      parts: marked.parts.map { part in
        switch part {
        case .expression(let inner): tag(inner.trimmed) ?? .unknown("{%\(inner)%}")
        case .variable(let inner): insomniaVariable(inner.trimmed).map { .variable($0) } ?? .unknown("{{\(inner)}}")
        default: part
        }
      })
  }

  // MARK: Tags

  private mutating func tag(_ inner: String) -> ImportedText.Part? {
    let name = inner.prefix { !$0.isWhitespace }
    let arguments = inner.dropFirst(name.count).splitOutsideQuotes { $0 == "," }.map(\.trimmed)
    let first = arguments.first ?? ""
    switch name {
    case "response": return response(arguments)
    case "uuid": return .expression("uuid")
    case "timestamp": return .expression("now | format(\"unix_ms\")")
    case "now": return now(first, arguments.count > 1 ? arguments[1] : "")
    case "faker": return dynamicVariables["$" + first].map { .expression($0) }
    case "prompt": return first.isEmpty ? nil : .variable(first)
    case "base64":
      guard arguments.count > 2, first == "encode", isPlain(arguments[2]) else { return nil }
      return .expression("base64('\(arguments[2].replacing("'", with: "''"))')")
    case "hash":
      guard arguments.count > 2, ["md5", "sha1", "sha256", "sha512"].contains(first), isPlain(arguments[2]) else {
        return nil
      }
      let hash = "\(first)('\(arguments[2].replacing("'", with: "''"))')"
      return .expression(arguments[1] == "base64" ? "\(hash) | base64" : hash)
    default: return nil
    }
  }

  private func isPlain(_ text: String) -> Bool { !text.contains("{{") && !text.contains("{%") && !text.isEmpty }

  private func now(_ form: String, _ pattern: String) -> ImportedText.Part? {
    switch form {
    case "iso-8601", "": return .expression(#"now | format("yyyy-MM-dd'T'HH:mm:ss.SSSX")"#)
    case "millis", "unix-ms": return .expression("now | format(\"unix_ms\")")
    case "seconds", "unix": return .expression("now | format(\"unix\")")
    case "custom":
      let letters = pattern.replacing("YYYY", with: "yyyy").replacing("DD", with: "dd")
      guard !letters.isEmpty, letters.allSatisfy({ !$0.isLetter || "yMdHms".contains($0) }) else { return nil }
      return .expression("now | format(\"\(letters.replacing("\"", with: ""))\")")
    default: return nil
    }
  }

  /// A value of the response to another request: a capture there.
  private mutating func response(_ arguments: [String]) -> ImportedText.Part? {
    guard arguments.count > 1, let request = requests[arguments[1]] else { return nil }
    let filter = decoded(arguments.count > 2 ? arguments[2] : "")
    let value: ImportedValue
    switch arguments[0] {
    case "body" where filter.hasPrefix("$"): value = .text(filter)
    case "body" where filter.hasPrefix("/"): value = .mapping([("xpath", .text("string(\(filter))"))])
    case "raw": value = .text("body")
    case "header": value = .mapping([("header", .text(filter))])
    case "url": value = .text("url")
    default: return nil
    }
    let key = "\(arguments[1]) \(arguments[0]) \(filter)"
    if let name = captureNames[key] { return .variable(name) }
    let words = filter.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let last = words.last { $0.first?.isLetter ?? false }.map(String.init) ?? arguments[0]
    let taken = variables.union(captureNames.values)
    var name = taken.contains(last) ? "\(request) \(last)" : last
    while taken.contains(name) { name += "_" }
    captureNames[key] = name
    captures[arguments[1], default: []].append((name, value))
    return .variable(name)
  }

  /// An argument that Insomnia has put into base64.
  private func decoded(_ argument: String) -> String {
    guard argument.hasPrefix("b64::"), argument.hasSuffix("::46b"),
      let bytes = base64Decoded(String(argument.dropFirst(5).dropLast(5)))
    else { return argument }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The name of a variable in `_.name`, `_['name']` or `name`, with a dot before members; nil for other expressions.
private func insomniaVariable(_ expression: String) -> String? {
  let path = expression.hasPrefix("_.") || expression.hasPrefix("_[") ? String(expression.dropFirst()) : expression
  let dotted = path.replacing("[", with: ".").filter { !"]'\"".contains($0) }
  var name = String(dotted.drop { $0 == "." })
  if name.hasPrefix("vault.") { name = String(name.dropFirst("vault.".count)) }
  let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
  return isName && !name.isEmpty ? name : nil
}
