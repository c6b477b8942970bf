import DocumentQueries
import Values

/// The captures and assertions of a Hurl entry as those of a spec.
struct HurlChecks {
  typealias Member = (key: String, value: ImportedValue)

  /// The names of variables that the file has; captures that only assertions read have others.
  private var taken: Set<String>
  private(set) var captures: [Member] = []
  private(set) var untranslated: [Untranslated] = []
  private var expectations = HurlExpectations()
  /// The names of captures that only assertions read, by what they capture.
  private var helpers: [HurlQuery: String] = [:]

  /// The names of captures that aren't translated; what is asserted of them isn't, either.
  private(set) var lost: Set<String>
  /// The headers that are captured as a whole, by the names of their captures.
  private var headers: [String: String] = [:]

  init(taken: Set<String>, lost: Set<String>) {
    self.taken = taken
    self.lost = lost
  }

  /// The keys of `expect`.
  var expect: [Member] { expectations.members }

  mutating func read(_ response: HurlResponse) {
    if let status = response.status { expectations.add(["status"], [("equals", .integer(status))]) }
    if let version = response.version { expectations.add(["http_version"], [("equals", .text(version))]) }
    for header in response.headers { read(header, in: response.headers) }
    for capture in response.captures { read(capture) }
    for assert in response.asserts where !lost.isDisjoint(with: assert.names) || !read(assert) {
      untranslated.remark("assertions", assert.source)
    }
    if let body = response.body { read(body) }
  }

  /// A header of the response's lines: one line must be it.
  private mutating func read(_ header: ImportedRequest.Pair, in headers: [ImportedRequest.Pair]) {
    let name = header.name.source.lowercased()
    let isList =
      headers.count { $0.name.source.lowercased() == name } > 1 || ["set-cookie", "vary", "link"].contains(name)
    expectations.add(["headers", header.name], [(isList ? "any" : "equals", .text(header.value))])
  }

  private mutating func read(_ body: ImportedRequest.Body) {
    switch body {
    case .json(let text):
      if let value = text.json {
        expectations.add(["json", "$"], [("equals", value)])
      } else {
        read(.text(text))
      }
    case .text(let text): expectations.add(["body"], [("equals", .text(text))])
    case .base64(let digits): if let bytes = base64Decoded(digits) { expect(bytes) }
    case .file(let path): read(file: path)
    case .form, .multipart, .graphql: break
    }
  }

  private mutating func read(file path: ImportedText) {
    guard let argument = HurlExpression.argument(path) else {
      untranslated.remark("assertions", "file,\(path.source);")
      return
    }
    expectations.add(
      ["bytes", "sha256"],
      [("equals", .text(ImportedText(.expression("sha256(file(\(argument))) | to_string"))))])
  }

  /// Expects the bytes of a body: their text, else their hash.
  private mutating func expect(_ bytes: [UInt8]) {
    if Self.isText(bytes) { return read(.text(ImportedText(String(decoding: bytes, as: UTF8.self)))) }
    let hash = "sha256(base64_decode(\(HurlExpression.literal(base64Encoded(bytes))))) | to_string"
    expectations.add(["bytes", "sha256"], [("equals", .text(ImportedText(.expression(hash))))])
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    !bytes.starts(with: [0xEF, 0xBB, 0xBF]) && String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
  }

  // MARK: captures

  private mutating func read(_ capture: HurlCapture) {
    if add(capture.name, capture.query, capture.filters, isSecret: capture.isSecret) {
      lost.remove(capture.name)
    } else {
      lost.insert(capture.name)
      untranslated.append(Untranslated(reason: "captures", source: capture.source, sets: [capture.name]))
    }
  }

