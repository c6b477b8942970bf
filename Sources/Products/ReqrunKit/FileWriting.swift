import Diagnostics
import OperatingSystem

/// Writes files below a directory, each beside its place and then renamed. None is written if one exists already and may
/// not be replaced, or if a link stands in its place or in that of a directory around it.
package func writeFiles(
  _ files: [(path: String, bytes: [UInt8])], to directory: String, replaces: Bool
) -> (paths: [String], problem: Diagnostic?) {
  let paths = files.map { "\(directory.isEmpty ? "." : directory)/\($0.path)" }
  let taken = replaces ? [] : paths.filter { entryKind($0) != .nothing }
  if let first = taken.first {
    let message = taken.count == 1 ? "\(first) exists already" : "\(enumeration(taken)) exist already"
    return ([], Diagnostic(.error(message, at: nil, help: "give another directory, or --force")))
  }
  if let link = files.lazy.compactMap({ link(in: $0.path, below: directory.isEmpty ? "." : directory) }).first {
    return ([], Diagnostic(.error("\(link) is a link", at: nil, help: "remove it, or give another directory")))
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
      return (written, Diagnostic(.error("\(path) cannot be written: \(error.reason)", at: nil)))
    }
  }
  return (written, nil)
}

/// The first link at a path, or at a part of it.
private func link(in path: String, below directory: String) -> String? {
  var place = directory
  for part in path.split(separator: "/") {
    place += "/\(part)"
    if entryKind(place) == .link { return place }
  }
  return nil
}

/// `a, b and c`, with the first ten of many.
private func enumeration(_ paths: [String]) -> String {
  guard paths.count > 10 else {
    return "\(paths.dropLast().joined(separator: ", ")) and \(paths.last ?? "")"
  }
  return "\(paths.prefix(10).joined(separator: ", ")) and \(paths.count - 10) more"
}
