import Values

extension MarkupDocument {
  /// An expression with common slips set right, which finds something where the given one does not.
  func corrected(_ xpath: XPath, namespaces: [(prefix: String, uri: String)]) -> String? {
    var candidates = [xpath.text]
    for slip in slips where language == .xml || !slip.isOfXML {
      candidates += candidates.compactMap(slip.corrected)
    }
    return candidates.dropFirst().prefix(16).first { candidate in
      guard let xpath = try? XPath(candidate), let result = try? evaluate(xpath, namespaces: namespaces) else {
        return false
      }
      switch result {
      case .nodes(let texts): return !texts.isEmpty
      case .string(let text): return !text.isEmpty
      case .number, .boolean: return false
      }
    }
  }

  /// A text in the expression that a text, an attribute or a name of the document is but for its letter case or blanks
  /// around it, with which it finds something.
  func otherCase(
    in xpath: XPath, namespaces: [(prefix: String, uri: String)], names: Set<String>
  ) -> (written: String, meant: String)? {
    let parts = xpath.text.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 2, !xpath.text.contains("\""),
      case .nodes(let texts)? = try? evaluate(XPath("//text() | //@*"), namespaces: [])
    else { return nil }
    for position in stride(from: 1, to: min(parts.count - 1, 16), by: 2) {
      let written = parts[position]
      let folded = trimmingBlanks(written[...]).lowercased()
      guard folded.utf8.contains(where: { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }) else { continue }
      func isMeant(_ text: String) -> Bool { text != written && text.lowercased() == folded }
      var meant = xpath.text.contains("name()") ? names.sorted().first(where: isMeant) : nil
      for text in texts where meant == nil && text.utf8.count <= 1 << 10 {
        let words = [trimmingBlanks(text[...])] + text.split(separator: " ").map(String.init)
        meant = words.first(where: isMeant)
      }
      guard let meant, !meant.contains("'"), !texts.contains(written) else { continue }
      let candidate = (parts[..<position] + [meant] + parts[(position + 1)...]).joined(separator: "'")
      let isFound =
        switch try? evaluate(XPath(candidate), namespaces: namespaces) {
        case .nodes(let found)?: !found.isEmpty
        case .string(let text)?: !text.isEmpty
        case .number(let number)?: number > 0
        case .boolean(let flag)?: flag
        case nil: false
        }
      if isFound { return (written, meant) }
    }
    return nil
  }
}

/// A slip in an expression: its pattern, and the fix, in which `$1` and `$2` are its groups.
private struct Slip: Sendable {
  let pattern: RegularExpression?
  let fix: String
  /// Indicates whether it is one in XML alone: attributes of HTML have names of elements.
  let isOfXML: Bool

  init(_ pattern: String, _ fix: String, isOfXML: Bool = false) {
    self.pattern = try? RegularExpression(pattern)
    self.fix = fix
    self.isOfXML = isOfXML
  }

  func corrected(_ text: String) -> String? {
    guard let match = (try? pattern?.firstMatch(in: text)) ?? nil else { return nil }
    let fixed = (1...2).reduce(fix) { $0.replacing("$\($1)", with: match.group($1) ?? "") }
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(match.range, with: fixed.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Each is tried alone, and after those before it.
private let slips = [
  Slip(#"\[0\]"#, "[1]"),
  Slip("&amp;", "&"),
  Slip(#"\[([\w-]+)(?=\s*=)"#, "[@$1"),
  Slip(#"=\s*([A-Za-z][\w-]*)\s*\]"#, "='$1']"),
  Slip(#"^([\w-]+)\.([\w-]+)$"#, "//$1[@class='$2']"),
  Slip(#"contains\(\s*('[\w-]+'|"[\w-]+")\s*,\s*(@?[\w.-]+)\s*\)"#, "contains($2, $1)"),
  Slip(#"@class\s*=\s*['"]([\w-]+)['"]"#, "contains(concat(' ', @class, ' '), ' $1 ')"),
  Slip(#"\[\s*(@[\w-]+|\.)\s*=\s*('[^']*'|"[^"]*")\s+and\s+(?=\1\s*=)"#, "[$1=$2 or "),
  Slip(#"^/(?=[\w-]+/)"#, "//"),
  Slip(#"/text(?=$|\))"#, "/text()"),
  Slip(#"(?<=[\w\]])/([\w-]+)$"#, "/@$1", isOfXML: true),
  Slip(#"(?<=[\w\]])/@([\w-]+)$"#, "/$1", isOfXML: true),
]
