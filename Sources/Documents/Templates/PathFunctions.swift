import DocumentQueries
import Values

func prepareJSONPath(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  guard let text = texts[1] else { return nil }
  do throws(JSONPathError) {
    return try JSONPath(text)
  } catch {
    throw pathProblem(error.message, error.range, error.help ?? withRoot(text), in: text)
  }
}

func prepareXPath(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  guard let text = texts[1] else { return nil }
  do throws(XPathError) {
    return try XPath(text)
  } catch {
    throw pathProblem(error.message, error.range, error.help, in: text)
  }
}

/// The path that a member's name alone may stand for.
private func withRoot(_ text: String) -> String? {
  ExpressionLexer.isName(text) ? "write `$.\(text)`" : nil
}

private func pathProblem(
  _ message: String, _ range: Range<Int>, _ help: String?, in text: String
) -> TemplateFunction.ArgumentProblem {
  TemplateFunction.ArgumentProblem(
    message: message, index: 1, offset: String(decoding: text.utf8.prefix(range.lowerBound), as: UTF8.self).count,
    help: help)
}

extension FunctionCall {
  /// The JSONPath of the second argument.
  fileprivate func jsonPath() throws(TemplateError) -> JSONPath {
    if let prepared = prepared as? JSONPath { return prepared }
    let text = try text(1).string
    do throws(JSONPathError) {
      return try JSONPath(text)
    } catch {
      throw problem("this is not a JSONPath: \(error.message)", at: 1, help: error.help)
    }
  }
}

func jsonPath(_ call: FunctionCall) throws(TemplateError) -> Value {
  let path = try call.jsonPath()
  guard let found = try find(path, in: call.value(0), call) else {
    var error = call.absence("the path finds nothing")
    error.meant = (try? JSONDocument(parsing: call.value(0).jsonText().string)).flatMap { path.doubt(in: $0)?.meant }
    throw error
  }
  return call.value(1).isSecret ? found.tainted : found
}

func map(_ call: FunctionCall) throws(TemplateError) -> Value {
  let path = try call.jsonPath()
  var result: [Value] = []
  for item in try call.list(0) {
    if call.meter.isOver(after: 8) { throw call.interruption }
    result.append(try find(path, in: item, call) ?? .null)
  }
  return call.value(1).isSecret ? Value.list(result).tainted : .list(result)
}

/// The value that a path finds, or the list of values; nil if it finds none and can only find one.
private func find(_ path: JSONPath, in value: Value, _ call: FunctionCall) throws(TemplateError) -> Value? {
  let text = value.jsonText().string
  let bytes = Array(text.utf8)
  try ResultLimit.check(size: JSONFootprint(of: bytes).memory, at: call.range)
  let nodes: JSONNodeList
  do {
    nodes = try path.nodes(in: try JSONDocument(parsing: bytes))
  } catch let error as JSONPathError {
    throw call.problem("the path failed: \(error.message)", help: error.help)
  } catch {
    throw call.problem("this value cannot be searched", at: 0)
  }
  if path.isSingular, nodes.isEmpty { return nil }
  var parts = ValueParts(wanted: Set(nodes.map(\.position)))
  parts.collect(value)
  let values = nodes.compactMap { parts.found[$0.position] }
  return path.isSingular ? values.first : .list(values)
}

/// The parts of a value by their positions in the JSON document of its text; they keep what is secret in them.
private struct ValueParts {
  let wanted: Set<Int>
  private(set) var found: [Int: Value] = [:]
  private var position = 0

  init(wanted: Set<Int>) { self.wanted = wanted }

  mutating func collect(_ value: Value) {
    if wanted.contains(position) { found[position] = value }
    position += 1
    switch value {
    case .list(let items): for item in items { collect(item) }
    case .mapping(let mapping):
      for member in mapping.members {
        position += 1
        collect(member.value)
      }
    default: break
    }
  }
}

func xpath(_ call: FunctionCall) throws(TemplateError) -> Value {
  let bytes = Array(try call.text(0).string.utf8)
  let path: XPath
  if let prepared = call.prepared as? XPath {
    path = prepared
  } else {
    let text = try call.text(1).string
    do throws(XPathError) {
      path = try XPath(text)
    } catch {
      throw call.problem("this is not an XPath: \(error.message)", at: 1, help: error.help)
    }
  }
  let document: MarkupDocument
  let language: MarkupDocument.Language = looksLikeHTML(bytes) ? .html : .xml
  do throws(MarkupParseError) {
    document = try MarkupDocument(parsing: bytes, as: language)
  } catch {
    // The parser's message may quote the text.
    let reason = call.value(0).isSecret ? "" : ": \(error.message)"
    throw call.problem("this text cannot be read as \(language == .html ? "HTML" : "XML")\(reason)", at: 0)
  }
  let result: Value?
  do throws(XPathError) {
    result = try value(of: path, in: document)
  } catch {
    throw call.problem("the XPath failed: \(error.message)", help: error.help)
  }
  guard let result else { throw call.absence("the XPath finds nothing") }
  return result
}

/// The value of an expression; nil for the text of a path that finds no node.
private func value(of path: XPath, in document: MarkupDocument) throws(XPathError) -> Value? {
  switch try document.evaluate(path, namespaces: []) {
  case .nodes(let texts): return .list(texts.map { .text($0) })
  case .string(""):
    if let inner = path.innerNodeSet, case .nodes([]) = try document.evaluate(try XPath(inner), namespaces: []) {
      return nil
    }
    return .text("")
  case .string(let text): return .text(text)
  case .number(let number): return Value(xpathNumber: number)
  case .boolean(let flag): return .bool(flag)
  }
}
