import Values

/// A node of a YAML document, with its place.
///
/// Aliases are resolved to the node they name, whose range stays that of the anchor's node; `useSite` is the alias's
/// place. Merge keys (`<<`) are already merged.
package struct YAMLNode: Sendable {
  package indirect enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    case mapping([YAMLMember])
  }

  package let content: Content
  /// The place of the node itself: without its tag and anchor; quotes belong to it.
  package let range: SourceRange
  /// The place of the alias that brought the node here; nil if the node itself is here.
  package let useSite: SourceRange?
  /// Nil for a standard tag, or without a tag.
  package let localTag: YAMLLocalTag?
  /// Indicates whether the tag is `!!map`, which says that the names inside are names of members.
  package let hasMapTag: Bool
  /// Indicates whether this very node has been reported; then its content is a stand-in to say no more about.
  package let hasError: Bool

  package init(
    content: Content, range: SourceRange, useSite: SourceRange? = nil, localTag: YAMLLocalTag? = nil,
    hasMapTag: Bool = false, hasError: Bool = false
  ) {
    self.content = content
    self.range = range
    self.useSite = useSite
    self.localTag = localTag
    self.hasMapTag = hasMapTag
    self.hasError = hasError
  }
}

/// A tag of reqrun's expectations, such as `!uuid`.
///
/// A class: few nodes have one.
package final class YAMLLocalTag: Sendable {
  /// `uuid` for `!uuid` and `!uuid?`.
  package let name: String
  /// Indicates whether a `?` ends the tag.
  package let isOptional: Bool
  package let range: SourceRange

  init(name: String, isOptional: Bool, range: SourceRange) {
    self.name = name
    self.isOptional = isOptional
    self.range = range
  }

  /// The tag as written.
  package var text: String { "!" + name + (isOptional ? "?" : "") }
}

/// A key and its value in a mapping.
package struct YAMLMember: Sendable {
  package let key: String
  package let keyRange: SourceRange
  package let value: YAMLNode

  package init(key: String, keyRange: SourceRange, value: YAMLNode) {
    self.key = key
    self.keyRange = keyRange
    self.value = value
  }
}

/// A scalar, resolved by the YAML 1.2 core schema in reqrun's strict form.
package struct YAMLScalar: Sendable {
  /// The way in which a scalar was written.
  package enum Style: Sendable, Hashable { case plain, singleQuoted, doubleQuoted, literal, folded }

  /// The meaning of a scalar.
  package enum Meaning: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The lexeme in JSON's form: `0x1F` and `0o17` are converted to decimal.
    case number(String)
    case text(String)
    /// The text of a `!!timestamp` or `!date`, known to be RFC 3339.
    case timestamp(String)
    /// The bytes of a `!!binary`.
    case binary([UInt8])
    /// `.inf`, `-.inf` or `.nan`, in any spelling: a number that JSON cannot express.
    case nonFinite(String)
  }

  package let meaning: Meaning
  package let style: Style
  /// The scalar's text after YAML's own unescaping and folding.
  package let text: String

  package init(meaning: Meaning, style: Style, text: String) {
    self.meaning = meaning
    self.style = style
    self.text = text
  }
}
