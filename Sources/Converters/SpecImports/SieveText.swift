import Values

/// A text of a spec, with its templates, and what stands in place of its secrets.
struct SieveText {
  private let utf8: [UInt8]
  private(set) var templates: [Range<Int>] = []
  private var found: [(range: Range<Int>, name: String)] = []
  /// The templates that stand in place of secrets.
  private(set) var credentialTemplates: [Range<Int>] = []
  private var replacements: [(range: Range<Int>, text: String)] = []

  init(_ text: String) {
    utf8 = Array(text.utf8)
    var position = 0
    while let dollar = utf8[position...].firstIndex(of: UInt8(ascii: "$")) {
      position = dollar + 1
      guard utf8[dollar...].starts(with: "${{".utf8), dollar == 0 || utf8[dollar - 1] != UInt8(ascii: "$") else {
        continue
      }
      guard let end = utf8.indices.dropFirst(dollar + 3).first(where: { utf8[$0...].starts(with: "}}".utf8) }) else {
        break
      }
      templates.append(dollar..<end + 2)
      position = end + 2
    }
  }

  subscript(range: Range<Int>) -> String { String(decoding: utf8[range], as: UTF8.self) }

  /// The secrets in order, each with the name of what it is.
  var secrets: [(range: Range<Int>, name: String)] {
    var end = 0
    return found.sorted { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
      .filter { secret in
        defer { end = max(end, secret.range.upperBound) }
        return secret.range.lowerBound >= end
      }
  }

  /// The template around a position.
  func template(at position: Int) -> Range<Int>? {
    templates[firstTemplate(after: position)...].prefix(1).first { $0.lowerBound <= position }
  }

  /// The index of the first template that ends behind a position.
  private func firstTemplate(after position: Int) -> Int {
    templates.partitioningIndex { $0.upperBound > position }
  }

  /// Takes the text, which stands under the name of a secret, for a secret: all of it, or the templates in it.
  mutating func findCredential(named name: String) {
    var start = 0
    if isMaskedHeader(name), let blank = utf8.firstIndex(of: 0x20), utf8[..<blank].allSatisfy(isLetter) {
      start = utf8[blank...].firstIndex { $0 != 0x20 } ?? utf8.count
    }
    if templates.isEmpty {
      // A placeholder of the other tool that has no form here.
      let isPlaceholder = utf8.starts(with: "{{".utf8) && utf8.suffix(2).elementsEqual("}}".utf8)
      if start < utf8.count, !isPlaceholder { found.append((start..<utf8.count, name)) }
      return
    }
    var literals: [Range<Int>] = []
    for template in templates {
      literals.append(start..<max(start, template.lowerBound))
      start = template.upperBound
    }
    literals.append(start..<utf8.count)
    if literals.allSatisfy({ $0.count < 4 }) {
      credentialTemplates = templates
    } else {
      // A part of it may be a setting, such as that of a cookie.
      for literal in literals {
        for word in utf8[literal].split(whereSeparator: { !isAlphanumeric($0) && $0 != UInt8(ascii: "_") })
        where word.count >= 10 && word.contains(where: isDigit) && word.contains(where: isLetter) {
          found.append((word.startIndex..<word.endIndex, name))
        }
      }
    }
  }

  /// Finds the secrets that name themselves, have the form of one, or are known.
  ///
  /// - Parameter name: the name under which the text stands.
  mutating func findSecrets(named name: String, known: SecretFilter) {
    if utf8.count < 6 { return }
    for word in utf8.split(whereSeparator: { !isAlphanumeric($0) && !"-_.".utf8.contains($0) }) where word.count >= 16 {
      if isCredentialValue(String(decoding: word, as: UTF8.self)) {
        add(word.startIndex..<word.endIndex, name == "url" || name.isEmpty ? "token" : name)
      }
    }
    if !Self.patternKeys.contains(name) {
      let places = secretPlaces(in: utf8)
      let isGraphQL = name == "query" || ["query", "mutation", "subscription"].contains { utf8.starts(with: $0.utf8) }
      for range in places.secrets where !isGraphQL || utf8[..<range.lowerBound].last.map("\"'".utf8.contains) ?? false {
        addOutsideTemplates(range, under: name)
      }
      credentialTemplates += places.templates.filter { template(at: $0.lowerBound) == $0 && !isUser($0) }
    }
    if known.isEmpty { return }
    for range in known.mask(self[0..<utf8.count]).secretRanges { add(range, name) }
  }

  /// The keys whose values are patterns and paths, in which names have no values.
  private static let patternKeys: Set<String> = ["jsonpath", "matches", "not_matches", "regex", "xpath"]

  /// Adds a secret: text beside templates, or a quoted text within one.
  private mutating func add(_ range: Range<Int>, _ name: String) {
    guard !range.isEmpty else { return }
    let template = template(at: range.lowerBound)
    guard template == self.template(at: range.upperBound - 1), template == nil || isQuoted(range) else { return }
    found.append((range, isSecretName(name) ? name : "secret"))
  }

  private func isQuoted(_ range: Range<Int>) -> Bool {
    let quote = utf8[..<range.lowerBound].last
    return quote == utf8[range.upperBound...].first && (quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""))
  }

