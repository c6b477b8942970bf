import Values

extension YAMLComposer {
  func composeAlias(_ name: String, _ event: YAMLEvent, depth: Int) throws(Stop) -> Composed {
    let site = range(event.bytes)
    switch anchors[name] {
    case .complete(let target):
      aliasedNodes += target.extent.size
      guard aliasedNodes <= YAMLReader.aliasBudget else {
        error(
          .limitExceeded, "the aliases up to here stand for more than \(YAMLReader.aliasBudget) nodes", at: event.bytes,
          help: "aliases of aliases multiply; write less of them")
        throw Stop()
      }
      try checkDepth(depth + target.extent.height, at: event.bytes)
      let node = YAMLNode(
        content: target.node.content, range: target.node.range, useSite: site, localTag: target.node.localTag,
        hasMapTag: target.node.hasMapTag, hasError: target.node.hasError)
      return Composed(
        node: node,
        extent: Extent(end: event.bytes.upperBound, size: target.extent.size, height: target.extent.height))
    case .open:
      error(
        .yamlAnchor, "the alias `*\(name)` stands inside the node it names", at: event.bytes,
        help: "a node cannot contain itself")
    case nil:
      if undefinedAliases.count < YAMLReader.collectedErrorLimit {
        undefinedAliases.append((name, site))
      } else {
        uncollectedErrors += 1
      }
    }
    return Composed(node: standIn(site, useSite: site), extent: Extent(end: event.bytes.upperBound))
  }

  /// Reports unknown aliases at the end, when all anchors are known.
  func resolveUndefinedAliases() {
    // Their anchors may be in the removed parts.
    if !broken.isEmpty {
      let words = broken.words
      undefinedAliases.removeAll { words.contains($0.name) }
    }
    // The number is limited, since comparing could take hours.
    let names = undefinedAliases.isEmpty || anchors.count > 1000 ? [] : anchors.keys.sorted()
    for (index, alias) in undefinedAliases.enumerated() {
      let help: String
      if anchors[alias.name] != nil {
        help = "`&\(alias.name)` must stand before it"
      } else if index < YAMLReader.errorLimit, let near = nearestWord(to: alias.name, among: names) {
        help = "did you mean `*\(near)`?"
      } else {
        help = "define `&\(alias.name)` before it, or quote the value if the `*` belongs to the text"
      }
      diagnostics.append(.error(.yamlAnchor, "the alias `*\(alias.name)` has no anchor", at: alias.range, help: help))
    }
    undefinedAliases = []
  }

  func register(_ anchor: String?, _ composed: Composed) {
    if let anchor { anchors[anchor] = .complete(composed) }
  }

  func checkDepth(_ depth: Int, at bytes: Range<Int>) throws(Stop) {
    guard depth > YAMLReader.depthLimit else { return }
    error(.limitExceeded, "nested deeper than \(YAMLReader.depthLimit) levels", at: bytes)
    throw Stop()
  }
}
