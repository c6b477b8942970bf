import Values

extension SubjectKey {
  /// Subjects for `expect`.
  static let expected = all.filter { $0.assertions != nil }
  /// Subjects for `capture`.
  static let captured = all.filter { $0.source != nil }

  static let byName = Dictionary(namedBy: expected.map { ($0.name, $0) })
  static let bySourceName = Dictionary(namedBy: captured.map { ($0.sourceName, $0) })

  /// The prefix of the group's keys in layers; nil for a single assertion.
  var prefix: String? {
    if case .group(let prefix, _) = assertions { prefix } else { nil }
  }

  /// The shape of the value under `expect`.
  var expected: SchemaShape {
    (assertionShape?() ?? (prefix == nil ? expectedShape : .names(of: expectedShape))).or(.null)
  }

  /// The shape of the value of the source.
  var captured: SchemaShape { sourceShape?() ?? (needsPart ? .text : .constants([.bool(true)])) }

  /// Indicates whether a source requires a part.
  var needsPart: Bool {
    if case .part = source { true } else { false }
  }

  /// The subject that the keyword alone captures.
  var whole: ResponseSubject? {
    switch source {
    case .word(let subject), .wholeOrPart(let subject, _): subject
    case .part, nil: nil
    }
  }
}
