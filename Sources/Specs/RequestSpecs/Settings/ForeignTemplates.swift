import Templates
import Values
import YAMLNodes

/// A name in the notation of other tools, `{{ name }}` or `${name}`: a mistake if something declares it.
struct ForeignTemplate: Sendable {
  let name: String
  /// The expression, to be written as a template.
  let expression: String
  let range: SourceRange
  /// Indicates whether nothing else reads the name.
  var isUnread = false
  /// Indicates whether it is a text alone, which counts only if nothing else reads the name.
  var isBare = false
  /// Indicates whether the expression has a value in any file.
  var isKnown = false
  /// Indicates whether it was reported where it was read.
  var isReported = false
}

extension SpecReader {
  /// Reports `{{ name }}` without its `$`, the notation of other tools, which would be sent literally.
  ///
  /// - Parameters:
  ///   - shells: whether the shell's notation `${name}` counts, too.
  ///   - isError: whether such text can't be meant here.
  /// - Returns: whether there is one.
  @discardableResult
  mutating func checkForeignTemplate(_ node: YAMLNode, shells: Bool = true, isError: Bool = false) -> Bool {
    noteShellVariables(node)
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning, text.contains(byte: UInt8(ascii: "{")),
      !Template.isTemplate(text)
    else { return false }
    let fate = isError ? "not a template" : "sent as it stands"
    func add(_ message: String, _ place: Range<String.Index>, help: String) {
      let range = node.range(ofText: text.utf8Range(place))
      foreignTemplates.append(ForeignTemplate(name: "", expression: "", range: range, isReported: true))
      bag.add(
        isError
          ? .error(.foreignTemplate, message, at: range, help: help)
          : .warning(.foreignTemplate, message, at: range, help: help))
    }
    if let open = text.firstRange(of: "{{"), let close = text[open.upperBound...].firstRange(of: "}}") {
      let place = open.lowerBound..<close.upperBound
      add(
        "`{{ … }}` is \(fate): a template has a `$` before it", place, help: "write `$\(text[place])`")
      foreignPlaces.insert(node.range.bytes.lowerBound)
      return true
    }
    if shells, let open = text.firstRange(of: "${"), let close = text[open.upperBound...].firstIndex(of: "}"),
      let name = ForeignTemplate.name(in: String(text[open.upperBound..<close])), name == "env" || Template.isName(name)
    {
      foreignTemplates.removeAll { node.range.bytes.contains($0.range.bytes.lowerBound) }
      add(
        "`${…}` is \(fate): a template has two braces", open.lowerBound..<text.index(after: close),
        help: "write `${{ \(text[open.upperBound..<close]) }}`")
      foreignPlaces.insert(node.range.bytes.lowerBound)
      return true
    }
    return false
  }

  /// Notes `$name`, as a shell has it.
  private mutating func noteShellVariables(_ node: YAMLNode) {
    guard let text = node.plainText, text.utf8.count < 1 << 12, text.contains(byte: UInt8(ascii: "$")) else { return }
    var rest = text[...]
    while let sign = rest.firstIndex(of: "$") {
      rest = rest[text.index(after: sign)...]
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      // `$filter=…` is a parameter's own name.
      guard Template.isName(String(name)), rest[name.endIndex...].first != "=" else { continue }
      // `$API_TOKEN` alone is a variable of the environment.
      let isOfEnvironment =
        name.utf8.count + 1 == text.utf8.count && name.utf8.count > 4 && name == name.uppercased()
      foreignTemplates.append(
        ForeignTemplate(
          name: String(name), expression: String(name), range: node.range(ofText: text.utf8Range(sign..<name.endIndex)),
          isKnown: isOfEnvironment))
    }
  }

  /// Notes what may be a template in the notation of other tools, in text that may also mean what it says.
  mutating func noteForeignTemplates(in scalar: YAMLScalar, _ node: YAMLNode) {
    guard case .text(let text) = scalar.meaning else { return }
    if text.utf8.last == UInt8(ascii: ")"), let expression = ForeignTemplate.call(in: text) {
      let range = node.range(ofText: 0..<text.utf8.count)
      foreignTemplates.append(ForeignTemplate(name: text, expression: expression, range: range, isKnown: true))
    }
    guard text.contains(byte: UInt8(ascii: "{")), text.utf8.count < 1 << 16,
      !foreignPlaces.contains(node.range.bytes.lowerBound)
    else { return }
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      let isDouble = rest[open...].hasPrefix("{{")
      let isShell = !isDouble && rest[..<open].hasSuffix("$")
      rest = rest[rest.index(open, offsetBy: isDouble ? 2 : 1)...]
      guard isDouble || isShell, let close = rest.prefix(80).firstRange(of: isDouble ? "}}" : "}") else {
        continue
      }
      let inside = rest[..<close.lowerBound]
      let expression = String(inside.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      guard let name = ForeignTemplate.name(in: expression) else { continue }
      let start = text.index(open, offsetBy: isShell ? -1 : 0)
      foreignTemplates.append(
        ForeignTemplate(
          name: name, expression: expression, range: node.range(ofText: text.utf8Range(start..<close.upperBound))))
      rest = rest[close.upperBound...]
    }
  }
}