  private mutating func addOutsideTemplates(_ range: Range<Int>, under name: String) {
    var start = range.lowerBound
    for template in templates[firstTemplate(after: start)...] {
      guard template.lowerBound < range.upperBound else { break }
      if start < template.lowerBound { addNamed(start..<template.lowerBound, under: name) }
      start = template.upperBound
    }
    if start < range.upperBound { addNamed(start..<range.upperBound, under: name) }
  }

  /// Adds a secret that has its name before it. Of userinfo, only the password is one.
  private mutating func addNamed(_ range: Range<Int>, under name: String) {
    guard range.upperBound < utf8.count, utf8[range.upperBound] == UInt8(ascii: "@") || isUser(range) else {
      return add(range, secretName(before: range.lowerBound) ?? (isSecretName(name) ? name : "token"))
    }
    let isAfterScheme = utf8[..<range.lowerBound].suffix(3).elementsEqual("://".utf8)
    guard let colon = utf8[range].firstIndex(of: UInt8(ascii: ":")) else {
      if !isAfterScheme || range.count >= 16 { add(range, "password") }
      return
    }
    let isAddress = isAfterScheme || colon == range.lowerBound || ["base_url", "proxy", "url"].contains(name)
    if colon + 1 < range.upperBound {
      if isAddress { add(colon + 1..<range.upperBound, "password") }
    } else if utf8[range.upperBound] == UInt8(ascii: "@") {
      // A key that has no password.
      add(range.lowerBound..<colon, "api_key")
    }
  }

  /// Returns whether a part of userinfo is the user.
  private func isUser(_ range: Range<Int>) -> Bool {
    utf8[..<range.lowerBound].suffix(3).elementsEqual("://".utf8)
      && (utf8[range.upperBound...].first == UInt8(ascii: ":") || utf8[range].last == UInt8(ascii: ":"))
  }

  /// The name of the secret behind it.
  private func secretName(before position: Int) -> String? {
    let before = utf8[..<position].suffix(200).reversed().drop { "\"'\\ :=>\t[".utf8.contains($0) }
    let word = before.prefix { isAlphanumeric($0) || $0 >= 0x80 || "_-.%".utf8.contains($0) }
    let name = formDecoded(String(decoding: word.reversed(), as: UTF8.self))
    return isSecretName(name) ? name : nil
  }

  mutating func replace(_ range: Range<Int>, with text: String) { replacements.append((range, text)) }

  /// The text with its replacements.
  var result: String {
    var result = ""
    var position = 0
    for (range, text) in replacements.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where range.lowerBound >= position {
      result += self[position..<range.lowerBound] + text
      position = range.upperBound
    }
    return result + self[position..<utf8.count]
  }
}
