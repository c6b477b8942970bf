import JSONSchemas
import Values

/// `expect.schema`: the schema for the body.
///
/// A class, since layers pass it on, and it is compiled once for all of them.
package final class SchemaSpec: Sendable {
  package enum Content: Sendable {
    /// A path relative to the file that contains it, with a fragment for a part of the file.
    case file(Located<String>)
    case inline(SchemaDocument)
  }

  package let content: Content
  package let options: SchemaOptions
  /// Files whose schemas can be referred to by their `$id`.
  package let resources: [Located<String>]
  /// The place of the schema or its path.
  package let range: SourceRange

  init(
    _ content: Content, options: SchemaOptions = SchemaOptions(), resources: [Located<String>] = [], range: SourceRange
  ) {
    self.content = content
    self.options = options
    self.resources = resources
    self.range = range
  }

  /// The assertion's name in reports.
  package var label: String {
    if case .file(let path) = content { "schema \(path.value)" } else { "schema" }
  }
}
