import Templates
import Values
import YAMLNodes

/// `graphql` while it is read.
struct GraphQLDraft {
  var query: TextSource?
  var variables: ValueTemplate?
  var operation: Field<Text>?
  /// The payload of the first message of a WebSocket.
  var connection: ValueTemplate?

  static let keys = Keys<GraphQLDraft>(
    [
      Key(
        "query", "the query or mutation, or `{file: …}`", synonyms: "mutation",
        SchemaShape.text.or(TextFileDraft.keys.shape(needed: ["file"]))
      ) { $2.query = $0.query($1.value) },
      Key("variables", "the query's variables", synonyms: "vars", SchemaShape.names(of: .anything).orTemplate.or(.null))
      {
        $2.variables = $0.queryVariables($1.value)
      },
      Key(
        "subscription",
        "a subscription in place of `query`, whose results come over a WebSocket, or as server-sent events",
        SchemaShape.text.or(TextFileDraft.keys.shape(needed: ["file"]))
      ) {
        if $2.query != nil { $0.bag.error(.conflictingKeys, "`graphql` has one query", at: $1.keyRange) }
        $2.query = $0.query($1.value)
      },
      Key(
        "connection", "the payload of `connection_init`, the first message of a WebSocket",
        synonyms: "connection_params connectionParams",
        SchemaShape.names(of: .anything).orTemplate
      ) {
        $2.connection = $0.valueTemplate($1.value)
      },
      Key(
        "operation", "the name of the operation to run, if there are several", synonyms: "operation_name operationName",
        .field(.text)
      ) { $0.operation = $1 },
    ], shape: "{query: …}")
}

extension SpecReader {
  mutating func graphQL(_ node: YAMLNode) -> BodySpec? {
    var draft = GraphQLDraft()
    let text = node.plainText == nil || node.scalar?.style == .literal ? nil : node.range.text
    let written = text.flatMap { $0.utf8.count <= 80 && !$0.contains(where: \.isNewline) ? "{query: \($0)}" : nil }
    let isSound = visit(node, as: "`graphql`", keys: GraphQLDraft.keys, instead: written, into: &draft)
    if draft.query == nil, isSound {
      bag.error(.missingKey, "`graphql` needs `query`", at: node.range)
    }
    checkQuery(node.members ?? [])
    return draft.query.map {
      .graphQL(
        query: $0, variables: draft.variables, operation: draft.operation, connection: draft.connection,
        range: node.range)
    }
  }

  /// Reports what does not fit together in a query, its variables and its operation.
  private mutating func checkQuery(_ members: [YAMLMember]) {
    func node(_ name: String) -> YAMLNode? { members.first { $0.key == name }?.value }
    guard let query = node("query") ?? node("subscription"), !query.hasError, let text = query.plainText,
      text.utf8.count < 1 << 16
    else {
      return
    }
    let outline = GraphQLOutline(text)
    if outline.hasDoubleBrace, checkForeignTemplate(query) { return }
    if let open = outline.unclosed {
      let sign = text.utf8[text.utf8.index(text.startIndex, offsetBy: open)] == UInt8(ascii: "{") ? "{" : "("
      bag.error(
        .graphqlQuery, "this `\(sign)` of the query is never closed", at: query.range(ofText: open..<open + 1),
        notes: useNote(query), help: "add a closing `\(sign == "{" ? "}" : ")")`")
      return
    }
    if let start = text.firstRange(of: "\"$")?.upperBound {
      let name = text[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let isVariable = outline.variables.isEmpty || outline.variables.contains(String(name))
      if !name.isEmpty, isVariable, text[name.endIndex...].hasPrefix("\"") {
        bag.warning(
          .graphqlVariable, "`\"$\(name)\"` is a text in GraphQL, and not a variable", at: query.range.firstLine,
          notes: useNote(query), help: "write `$\(name)` without quotes")
      }
    }
    if !outline.operations.isEmpty, let use = outline.uses.first(where: { !outline.variables.contains($0.name) }) {
      bag.warning(
        .graphqlVariable, "the query declares no variable `\(use.name)`", at: query.range(ofText: use.range),
        notes: useNote(query),
        help: suggestion(use.name, among: outline.variables.sorted())
          ?? "declare it, as in `query name($\(use.name): String)`")
    } else if let unused = outline.variables.subtracting(outline.uses.map(\.name)).min() {
      bag.warning(
        .graphqlVariable, "the query declares the variable `\(unused)`, and never reads it", at: query.range.firstLine,
        notes: useNote(query), help: "write `$\(unused)` where it belongs, or remove it")
    }
    let names = outline.operations.compactMap(\.self)
    if let operation = node("operation"), let name = operation.plainText, !names.contains(name) {
      report(
        .graphqlQuery, "the query has no operation `\(jsonEscaped(name))`", at: operation,
        help: suggestion(name, among: names)
          ?? (names.isEmpty ? "remove it: the operation has no name" : "write `\(names[0])`"))
    } else if node("operation") == nil, outline.operations.count > 1, let name = names.first {
      report(
        .graphqlQuery, "the query has \(outline.operations.count) operations, and nothing says which one runs",
        at: query, help: "add `operation: \(name)`")
    }
    checkTypes(of: node("variables"), outline, query)
    for member in node("variables")?.members ?? [] {
      guard let text = member.value.plainText, text.hasPrefix("$"), outline.variables.contains(String(text.dropFirst()))
      else { continue }
      warn(
        .graphqlVariable, "`\(text)` is the value here, as text", at: member.value,
        help: "write the value of the variable"
      )
    }
    for member in node("variables")?.members ?? [] where !outline.variables.contains(member.key) {
      // Keys of a request that are indented too deep are reported as such.
      if Template.isTemplate(member.key) || outline.operations.isEmpty || ["expect", "capture"].contains(member.key) {
        continue
      }
      bag.warning(
        .graphqlVariable, "the query declares no variable `\(jsonEscaped(member.key))`, which is ignored",
        at: member.keyRange, notes: useNote(query),
        help: suggestion(member.key, among: outline.variables.sorted())
          ?? outline.variables.first { $0.lowercased() == member.key.lowercased() }.map { "did you mean `\($0)`?" }
          ?? "declare it, as in `query name($\(jsonEscaped(member.key)): String)`")
    }
  }

