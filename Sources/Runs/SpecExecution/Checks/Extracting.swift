import DocumentQueries
import HTTPSemantics
import RequestSpecs
import Templates
import Values

/// Takes parts of values, and converts them, for captures and assertions.
struct Extracting {
  let response: Response
  let scope: FileScope

  enum Result {
    case value(Value)
    /// No match of the pattern or of its group.
    case nothing
    case unconverted(Value, Extraction.Conversion)
  }

  /// - Parameter reserve: reserves memory for a value.
  func result(
    of extraction: Extraction, from value: Value, reserving reserve: (Int) throws(Response.Unreadable) -> Void
  ) throws -> Result {
    var found = value
    if let regex = extraction.regex {
      let pattern = try regex.resolve(in: scope)
      if let problem = extraction.group.flatMap({ pattern.problem(with: $0) }) {
        throw TemplateError(problem, at: regex.range)
      }
      guard let match = try match(pattern, extraction.group, in: value) else { return .nothing }
      found = match
    }
    guard let conversion = extraction.conversion else { return .value(found) }
    return try converted(found, conversion, reserve).map { .value($0) } ?? .unconverted(found, conversion)
  }

  /// The match of the given group; by default group 1 if the pattern has one, else the whole match.
  private func match(_ regex: RegularExpression, _ group: PatternGroup?, in value: Value) throws -> Value? {
    let text = value.asText
    guard let match = try regex.firstMatch(in: text.string) else { return nil }
    func marked(_ found: String) -> Value { .text(text.isSecret ? Text(secret: found) : response.filtered(found)) }
    switch group {
    case nil: return match.group(min(1, regex.groupCount)).map(marked)
    case .number(let number): return match.group(number).map(marked)
    case .name(let name): return match.group(named: name).map(marked)
    case .names(let names):
      // A group without a match is null.
      return .mapping(Mapping(names.map { ($0, match.group(named: $0).map(marked) ?? .null) }))
    }
  }

  /// The number of a text; leading zeros, as in dates and times, are ignored.
  private func number(_ text: Text) -> Number? {
    let sign = text.string.hasPrefix("-") ? "-" : ""
    var digits = text.string.dropFirst(sign.count)
    while digits.hasPrefix("0"), digits.dropFirst().first?.isWholeNumber == true { digits.removeFirst() }
    return Number(parsing: sign + digits, isSecret: text.isSecret)
  }

  private func converted(
    _ value: Value, _ conversion: Extraction.Conversion, _ reserve: (Int) throws(Response.Unreadable) -> Void
  ) throws(Response.Unreadable) -> Value? {
    let text = value.asText
    switch conversion {
    case .string: return .text(text)
    case .integer:
      if case .bool = value { return nil }
      return number(text).flatMap { $0.isInteger ? .number($0) : nil }
    case .number:
      if case .bool = value { return nil }
      return number(text).map { .number($0) }
    case .boolean: return text.string == "true" ? .bool(true) : text.string == "false" ? .bool(false) : nil
    case .date:
      return (Timestamp(rfc3339: text.string) ?? cookieDate(text.string)).map { .date($0) }
    case .url:
      guard let url = try? HTTPURL.resolve(text.string, against: response.result.finalURL) else { return nil }
      return .text(Text(url.string, isSecret: text.isSecret))
    case .json:
      let bytes = Array(text.string.utf8)
      let footprint = JSONFootprint(of: bytes)
      try reserve(footprint.memory + valueMemory(nodes: footprint.nodes, bytes: bytes.count))
      guard let document = try? JSONDocument(parsing: bytes) else { return nil }
      return document.root.value.tainted(if: text.isSecret)
    case .first:
      if case .list(let items) = value { return items.first }
      return value
    }
  }
}