extension ReadableNames {
  /// Warns of names in the notation of other tools that would have a value as templates.
  ///
  /// - Returns: the names.
  func checkForeignTemplates(_ found: [ForeignTemplate], into bag: inout DiagnosticBag) -> Set<String> {
    if found.isEmpty { return [] }
    let names = allNamesAndRows
    var reported: Set<String> = []
    var places: Set<SourceRange> = []
    // Where `{{ name }}` was reported, `{ name }` is no other mistake.
    let known = Set(
      found.lazy.filter(\.isReported).flatMap { [$0.range.bytes.lowerBound, $0.range.bytes.lowerBound + 1] })
    for template in found where !known.contains(template.range.bytes.lowerBound) {
      guard let expression = names.contains(template.name) ? template.expression : template.knownExpression,
        !template.isBare || unread.contains(template.name), places.insert(template.range).inserted
      else { continue }
      reported.insert(template.name)
      if template.isBare {
        // Words of a token are masked.
        bag.warning(
          .missingTemplate, "the token is the name of a variable, and not a template", at: template.range,
          help: "write `${{ … }}` around the name for its value")
        continue
      }
      bag.warning(
        .missingTemplate,
        "`\(jsonEscaped(template.range.text))` is text, and "
          + (template.isUnread ? "nothing reads `\(jsonEscaped(template.name))`" : "not a template"),
        at: template.range, help: "write `${{ \(jsonEscaped(expression)) }}` for its value")
    }
    return reported
  }
}

extension ForeignTemplate {
  /// The name at the start of an expression, also one that is reserved or has a `$`; nil if it begins with none.
  fileprivate static func name(in expression: String) -> String? {
    if expression.hasPrefix("$") { return String(expression.prefix { $0 != " " && $0 != "(" }) }
    let name = expression.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    let rest = expression.dropFirst(name.utf8.count).drop { $0 == " " }
    guard let first = name.first, !first.isNumber, rest.first.map(".[|(".contains) ?? true else { return nil }
    return String(name)
  }

  /// The expression for a text that is `uuid()`, or `now | …` with a filter; nil for any other.
  fileprivate static func call(in text: String) -> String? {
    let name = text.prefix { $0.isLetter || $0.isNumber }
    guard ["uuid", "uuid7", "now"].contains(name) else { return nil }
    let isCall = text.dropFirst(name.count).hasPrefix("()")
    let rest = text.dropFirst(name.count + (isCall ? 2 : 0)).drop { $0 == " " }
    if rest.isEmpty { return name == "now" ? nil : String(name) }
    let filter = rest.dropFirst().drop { $0 == " " }.prefix { isWordCharacter($0.utf8.first ?? 0) }
    return rest.first == "|" && Template.hasFunction(String(filter)) ? "\(name) \(rest)" : nil
  }

  /// The expression if it has a value in any file: a variable of the environment, or a function.
  fileprivate var knownExpression: String? {
    if isKnown { return Template.isName(expression) ? "env.\(name)" : expression }
    if range.text.hasPrefix("${"), expression.hasSuffix("()") { return Self.call(in: expression) }
    guard range.text.hasPrefix("{{") else { return nil }
    if name.hasPrefix("$") { return Template.expression(forDynamicVariable: name) }
    if name == "env" { return expression == name ? nil : expression }
    if expression == name { return ["uuid", "uuid7", "now"].contains(name) ? name : nil }
    let isCall = expression.dropFirst(name.utf8.count).hasPrefix("(") && expression.hasSuffix(")")
    return isCall && Template.hasFunction(name) ? expression : nil
  }
}

extension String {
  fileprivate func utf8Range(_ range: Range<Index>) -> Range<Int> {
    utf8.distance(from: startIndex, to: range.lowerBound)..<utf8.distance(from: startIndex, to: range.upperBound)
  }
}