  /// Warns of values that are absent, null or of another type than the query declares.
  private mutating func checkTypes(of variables: YAMLNode?, _ outline: GraphQLOutline, _ query: YAMLNode) {
    guard outline.operations.count == 1, variables == nil || variables?.members != nil else { return }
    let members = variables?.members ?? []
    let areKnown = members.allSatisfy { outline.variables.contains($0.key) }
    for (name, type) in outline.types.sorted(by: { $0.key < $1.key }) {
      guard let value = members.last(where: { $0.key == name })?.value else {
        // Another name may be a typo of it, or a template.
        guard type.hasSuffix("!"), areKnown else { continue }
        bag.warning(
          .graphqlVariable, "the query needs the variable `\(name)` of type `\(type)`, and gets none",
          at: query.range.firstLine, notes: useNote(query), help: "add `variables: {\(name): …}`")
        continue
      }
      guard let scalar = value.scalar, value.useSite == nil else { continue }
      let isWrong =
        switch (scalar.meaning, type.trimming { $0 == "!" }) {
        case (.null, _): type.hasSuffix("!")
        case (.text(let text), "Int"), (.text(let text), "Float"), (.text(let text), "Boolean"):
          !Template.isTemplate(text)
        case (.bool, "Int"), (.bool, "Float"), (.bool, "String"), (.bool, "ID"), (.number, "String"),
          (.number, "Boolean"):
          true
        default: false
        }
      if isWrong {
        warn(
          .graphqlVariable, "the query declares `\(name)` as `\(type)`, found \(value.kindPhrase)", at: value,
          help: type.hasPrefix("String") ? "write it in quotes" : "write a value of that type")
      }
    }
  }

  fileprivate mutating func query(_ node: YAMLNode) -> TextSource? {
    node.members == nil
      ? field(node, .text).map { .field($0) } : textFile(node, as: "`query`").map { .file($0) }
  }

  fileprivate mutating func queryVariables(_ node: YAMLNode) -> ValueTemplate? {
    checkSwallowedKeys(node, as: "variables")
    let variables = valueTemplate(node)
    if let literal = variables?.literal, literal.kind != .mapping, literal.kind != .null {
      let isText = node.plainText.map { $0.hasPrefix("{") && isJSON($0) } ?? false
      bag.error(
        .wrongType, "`variables` of a query is a mapping, found \(literal.phrase)", at: node.range,
        help: isText ? "leave out the quotes around it" : nil)
    }
    return variables
  }
}
