import Diagnostics
import OperatingSystem
import RequestSpecs
import RunPlanning

extension FileAccess {
  /// The absolute path of a file that a setting names.
  ///
  /// - Parameter isToBeRead: whether to find out that it can be read.
  func path(of reference: FileReference, at range: SourceRange, isToBeRead: Bool) throws(DecodingProblem) -> String {
    let path = reference.path.string
    if reference.isFromCommand { return path }
    guard isToBeRead else { return try locate(path, beside: range.source.name) }
    _ = try read(path, beside: range.source.name)
    return try locate(path, beside: range.source.name)
  }
}

extension FileAccess {
  /// Finds out before a run that the files of certificates and keys can be read, as far as the spec names them.
  package func checkConnectionFiles(of file: PlannedFile, into bag: inout DiagnosticBag) {
    var known: Set<SourceRange> = []
    for request in file.requests {
      guard let tls = request.settings.connection?.tls else { continue }
      for field in [tls.certificateAuthorities, tls.certificate, tls.key].compactMap(\.value) {
        guard let reference = field.literal, known.insert(field.range).inserted else { continue }
        do {
          _ = try path(of: reference, at: field.range, isToBeRead: true)
        } catch {
          bag.error(error.message, at: field.range, help: error.help)
        }
      }
    }
  }
}
