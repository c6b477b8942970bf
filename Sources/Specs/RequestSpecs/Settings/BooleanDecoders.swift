import Templates
import Values
import YAMLNodes

extension ValueDecoder where Output == Bool {
  package static var boolean: ValueDecoder { boolean(advice: { _ in nil }) }

  /// The decoder of `when`, for which conditions are written, not words.
  package static var condition: ValueDecoder {
    boolean { value in
      switch value {
      case .text(let text) where Template.isName(text.string) && !text.isSecret:
        "write \(yamlQuoted("${{ \(text.string) }}")) if it is true or false, or compare it: "
          + yamlQuoted("${{ \(text.string) == \"…\" }}")
      case .text(let text) where text.string.hasPrefix("env.") && Template.isName(String(text.string.dropFirst(4))):
        "write \(yamlQuoted("${{ \(text.string) == \"true\" }}")), or `!= null` for one that is set at all"
      case .list: "several conditions are one expression: '${{ … and … }}'"
      case .text: nil
      default: "write a comparison, such as '${{ count > 0 }}'"
      }
    }
  }

  private static func boolean(advice: @escaping @Sendable (Value) -> String?) -> ValueDecoder {
    ValueDecoder("true or false", .boolean) { value throws(DecodingProblem) in
      switch value {
      case .bool(let value): return value
      case .number(let number) where number == Number(0) || number == Number(1):
        throw DecodingProblem(
          .wrongType, "expected true or false, found \(value.phrase)", help: "write `\(number == Number(1))`")
      case .text(let text)
      where !text.isSecret && text.string.utf8.count <= 80 && !text.string.contains(where: \.isNewline):
        let condition = writtenCondition(from: text.string).map { "write \(yamlQuoted($0))" }
        guard let help = booleanAdvice[text.string] ?? condition ?? advice(value) else { return nil }
        throw DecodingProblem(
          .wrongType, "expected true or false, found the text \"\(jsonEscaped(text.string))\"", help: help)
      default:
        guard let help = advice(value) else { return nil }
        throw DecodingProblem(.wrongType, "expected true or false, found \(value.phrase)", help: help)
      }
    }
  }
}

let booleanAdvice: [String: String] = {
  var advice = ["true": "leave out the quotes", "false": "leave out the quotes"]
  for word in ["yes", "no", "on", "off", "True", "False", "TRUE", "FALSE"] {
    let meant = ["yes", "on", "true"].contains(word.lowercased())
    advice[word] = "YAML 1.2 knows only `true` and `false`: write `\(meant)`"
  }
  return advice
}()

/// A condition in the notation of another tool, such as `n > 3`, `$stage == prod` and `{{ n > 3 }}`, as a template.
func writtenCondition(from text: String) -> String? {
  var inside = text[...]
  let isTemplate = inside.hasPrefix("{{") && inside.hasSuffix("}}")
  if isTemplate { inside = inside.dropFirst(2).dropLast(2) }
  let words = inside.split(separator: " ")
  guard isTemplate || words.contains(where: { conditionSigns.contains($0) }), !inside.contains("{{"), !words.isEmpty
  else { return nil }
  // Where a sign marks variables, other words are texts.
  let hasMarks = words.contains { $0.hasPrefix("$") }
  let written = words.map { word -> String in
    if word.hasPrefix("$") { return String(word.dropFirst()) }
    let isText = hasMarks && Template.isName(String(word)) && !conditionSigns.contains(word)
    return isText && !["true", "false", "null"].contains(word) ? "\"\(word)\"" : String(word)
  }
  return "${{ \(written.joined(separator: " ")) }}"
}

private let conditionSigns: Set<Substring> = ["==", "!=", "<", "<=", ">", ">=", "and", "or", "not"]

extension SpecReader {
  /// Reports a condition of several templates: `${{ a }} and ${{ b }}` is a text; warns of one that never changes.
  mutating func checkCondition(_ node: YAMLNode) {
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning, Template.isTemplate(text), !node.hasError
    else { return }
    var ignored = DiagnosticBag()
    guard let template = Template.parse(text, place: node.rangesOfText, into: &ignored) else { return }
    if template.isWhole {
      if template.isCondition, let (message, help) = template.constancy {
        warn(.noEffect, message, at: node, help: help)
      }
      return
    }
    var parts: [String] = []
    var rest = text[...]
    while let open = rest.firstRange(of: "${{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      let expression = trimmingBlanks(rest[open.upperBound..<close.lowerBound])
      parts.append(trimmingBlanks(rest[..<open.lowerBound]))
      parts.append(expression.contains(" or ") || expression.contains(" if ") ? "(\(expression))" : expression)
      rest = rest[close.upperBound...]
    }
    parts.append(trimmingBlanks(rest))
    let written = parts.filter { !$0.isEmpty }.joined(separator: " ")
    report(
      .missingTemplate, "a condition is one template, and this is text with templates in it", at: node,
      help: written.utf8.count <= 120 ? "write \(yamlQuoted("${{ \(written) }}"))" : "write all of it in one `${{ … }}`"
    )
  }
}
