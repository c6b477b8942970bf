import OperatingSystem
import Values

/// Writes files below a directory, each beside its place and then renamed. None is written if one exists already and may
/// not be replaced, or if a link would lead it elsewhere.
///
/// - Parameter help: the ways to write them nevertheless.
package func writeFiles(
  _ files: [(path: String, bytes: [UInt8])], to directory: String, replaces: Bool, otherwise help: String? = nil
) -> (paths: [String], problem: Diagnostic?) {
  let root = directory.isEmpty ? "." : directory
  let paths = files.map { "\(root)/\($0.path)" }
  for (path, file) in zip(paths, files) {
    // The directory itself is the user's; a link below it may have come with its files.
    let parts = file.path.split(separator: "/")
    let places = parts.indices.map { "\(root)/\(parts[...$0].joined(separator: "/"))" }
    if let link = places.first(where: { isSymbolicLink($0) }) {
      let message = link == path ? "\(link) is a link" : "\(link), to the directory for \(path), is a link"
      let help = "remove the link, or give another directory"
      return ([], Diagnostic(.error(.unwritableFile, "\(message): nothing is written through it", at: nil, help: help)))
    }
  }
  let taken = replaces ? [] : paths.filter { entryKind($0) != .nothing }
  if let first = taken.first {
    let message = taken.count == 1 ? "\(first) exists already" : "\(enumeration(taken)) exist already"
    let help = help ?? "give another directory, or --force"
    return ([], Diagnostic(.error(.unwritableFile, message, at: nil, help: help)))
  }
  var written: [String] = []
  for (path, file) in zip(paths, files) {
    do throws(SystemProblem) {
      try ReplacementFile.prepare(path)
      let replacement = try ReplacementFile(of: path)
      replacement.write(file.bytes)
      try replacement.commit()
      written.append(path)
    } catch {
      return (written, Diagnostic(.error(.unwritableFile, "\(path) cannot be written: \(error.reason)", at: nil)))
    }
  }
  return (written, nil)
}

/// `a, b and c`, with the first ten of many.
private func enumeration(_ paths: [String]) -> String {
  guard paths.count > 10 else {
    return "\(paths.dropLast().joined(separator: ", ")) and \(paths.last ?? "")"
  }
  return "\(paths.prefix(10).joined(separator: ", ")) and \(paths.count - 10) more"
}
