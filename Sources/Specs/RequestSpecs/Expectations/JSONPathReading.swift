import DocumentQueries
import Templates
import Values
import YAMLNodes

extension SpecReader {
  /// A JSONPath: compiled now, or validated around its templates.
  mutating func jsonPath(_ text: String, at node: YAMLNode) -> JSONPathSpec? {
    guard Template.isTemplate(text) else {
      do {
        return JSONPathSpec(text: text, range: node.range, compiled: try JSONPath(text), template: nil)
      } catch {
        return reject("invalid JSONPath: \(error.message)", at: node.range(ofText: error.range), help: error.help)
      }
    }
    guard let template = parseTemplate(text, node) else { return nil }
    if let problem = problem(around: template) {
      let templateStart = text.firstRange(of: "${{").map {
        text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
      }
      let isBefore = problem.range.upperBound <= templateStart ?? 0
      return reject(
        "invalid JSONPath: \(problem.message)", at: isBefore ? node.range(ofText: problem.range) : node.range,
        help: problem.help)
    }
    return JSONPathSpec(text: text, range: node.range, compiled: nil, template: template)
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
