import Templates
import Values

/// `download`: the file in which a response's body is stored.
package struct DownloadSpec: Sendable {
  package let range: SourceRange
  /// A file, or a directory if it ends with a slash or exists.
  package let to: Field<FileReference>
  package var resume: Field<Bool>?
  package var overwrite: Field<Bool>?
  package var createDirectories: Field<Bool>?
  package var sha256: Field<[UInt8]>?
  package var md5: Field<[UInt8]>?
  package var length: Field<Int64>?
  /// The directory for an extracted archive.
  package var unzip: Field<FileReference>?
  package var parallel: Field<Int>?

  /// The templates that are evaluated before the request is sent.
  var templates: [Template] {
    var found = to.templates
    for flag in [resume, overwrite, createDirectories] { found += flag?.templates ?? [] }
    for digest in [sha256, md5] { found += digest?.templates ?? [] }
    return found + (length?.templates ?? []) + (unzip?.templates ?? []) + (parallel?.templates ?? [])
  }
}
