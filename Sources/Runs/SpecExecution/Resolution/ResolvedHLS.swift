import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Transfers
import Values

/// The resolved `hls` of a request.
package struct ResolvedHLS: Sendable {
  package let spec: HLSSpec
  /// The path as written.
  package let target: Text
  package let options: HLSDownload.Options
}

extension HLSSpec {
  package func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedHLS {
    let reference = try target.resolve(in: scope)
    var options = HLSDownload.Options()
    if let parallel = try parallel?.resolve(in: scope) { options.parallel = parallel }
    options.variant = VariantChoice(
      try order?.resolve(in: scope) ?? .highest, resolution: try resolution?.resolve(in: scope))
    if let bandwidth = try maxBandwidth?.resolve(in: scope) { options.variant.maxBandwidth = Int64(bandwidth) }
    if let renditions = try renditions?.resolve(in: scope) { options.renditions = renditions }
    options.liveDuration = try live?.resolve(in: scope)
    let resolved = ResolvedHLS(spec: self, target: reference.path, options: options)
    do throws(DecodingProblem) {
      _ = try resolved.place(scope.fileAccess, makes: false)
    } catch {
      throw TemplateError(error, at: target.range)
    }
    return resolved
  }
}

extension ResolvedHLS {
  /// The target directory, whose parents are created on demand.
  package func place(_ access: FileAccess, makes: Bool) throws(DecodingProblem) -> (parent: String, name: String) {
    let source = spec.target.range.source.name
    let path = try access.directory(target.string, beside: source, makes: false)
    guard let slash = path.lastIndex(of: "/"), path != "/" else {
      throw DecodingProblem(
        .unwritableFile, "\"\(target.masked)\" cannot be replaced as a whole", help: "name a directory below it")
    }
    let parent = parentDirectory(of: path)
    do throws(DecodingProblem) {
      _ = try access.directory(parent, beside: source, makes: false)
    } catch {
      throw DecodingProblem(
        .unwritableFile, "\"\(target.masked)\" is the file root, which can't be replaced as a whole",
        help: "name a directory below it")
    }
    let name = String(path[path.index(after: slash)...])
    return (try access.directory(parent, beside: source, makes: makes, isPrivate: false), name)
  }
}
