import Values
import YAMLNodes

/// The secrets of a request line, with the names by which its spec reads them.
struct SendSecrets {
  private(set) var all: [(name: String, value: String)] = []
  /// The names of all by their values.
  private var names: [String: String] = [:]
  /// The names that stand for something else.
  private var taken: Set<String>
  /// The names of secrets that a file has by their values, as far as these are known.
  private let known: [String: String]

  init(taken: Set<String>, known: [String: String]) { (self.taken, self.known) = (taken, known) }

  /// The node of a value: a text under the name of a secret becomes a template that reads it.
  mutating func node(_ value: String, named name: String) -> YAMLNode {
    guard isMaskedHeader(name) || isSecretName(name), !value.contains("${{") else { return .text(value) }
    if name.lowercased() == "authorization", let blank = value.firstIndex(of: " ") {
      // The scheme is not a secret.
      let credentials = value[value.index(after: blank)...].drop { $0 == " " }
      if credentials.isEmpty { return .text(value) }
      return .text("\(value[..<blank]) \(template(String(credentials), named: name))")
    }
    return value.isEmpty ? .text(value) : .text(template(value, named: name))
  }

  /// A URL in which the values of its query under the names of secrets are templates that read them.
  mutating func url(_ url: String) -> String {
    guard let question = url.firstIndex(of: "?"), !url.contains("${{") else { return url }
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
    return url[...question] + shown.joined(separator: "&") + url[end...]
  }

  /// Texts under the names of secrets, at any depth, as templates that read them.
  mutating func protected(_ node: YAMLNode) -> YAMLNode {
    if let items = node.items { return .list(items.map { protected($0) }) }
    guard let members = node.members else { return node }
    return .mapping(
      members.map { member in
        guard case .text(let text)? = member.value.scalar?.meaning else {
          return (member.key, protected(member.value))
        }
        return (member.key, self.node(text, named: member.key))
      })
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
