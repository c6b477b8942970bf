import HTTPSemantics
import Templates
import Values
import YAMLNodes

let requestKeys: Keys<RequestDraft> = Keys(
  [
    Key(
      RequestKey.name.rawValue, "for people, selection and reports; it may have templates", synonyms: "title label",
      .field(.scalarText)
    ) {
      $0.name = $1
    },
    Key(RequestKey.description.rawValue, "for people", synonyms: "summary desc", .text) {
      $2.description = $0.plainText($1.value, as: "description")
    },
    Key(RequestKey.tags.rawValue, "a word or a list, without commas", SchemaShape.text.orList) {
      $2.tags = $0.tags($1.value)
    },
    Key(
      RequestKey.variables.rawValue,
      "a mapping; evaluated for this request alone, anew for each row and each round of a poll; they may read captures",
      synonyms: "vars var variable env environment let locals", variablesShape
    ) { $2.variables = $0.variables($1.value) },
    Key(
      RequestKey.each.rawValue, "the request runs once for each row: see \"Rows\"",
      synonyms: "loop for_each foreach with_items iteration iterations parameterize examples repeat rows cases",
      RowsDraft.shape
    ) { $2.rows = $0.rows($1.value, isOfRequest: true) },
  ]
    + RequestSettings.keys.enumerated().map { place, setting in
      Key(
        setting.key.name, setting.key.documentation, synonyms: setting.key.synonyms,
        .named("request_" + setting.key.name, setting.key.shape)
      ) {
        setting.key.read(&$0, $1, &$2.settings)
        $2.settings.given.insert(place)
      }
    }, advice: useAdvice.merging(MigrationHints.requestAdvice) { $1 },
  usual: [
    "name", "method", "url", "headers", "query", "json", "form", "multipart", "body", "auth", "timeout", "expect",
    "capture",
  ])

/// Keys that belong to a file or to a request, not to shared settings.
private let ownNames = [
  "name": "it belongs to the file or to a request", "description": "it belongs to the file or to a request",
  "tags": "it belongs to the file or to a request", "each": "it belongs to the file or to a request",
  "variables": "they belong to the file, beside `defaults`, or to a request",
  "poll": "it belongs to a request: each waits for something else",
]

let defaultsKeys: Keys<RequestDraft> = Keys(
  requestKeys.all.filter { ownNames[$0.name] == nil },
  advice: requestKeys.names.advice.merging(ownNames) { old, _ in old },
  usual: ["base_url", "headers", "query", "auth", "timeout", "redirects", "tls", "validate", "expect"])

extension SpecReader {
  /// The parameters of a URL.
  mutating func parameters(_ node: YAMLNode, as key: String) -> KeyedSettings<ValueTemplate> {
    checkSwallowedKeys(node, as: key)
    return keyed(node, as: key, nullRemoves: false) { reader, member in
      reader.checkForeignTemplate(member.value, shells: false)
      return reader.valueTemplate(member.value, nonFinite: .text)
    }
  }

  /// Names with a scalar each, or a list of scalars.
  mutating func scalars(_ node: YAMLNode, as what: String, lists: Bool) -> KeyedSettings<ValueTemplate> {
    keyed(node, as: what) { reader, member in
      let items = (lists ? member.value.items : nil) ?? [member.value]
      for item in items where !item.hasError && (item.scalar == nil || item.isNull) {
        return reader.reject("`\(what)` takes text, numbers, true and false, found \(item.kindPhrase)", at: item)
      }
      return reader.valueTemplate(member.value, nonFinite: .text)
    }
  }

  mutating func checkMethodCase(_ node: YAMLNode) {
    guard let method = node.plainText, !standardMethods.contains(method) else { return }
    guard standardMethods.contains(method.uppercased()) else {
      // Unknown methods are valid, but a difference of two letters is probably an error.
      if method.utf8.count > 3, isToken(method), let near = nearestWord(to: method, among: standardMethods.sorted()) {
        bag.warning("`\(jsonEscaped(method))` is sent as it stands", at: node.range, help: "did you mean \(near)?")
      }
      return
    }
    bag.warning(
      "methods are case-sensitive: `\(method)` is not \(method.uppercased())", at: node.range,
      help: "write \(method.uppercased())")
  }

  mutating func checkURLTraps(_ node: YAMLNode) {
    checkForeignTemplate(node, isError: true)
    if let text = node.plainText, text.hasSuffix(" "), text.contains(where: { $0 != " " }) {
      warn("the URL ends with a blank, which is sent as %20", at: node, help: "remove it")
    }
    if let text = node.plainText, let (scalar, letter) = misleadingCharacter(in: text), letter == nil {
      warn(
        "the URL has \(characterName(scalar)), which is not seen", at: node,
        help: "remove it: `\(jsonEscaped(plainLooking(text)))`")
    }
    // A comment has a space after its `#`; a fragment that was separated from its URL has none.
    guard let comment = YAMLReader.trailingCommentCut(of: node),
      comment.bytes.lowerBound == node.range.bytes.upperBound + 1, comment.text.count > 1,
      !comment.text.dropFirst().hasPrefix(" ")
    else { return }
    bag.warning("` #` begins a comment: the URL ends before it", at: comment, help: "put the URL in quotes")
  }
}