  private mutating func add(
    _ name: String, _ query: HurlQuery, _ filters: [HurlFilter], isSecret: Bool
  ) -> Bool {
    var rest = filters[...]
    headers[name] = filters.isEmpty ? query.header : nil
    let isInSeconds = query.word == "cookie" && HurlSource.cookie(query)?.attribute?.lowercased() == "max-age"
    if !isInSeconds, let source = HurlSource.members(of: query, &rest), rest.isEmpty {
      if filters.isEmpty, helpers[query] == nil { helpers[query] = name }
      set(name, Self.value(source, isSecret: isSecret))
      return true
    }
    guard let base = base(query, before: filters),
      let expression = HurlExpression.applying(
        filters, to: !isInSeconds ? base : filters.isEmpty ? "\(base) / 1000" : "(\(base) / 1000)")
    else { return false }
    set(name, Self.value([("value", .text(ImportedText(.expression(expression))))], isSecret: isSecret))
    return true
  }

  /// Adds a capture; of several with one name the last counts.
  private mutating func set(_ name: String, _ value: ImportedValue) {
    captures.removeAll { $0.key == name }
    captures.append((name, value))
  }

  private func variable(_ query: HurlQuery) -> String? {
    guard query.word == "variable", case .text(let name)? = query.argument else { return nil }
    return name.literal
  }

  /// A capture with these members, in its short form if it has one.
  private static func value(_ members: [Member], isSecret: Bool) -> ImportedValue {
    var members = members
    if isSecret { members.append(("secret", .bool(true))) }
    if members.count == 1 {
      if members[0].key == "json" { return members[0].value }
      if HurlSource.words.contains(members[0].key) { return .text(members[0].key) }
    }
    if let first = members.first, HurlSource.words.contains(first.key) { members[0].value = .bool(true) }
    return .mapping(members)
  }

  /// The expression for what a query finds. The lines of a header are joined in one text.
  private mutating func base(_ query: HurlQuery, before filters: [HurlFilter]) -> String? {
    var isList = false
    if ["count", "first", "last", "nth"].contains(filters.first?.word),
      let header = query.header ?? variable(query).flatMap({ headers[$0] })
    {
      // Dates have a comma, too.
      if ["set-cookie", "date", "expires", "last-modified"].contains(header.lowercased()) { return nil }
      isList = true
    }
    guard let name = variable(query) ?? helper(query, before: filters) else { return nil }
    return isList ? "split({{\(name)}}, ', ')" : "{{\(name)}}"
  }

  /// The name of a capture of what a query finds, for expressions; nil if there is none for the filters.
  private mutating func helper(_ query: HurlQuery, before filters: [HurlFilter]) -> String? {
    guard HurlExpression.applying(filters, to: "x") != nil else { return nil }
    if let name = helpers[query] { return name }
    var none: ArraySlice<HurlFilter> = []
    guard let source = HurlSource.members(of: query, &none) else { return nil }
    let name = taken.insertUnique { numbered(HurlSource.name(of: query), $0) }
    helpers[query] = name
    captures.append((name, Self.value(source, isSecret: false)))
    return name
  }

  // MARK: assertions

  private mutating func read(_ assert: HurlAssert) -> Bool {
    if readSpecial(assert) { return true }
    var rest = assert.filters[...]
    if let target = HurlSource.target(of: assert.query, &rest) {
      let counts = rest.count == 1 && rest.first?.word == "count"
      if rest.isEmpty || counts,
        let predicates = HurlPredicates.predicates(
          assert.predicate, selectsMany: target.selectsMany && !counts,
          isText: !["json", "xpath", "values"].contains(target.path[0]), unit: counts ? .none : target.unit)
      {
        let content = counts ? [("count", HurlExpectations.value(predicates))] : predicates
        expectations.add(target.path, target.extras + content)
        return true
      }
    }
    return readExpression(assert)
  }

