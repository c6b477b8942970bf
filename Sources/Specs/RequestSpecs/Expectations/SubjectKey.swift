import HTTPSemantics
import Matching
import Values
import YAMLNodes

/// A key of `expect`, a source of `capture`, or both: its subject, and how it is read.
final class SubjectKey: Sendable {
  /// The form of assertions under a key.
  enum Assertions: Sendable {
    typealias Reading = @Sendable (inout SpecReader, YAMLMember, inout ExpectSettings) -> Void

    /// One assertion; `null` removes that of a lower layer.
    case one(Reading)
    /// A mapping of assertions, whose keys in layers begin with the prefix.
    case group(prefix: String, Reading)
    /// A reader that handles `null` itself.
    case whole(Reading)
  }

  /// The form of a source.
  enum Source: Sendable {
    typealias Reading = @Sendable (inout SpecReader, YAMLNode) -> (subject: ResponseSubject, label: String)?

    /// The keyword alone.
    case word(ResponseSubject)
    /// The part to take, such as a path or a name.
    case part(Reading)
    /// All of it with the keyword alone, or a part of it.
    case wholeOrPart(ResponseSubject, Reading)
  }

  /// The key of `expect`; for sources without one, that of `capture`.
  let name: String
  /// The source's name if it differs.
  let sourceName: String
  /// Names in other tools for the key, and for the source.
  let words: [String]
  let sourceWords: [String]
  /// An example of a group's mapping, after `write`.
  let shape: String?
  let assertions: Assertions?
  let source: Source?
  /// The shapes of the values under `expect`, and of a source's value; nil for the usual ones.
  let assertionShape: (@Sendable () -> SchemaShape)?
  let sourceShape: (@Sendable () -> SchemaShape)?
  /// The reference's rows for expectations: the suffix of the key, or a part of it, its type, and an example.
  let documentation: [(part: String, type: String, example: String)]
  /// The reference's text for captures.
  let sourceDocumentation: String

  init(
    _ name: String, sourceName: String? = nil, words: String = "", sourceWords: String = "", shape: String? = nil,
    documentation: [(part: String, type: String, example: String)] = [], sourceDocumentation: String = "",
    assertionShape: (@Sendable () -> SchemaShape)? = nil, sourceShape: (@Sendable () -> SchemaShape)? = nil,
    assertions: Assertions? = nil, source: Source? = nil
  ) {
    self.name = name
    self.sourceName = sourceName ?? name
    self.words = words.split(separator: " ").map(String.init)
    self.sourceWords = sourceWords.split(separator: " ").map(String.init)
    self.shape = shape
    self.assertions = assertions
    self.source = source
    self.assertionShape = assertionShape
    self.sourceShape = sourceShape
    self.documentation = documentation
    self.sourceDocumentation = sourceDocumentation
  }

  /// A subject without parts, for both.
  convenience init(
    _ name: String, _ subject: ResponseSubject, words: String = "", type: String = "text", example: String,
    sourceDocumentation: String
  ) {
    self.init(
      name, words: words, documentation: [("", type, example)], sourceDocumentation: sourceDocumentation,
      assertions: .one { $0.check(subject, $1.key, $1.value, &$2) }, source: .word(subject))
  }
}
