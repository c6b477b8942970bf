import DocumentQueries
import Values

/// Keywords that check the instance itself.
extension SchemaCompiler {
  mutating func readAssertions(_ reader: inout KeywordReader) {
    types(&reader)
    if let value = reader.keywords["enum"] {
      if value.kind == .list {
        reader.add(.equals(ValueSet(value.items)), at: value)
      } else {
        problem("`enum` is a list of values, found \(phrase(value))", at: value, in: reader.document)
      }
    }
    if let value = reader.keywords["const"], !reader.dialect.isOfDraft4 {
      reader.add(.equals(ValueSet([value])), at: value)
    }
    bounds(&reader)
    if let value = reader.keywords["multipleOf"], let number = number(value, of: "multipleOf", reader) {
      if number > Number(0) {
        reader.add(.multipleOf(number), at: value)
      } else {
        problem("`multipleOf` is a number greater than 0", at: value, in: reader.document)
      }
    }
    if let (value, count) = size("minLength", reader) { reader.add(.length(.atLeast, count), at: value) }
    if let (value, count) = size("maxLength", reader) { reader.add(.length(.atMost, count), at: value) }
    if let value = reader.keywords["pattern"], let value = text(value, of: "pattern", reader),
      let pattern = pattern(value, reader)
    {
      reader.add(.pattern(pattern), at: value)
      if !pattern.pattern.contains(".*"), pattern.matchesAnything {
        warn("any string matches this pattern", of: "pattern", value, reader, "write it between `^` and `$`")
      }
    }
    content(&reader)
    if let (value, count) = size("minItems", reader) { reader.add(.itemCount(.atLeast, count), at: value) }
    if let (value, count) = size("maxItems", reader) { reader.add(.itemCount(.atMost, count), at: value) }
    if let value = reader.keywords["uniqueItems"], flag(value, "uniqueItems", reader) {
      reader.add(.uniqueItems, at: value)
    }
    if let (value, count) = size("minProperties", reader) { reader.add(.memberCount(.atLeast, count), at: value) }
    if let (value, count) = size("maxProperties", reader) { reader.add(.memberCount(.atMost, count), at: value) }
    if let value = reader.keywords["required"], let names = names(value, of: "required", reader) {
      reader.add(.required(names), at: value)
    }
    dependentRequired(&reader)
  }

  private mutating func types(_ reader: inout KeywordReader) {
    guard let value = reader.keywords["type"] else { return }
    var types: TypeSet = []
    for item in value.kind == .list ? value.items : [value] {
      let word = item.string
      guard item.kind == .text, let type = TypeSet(word: word) else {
        let known = TypeSet.words.map(\.word)
        problem(
          item.kind == .text ? "there is no type `\(word)`" : "a type is a string, found \(phrase(item))", at: item,
          in: reader.document,
          help: nearestWord(to: word, among: known).map { "did you mean `\($0 == "null" ? "\"null\"" : $0)`?" }
            ?? "the types are \(known.joined(separator: ", "))")
        return
      }
      types.insert(type)
    }
    guard !types.isEmpty else {
      problem("`type` names no type", at: value, in: reader.document)
      return
    }
    if reader.dialect.version == .draft4 { types.insert(.integersWithoutPoint) }
    if reader.dialect.version == .openAPI30, reader.keywords["nullable"]?.text == "true" { types.insert(.null) }
    reader.add(.types(types), at: value)
  }

  private mutating func flag(_ value: JSONNode, _ keyword: String, _ reader: KeywordReader) -> Bool {
    if value.kind == .boolean { return value.text == "true" }
    problem("`\(keyword)` is `true` or `false`, found \(phrase(value))", at: value, in: reader.document)
    return false
  }

  private mutating func bounds(_ reader: inout KeywordReader) {
    let pairs: [(String, NumberBound, String, NumberBound)] = [
      ("minimum", .atLeast, "exclusiveMinimum", .moreThan), ("maximum", .atMost, "exclusiveMaximum", .lessThan),
    ]
    for (inclusive, bound, exclusive, exclusiveBound) in pairs {
      var inclusiveBound = bound
      if let value = reader.keywords[exclusive] {
        // A flag in addition to the bound, as in draft 4.
        if reader.dialect.isOfDraft4, value.kind == .boolean {
          if value.text == "true" { inclusiveBound = exclusiveBound }
        } else if value.kind == .boolean {
          problem(
            "`\(exclusive)` is a number in this draft, found \(value.text)", at: value, in: reader.document,
            help: "write `\(exclusive)` with the number, and leave out `\(inclusive)`")
        } else if let number = number(value, of: exclusive, reader) {
          reader.add(.bound(exclusiveBound, number), at: value)
        }
      }
      if let value = reader.keywords[inclusive], let number = number(value, of: inclusive, reader) {
        reader.add(.bound(inclusiveBound, number), at: value)
      }
    }
  }

  mutating func format(_ reader: inout KeywordReader) {
    guard let value = reader.keywords["format"], let value = text(value, of: "format", reader) else { return }
    guard options.format == .assertion || reader.dialect.vocabularies.contains(.formatAssertion) else { return }
    let isOpenAPI = reader.dialect.version == .openAPI30 || options.dialect == .openAPI31
    if let format = TextFormat(named: value.string, isOpenAPI: isOpenAPI) {
      reader.add(.format(format), at: value)
    } else {
      checkFormat(value.string, at: value, reader)
    }
  }

  private mutating func content(_ reader: inout KeywordReader) {
    guard reader.dialect.version == .draft7, options.format == .assertion else { return }
    let (encoding, type) = (reader.keywords["contentEncoding"], reader.keywords["contentMediaType"])
    let isBase64 = encoding?.string == "base64"
    // Content in another encoding can't be checked.
    let isJSON = type?.string == "application/json" && (isBase64 || encoding == nil)
    guard let value = isJSON ? type : encoding, isBase64 || isJSON else { return }
    reader.add(.content(ContentRule(isBase64: isBase64, isJSON: isJSON)), at: value)
  }

  private mutating func dependentRequired(_ reader: inout KeywordReader) {
    guard reader.dialect.version != .openAPI30 else { return }
    var rules: [(name: [UInt8], needs: [[UInt8]], place: Int32)] = []
    var keywords = ["dependencies"]
    if reader.dialect.version > .draft7 { keywords.append("dependentRequired") }
    for keyword in keywords {
      for (name, value) in members(keyword, reader)
      where keyword == "dependentRequired" || value.kind == .list {
        guard let needs = names(value, of: keyword, reader) else { continue }
        rules.append((Array(name.utf8), needs, Int32(truncatingIfNeeded: value.position)))
      }
      if let value = reader.keywords[keyword], !rules.isEmpty {
        reader.add(.dependentRequired(rules), at: value)
        rules = []
      }
    }
  }
}
