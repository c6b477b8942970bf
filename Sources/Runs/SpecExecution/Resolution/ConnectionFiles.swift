import OperatingSystem
import RequestSpecs
import Values

extension FileAccess {
  /// The absolute path of a file that a setting names.
  ///
  /// - Parameter isToBeRead: whether to check that it is readable.
  package func path(of reference: FileReference, at range: SourceRange, isToBeRead: Bool) throws(DecodingProblem)
    -> String
  {
    let path = reference.path.string
    if reference.isFromCommand { return path }
    if isToBeRead { _ = try read(path, beside: range.source.name) }
    return try locate(path, beside: range.source.name)
  }

  /// The absolute path of a file that is sent as a body; it exists, and isn't a directory.
  package func bodyPath(of reference: FileReference, at range: SourceRange) throws(DecodingProblem) -> String {
    let path = try locate(reference.path.string, beside: range.source.name)
    guard isRegularFile(path) else {
      throw DecodingProblem(
        .unreadableFile, "\"\(reference.path.masked)\" is not a regular file",
        help: "name a file, not a directory, a pipe or a device")
    }
    return path
  }

  /// The problem of a file that a spec names as a body; nil if it can be read.
  package func problem(ofBody reference: FileReference, at range: SourceRange) -> DecodingProblem? {
    do throws(DecodingProblem) {
      let path = try bodyPath(of: reference, at: range)
      do throws(SystemProblem) {
        _ = try ReadableFile(path: path)
      } catch {
        return DecodingProblem(.unreadableFile, "\"\(reference.path.masked)\" cannot be read: \(error.reason)")
      }
      return nil
    } catch {
      return error
    }
  }

  /// The problem of a target file that a spec names; nil if it can be written.
  package func problem(ofTarget reference: FileReference, at range: SourceRange) -> DecodingProblem? {
    let path = reference.path.string
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    do throws(DecodingProblem) {
      _ = try directory(parent, beside: range.source.name, makes: false)
      return nil
    } catch {
      return error
    }
  }

  /// The problem of a file that a spec names; nil if it can be read.
  package func problem(of reference: FileReference, at range: SourceRange) -> DecodingProblem? {
    do {
      _ = try path(of: reference, at: range, isToBeRead: true)
      return nil
    } catch {
      return error
    }
  }
}
