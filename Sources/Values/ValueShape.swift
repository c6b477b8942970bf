/// The values that something takes, as far as a JSON Schema can say it.
package indirect enum ValueShape: Sendable {
  case anything
  case null, boolean, number, text
  case integer(ClosedRange<Int>)
  /// Text in which the regular expression is found, by ECMA-262.
  case pattern(String)
  case constants([Value])
  /// A list with at least so many items.
  case list(of: ValueShape, atLeast: Int = 0)
  /// A mapping of names that are the user's own.
  case names(of: ValueShape)
  /// A mapping of keys that the format defines, some of which are needed.
  case keys([Key], needed: [String] = [])
  /// One of several.
  case any([ValueShape])
  /// A shape that has a name of its own, and so may hold itself.
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

  /// Text in which a template stands.
  package static let template = ValueShape.pattern("\\$\\{\\{")

  /// The shape, or a template that yields it.
  package var orTemplate: ValueShape { or(.template) }

  /// The shape, or a list of it.
  package var orList: ValueShape { or(.list(of: self)) }

  package func or(_ other: ValueShape) -> ValueShape {
    if case .any(let shapes) = self { .any(shapes + [other]) } else { .any([self, other]) }
  }
}
