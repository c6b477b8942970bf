import DocumentQueries
import Values

/// The URL of a request of Postman, and the values for its path.
struct PostmanURL {
  private(set) var url = ImportedText()
  private(set) var path: [ImportedRequest.Pair] = []
  /// Parameters that are switched off.
  private(set) var disabled: [String] = []

  /// - Parameter lacksScheme: whether the value of a variable is a host without a scheme.
  init(_ node: JSONNode?, lacksScheme: (String) -> Bool) {
    if let node, node.kind == .mapping, node[member: "host"] != nil || node.text("raw") == nil {
      appendOrigin(node)
      appendPath(node)
      appendQuery(node)
      if let hash = node.text("hash"), !hash.isEmpty { url.append(encoded("#\(hash)")) }
    } else {
      append(raw: node?.scalarText ?? node?.text("raw") ?? "")
    }
    addScheme(lacksScheme)
  }

  private func encoded(_ text: String) -> ImportedText { ImportedText(postman: text).mapText(encodedAsInPostman) }

  private mutating func appendOrigin(_ node: JSONNode) {
    if let scheme = node.text("protocol"), !scheme.isEmpty {
      url.append(ImportedText(postman: scheme.hasSuffix("://") ? scheme : scheme + "://"))
    }
    if let auth = node[member: "auth"], let user = auth.text("user") {
      url.append(encoded(user))
      if let password = auth.text("password") { url.append(ImportedText(":") + encoded(password)) }
      url.append("@")
    }
    let host = node[member: "host"]
    let labels = host?.items.map { $0.scalarText ?? "" }.joined(separator: ".") ?? ""
    url.append(ImportedText(postman: labels.isEmpty ? host?.scalarText ?? "" : labels))
    if let port = node.text("port"), !port.isEmpty { url.append(ImportedText(postman: ":\(port)")) }
  }

  private mutating func appendPath(_ node: JSONNode) {
    guard let path = node[member: "path"] else { return }
    var segments = path.items.map { $0.text("value") ?? $0.scalarText ?? "" }
    if let text = path.scalarText {
      let trimmed = text.hasPrefix("/") ? String(text.dropFirst()) : text
      segments = text.isEmpty ? [] : trimmed.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
    append(segments, variables: node[member: "variable"])
  }

  private mutating func append(_ segments: [String], variables: JSONNode?) {
    var values: [String: String] = [:]
    for variable in variables?.items ?? [] where !variable.isDisabled {
      if let key = variable.text("key") ?? variable.text("id") { values[key] = variable.text("value") ?? "" }
    }
    for segment in segments {
      url.append("/")
      guard segment.hasPrefix(":") else {
        url.append(encoded(segment))
        continue
      }
      let name = String(segment.dropFirst().prefix { $0 != "." })
      guard let value = values[name] else {
        url.append(encoded(segment))
        continue
      }
      // A value that is still to be filled in is a variable.
      let text = value.isEmpty ? ImportedText(.variable(name)) : ImportedText(postman: value)
      let isOwnSegment = text.literal.map { !$0.contains("/") && $0 != "." && $0 != ".." } ?? true
      if isOwnSegment, !name.isEmpty, name.utf8.allSatisfy(isNameByte) {
        url.append("{\(name)}")
        if !path.contains(where: { $0.name.literal == name }) {
          path.append(ImportedRequest.Pair(name: ImportedText(name), value: text))
        }
      } else {
        url.append(encoded(value))
      }
      url.append(encoded(String(segment.dropFirst(name.count + 1))))
    }
  }

  private mutating func appendQuery(_ node: JSONNode) {
    guard let query = node[member: "query"] else { return }
    if let text = query.scalarText { return append(pairs: text.isEmpty ? [] : [encoded(text)]) }
    var pairs: [ImportedText] = []
    let entries =
      query.kind == .mapping
      ? query.members.map { ($0.key as String?, $0.value.scalarText, false) }
      : query.items.map { ($0.text("key"), $0.text("value"), $0.isDisabled) }
    for (key, value, isDisabled) in entries {
      if isDisabled {
        disabled.append("\(key ?? "")=\(value ?? "")")
        continue
      }
      var pair = ImportedText(postman: key ?? "").mapText { parameterInPostman($0).replacing("=", with: "%3D") }
      if let value { pair.append(ImportedText("=") + ImportedText(postman: value).mapText(parameterInPostman)) }
      pairs.append(pair)
    }
    append(pairs: pairs)
  }

  private mutating func append(pairs: [ImportedText]) {
    if !pairs.isEmpty { url.append("?" + pairs.joined(by: "&")) }
  }

  /// A URL as one text.
  private mutating func append(raw: String) {
    let (rest, hash) = encoded(raw.trimmed).halves(at: "#")
    let (address, query) = rest.halves(at: "?")
    url = address
    if let query, !query.isEmpty { url.append("?" + query) }
    if let hash { url.append("#" + hash) }
  }

  /// Postman sends to `http://` what has no scheme.
  private mutating func addScheme(_ lacksScheme: (String) -> Bool) {
    let isMissing: Bool
    if url.literal.map({ $0.allSatisfy { $0 == "/" } }) ?? false { url = ImportedText() }
    switch url.parts.first {
    case .text(let text)?:
      let address = text.prefix { !"/?#".contains($0) }
      isMissing = !(address.hasSuffix(":") && text.dropFirst(address.count).hasPrefix("//"))
    case .variable(let name)?:
      var isFollowedByScheme = false
      if url.parts.count > 1, case .text(let text) = url.parts[1] { isFollowedByScheme = text.hasPrefix("://") }
      isMissing = !isFollowedByScheme && lacksScheme(name)
    default: isMissing = false
    }
    if isMissing { url = ImportedText("http://") + url }
  }
}

private func isNameByte(_ byte: UInt8) -> Bool {
  (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x2D
}

/// The text with those characters encoded that no URL can have, braces too.
func encodedAsInPostman(_ text: String) -> String { percentEncoded(Array(text.utf8)[...]) }

/// The text as a part of a pair of a query.
func parameterInPostman(_ text: String) -> String {
  encodedAsInPostman(text).replacing("&", with: "%26").replacing("#", with: "%23").replacing("'", with: "%27")
}
