import Diagnostics
import JSONSchemas

/// What `expect.schema` says: the body must be valid against this.
///
/// A class, for layers hand it on, and it is compiled once for all that have it.
package final class SchemaSpec: Sendable {
  package enum Content: Sendable {
    /// A path relative to the file that holds it, with a fragment where it leads into the file.
    case file(Located<String>)
    case inline(SchemaDocument)
  }

  package let content: Content
  package let options: SchemaOptions
  /// Files whose schemas may be referred to by their `$id`.
  package let resources: [Located<String>]
  /// Where the schema or its path stands.
  package let range: SourceRange

  init(
    _ content: Content, options: SchemaOptions = SchemaOptions(), resources: [Located<String>] = [], range: SourceRange
  ) {
    self.content = content
    self.options = options
    self.resources = resources
    self.range = range
  }

  /// How reports name the assertion.
  package var label: String {
    if case .file(let path) = content { "schema \(path.value)" } else { "schema" }
  }
}
