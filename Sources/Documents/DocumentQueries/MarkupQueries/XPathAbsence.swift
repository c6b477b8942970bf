internal import CLibXML2
import Values

extension MarkupDocument {
  /// Returns the reason why an expression finds nothing: its elements are in a namespace, or in another letter case.
  /// Nil if the names that it uses exist.
  package func absence(of xpath: XPath, namespaces: [(prefix: String, uri: String)]) -> String? {
    let (search, wanted) = search(for: xpath, namespaces)
    for (prefix, uri) in wanted where !search.foundURIs.contains(uri) {
      let others = search.otherURIs.prefix(3).joined(separator: ", ")
      return "nothing in the document is in the namespace \(uri) (`\(prefix)`)"
        + (others.isEmpty ? ": its elements are in none" : "; its namespaces are \(others)")
    }
    return absences(of: xpath, search, namespaces).first
  }

  /// The doubt about an expression that finds nothing: it certainly misspells a name.
  package func doubt(of xpath: XPath, namespaces: [(prefix: String, uri: String)]) -> Doubt? {
    let (search, wanted) = search(for: xpath, namespaces)
    for (prefix, uri) in wanted where !search.foundURIs.contains(uri) {
      func letters(_ uri: String) -> String { String(uri.lowercased().filter(\.isLetter)) }
      let wanted = letters(uri)
      let other = search.otherURIs.first { other in
        let other = letters(other)
        return other == wanted || other + "s" == wanted || other == wanted + "s"
      }
      if let near = misspelt(uri, among: search.otherURIs) ?? other {
        return .misspelling(of: near, hint: "the namespace of `\(prefix)` is \(near) here")
      }
    }
    if let absence = absences(of: xpath, search, namespaces).first {
      return Doubt(
        "nothing has that name", expected: Text("a name that is there, or may be"), actual: Text("nothing"),
        hint: absence)
    }
    func near(_ names: Set<String>, among others: Set<String>) -> String? {
      let others = others.sorted()
      return names.sorted().lazy.compactMap { misspelt($0, among: others) }.first
    }
    if let element = near(xpath.plainNames.union(xpath.localNames), among: search.elements) {
      return .misspelling(of: element)
    }
    if let attribute = near(xpath.attributeNames, among: search.attributes) { return .misspelling(of: "@" + attribute) }
    if let (written, meant) = otherCase(in: xpath, namespaces: namespaces, names: search.elements) {
      return Doubt(
        "the expression has a text in another form", expected: Text("'\(written)'"), actual: Text("'\(meant)'"),
        hint: "write it as it is there")
    }
    return corrected(xpath, namespaces: namespaces).map { other in
      Doubt(
        "the expression finds nothing by a slip", expected: Text("one that can find something"),
        actual: Text("nothing"), hint: "did you mean `\(other)`?")
    }
  }

  private func search(
    for xpath: XPath, _ namespaces: [(prefix: String, uri: String)]
  ) -> (search: NameSearch, wanted: [(prefix: String, uri: String)]) {
    let uris = Dictionary(namespaces.map { ($0.prefix, $0.uri) }, uniquingKeysWith: { $1 })
    let wanted = xpath.prefixes.compactMap { prefix in uris[prefix.name].map { (prefix.name, $0) } }
    var search = NameSearch(names: xpath.plainNames, uris: Set(wanted.map(\.1)))
    if let root = xml.xmlDocGetRootElement(document) { search.walk(root) }
    return (search, wanted)
  }

  /// The reasons why elements without a prefix are not found, though there are some of that name.
  private func absences(
    of xpath: XPath, _ search: NameSearch, _ namespaces: [(prefix: String, uri: String)]
  ) -> [String] {
    xpath.plainNames.sorted().compactMap { name in
      if search.foundNames.contains(name) { return nil }
      if let uri = search.namespaced[name] {
        let known = namespaces.last { $0.uri == uri }?.prefix
        return "`\(name)` is in the namespace \(uri) here: write "
          + (known.map { "`\($0):\(name)`" } ?? "`namespaces: {n: \(uri)}` beside `expect`, and `n:\(name)`")
      }
      return search.otherCase[name].map { other in
        language == .html
          ? "the names of HTML elements are in lower case: write `\(other)`"
          : "the document has no element `\(name)`, but `\(other)`"
      }
    }
  }
}

/// Searches all elements of a document for names.
private struct NameSearch {
  let names: Set<String>
  /// The names in lower case, each with one of its spellings.
  private let folded: [String: String]
  let uris: Set<String>
  private(set) var foundURIs: Set<String> = []
  private(set) var otherURIs: [String] = []
  private(set) var foundNames: Set<String> = []
  /// Namespaces of elements that have a wanted name.
  private(set) var namespaced: [String: String] = [:]
  /// Names of elements that differ from a wanted name in letter case alone.
  private(set) var otherCase: [String: String] = [:]
  /// The names of elements and attributes, in whatever namespace.
  private(set) var elements: Set<String> = []
  private(set) var attributes: Set<String> = []

  init(names: Set<String>, uris: Set<String>) {
    self.names = names
    self.uris = uris
    folded = Dictionary(names.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func walk(_ root: xmlNodePtr) {
    var next: xmlNodePtr? = root
    while let node = next {
      if node.pointee.type == XML_ELEMENT_NODE { visit(node) }
      next = node.following(within: root)
    }
  }

  private mutating func visit(_ node: xmlNodePtr) {
    let uri = node.pointee.ns.flatMap { $0.pointee.href }.map { text($0) }
    note(uri)
    var attribute = node.pointee.properties
    while let current = attribute {
      if let namespace = current.pointee.ns { note(text(namespace.pointee.href)) }
      attributes.insert(text(current.pointee.name))
      attribute = current.pointee.next
    }
    let name = text(node.pointee.name)
    elements.insert(name)
    if names.contains(name) {
      if let uri { namespaced[name] = namespaced[name] ?? uri } else { foundNames.insert(name) }
    } else if let wanted = folded[name.lowercased()] {
      otherCase[wanted] = otherCase[wanted] ?? name
    }
  }

  private mutating func note(_ uri: String?) {
    guard let uri else { return }
    if uris.contains(uri) {
      foundURIs.insert(uri)
    } else if otherURIs.count < 3, !otherURIs.contains(uri) {
      otherURIs.append(uri)
    }
  }
}
