import Diagnostics
import OperatingSystem

/// Writes files below a directory, each beside its place and then renamed. None is written if one exists already and may
/// not be replaced.
func writeFiles(
  _ files: [(path: String, bytes: [UInt8])], to directory: String, replaces: Bool
) -> (paths: [String], problem: Diagnostic?) {
  let paths = files.map { "\(directory)/\($0.path)" }
  if !replaces, let taken = paths.first(where: { pathKind($0) != .nothing }) {
    return (
      [], Diagnostic(.error("\(taken) exists already", at: nil, help: "give another directory, or --force"))
    )
  }
  var written: [String] = []
  for (path, file) in zip(paths, files) {
    do throws(SystemProblem) {
      try ReplacementFile.prepare(path)
      let replacement = try ReplacementFile(of: path, isNamedByUser: true)
      replacement.write(file.bytes)
      try replacement.commit()
      written.append(path)
    } catch {
      return (written, Diagnostic(.error("\(path) cannot be written: \(error.reason)", at: nil)))
    }
  }
  return (written, nil)
}
