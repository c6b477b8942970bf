import Values

/// The JSON Schema (draft-07) of spec files and project files, from the tables of their keys.
package enum FormatSchema {
  package static let file = SchemaShape.named("file") { fileKeys.shape() }
  package static let singleRequest = SchemaShape.named("request_file") { singleRequestKeys.shape(needed: ["url"]) }
  package static let project = SchemaShape.named("project_file") { projectKeys.shape() }

  package static let text: String = {
    var writer = SchemaWriter(patternOfExtensions: "^x-")
    return writer.document(
      of: .any([file, singleRequest, project]),
      title: "A file of reqrun: requests, one request, or the project file reqrun.yaml")
  }()
}
