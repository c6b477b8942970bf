import Values

/// The JSON Schema (draft-07) of spec files and project files, from the tables of their keys.
package enum FormatSchema {
  package static let text: String = {
    var writer = SchemaWriter(patternOfExtensions: "^x-")
    let files: [SchemaShape] = [
      .named("file") { fileKeys.shape() },
      .named("request_file") { singleRequestKeys.shape(needed: ["url"]) },
      .named("project_file") { projectKeys.shape() },
    ]
    return writer.document(
      of: .any(files), title: "A file of reqrun: requests, one request, or the project file reqrun.yaml")
  }()
}
