import Values

extension TemplateFunction {
  static let textFunctions = [
    TemplateFunction(
      "upper", ["text"], takes: "a text", yields: "the text in upper case, in lower case, without blanks around it",
      result: .always(.text), .tracking(upper)),
    TemplateFunction("lower", ["text"], result: .always(.text), .tracking(lower)),
    TemplateFunction("trim", ["text"], result: .always(.text), .whole(trim)),
    TemplateFunction(
      "replace", ["text", "from", "to"], takes: "a text", yields: "each occurrence of the text `from` replaced",
      fails: "an empty `from`", result: .always(.text), .whole(replace), prepare: prepareReplace),
    TemplateFunction(
      "split", ["text", "separator"], takes: "a text", yields: "a list of the parts between separators",
      fails: "an empty separator", result: .always(.list), .whole(split), prepare: prepareSplit),
  ]
}

private func upper(_ call: FunctionCall) throws(TemplateError) -> Value {
  .text(try call.text(0).mapRuns { $0.uppercased() })
}

private func lower(_ call: FunctionCall) throws(TemplateError) -> Value {
  .text(try call.text(0).mapRuns { $0.lowercased() })
}

/// Removes the white space at both ends.
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
  let text = Array(try call.text(0).string.utf8)
  let (sought, replacement) = (Array(from.utf8), Array(try call.text(2).string.utf8))
  let search = TextSearch(for: sought, in: text)
  var count = 0
  search.forEach { _ in count += 1 }
  let size = count.multiplied(by: replacement.count)?.adding(text.count - count * sought.count)
  try ResultLimit.check(size: size, at: call.range)
  var result: [UInt8] = []
  result.reserveCapacity(size ?? 0)
  var start = 0
  search.forEach { place in
    result += text[start..<place]
    result += replacement
    start = place + sought.count
  }
  result += text[start...]
  return .text(String(decoding: result, as: UTF8.self))
}

private func split(_ call: FunctionCall) throws(TemplateError) -> Value {
  let separator = try call.text(1).string
  guard !separator.isEmpty else { throw call.problem(emptySeparator, at: 1) }
  let text = Array(try call.text(0).string.utf8)
  let search = TextSearch(for: Array(separator.utf8), in: text)
  var count = 1
  search.forEach { _ in count += 1 }
  try ResultLimit.check(size: text.count + count * MemoryLayout<Value>.stride, at: call.range)
  var parts: [Value] = []
  parts.reserveCapacity(count)
  var start = 0
  search.forEach { place in
    parts.append(.text(String(decoding: text[start..<place], as: UTF8.self)))
    start = place + separator.utf8.count
  }
  parts.append(.text(String(decoding: text[start...], as: UTF8.self)))
  return .list(parts)
}

private func prepareReplace(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  if texts[1]?.isEmpty == true { throw TemplateFunction.ArgumentProblem(message: emptySought, index: 1) }
  return nil
}

private func prepareSplit(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  if texts[1]?.isEmpty == true { throw TemplateFunction.ArgumentProblem(message: emptySeparator, index: 1) }
  return nil
}

private let emptySought = "`replace` can't look for an empty text"
private let emptySeparator = "`split` can't cut at an empty text"
