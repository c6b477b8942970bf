internal import JSONQueries
internal import Values

extension TemplateFunction {
  static let jsonFunctions = [
    TemplateFunction("json", ["value"], documentation: "a value as JSON text", .tracking(json)),
    TemplateFunction("from_json", ["text"], documentation: "the value of a JSON text", .whole(fromJSON)),
    TemplateFunction(
      "file", ["path"],
      documentation: "a regular file's text, or data, up to 64 MiB; relative to the spec, below the file root",
      .whole(file)),
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
