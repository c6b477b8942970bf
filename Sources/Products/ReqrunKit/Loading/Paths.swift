import OperatingSystem
import RequestSpecs

/// Standard input among the arguments; a file of that name is `./-`.
package let standardInputPath = "-"

/// A path in a file, relative to that file's directory.
func path(_ path: String, beside file: String) -> String {
  if path.hasPrefix("/") { return path }
  let base = parentDirectory(of: file)
  return base == "." ? path : "\(base)/\(path)"
}

/// A path without the folders that a `..` leaves again, unless links give it another meaning.
func shortened(_ path: String) -> String {
  guard path.contains("..") else { return path }
  var parts: [Substring] = []
  for part in path.split(separator: "/", omittingEmptySubsequences: false) {
    if part == "..", let last = parts.last, last != "..", last != ".", !last.isEmpty {
      parts.removeLast()
    } else {
      parts.append(part)
    }
  }
  let short = parts.joined(separator: "/")
  return canonicalPath(short) == canonicalPath(path) ? short : path
}

/// The directory of a spec, or of the project file above it.
func defaultFileRoot(_ specPath: String) -> String {
  let own = canonicalPath(parentDirectory(of: specPath)) ?? parentDirectory(of: specPath)
  var folder = own
  while true {
    if projectFileNames.contains(where: { isProjectFile(folder == "/" ? "/\($0)" : "\(folder)/\($0)") }) {
      return folder
    }
    if folder == "/" || folder == "." { return own }
    folder = parentDirectory(of: folder)
  }
}

/// Returns whether a path with a project file's name is one; a pipe of that name is reported when it is read.
func isProjectFile(_ path: String) -> Bool {
  let kind = pathKind(path)
  return kind == .file || kind == .other
}

/// An absolute path as the user would write it: relative to the working directory if it is below it.
func pathFromHere(_ path: String) -> String {
  guard let here = canonicalPath("."), path.hasPrefix(here == "/" ? "/" : here + "/") else { return path }
  return String(decoding: path.utf8.dropFirst(here == "/" ? 1 : here.utf8.count + 1), as: UTF8.self)
}
