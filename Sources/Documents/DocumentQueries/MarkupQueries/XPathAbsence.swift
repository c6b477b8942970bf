internal import CLibXML2

extension MarkupDocument {
  /// Returns the reason why an expression finds nothing: its elements are in a namespace, or in another letter case.
  /// Nil if the names that it uses exist.
  package func absence(of xpath: XPath, namespaces: [(prefix: String, uri: String)]) -> String? {
    let uris = Dictionary(namespaces.map { ($0.prefix, $0.uri) }, uniquingKeysWith: { $1 })
    let wanted = xpath.prefixes.compactMap { prefix in uris[prefix.name].map { (prefix.name, $0) } }
    var search = NameSearch(names: xpath.plainNames, uris: Set(wanted.map(\.1)))
    if let root = xml.xmlDocGetRootElement(document) { search.walk(root) }
    for (prefix, uri) in wanted where !search.foundURIs.contains(uri) {
      let others = search.otherURIs.prefix(3).joined(separator: ", ")
      return "nothing in the document is in the namespace \(uri) (`\(prefix)`)"
        + (others.isEmpty ? ": its elements are in none" : "; its namespaces are \(others)")
    }
    for name in xpath.plainNames.sorted() where !search.foundNames.contains(name) {
      if let uri = search.namespaced[name] {
        let known = namespaces.last { $0.uri == uri }?.prefix
        return "`\(name)` is in the namespace \(uri) here: write "
          + (known.map { "`\($0):\(name)`" } ?? "`namespaces: {n: \(uri)}` beside `expect`, and `n:\(name)`")
      }
      if let other = search.otherCase[name] {
        return language == .html
          ? "the names of HTML elements are in lower case: write `\(other)`"
          : "the document has no element `\(name)`, but `\(other)`"
      }
    }
    return nil
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
      attribute = current.pointee.next
    }
    guard !names.isEmpty else { return }
    let name = text(node.pointee.name)
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
