import Values
import YAMLNodes

/// The secrets of a request line, with the names by which its spec reads them.
struct SendSecrets {
  private(set) var all: [(name: String, value: String)] = []
  /// The names of all by their values.
  private var names: [String: String] = [:]
  /// The names that stand for something else.
  private var taken: Set<String>
  /// The names of the secrets of the command line or of a file by their values, as far as these are known.
  private let known: [String: String]
  /// Those that are found within texts, too, the longest first.
  private let searched: [String]
  /// Indicates whether the request is for a file, in which no secret may stand.
  private let isSaved: Bool

  init(taken: Set<String>, known: [String: String], isSaved: Bool) {
    (self.taken, self.known, self.isSaved) = (taken, known, isSaved)
    searched = known.keys.filter { $0.utf8.count >= SecretFilter.shortestSecret }.sorted {
      ($0.utf8.count, $0) > ($1.utf8.count, $1)
    }
  }

  /// The node of a value: a text under the name of a secret becomes a template that reads it.
  mutating func node(_ value: String, named name: String) -> YAMLNode {
    guard isSecret(name), !value.contains("${{") else { return .text(text(value, named: name)) }
    if name.lowercased() == "authorization", let blank = value.firstIndex(of: " ") {
      // The scheme is not a secret.
      let credentials = value[value.index(after: blank)...].drop { $0 == " " }
      if credentials.isEmpty { return .text(value) }
      return .text("\(value[..<blank]) \(template(String(credentials), named: name))")
    }
    return value.isEmpty ? .text(value) : .text(template(value, named: name))
  }

  private func isSecret(_ name: String) -> Bool { isMaskedHeader(name) || isSecretName(name) }

  /// A URL in which the values of its query under the names of secrets are templates that read them.
  mutating func url(_ url: String) -> String {
    guard let question = url.firstIndex(of: "?"), !url.contains("${{") else { return text(url) }
    let end = url[question...].firstIndex(of: "#") ?? url.endIndex
    let pairs = url[url.index(after: question)..<end].split(separator: "&", omittingEmptySubsequences: false)
    let shown = pairs.map { pair in
      guard let equals = pair.firstIndex(of: "="), pair.index(after: equals) < pair.endIndex else {
        return String(pair)
      }
      let name = formDecoded(pair[..<equals])
      guard isSecretName(name) else { return String(pair) }
      return pair[...equals] + template(String(pair[pair.index(after: equals)...]), named: name)
    }
    return text(url[...question] + shown.joined(separator: "&") + url[end...])
  }

  /// Texts under the names of secrets, at any depth, as templates that read them; in a file numbers, too.
  mutating func protected(_ node: YAMLNode, named name: String = "") -> YAMLNode {
    if let items = node.items { return .list(items.map { protected($0, named: name) }) }
    if let members = node.members {
      return .mapping(members.map { ($0.key, protected($0.value, named: isSecret(name) ? name : $0.key)) })
    }
    switch node.scalar?.meaning {
    case .text(let text)?: return self.node(text, named: name)
    case .number(let lexeme)? where isSaved && isSecret(name):
      return .text(template(lexeme, named: name).replacing(" }}", with: " | from_json }}"))
    default: return node
    }
  }

  /// A text with templates for known secrets in it; in a file, for those with names of secrets before them, too.
  mutating func text(_ text: String, named name: String = "") -> String {
    let utf8 = Array(text.utf8)
    var result = ""
    var position = 0
    for range in isSaved ? secretRanges(in: text, named: isSecret(name) ? name : nil) : [] {
      let secret = String(decoding: utf8[range], as: UTF8.self)
      if secret.contains("${{") || secret.allSatisfy(\.isWhitespace) { continue }
      result += withoutKnown(String(decoding: utf8[position..<range.lowerBound], as: UTF8.self))
      let word = utf8[..<range.lowerBound].reversed().drop { " :=\"'\\".utf8.contains($0) }
        .prefix { isAlphanumeric($0) || "_-".utf8.contains($0) }
      let nearest = String(decoding: word.reversed(), as: UTF8.self)
      result = joined(result, template(secret, named: isSecret(nearest) ? nearest : name))
      position = range.upperBound
    }
    return result + withoutKnown(String(decoding: utf8[position...], as: UTF8.self))
  }

  /// A text with templates for known secrets in it, but not within its own templates.
  private mutating func withoutKnown(_ text: String) -> String {
    if known[text] != nil { return template(text, named: "") }
    if searched.isEmpty { return text }
    return templateParts(text).map { $0.isTemplate ? $0.text : replaced($0.text, searched[...]) }.joined()
  }

  private mutating func replaced(_ literal: String, _ values: ArraySlice<String>) -> String {
    guard let value = values.first else { return literal }
    let parts = literal.split(separator: value, omittingEmptySubsequences: false).map(String.init)
    let others = parts.map { replaced($0, values.dropFirst()) }
    return others.dropFirst().reduce(others[0]) { joined($0, template(value, named: "")) + $1 }
  }

  /// Takes a name that templates read already.
  mutating func take(_ name: String) {
    if !all.contains(where: { $0.name == name }) { all.append((name, "")) }
  }

  /// The template that reads a secret.
  mutating func template(_ value: String, named name: String) -> String {
    if let name = names[value] { return "${{ \(name) }}" }
    let unique = known[value] ?? unusedName(secretVariable(for: name))
    names[value] = unique
    all.append((unique, value))
    return "${{ \(unique) }}"
  }

  private mutating func unusedName(_ base: String) -> String {
    var name = base
    var number = 1
    while !taken.insert(name).inserted {
      number += 1
      name = "\(base)_\(number)"
    }
    return name
  }
}

/// A template behind a text, whose last `$` would escape it.
private func joined(_ text: String, _ template: String) -> String {
  text.hasSuffix("$") ? "\(text.dropLast())${{ '$' }}\(template)" : text + template
}

/// The templates of a text, and what is between them.
func templateParts(_ text: String) -> [(text: String, isTemplate: Bool)] {
  var parts: [(text: String, isTemplate: Bool)] = []
  var rest = text[...]
  while let start = rest.firstRange(of: "${{") {
    let end = rest[start.upperBound...].firstRange(of: "}}")?.upperBound ?? rest.endIndex
    parts.append((String(rest[..<start.lowerBound]), false))
    parts.append((String(rest[start.lowerBound..<end]), true))
    rest = rest[end...]
  }
  return parts + [(String(rest), false)]
}
