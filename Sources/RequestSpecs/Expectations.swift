import Diagnostics
import HTTPMessages
import JSONQueries
import Matching
import Templates
import Values

/// A JSONPath as a file has it: compiled when it is loaded, unless templates stand inside.
package struct JSONPathSpec: Sendable {
  package let text: String
  package let range: SourceRange
  package let compiled: JSONPath?
  package let template: Template?

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> JSONPath {
    if let compiled { return compiled }
    guard let template else { throw TemplateError(DecodingProblem("the path is empty"), at: range) }
    let text = try template.evaluate(in: scope, joining: jsonPathLiteral)
    do {
      return try JSONPath(text.string)
    } catch {
      throw TemplateError(DecodingProblem("invalid JSONPath: \(error.message)", help: error.help), at: range)
    }
  }
}

/// A value as a JSONPath literal: quoted and escaped text, numbers and the three words as they are.
func jsonPathLiteral(_ value: Value) -> Text {
  switch value {
  case .text(let text):
    Text("'") + text.mapRuns { jsonEscaped($0).replacingQuotes } + Text("'")
  case .list, .mapping: Text("'") + value.asText.mapRuns { jsonEscaped($0).replacingQuotes } + Text("'")
  case .date, .data: Text("'") + value.asText + Text("'")
  case .null, .bool, .number: value.asText
  }
}

extension String {
  /// JSON's escapes fitted to a single-quoted JSONPath literal (RFC 9535, section 2.3.1.1).
  fileprivate var replacingQuotes: String {
    var result = ""
    var previousIsBackslash = false
    for scalar in unicodeScalars {
      if scalar == "\"", previousIsBackslash {
        result.unicodeScalars.removeLast()
        result += "\""
        previousIsBackslash = false
        continue
      }
      if scalar == "'" { result += "\\" }
      result.unicodeScalars.append(scalar)
      previousIsBackslash = scalar == "\\" && !previousIsBackslash
    }
    return result
  }
}

/// What an assertion looks at.
package enum AssertionSubject: Sendable {
  case status
  case contentType
  case header(TextTemplate)
  case cookie(TextTemplate, CookieAttribute)
  case json(JSONPathSpec)
  case body
  case bytes(BytesAspect)
  case duration
  case timing(TimingPhase)
  case redirects
  case url
  case httpVersion
}

package enum CookieAttribute: String, Sendable, CaseIterable {
  case value, domain, path, expires, secure
  case httpOnly = "http_only"
  case sameSite = "same_site"
}

/// What is asked of the body's bytes.
package enum BytesAspect: String, Sendable, CaseIterable {
  case content, sha256, md5
}

package enum TimingPhase: String, Sendable, CaseIterable {
  case nameLookup = "name_lookup"
  case connect, tls
  case firstByte = "first_byte"
  case total
}

/// One assertion: a subject, and what must hold of it.
package struct Assertion: Sendable {
  package enum Check: Sendable {
    case predicates([PredicateSpec])
    case status(Field<StatusSet>)
    case contentType(Field<Text>)
  }

  package let subject: AssertionSubject
  /// How the assertion is named in reports, such as `json $.user.id`.
  package let label: String
  package let check: Check
  /// Where the expected value stands.
  package let range: SourceRange
}

/// The assertions of one layer; each is replaced whole by a higher layer's of the same label.
package struct ExpectSettings: Sendable {
  package struct Entry: Sendable {
    package let label: String
    /// Nil removes the lower layer's.
    package let assertion: Assertion?
  }

  package var dropsLower = false
  package var entries: [Entry] = []
  /// `error:`: the exchange must fail so.
  package var failure = Setting<Field<TransportFailure>>.inherited

  package var assertions: [Assertion] { entries.compactMap(\.assertion) }
  package var isEmpty: Bool { assertions.isEmpty && failure.value == nil }

  package var expectsStatus: Bool {
    assertions.contains { if case .status = $0.subject { true } else { false } }
  }

  func over(_ base: ExpectSettings) -> ExpectSettings {
    if dropsLower { return self }
    var result = base
    result.failure = failure.over(base.failure)
    for entry in entries {
      if let index = result.entries.firstIndex(where: { $0.label == entry.label }) {
        result.entries[index] = entry
      } else {
        result.entries.append(entry)
      }
    }
    return result
  }
}

/// A predicate as a file has it; its operand may hold templates.
package indirect enum PredicateSpec: Sendable {
  /// Nothing to resolve: made once, when the file is loaded.
  case fixed(Predicate)
  case operand(PredicateName, ValueTemplate, OperandUnit)
  /// `count`, `every`, `any`, `none`, `not`.
  case nested(PredicateName, [PredicateSpec])

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Predicate {
    switch self {
    case .fixed(let predicate): return predicate
    case .operand(let name, let operand, let unit):
      let value = try operand.resolve(in: scope)
      do {
        return try makePredicate(name, operand: value, unit: unit)
      } catch {
        throw TemplateError(error, at: operand.range)
      }
    case .nested(let name, let specs):
      var predicates: [Predicate] = []
      for spec in specs { predicates.append(try spec.resolve(in: scope)) }
      return nestedPredicate(name, predicates)
    }
  }

  package var templates: [Template] {
    switch self {
    case .fixed: []
    case .operand(_, let operand, _): operand.templates
    case .nested(_, let specs): specs.flatMap(\.templates)
    }
  }
}

/// How operands of a subject are measured: durations in milliseconds, sizes in bytes.
package enum OperandUnit: Sendable {
  case plain, duration, size
}

/// What to take from an answer.
package struct CaptureSpec: Sendable {
  package enum Source: Sendable {
    case json(JSONPathSpec)
    case header(Field<Text>)
    case cookie(Field<Text>)
    case link(Field<Text>)
    case timing(TimingPhase)
    case body, status, url, duration, bytes, redirects, httpVersion, remoteAddress
  }

  package enum Conversion: String, Sendable, CaseIterable {
    case integer, number, boolean, string, date, url, json, first
  }

  package let source: Source
  package let regex: Field<PatternSpec>?
  package let conversion: Conversion?
  package let defaultValue: ValueTemplate?
  package let isSecret: Bool
  package let range: SourceRange
  /// How messages name the source, such as `json $.token`.
  package let label: String
}
