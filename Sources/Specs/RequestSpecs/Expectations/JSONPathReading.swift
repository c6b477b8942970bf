import DocumentQueries
import Templates
import Values
import YAMLNodes

extension SpecReader {
  /// A JSONPath: compiled now, or validated around its templates.
  mutating func jsonPath(_ text: String, at node: YAMLNode) -> JSONPathSpec? {
    guard Template.isTemplate(text) else {
      if let scalar = node.scalar { noteForeignTemplates(in: scalar, node) }
      do {
        let path = try JSONPath(text)
        if let (reason, help) = path.idleFilter {
          warn(.noEffect, "a filter of this path is the same for every item: \(reason)", at: node, help: help)
        }
        return JSONPathSpec(text: text, range: node.range, compiled: path, template: nil)
      } catch {
        return reject(
          .jsonpathSyntax, "invalid JSONPath: \(error.message)", at: node.range(ofText: error.range),
          help: help(for: text, error))
      }
    }
    guard let template = parseTemplate(text, node) else { return nil }
    if hasTemplateInQuotes(template) {
      return reject(
        .templateNotAllowed, "invalid JSONPath: a template stands in quotes", at: node.range, notes: useNote(node),
        help: "leave out the quotes around a template: its value becomes a literal")
    }
    if let problem = problem(around: template) {
      let templateStart = text.firstRange(of: "${{").map {
        text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
      }
      let isBefore = problem.range.upperBound <= templateStart ?? 0
      return reject(
        .jsonpathSyntax, "invalid JSONPath: \(problem.message)",
        at: isBefore ? node.range(ofText: problem.range) : node.range, help: problem.help)
    }
    return JSONPathSpec(text: text, range: node.range, compiled: nil, template: template)
  }

  /// The whole path to write, with what the error says of it.
  private func help(for text: String, _ error: JSONPathError) -> String? {
    if let filter = text.firstRange(of: " |"), let path = try? JSONPath(String(text[..<filter.lowerBound])) {
      return "filters belong to templates: capture `\(jsonEscaped(path.text))`, and use them where its value is read; "
        + "`{json: …, default: …}` has a default"
    }
    guard let path = JSONPath.repaired(text) else { return error.help }
    let counting = error.help?.contains("{count: …}") == true ? ", and `{count: …}` for what is expected" : ""
    // A path with single quotes alone needs no escapes, here and in YAML.
    let written = path.contains("'") ? path : String(path.map { $0 == "\"" ? "'" : $0 })
    return "write `\(jsonEscaped(written))`\(counting)"
  }

  /// Returns whether a template stands in a string of the path: the quotes of its own literal would be a part of that.
  private func hasTemplateInQuotes(_ template: Template) -> Bool {
    let mark: Character = "\u{FFFC}"
    var quote: Character?
    var isEscaped = false
    for character in template.text(standIn: String(mark)) {
      if character == mark, quote != nil { return true }
      if isEscaped {
        isEscaped = false
      } else if let open = quote {
        isEscaped = character == "\\"
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      }
    }
    return false
  }

  /// The error in the path that is independent of a template's literal, whether a number or a text.
  private func problem(around template: Template) -> JSONPathError? {
    var first: JSONPathError?
    for literal in ["'x'", "1"] {
      do {
        _ = try JSONPath(template.text(standIn: literal))
        return nil
      } catch {
        first = first ?? error
      }
    }
    return first
  }
}
