import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Transfers
import Values

/// The resolved `upload` of a request.
package struct ResolvedUpload: Sendable {
  /// The absolute path.
  package let path: Text
  package let style: UploadStyle
  package let field: String
  package let fields: [SegmentField]
  /// Nil sends the file in one piece.
  package let segments: Segments?

  package struct Segments: Sendable {
    package let size: SegmentSize
    package let parallel: Int
    package let retries: Int
  }

  /// The file's name, for forms.
  package var name: String { path.string.split(separator: "/").last.map(String.init) ?? "" }
}

extension UploadSpec {
  package func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedUpload {
    let reference = try file.resolve(in: scope)
    let path: String
    do throws(DecodingProblem) {
      path = try scope.fileAccess.bodyPath(of: reference, at: file.range)
    } catch {
      // A dry run does not fetch files that an earlier request would.
      guard scope.standsIn else { throw TemplateError(error, at: file.range) }
      path = reference.path.string
    }
    if let field = segments?.size, case .fixed(let size) = try field.resolve(in: scope) {
      try checkCount(of: size, in: path, at: field.range)
    }
    return ResolvedUpload(
      path: Text(path, isSecret: reference.path.isSecret),
      style: try style?.resolve(in: scope) ?? .contentRange, field: try field?.resolve(in: scope).string ?? "file",
      fields: try fields?.resolve(in: scope) ?? SegmentField.dropzone,
      segments: try segments.map { segments throws(TemplateError) in
        ResolvedUpload.Segments(
          size: try segments.size?.resolve(in: scope) ?? .automatic,
          parallel: try segments.parallel?.resolve(in: scope) ?? 4,
          retries: try segments.retry?.resolve(in: scope) ?? 3)
      })
  }
}

extension UploadSpec {
  private static let maxSegments: Int64 = 10_000

  /// Checks the number of segments: a size in the wrong unit would mean endless requests.
  private func checkCount(of segment: Int64, in path: String, at range: SourceRange) throws(TemplateError) {
    guard let size = fileSize(of: path) else { return }
    let count = size / segment + (size % segment == 0 ? 0 : 1)
    let most = UploadSpec.maxSegments
    guard count > most else { return }
    let fitting = max(1, ((size / most) >> 20) + 1)
    let whole = "the file of \(byteCountText(size)) has \(count) segments of \(byteCountText(segment))"
    throw TemplateError(
      "\(whole), and at most \(most) are sent", at: range, help: "write a size such as \(fitting)MiB, or `auto`")
  }
}

extension RequestResolver {
  /// The method of an upload whose style depends on a template.
  package func uploadMethod() throws(TemplateError) -> HTTPMethod? {
    try request.settings.transfer?.upload.value?.style?.resolve(in: scope).method
  }

  /// Checks the values of templates by the same rules as literals.
  package func checkUpload(_ method: HTTPMethod, _ headers: [(name: Text, value: Text)]) throws(TemplateError) {
    guard let upload = request.settings.transfer?.upload.value else { return }
    guard method.takesUpload else {
      throw TemplateError(
        "a \(method.rawValue) request can't send a file", at: request.settings.method.value?.range,
        help: "write PUT, PATCH or POST")
    }
    let style = try upload.style?.resolve(in: scope) ?? .contentRange
    for header in headers {
      guard let reason = upload.refusal(ofHeader: header.name.string, style: style) else { continue }
      throw TemplateError(
        "an upload sets \(header.name.masked) itself: \(reason)",
        at: request.settings.headers.whole?.range
          ?? request.settings.headers.entries.last { $0.key.template != nil }?.key.range,
        help: "leave the header out")
    }
  }
}

extension ResolvedUpload {
  /// The size of all segments but the last; nil if they may differ.
  ///
  /// Forms whose fields contain the number of segments cannot wait for the first one to be measured.
  package func equalSize(of size: Int64) -> Int64? {
    guard style == .multipart, fields.contains(where: \.content.needsEqualSegments) else { return nil }
    if case .fixed(let size)? = segments?.size { return size }
    let unit = SegmentSizing.unit
    return min(SegmentSizing.largest, max(8 << 20, (size / 1000 + unit - 1) / unit * unit))
  }
}
