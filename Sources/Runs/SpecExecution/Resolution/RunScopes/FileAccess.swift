import OperatingSystem
import RequestSpecs
import Values

/// Reads files that specs name, relative to the file that names them and below the file root.
package struct FileAccess: Sendable {
  /// An absolute path without symbolic links; nil allows no files.
  package let root: String?
  /// Indicates whether files may be written.
  package let mayWrite: Bool
  /// The texts of open files, by canonical path.
  private let openTexts: [String: [UInt8]]
  private let onUse: Observer?

  /// Receives each path that is used, even one at which there is nothing, and the path of the file that names it.
  package typealias Observer = @Sendable (_ path: String, _ source: String) -> Void

  package init(
    root: String, mayWrite: Bool = true, openTexts: [String: [UInt8]] = [:], onUse: Observer? = nil
  ) {
    self.root = canonicalPath(root)
    self.mayWrite = mayWrite
    self.openTexts = openTexts
    self.onUse = onUse
  }

  /// The maximum size of a file that is read into memory.
  package static let sizeLimit = 64 << 20

  /// The contents of a regular file, up to 64 MiB.
  package func read(_ path: String, beside source: String) throws(DecodingProblem) -> [UInt8] {
    let location = try locate(path, beside: source)
    if let text = openTexts[location] { return text }
    guard isRegularFile(location) else {
      throw DecodingProblem(
        .unreadableFile, "\"\(path)\" is not a regular file", help: "name a file, not a directory, a pipe or a device")
    }
    switch readFile(location, limit: FileAccess.sizeLimit) {
    case .success(let bytes): return bytes
    case .failure(let problem): throw DecodingProblem(.unreadableFile, "\"\(path)\" cannot be read: \(problem.reason)")
    }
  }

  /// The first 64 KiB of a file that a spec names; nil if it cannot be read.
  package func beginning(of reference: FileReference, at range: SourceRange) -> [UInt8]? {
    guard !reference.isFromCommand, let location = try? locate(reference.path.string, beside: range.source.name) else {
      return nil
    }
    if let text = openTexts[location] { return text }
    guard isRegularFile(location) else { return nil }
    var bytes: [UInt8] = []
    let read: Void? = try? readFile(location, offset: 0, length: 1 << 16) { piece in
      bytes += piece
      return true
    }
    return read.map { bytes }
  }

  /// The absolute path of a file that may be read.
  package func locate(_ path: String, beside source: String) throws(DecodingProblem) -> String {
    try FileAccess.checkText(path)
    let absolute = path.hasPrefix("/") ? path : parentDirectory(of: source) + "/" + path
    onUse?(absolute, source)
    guard let canonical = canonicalPath(absolute) else {
      throw DecodingProblem(.missingFile, "there is no file \"\(path)\"", help: missingHelp(path, beside: source))
    }
    try checkRoot(canonical, as: path)
    return canonical
  }

  /// Reports the use of a directory whose files are read.
  package func use(directory path: String, by source: String) { onUse?(path, source) }

  private func missingHelp(_ path: String, beside source: String) -> String {
    if path.hasPrefix("@") { return "leave the `@` out" }
    // Nothing is revealed about files that may not be read.
    let folder = path.hasPrefix("/") || path.split(separator: "/").contains("..") ? nil : parentDirectory(of: source)
    let relation = "paths are relative to the file that holds them"
    guard let folder, let canonical = canonicalPath(folder), (try? checkRoot(canonical, as: path)) != nil else {
      return relation
    }
    let missing = MissingFile(path, in: folder)
    return missing.nearest == nil ? "\(relation): \(missing.help)" : missing.help
  }

  /// The system would take the part before a NUL for the whole path.
  private static func checkText(_ path: String) throws(DecodingProblem) {
    guard hasNUL(path) else { return }
    throw DecodingProblem(.invalidValue, "a path cannot contain NUL")
  }

  private func checkRoot(_ canonical: String, as path: String) throws(DecodingProblem) {
    guard let root, canonical == root || canonical.hasPrefix(root == "/" ? "/" : root + "/") else {
      throw DecodingProblem(
        .outsideFileRoot, "\"\(path)\" lies outside the file root",
        help: "put a `reqrun.yaml` into a directory above both, or name that directory with --file-root")
    }
  }

  /// The absolute path of a directory for new files, created on demand.
  ///
  /// - Parameters:
  ///   - isPrivate: whether only its owner may enter a new directory.
  ///   - isOnlyRead: whether nothing is written to it.
  package func directory(
    _ path: String, beside source: String, makes: Bool, isPrivate: Bool = true, isOnlyRead: Bool = false
  ) throws(DecodingProblem) -> String {
    try FileAccess.checkText(path)
    guard mayWrite || isOnlyRead else {
      throw DecodingProblem(
        .unwritableFile, "\"\(path)\" cannot be written: files may only be read", help: "`--allow-write` allows it")
    }
    var existing = path.hasPrefix("/") ? path : parentDirectory(of: source) + "/" + path
    while existing.hasSuffix("/"), existing != "/" { existing.removeLast() }
    var missing: [String] = []
    while pathKind(existing) == .nothing, existing != "/", existing != "." {
      let name = String(existing[(existing.lastIndex(of: "/").map(existing.index(after:)) ?? existing.startIndex)...])
      guard name != "..", name != "." else { throw DecodingProblem(.missingFile, "there is no directory \"\(path)\"") }
      if !name.isEmpty { missing.insert(name, at: 0) }
      existing = parentDirectory(of: existing)
    }
    guard pathKind(existing) == .directory, let canonical = canonicalPath(existing) else {
      throw DecodingProblem(.unreadableFile, "\"\(path)\" is not a directory")
    }
    try checkRoot(canonical, as: path)
    var result = canonical == "/" ? "" : canonical
    for name in missing {
      result += "/" + name
      guard makes else { continue }
      do throws(SystemProblem) {
        try makeDirectory(result, isPrivate: isPrivate)
      } catch {
        throw DecodingProblem(.unwritableFile, "the directory \"\(path)\" cannot be made: \(error.reason)")
      }
    }
    return result
  }

  /// The directory and the name of a file to be written, after resolving links.
  package func written(_ name: String, in folder: String, as path: String) throws(DecodingProblem) -> (String, String) {
    let place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    guard isSymbolicLink(place), let target = pathBehindLinks(place) else { return (folder, name) }
    try checkRoot(target, as: path)
    let parent = parentDirectory(of: target)
    return (parent, String(target.dropFirst(parent == "/" ? 1 : parent.count + 1)))
  }
}
