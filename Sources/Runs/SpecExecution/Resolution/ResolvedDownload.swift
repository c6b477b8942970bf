import OperatingSystem
import RequestSpecs
import Templates
import Transfers
import Values

/// The resolved `download` of a request.
package struct ResolvedDownload: Sendable {
  package let spec: DownloadSpec
  package let to: Text
  package let resumes: Bool
  /// Nil if the spec doesn't set it.
  package let overwrite: Bool?
  package let createsDirectories: Bool
  package let sha256: [UInt8]?
  package let md5: [UInt8]?
  package let length: Int64?
  package let parallel: Int
  /// The directory for the extracted archive.
  package let unzip: Text?

  /// The number of expectations of the file.
  package var checkCount: Int { (sha256 == nil ? 0 : 1) + (md5 == nil ? 0 : 1) + (length == nil ? 0 : 1) }
}

extension DownloadSpec {
  package func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedDownload {
    let resolved = ResolvedDownload(
      spec: self, to: try to.resolve(in: scope).path, resumes: try resume?.resolve(in: scope) ?? true,
      overwrite: try overwrite?.resolve(in: scope),
      createsDirectories: try createDirectories?.resolve(in: scope) ?? true, sha256: try sha256?.resolve(in: scope),
      md5: try md5?.resolve(in: scope), length: try length?.resolve(in: scope),
      parallel: try parallel?.resolve(in: scope) ?? 1, unzip: try unzip?.resolve(in: scope).path)
    do {
      _ = try resolved.target(scope.fileAccess, makes: false)
    } catch {
      throw TemplateError(error, at: to.range)
    }
    do {
      _ = try resolved.unzipDirectory(scope.fileAccess, makes: false)
    } catch {
      throw TemplateError(error, at: unzip?.range ?? range)
    }
    return resolved
  }
}

extension ResolvedDownload {
  /// - Parameter makes: whether missing directories are created.
  package func plan(_ access: FileAccess, makes: Bool) throws(DecodingProblem) -> DownloadPlan {
    var plan = DownloadPlan(target: try target(access, makes: makes))
    plan.resumes = resumes
    // Nobody has chosen the file that a server's name would replace.
    if case .directory = plan.target { plan.replaces = overwrite ?? false } else { plan.replaces = overwrite ?? true }
    plan.parallel = parallel
    plan.length = length
    plan.sha256 = sha256
    plan.md5 = md5
    return plan
  }

  /// The target of the file, below the file root.
  package func target(_ access: FileAccess, makes: Bool) throws(DecodingProblem) -> DownloadPlan.Target {
    let path = to.string
    let name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    if ["", ".", ".."].contains(name) { return .directory(try directory(path, access, makes)) }
    let parent = try directory(
      path.dropLast(name.count).isEmpty ? "." : String(path.dropLast(name.count)), access, makes)
    // An existing directory gets the file under the response's name for it.
    if pathKind("\(parent)/\(name)") == .directory { return .directory(try directory(path, access, makes)) }
    let (directory, written) = try access.written(name, in: parent, as: path)
    return .file(directory: directory, name: written)
  }

  /// The directory for the extracted archive; nil without one. Only its parents are created.
  package func unzipDirectory(_ access: FileAccess, makes: Bool) throws(DecodingProblem) -> String? {
    guard let unzip else { return nil }
    var path = unzip.string
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let source = (spec.unzip ?? spec.to).range.source.name
    let directory = try access.directory(path, beside: source, makes: false, isPrivate: false)
    if makes, createsDirectories, pathKind(directory) == .nothing, let slash = path.lastIndex(of: "/") {
      _ = try access.directory(String(path[...slash]), beside: source, makes: true, isPrivate: false)
    }
    return directory
  }

  private func directory(
    _ path: String, _ access: FileAccess, _ makes: Bool
  ) throws(DecodingProblem) -> String {
    let found = try access.directory(path, beside: spec.to.range.source.name, makes: makes, isPrivate: false)
    if !createsDirectories, pathKind(found) != .directory {
      throw DecodingProblem(
        .missingFile, "there is no directory \"\(path)\"", help: "`create_directories: true` makes it")
    }
    return found
  }
}
