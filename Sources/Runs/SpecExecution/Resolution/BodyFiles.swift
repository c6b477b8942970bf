import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Values

extension FileScope {
  /// A file to send, in its current state.
  package func bodyFile(_ reference: FileReference, at range: SourceRange) throws(TemplateError) -> ResolvedFile {
    do throws(DecodingProblem) {
      let path = try fileAccess.bodyPath(of: reference, at: range)
      let version: FileVersion
      do throws(SystemProblem) {
        version = try ReadableFile(path: path).version
      } catch {
        throw DecodingProblem(
          .unreadableFile, "\"\(reference.path.masked)\" cannot be read: \(error.reason)",
          help: "check the path and the permissions: a body comes from a regular file")
      }
      return ResolvedFile(
        path: Text(path, isSecret: reference.path.isSecret),
        range: FileRange(path: path, offset: 0, length: version.size, version: version))
    } catch {
      // A dry run does not fetch files that an earlier request would.
      guard standsIn else { throw TemplateError(error, at: range) }
      let path = reference.path
      return ResolvedFile(path: path, range: FileRange(path: path.string, offset: 0, length: 0, version: nil))
    }
  }

  /// The placeholder in a dry run for a file that an earlier request would have fetched.
  package func standIn(for file: TextFile) throws(TemplateError) -> Text? {
    guard standsIn, file.template == nil else { return nil }
    let reference = try file.path.resolve(in: self)
    if (try? fileAccess.bodyPath(of: reference, at: file.path.range)) != nil { return nil }
    return Text("<") + reference.path + Text(">")
  }
}
