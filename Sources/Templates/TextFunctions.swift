internal import EvaluationBudgets
internal import Values

extension TemplateFunction {
  static let textFunctions = [
    TemplateFunction("upper", ["text"], .tracking(upper)),
    TemplateFunction("lower", ["text"], .tracking(lower)),
    TemplateFunction("trim", ["text"], .whole(trim)),
    TemplateFunction("replace", ["text", "from", "to"], .whole(replace), check: checkReplace),
    TemplateFunction("split", ["text", "separator"], .whole(split), check: checkSplit),
  ]
}

private func upper(_ call: FunctionCall) throws(TemplateError) -> Value {
  .text(try call.text(0).mapRuns { $0.uppercased() })
}

private func lower(_ call: FunctionCall) throws(TemplateError) -> Value {
  .text(try call.text(0).mapRuns { $0.lowercased() })
}

/// Without the white space at both ends.
private func trim(_ call: FunctionCall) throws(TemplateError) -> Value {
  let text = try call.text(0).string.unicodeScalars
  guard let first = text.firstIndex(where: { !$0.properties.isWhitespace }),
    let last = text.lastIndex(where: { !$0.properties.isWhitespace })
  else { return .text("") }
  return .text(String(text[first...last]))
}

private func replace(_ call: FunctionCall) throws(TemplateError) -> Value {
  let from = try call.text(1).string
  guard !from.isEmpty else { throw call.problem(emptySought, at: 1) }
  let parts = separated(try call.text(0).string, by: from)
  return .text(parts.joined(separator: try call.text(2).string))
}

private func split(_ call: FunctionCall) throws(TemplateError) -> Value {
  let separator = try call.text(1).string
  guard !separator.isEmpty else { throw call.problem(emptySeparator, at: 1) }
  return .list(separated(try call.text(0).string, by: separator).map { .text($0) })
}

private func checkReplace(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) {
  if texts[1]?.isEmpty == true { throw TemplateFunction.ArgumentProblem(message: emptySought, index: 1) }
}

private func checkSplit(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) {
  if texts[1]?.isEmpty == true { throw TemplateFunction.ArgumentProblem(message: emptySeparator, index: 1) }
}

private let emptySought = "`replace` can't look for an empty text"
private let emptySeparator = "`split` can't cut at an empty text"

/// The parts between the occurrences of a text, compared byte by byte.
private func separated(_ text: String, by separator: String) -> [String] {
  let bytes = Array(text.utf8)
  let separator = Array(separator.utf8)
  var parts: [String] = []
  var start = 0
  var position = 0
  let meter = EvaluationBudget.meter
  while position + separator.count <= bytes.count {
    var length = 0
    while length < separator.count, bytes[position + length] == separator[length] { length += 1 }
    if length > 0, meter.isOver(after: 1 + length >> 5) { break }
    if length == separator.count {
      parts.append(String(decoding: bytes[start..<position], as: UTF8.self))
      position += separator.count
      start = position
    } else {
      position += 1
    }
  }
  parts.append(String(decoding: bytes[start...], as: UTF8.self))
  return parts
}
