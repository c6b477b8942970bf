/// The accepted values of something, as far as a JSON Schema can express them.
package indirect enum ValueShape: Sendable {
  case anything
  case null, boolean, number, text
  case integer(ClosedRange<Int>)
  /// Text that matches the regular expression of ECMA-262 anywhere.
  case pattern(String)
  case constants([Value])
  /// A list with at least that many items.
  case list(of: ValueShape, atLeast: Int = 0)
  /// A mapping with the user's own names.
  case names(of: ValueShape)
  /// A mapping with keys that the format defines, some of which are required.
  case keys([Key], needed: [String] = [])
  /// One of several shapes.
  case any([ValueShape])
  /// A shape with a name of its own, which may therefore contain itself.
  case named(String, @Sendable () -> ValueShape)

  package struct Key: Sendable {
    package let name: String
    /// One line, without a full stop.
    package let documentation: String
    package let shape: ValueShape

    package init(_ name: String, _ documentation: String, _ shape: ValueShape) {
      self.name = name
      self.documentation = documentation
      self.shape = shape
    }
  }

  package static func words(_ words: [String]) -> ValueShape { .constants(words.map { .text(Text($0)) }) }

  /// Text, a number, or true or false.
  package static let scalar = ValueShape.any([.text, .number, .boolean])

  /// Text that is not empty.
  package static let someText = ValueShape.pattern("[^\\n]")

  /// Text that contains a template.
  package static let template = ValueShape.pattern("\\$\\{\\{")

  /// The shape, or a template that yields it.
  package var orTemplate: ValueShape { or(.template) }

  /// The shape, or a list of it.
  package var orList: ValueShape { or(.list(of: self)) }

  package func or(_ other: ValueShape) -> ValueShape {
    if case .any(let shapes) = self { .any(shapes + [other]) } else { .any([self, other]) }
  }
}
