internal import Values

extension TemplateFunction {
  static let jsonFunctions = [
    TemplateFunction("json", ["value"], .tracking(json)),
    TemplateFunction("file", ["path"], .whole(file)),
  ]
}

private func json(_ call: FunctionCall) throws(TemplateError) -> Value {
  .text(call.value(0).jsonText())
}

/// A file's text, or its data where it is not UTF-8.
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
