import Diagnostics
import Values

/// A text of a spec, with its templates, and what stands in place of its secrets.
struct SieveText {
  private let utf8: [UInt8]
  private(set) var templates: [Range<Int>] = []
  /// The secrets, each with the name of what it is.
  private(set) var secrets: [(range: Range<Int>, name: String)] = []
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

  /// Takes the text, which stands under the name of a secret, for a secret: all of it, or the templates in it.
  mutating func findCredential(named name: String) {
    var start = 0
    if isMaskedHeader(name), let blank = utf8.firstIndex(of: 0x20), utf8[..<blank].allSatisfy(isLetter) {
      start = utf8[blank...].firstIndex { $0 != 0x20 } ?? utf8.count
    }
    if templates.isEmpty {
      // A placeholder of the other tool that has no form here.
      let isPlaceholder = utf8.starts(with: "{{".utf8) && utf8.suffix(2).elementsEqual("}}".utf8)
      if start < utf8.count, !isPlaceholder { secrets.append((start..<utf8.count, name)) }
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
          secrets.append((word.startIndex..<word.endIndex, name))
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
    let found = secretPlaces(in: utf8)
    for range in found.secrets {
      for part in outsideTemplates(range) { addNamed(part, under: name) }
    }
    credentialTemplates += found.templates.filter { template in
      templates.contains(template) && !isUser(template) && !credentialTemplates.contains(template)
    }
    if known.isEmpty { return }
    for range in known.mask(self[0..<utf8.count]).secretRanges {
      let template = templates.first { $0.overlaps(range) }
      let isQuoted =
        range.lowerBound > 0 && range.upperBound < utf8.count && utf8[range.lowerBound - 1] == utf8[range.upperBound]
        && "\"'".utf8.contains(utf8[range.upperBound])
      if template == nil || isQuoted { add(range, name) }
    }
  }

  private mutating func add(_ range: Range<Int>, _ name: String) {
    if !range.isEmpty, !secrets.contains(where: { $0.range.overlaps(range) }) {
      secrets.append((range, isSecretName(name) ? name : "secret"))
    }
  }

  private func outsideTemplates(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for template in templates where template.overlaps(range) {
      if start < template.lowerBound { parts.append(start..<template.lowerBound) }
      start = template.upperBound
    }
    if start < range.upperBound { parts.append(start..<range.upperBound) }
    return parts
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
