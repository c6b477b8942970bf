import Values

extension Template {
  /// Parses all of the text; every problem is added to the bag, each at its exact place.
  ///
  /// - Parameter place: the place in the source of a range of the text's UTF-8.
  /// - Returns: nil if there were errors.
  package static func parse(
    _ text: String, place: (Range<Int>) -> SourceRange, into bag: inout DiagnosticBag
  ) -> Template? {
    withoutActuallyEscaping(place) { place in
      var scanner = TemplateScanner(bytes: Array(text.utf8), place: place)
      scanner.scan()
      for problem in scanner.problems {
        bag.error(.templateSyntax, problem.message, at: place(problem.bytes), help: problem.help)
      }
      guard scanner.problems.isEmpty else { return nil }
      let template = Template(range: place(0..<text.utf8.count), pieces: scanner.pieces)
      template.reportDoubts(into: &bag)
      return template
    }
  }

  /// Parses an expression without the signs of a template, as a template that is nothing else.
  package static func parse(
    expression text: String, place: (Range<Int>) -> SourceRange, into bag: inout DiagnosticBag
  ) -> Template? {
    withoutActuallyEscaping(place) { place in
      var parser = ExpressionParser(bytes: Array(text.utf8), place: place)
      var problems: [SyntaxProblem] = []
      var pieces: [Piece] = []
      do throws(SyntaxProblem) {
        pieces = [.expression(try parser.parseAll())]
      } catch {
        problems = [error]
      }
      problems = parser.problems + problems
      for problem in problems {
        bag.error(.templateSyntax, problem.message, at: place(problem.bytes), help: problem.help)
      }
      guard problems.isEmpty else { return nil }
      let template = Template(range: place(0..<text.utf8.count), pieces: pieces)
      template.reportDoubts(into: &bag)
      return template
    }
  }

  /// The ranges, in the UTF-8 of a text, of its templates, each from `${{` to `}}`; those with errors are left out.
  ///
  /// - Parameter range: the place of the text.
  package static func ranges(in text: String, at range: SourceRange) -> [Range<Int>] {
    var scanner = TemplateScanner(bytes: Array(text.utf8), place: { _ in range })
    scanner.scan()
    return scanner.ranges
  }
}

/// An error in an expression; the range counts the UTF-8 of the scalar's text.
struct SyntaxProblem: Error {
  let message: String
  let bytes: Range<Int>
  var help: String?

  init(_ message: String, at bytes: Range<Int>, help: String? = nil) {
    self.message = message
    self.bytes = bytes
    self.help = help
  }
}

/// Splits a text into literals and expressions.
private struct TemplateScanner {
  let bytes: [UInt8]
  let place: (Range<Int>) -> SourceRange
  var pieces: [Template.Piece] = []
  /// The places of the expressions among them.
  var ranges: [Range<Int>] = []
  var problems: [SyntaxProblem] = []

  mutating func scan() {
    var literal: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "$") {
        literal.append(bytes[position])
        position += 1
      } else if bytes.has("$${{", at: position) {
        literal += Array("${{".utf8)
        position += 4
      } else if bytes.has("${{", at: position) {
        if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
        literal = []
        position = expression(from: position)
      } else {
        literal.append(bytes[position])
        position += 1
      }
    }
    if !literal.isEmpty || pieces.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
  }

  /// Parses the template that opens at `start`; returns the position after it.
  private mutating func expression(from start: Int) -> Int {
    var parser = ExpressionParser(bytes: bytes, opening: start, place: place)
    do {
      let expression = try parser.parseTemplate()
      problems += parser.problems
      pieces.append(.expression(expression))
      ranges.append(start..<parser.end)
      return parser.end
    } catch {
      problems += parser.problems
      problems.append(error)
      return resumption(after: max(start + 3, parser.end))
    }
  }

  /// The position after the next `}}`, or at the next `${{`, so that the text after an error is still parsed.
  private func resumption(after position: Int) -> Int {
    var position = position
    while position < bytes.count {
      if bytes.has("}}", at: position) { return position + 2 }
      if bytes.has("${{", at: position) { return position }
      position += 1
    }
    return position
  }
}
