import Diagnostics
import RequestSpecs

extension FileAccess {
  /// The absolute path of a file that a setting names.
  ///
  /// - Parameter isToBeRead: whether to find out that it can be read.
  func path(of reference: FileReference, at range: SourceRange, isToBeRead: Bool) throws(DecodingProblem) -> String {
    let path = reference.path.string
    if reference.isFromCommand { return path }
    if isToBeRead { _ = try read(path, beside: range.source.name) }
    return try locate(path, beside: range.source.name)
  }

  /// Why a file that a spec names at a place cannot be read; nil where it can.
  package func problem(of reference: FileReference, at range: SourceRange) -> DecodingProblem? {
    do {
      _ = try path(of: reference, at: range, isToBeRead: true)
      return nil
    } catch {
      return error
    }
  }
}
