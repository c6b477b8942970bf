import Templates
import Values
import YAMLNodes

/// A name in the notation of other tools, `{{ name }}` or `${name}`: a mistake if something declares it.
struct ForeignTemplate: Sendable {
  let name: String
  /// The expression, to be written as a template.
  let expression: String
  let range: SourceRange
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
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning, text.contains(byte: UInt8(ascii: "{")),
      !Template.isTemplate(text)
    else { return false }
    let fate = isError ? "not a template" : "sent as it stands"
    func add(_ message: String, _ place: Range<String.Index>, help: String) {
      let range = node.range(ofText: text.utf8Range(place))
      bag.add(isError ? .error(message, at: range, help: help) : .warning(message, at: range, help: help))
    }
    if let open = text.firstRange(of: "{{"), let close = text[open.upperBound...].firstRange(of: "}}") {
      let place = open.lowerBound..<close.upperBound
      add(
        "`{{ … }}` is \(fate): a template has a `$` before it", place, help: "write `$\(text[place])`")
      foreignPlaces.insert(node.range.bytes.lowerBound)
      return true
    }
    if shells, let open = text.firstRange(of: "${"), let close = text[open.upperBound...].firstIndex(of: "}"),
      Template.isName(String(text[open.upperBound..<close]))
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

  /// Notes `$name` in a URL, as a shell has it.
  mutating func noteShellVariables(_ node: YAMLNode) {
    guard let text = node.plainText, text.utf8.count < 1 << 12, text.contains(byte: UInt8(ascii: "$")) else { return }
    var rest = text[...]
    while let sign = rest.firstIndex(of: "$") {
      rest = rest[text.index(after: sign)...]
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      guard Template.isName(String(name)) else { continue }
      foreignTemplates.append(
        ForeignTemplate(
          name: String(name), expression: String(name), range: node.range(ofText: text.utf8Range(sign..<name.endIndex)))
      )
    }
  }

  /// Notes what may be a template in the notation of other tools, in text that may also mean what it says.
  mutating func noteForeignTemplates(in scalar: YAMLScalar, _ node: YAMLNode) {
    guard case .text(let text) = scalar.meaning, text.contains(byte: UInt8(ascii: "{")), text.utf8.count < 1 << 16,
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
      let name = String(expression.prefix { $0 != "." && $0 != "[" })
      guard Template.isName(name) else { continue }
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
  func checkForeignTemplates(_ found: [ForeignTemplate], into bag: inout DiagnosticBag) {
    if found.isEmpty { return }
    var names = declared.union(suppliers.keys).union(owners.keys)
    for flow in flows { names.formUnion(flow.variables.names) }
    if flows.contains(where: { $0.rows != nil }) || requests.contains(where: { $0.spec.rows != nil }) {
      names.formUnion(rowNames)
    }
    for template in found where names.contains(template.name) {
      bag.warning(
        "`\(jsonEscaped(template.range.text))` is text, and no template", at: template.range,
        help: "write `${{ \(jsonEscaped(template.expression)) }}` for its value")
    }
  }
}

extension String {
  fileprivate func utf8Range(_ range: Range<Index>) -> Range<Int> {
    utf8.distance(from: startIndex, to: range.lowerBound)..<utf8.distance(from: startIndex, to: range.upperBound)
  }
}
