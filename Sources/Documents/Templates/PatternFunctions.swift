import DocumentQueries
import Values

extension TemplateFunction {
  static let patternFunctions = [
    TemplateFunction(
      "match", ["text", "pattern", "group?"], mayBeAbsent: true, takes: "a text, a regular expression (PCRE2)",
      yields: "the first match: its first group, or all of it if it has none, or the group of that number or name",
      fails: "no match, a group that does not exist", result: .always(.text), .whole(match), prepare: preparePattern),
    TemplateFunction(
      "replace_regex", ["text", "pattern", "replacement"], takes: "a text, a regular expression (PCRE2)",
      yields: "each match replaced; `$0` is the match, `$1` a group, `$<name>` a named one, `$$` a dollar",
      fails: "a `$` before anything else, a group that does not exist", result: .always(.text), .whole(replaceRegex),
      prepare: preparePattern),
  ]
}

private func preparePattern(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  guard let pattern = texts[1] else { return nil }
  do throws(RegularExpressionError) {
    return try RegularExpression(pattern)
  } catch {
    throw TemplateFunction.ArgumentProblem(
      message: "this is not a regular expression: \(error.message)", index: 1,
      offset: String(decoding: pattern.utf8.prefix(error.offset), as: UTF8.self).count)
  }
}

extension FunctionCall {
  /// The regular expression of the second argument.
  fileprivate func pattern() throws(TemplateError) -> RegularExpression {
    if let prepared = prepared as? RegularExpression { return prepared }
    let text = try text(1).string
    do throws(RegularExpressionError) {
      return try RegularExpression(text)
    } catch {
      throw problem("this is not a regular expression: \(error.message)", at: 1)
    }
  }
}

private func match(_ call: FunctionCall) throws(TemplateError) -> Value {
  let text = try call.text(0).string
  let pattern = try call.pattern()
  let group = call.count > 2 ? try group(call, of: pattern) : Swift.min(1, pattern.groupCount)
  let found: RegularExpressionMatch?
  do throws(RegularExpressionMatchError) {
    found = try pattern.firstMatch(in: text)
  } catch {
    throw call.problem("the search failed: \(error.message)")
  }
  guard let found else { throw call.absence("the pattern matches nowhere in the text") }
  guard let text = found.group(group) else { throw call.absence("the group has no match") }
  return .text(text)
}

/// The number of the group that the third argument names.
private func group(_ call: FunctionCall, of pattern: RegularExpression) throws(TemplateError) -> Int {
  switch call.value(2) {
  case .number(let number):
    guard let group = number.int, (0...pattern.groupCount).contains(group) else {
      throw call.problem("the pattern has \(counted(pattern.groupCount, "group")): there is no such group", at: 2)
    }
    return group
  case .text(let name):
    guard let group = pattern.groupNumber(named: name.string) else {
      throw call.problem("the pattern has no group of that name", at: 2, help: "write `(?<name>…)`")
    }
    return group
  default: throw call.wrongKind(2, "a group's number or name")
  }
}

private func replaceRegex(_ call: FunctionCall) throws(TemplateError) -> Value {
  let string = try call.text(0).string
  let text = Array(string.utf8)
  let pattern = try call.pattern()
  let pieces = try replacement(call, pattern)
  var result: [UInt8] = []
  var position = 0
  var isTooLarge = false
  do throws(RegularExpressionMatchError) {
    try pattern.forEachMatch(in: string) { match in
      result += text[position..<match.range.lowerBound]
      for piece in pieces {
        switch piece {
        case .text(let bytes): result += bytes
        case .group(let group): if let range = match.range(ofGroup: group) { result += text[range] }
        }
      }
      position = match.range.upperBound
      isTooLarge = result.count > ResultLimit.size
      return !isTooLarge
    }
  } catch {
    throw call.problem("the search failed: \(error.message)")
  }
  try ResultLimit.check(size: isTooLarge ? nil : result.count + text.count - position, at: call.range)
  result += text[position...]
  return .text(String(decoding: result, as: UTF8.self))
}

/// A part of a replacement: text, or what a group matched.
private enum ReplacementPiece {
  case text([UInt8])
  case group(Int)
}

private func replacement(
  _ call: FunctionCall, _ pattern: RegularExpression
) throws(TemplateError) -> [ReplacementPiece] {
  var pieces: [ReplacementPiece] = []
  var rest = Array(try call.text(2).string.utf8)[...]
  while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
    pieces.append(.text(Array(rest[..<dollar])))
    rest = rest[(dollar + 1)...]
    let digits = rest.prefix(2).prefix { isDigit($0) }
    if rest.first == UInt8(ascii: "$") {
      pieces.append(.text([UInt8(ascii: "$")]))
      rest = rest.dropFirst()
    } else if rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
      let name = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
      guard let group = pattern.groupNumber(named: name) else {
        throw call.problem("the pattern has no group of the name that the replacement has", at: 2)
      }
      pieces.append(.group(group))
      rest = rest[(end + 1)...]
    } else if let group = (1...2).reversed().lazy.filter({ $0 <= digits.count }).map({ count in
      (count, digits.prefix(count).reduce(0) { $0 * 10 + Int($1 & 15) })
    }).first(where: { $0.1 <= pattern.groupCount }) {
      pieces.append(.group(group.1))
      rest = rest.dropFirst(group.0)
    } else {
      throw call.problem(
        digits.isEmpty
          ? "a `$` in the replacement stands before a group"
          : "the pattern has \(counted(pattern.groupCount, "group")), fewer than the replacement names",
        at: 2, help: "`$0` is the match, `$1` a group, `$<name>` a named one, `$$` a dollar")
    }
  }
  return pieces + [.text(Array(rest))]
}
