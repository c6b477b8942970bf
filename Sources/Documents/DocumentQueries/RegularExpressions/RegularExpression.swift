internal import CLibPCRE2
import OperatingSystem

/// A compiled regular expression, in PCRE2's syntax, over Unicode code points.
///
/// `.` matches anything but CR and LF. A search that backtracks endlessly, or takes too long for the length of its
/// text, fails.
///
/// It is `Sendable` because PCRE2 never changes compiled code or a match context while matching; mutable state is
/// allocated for each call.
package final class RegularExpression: @unchecked Sendable {
  /// The maximum number of steps of a search.
  package static let matchLimit = 1_000_000

  package let pattern: String
  /// The secrets in the pattern, in the form in which matching texts contain them.
  package let secrets: [String]
  package let groupCount: Int
  /// The names of the named groups, in the order of the groups.
  package let groupNames: [String]

  private let code: OpaquePointer
  private let matchContext: OpaquePointer
  private let patience: Duration
  private let groupNumbers: [String: Int]
  /// The rest of a pattern that is too large for one expression.
  private let other: RegularExpression?

  /// - Parameter secrets: the parts of the pattern that must not be shown.
  package convenience init(_ pattern: String, secrets: [String] = []) throws(RegularExpressionError) {
    try self.init(
      pattern, options: 0, matchLimit: RegularExpression.matchLimit, secrets: secrets.map(withoutEscapes))
  }

  /// Compiles an I-Regexp (RFC 9485), as used by the functions `match()` and `search()` of JSONPath.
  ///
  /// PCRE2's extensions of I-Regexp, such as `\d` or anchors, are accepted too.
  /// - Parameter anchored: whether the expression must match a text as a whole.
  package static func iRegexp(
    _ pattern: String, anchored: Bool
  ) throws(RegularExpressionError) -> RegularExpression {
    let anchors = anchored ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : 0
    // A query runs it on many nodes, on patterns that a server may have sent: less time than for a single search.
    return try RegularExpression(pattern, options: anchors | PCRE2_DOLLAR_ENDONLY, matchLimit: matchLimit / 10)
  }

  /// Compiles a translated pattern of ECMA-262: its classes such as `\w` contain ASCII alone.
  ///
  /// - Parameter other: the expression to try if this one doesn't match.
  convenience init(
    translated: String, from pattern: String, other: RegularExpression? = nil
  ) throws(RegularExpressionError) {
    try self.init(
      translated, shownAs: pattern, other: other, options: PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF,
      unicodeClasses: 0,
      matchLimit: RegularExpression.matchLimit / 10)
  }

  private init(
    _ pattern: String, shownAs original: String? = nil, other: RegularExpression? = nil, options: UInt32,
    unicodeClasses: UInt32 = PCRE2_UCP,
    matchLimit: Int, secrets: [String] = []
  ) throws(RegularExpressionError) {
    guard let compileContext = pcre2_compile_context_create_8(nil), let context = pcre2_match_context_create_8(nil)
    else { throw RegularExpressionError(message: "no memory for the pattern", offset: 0) }
    defer { pcre2_compile_context_free_8(compileContext) }
    pcre2_set_newline_8(compileContext, UInt32(PCRE2_NEWLINE_ANYCRLF))
    pcre2_set_match_limit_8(context, UInt32(matchLimit))

    var error: Int32 = 0
    var offset = 0
    // Compiled code counts no steps inside a repetition such as `.*`: callouts can stop it.
    let flags =
      options | unicodeClasses | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_NO_UTF_CHECK | PCRE2_AUTO_CALLOUT
    let compiled = pattern.withCString(encodedAs: UTF8.self) { bytes in
      pcre2_compile_8(bytes, pattern.utf8.count, flags, &error, &offset, compileContext)
    }
    guard let compiled else {
      pcre2_match_context_free_8(context)
      throw RegularExpressionError(
        message: errorText(error), offset: min(offset, pattern.utf8.count), isTooLarge: error == tooLarge)
    }
    // If the JIT compiler isn't supported the pattern is interpreted: slower, and otherwise the same.
    _ = pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE)

    self.pattern = original ?? pattern
    self.other = other
    self.secrets = secrets
    code = compiled
    matchContext = context
    patience = .milliseconds(matchLimit / 1000)
    var count: UInt32 = 0
    pcre2_pattern_info_8(compiled, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
    groupCount = Int(count)
    groupNumbers = namedGroups(of: compiled)
    groupNames = groupNumbers.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  deinit {
    pcre2_code_free_8(code)
    pcre2_match_context_free_8(matchContext)
  }

  /// The word that alone matches: `id` for `^id$`.
  package var wholeWord: Substring? {
    let word = pattern.dropFirst().dropLast()
    let isWhole = pattern.hasPrefix("^") && pattern.hasSuffix("$")
    return isWhole && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? word : nil
  }

  /// Returns whether the expression matches anywhere in the text.
  package func matches(_ text: String) throws(RegularExpressionMatchError) -> Bool {
    try firstMatch(in: text) != nil
  }

  package func firstMatch(in text: String) throws(RegularExpressionMatchError) -> RegularExpressionMatch? {
    var found: RegularExpressionMatch?
    try forEachMatch(in: text) { match in
      found = match
      return false
    }
    if let found { return found }
    return try other?.firstMatch(in: text)
  }

  /// Returns whether a part of a longer text has a match that nothing behind the part could change; false leaves it
  /// open.
  ///
  /// - Parameters:
  ///   - start: the offset to search from; ``contextLength`` bytes before it are enough for lookbehinds.
  ///   - isEnd: whether the text ends with the part.
  package func certainlyMatches(
    inPart part: String, from start: Int, isEnd: Bool
  ) throws(RegularExpressionMatchError) -> Bool {
    // `\G` is where a search begins.
    guard other == nil, start == 0 || !pattern.contains("\\G") else { return false }
    var found: Int?
    try forEachMatch(in: part, from: start) { match in
      found = match.range.lowerBound
      return false
    }
    guard let found, !isEnd else { return found != nil }
    var isCertain = false
    try forEachMatch(in: part, from: found, options: PCRE2_PARTIAL_HARD) { _ in
      isCertain = true
      return false
    }
    return isCertain
  }

  /// The length in bytes of the longest lookbehind, 255 characters (pcre2pattern, "Lookbehind assertions").
  package static let contextLength = 1024

  /// Calls the body with each match from the left until it returns false; matches don't overlap, and after an empty one
  /// the search goes on behind the next character.
  package func forEachMatch(
    in text: String, _ body: (RegularExpressionMatch) -> Bool
  ) throws(RegularExpressionMatchError) {
    try forEachMatch(in: text, from: 0, body)
  }

  private func forEachMatch(
    in text: String, from start: Int, options: UInt32 = 0, _ body: (RegularExpressionMatch) -> Bool
  ) throws(RegularExpressionMatchError) {
    let meter = EvaluationBudget.meter
    guard let data = pcre2_match_data_create_from_pattern_8(code, nil) else {
      throw RegularExpressionMatchError(message: "no memory for the match")
    }
    defer { pcre2_match_data_free_8(data) }
    guard let context = pcre2_match_context_copy_8(matchContext) else {
      throw RegularExpressionMatchError(message: "no memory for the match")
    }
    defer { pcre2_match_context_free_8(context) }
    let count = text.utf8.count
    // `withCString` passes no typed errors on.
    var failure: Int32?
    text.withCString(encodedAs: UTF8.self) { bytes in
      var start = start
      while start <= count {
        guard !meter.isOver(after: 4) else {
          failure = PCRE2_ERROR_CALLOUT
          return
        }
        var watch = MatchWatch(patience: patience, length: count, meter: meter)
        let status = withUnsafeMutablePointer(to: &watch) { watch in
          pcre2_set_callout_8(context, { $1.map { checkWatch($0) } ?? 0 }, watch)
          let options = options | PCRE2_NO_UTF_CHECK
          let status = pcre2_match_8(code, bytes, count, start, options, data, context)
          // Compiled code has a small stack; the interpreter uses the heap, and the same limit of steps.
          guard status == PCRE2_ERROR_JIT_STACKLIMIT else { return status }
          return pcre2_match_8(code, bytes, count, start, options | PCRE2_NO_JIT, data, context)
        }
        if status == PCRE2_ERROR_NOMATCH || status == PCRE2_ERROR_PARTIAL { return }
        guard status > 0, let offsets = pcre2_get_ovector_pointer_8(data) else {
          failure = status
          return
        }
        let ranges = (0...groupCount).map { group -> Range<Int>? in
          // A group without a match is PCRE2_UNSET, the largest size.
          let (start, end) = (offsets[2 * group], offsets[2 * group + 1])
          return start >= 0 && end >= start ? start..<end : nil
        }
        let match = RegularExpressionMatch(text: text, ranges: ranges, groupNumbers: groupNumbers)
        guard body(match) else { return }
        // With `\K` in a lookaround a match may begin before the search does.
        start = max(start, match.range.upperBound)
        if match.range.isEmpty {
          start += 1
          while start < count, bytes[start] & 0xC0 == 0x80 { start += 1 }
        }
      }
    }
    if let failure { throw RegularExpressionMatchError(message: matchErrorText(failure)) }
  }

  /// The number of a named group; nil if there is none of that name.
  package func groupNumber(named name: String) -> Int? { groupNumbers[name] }
}

/// PCRE2's error for a pattern of more than 64 KiB when compiled, which has no name in its header.
private let tooLarge: Int32 = 120

/// A literal text without the backslashes that escape its punctuation.
private func withoutEscapes(_ pattern: String) -> String {
  var result = ""
  var isEscaped = false
  for character in pattern {
    if character == "\\", !isEscaped {
      isEscaped = true
      continue
    }
    if isEscaped, character.isLetter || character.isNumber { result.append("\\") }
    isEscaped = false
    result.append(character)
  }
  return isEscaped ? result + "\\" : result
}

private func namedGroups(of code: OpaquePointer) -> [String: Int] {
  var count: UInt32 = 0
  var entrySize: UInt32 = 0
  var table: UnsafePointer<UInt8>?
  pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
  pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &entrySize)
  pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
  guard let table else { return [:] }
  // An entry is the group's number in two bytes, and its name, terminated by a NUL.
  var numbers: [String: Int] = [:]
  for index in 0..<Int(count) {
    let entry = table + index * Int(entrySize)
    numbers[String(cString: entry + 2)] = Int(entry[0]) << 8 | Int(entry[1])
  }
  return numbers
}

private let matchAdvice =
  "begin it with fixed characters, and write no repetitions inside of others, such as `(a+)+`"

private func matchErrorText(_ status: Int32) -> String {
  switch status {
  case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_JIT_STACKLIMIT:
    "the pattern backtracks too much on this text: \(matchAdvice)"
  case PCRE2_ERROR_CALLOUT: "the pattern takes too long on this text: \(matchAdvice)"
  default: errorText(status)
  }
}

private func errorText(_ code: Int32) -> String {
  var buffer = [UInt8](repeating: 0, count: 256)
  let count = pcre2_get_error_message_8(code, &buffer, buffer.count)
  // In brackets stand options for programmers.
  return count > 0
    ? String(
      String(decoding: buffer.prefix(Int(count)), as: UTF8.self).replacing(" (PCRE2_DUPNAMES not set)", with: ""))
    : "PCRE2 error \(code)"
}

extension RegularExpression {
  /// Indicates whether any text matches.
  package var matchesAnything: Bool {
    guard (try? matches("")) == true else { return false }
    let text = "\u{E000}\n\u{E001}"
    return (try? matches(text)) == true || (try? RegularExpression("(?s)" + pattern).matches(text)) == true
  }
}