  /// Assertions whose subjects specs have in another form.
  private mutating func readSpecial(_ assert: HurlAssert) -> Bool {
    let isExisting = assert.predicate.word == "exists" && assert.filters.isEmpty
    switch assert.query.word {
    case "header":
      // A list stands for several lines.
      guard assert.filters.isEmpty, ["isCollection", "isList", "isString"].contains(assert.predicate.word),
        case .text(let name)? = assert.query.argument
      else { return false }
      let isList = (assert.predicate.word != "isString") != assert.predicate.isNegated
      expectations.add(
        ["headers", name], [("count", isList ? .mapping([("greater_than", .integer(1))]) : .integer(1))])
      return true
    case "variable":
      // Nothing sets it.
      guard isExisting, assert.predicate.isNegated, let name = variable(assert.query), !taken.contains(name) else {
        return false
      }
      untranslated.remark("assertions", assert.source)
      return true
    case "cookie":
      guard isExisting, let (name, attribute) = HurlSource.cookie(assert.query),
        let flag = ["secure": "secure", "httponly": "http_only"][attribute?.lowercased() ?? ""]
      else { return false }
      expectations.add(
        ["cookies", ImportedText(name), ImportedText(flag)], [("equals", .bool(!assert.predicate.isNegated))])
      return true
    case "sha256", "md5":
      guard assert.filters.isEmpty, assert.predicate.word == "==", !assert.predicate.isNegated,
        case .bytes(let bytes)? = assert.predicate.operand
      else { return false }
      expectations.add(["bytes", ImportedText(assert.query.word)], [("equals", .text(hexEncoded(bytes)))])
      return true
    case "bytes", "rawbytes": return readBytes(assert)
    case "body":
      guard case .file(let path)? = assert.predicate.operand, assert.filters.isEmpty, assert.predicate.word == "==",
        !assert.predicate.isNegated
      else { return false }
      read(file: path)
      return true
    case "certificate":
      guard assert.filters.map(\.word) == ["daysAfterNow"], case .text(let field)? = assert.query.argument,
        field.literal == "Expire-Date",
        let predicates = HurlPredicates.predicates(assert.predicate, unit: .days)
      else { return false }
      expectations.add(["certificate", "expires_in"], predicates)
      return true
    default: return false
    }
  }

  /// An assertion on the body as bytes.
  private mutating func readBytes(_ assert: HurlAssert) -> Bool {
    if assert.filters.isEmpty, assert.predicate.word == "isEmpty" {
      let word = assert.predicate.isNegated ? "not_equals" : "equals"
      expectations.add(["bytes", "count"], [(word, .integer(0))])
      return true
    }
    let isPlain = assert.filters.isEmpty || assert.filters.map(\.word) == ["utf8Decode"]
    guard isPlain, !assert.predicate.isNegated else { return false }
    if case .file(let path)? = assert.predicate.operand, assert.predicate.word == "==" {
      read(file: path)
      return true
    }
    guard case .bytes(let bytes)? = assert.predicate.operand else {
      guard assert.predicate.operand != nil, !assert.filters.isEmpty,
        let predicates = HurlPredicates.predicates(assert.predicate)
      else { return false }
      expectations.add(["body"], predicates)
      return true
    }
    if assert.predicate.word == "==" {
      expect(bytes)
      return true
    }
    guard Self.isText(bytes), !bytes.isEmpty, let word = HurlPredicates.partWords[assert.predicate.word] else {
      return false
    }
    expectations.add(["body"], [(word, .text(String(decoding: bytes, as: UTF8.self)))])
    return true
  }

  /// An assertion on the value of an expression.
  private mutating func readExpression(_ assert: HurlAssert) -> Bool {
    if assert.predicate.word == "exists" { return false }
    guard let base = base(assert.query, before: assert.filters),
      let expression = HurlExpression.applying(assert.filters, to: base)
    else { return false }
    if let predicates = HurlPredicates.predicates(
      assert.predicate, isDate: assert.filters.last?.word == "toDate")
    {
      expectations.add(["values", ImportedText(expression)], predicates)
      return true
    }
    // Texts are compared by expressions alone.
    guard [">", ">=", "<", "<="].contains(assert.predicate.word), case .text(let text)? = assert.predicate.operand,
      let operand = HurlExpression.argument(text)
    else { return false }
    expectations.add(
      ["values", ImportedText("\(expression) \(assert.predicate.word) \(operand)")],
      [("equals", .bool(!assert.predicate.isNegated))])
    return true
  }
}
