/// The accepted values of something, as far as a JSON Schema can express them.
package indirect enum SchemaShape: Sendable {
  case anything
  case null, boolean, number, text
  case integer(ClosedRange<Int>)
  /// Text that matches the regular expression of ECMA-262 anywhere.
  case pattern(String)
  case constants([Value])
  /// A list with at least that many items.
  case list(of: SchemaShape, atLeast: Int = 0)
  /// A mapping with the user's own names.
  case names(of: SchemaShape)
  /// A mapping with keys that the format defines, some of which are required.
  case keys([Key], needed: [String] = [])
  /// One of several shapes.
  case any([SchemaShape])
  /// A shape with a name of its own, which may therefore contain itself.
  case named(String, @Sendable () -> SchemaShape)

  package struct Key: Sendable {
    package let name: String
    /// One line, without a full stop.
    package let documentation: String
    package let shape: SchemaShape

    package init(_ name: String, _ documentation: String, _ shape: SchemaShape) {
      self.name = name
      self.documentation = documentation
      self.shape = shape
    }
  }

  package static func words(_ words: [String]) -> SchemaShape { .constants(words.map { .text(Text($0)) }) }

  /// Text, a number, or true or false.
  package static let scalar = SchemaShape.any([.text, .number, .boolean])

  /// Text that is not empty.
  package static let someText = SchemaShape.pattern("[^\\n]")

  /// Text that contains a template.
  package static let template = SchemaShape.pattern("\\$\\{\\{")

  /// The shape, or a template that yields it.
  package var orTemplate: SchemaShape { or(.template) }

  /// The shape, or a list of it.
  package var orList: SchemaShape { or(.list(of: self)) }

  package func or(_ other: SchemaShape) -> SchemaShape {
    if case .any(let shapes) = self { .any(shapes + [other]) } else { .any([self, other]) }
  }
}
