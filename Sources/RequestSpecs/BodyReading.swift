import Diagnostics
import JSONQueries
import Templates
import Values
import YAMLNodes

extension SpecReader {
  mutating func body(_ key: String, _ node: YAMLNode) -> BodySpec? {
    switch key {
    case "form":
      guard isUsable(node) else { return nil }
      let form = keyed(node, as: "form", nullRemoves: false) { $0.valueTemplate($1.value, nonFinite: .text) }
      return .form(form, range: node.range)
    case "json":
      checkJSONText(node)
      return valueTemplate(node).map { .json($0) }
    case "graphql": return graphQL(node)
    default: return node.members == nil ? field(node, .scalarText).map { .text($0) } : bodyMapping(node)
    }
  }

  private mutating func bodyMapping(_ node: YAMLNode) -> BodySpec? {
    let keys = KeyTable(
      known: ["base64"], later: ["file", "template"], advice: ["json": "write `json:` instead of `body:`"])
    let errorsBefore = bag.errorCount
    var result: BodySpec?
    visit(node, as: "`body`", keys: keys) { reader, member in
      result = reader.field(member.value, .base64).map { .base64($0) }
    }
    if result == nil, bag.errorCount == errorsBefore, !node.hasError {
      bag.error("`body` is text or {base64: …}, found an empty mapping", at: node.range)
    }
    return result
  }

  /// A text that is a JSON document is most likely meant as that document.
  private mutating func checkJSONText(_ node: YAMLNode) {
    guard let text = node.plainText, let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[",
      isJSON(text)
    else { return }
    bag.warning(
      "this is sent as one JSON string, not as the structure that it shows", at: node.range,
      help: "did you mean a mapping, or `body:`?")
  }

  private mutating func graphQL(_ node: YAMLNode) -> BodySpec? {
    let errorsBefore = bag.errorCount
    var query: Field<Text>?
    var variables: ValueTemplate?
    var operation: Field<Text>?
    visit(node, as: "`graphql`", keys: KeyTable(known: ["query", "variables", "operation"])) { reader, member in
      switch member.key {
      case "query":
        if member.value.members == nil {
          query = reader.field(member.value, .text)
        } else {
          reader.notYet("`query: {file: …}`", at: member.value.range)
        }
      case "variables":
        variables = reader.valueTemplate(member.value)
        if let literal = variables?.literal, literal.kind != .mapping, literal.kind != .null {
          reader.bag.error("`variables` of a query is a mapping, found \(literal.phrase)", at: member.value.range)
        }
      default: operation = reader.field(member.value, .text)
      }
    }
    if query == nil, bag.errorCount == errorsBefore, !node.hasError {
      bag.error("`graphql` needs `query`", at: node.range)
    }
    return query.map { .graphQL(query: $0, variables: variables, operation: operation, range: node.range) }
  }
}

private func isJSON(_ text: String) -> Bool {
  do {
    _ = try JSONDocument(parsing: Array(text.utf8))
    return true
  } catch {
    return false
  }
}
