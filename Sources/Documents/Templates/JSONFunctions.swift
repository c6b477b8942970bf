import DocumentQueries
import Values

extension TemplateFunction {
  static let queryFunctions = [
    TemplateFunction(
      "json", ["value"], takes: "anything", yields: "its JSON text", result: .always(.text), .tracking(json)),
    TemplateFunction(
      "from_json", ["text"], takes: "a text", yields: "the value of a JSON text", fails: "a text that is not JSON",
      result: .unknown, .whole(fromJSON)),
    TemplateFunction(
      "jsonpath", ["value", "path"], mayBeAbsent: true, takes: "anything; a text is a value, not JSON",
      yields: "what the JSONPath finds: a list where it can select several values",
      fails: "an invalid path; nothing found, if the path can select one value only", result: .unknown,
      .tracking(jsonPath),
      prepare: prepareJSONPath),
    TemplateFunction(
      "map", ["list", "path"], takes: "a list",
      yields: "a list of what the JSONPath finds in each item, null where it finds nothing: `map(users, \"$.name\")`",
      fails: "an invalid path", result: .always(.list), .tracking(map), prepare: prepareJSONPath),
    TemplateFunction(
      "xpath", ["text", "path"], mayBeAbsent: true, takes: "a text of XML, or of HTML if it begins like a page",
      yields: "what the XPath yields: a path always a list of texts",
      fails: "an invalid expression, a text that cannot be parsed", result: .unknown, .whole(xpath),
      prepare: prepareXPath),
    TemplateFunction(
      "file", ["path"], takes: "a text",
      yields: "a regular file's text, or data, up to 64 MiB; relative to the spec, below the file root",
      fails: "a file that cannot be read", result: .unknown, .whole(file)),
  ]
}

private func json(_ call: FunctionCall) throws(TemplateError) -> Value {
  .text(call.value(0).jsonText())
}

private func fromJSON(_ call: FunctionCall) throws(TemplateError) -> Value {
  let text = try call.text(0)
  let bytes = Array(text.string.utf8)
  try ResultLimit.check(size: JSONFootprint(of: bytes).nodes * MemoryLayout<Value>.stride, at: call.range)
  do throws(JSONParseError) {
    return try JSONDocument(parsing: bytes).root.value
  } catch {
    // The parser's message may quote the text.
    let reason = text.isSecret ? "" : ": line \(error.line), column \(error.column): \(error.message)"
    throw call.problem("this text is not JSON\(reason)", at: 0)
  }
}

/// A file's text, or its data if it isn't UTF-8.
private func file(_ call: FunctionCall) throws(TemplateError) -> Value {
  let path = try call.text(0).string
  let range = call.arguments[0].range
  do {
    return textOrData(try call.scope.readFile(path, from: range))
  } catch {
    var error = error
    if error.range == nil { error.range = range }
    throw error
  }
}
