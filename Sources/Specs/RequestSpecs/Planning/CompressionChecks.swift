import HTTPSemantics
import OperatingSystem
import Values

extension MergedChecks {
  /// Checks `compress` against uploads and a header that says the same.
  func checkCompression(into bag: inout DiagnosticBag) {
    if let upload = settings.transfer?.upload.value, let range = request.spec.settings.bodyCoding?.range {
      bag.error(
        .conflictingKeys, "`compress` and `digest` are for bodies that go out whole, not for `upload`", at: range,
        notes: [Diagnostic.Note("the upload stands here", at: upload.range.firstLine)],
        help: "leave it out, or send the file by `body: {file: …}`")
    }
    guard settings.body.value != nil, let header = header("content-encoding"), header.value != nil else { return }
    guard let field = settings.bodyCoding?.compress.value, let choice = field.literal, choice != .none else {
      return checkCoding(header, into: &bag)
    }
    bag.error(
      .conflictingKeys, "the request has a Content-Encoding of its own, and `compress` would put another around it",
      at: header.key.range, notes: [Diagnostic.Note("`compress` stands here", at: field.range)],
      help: "leave out the header, or write `compress: none`")
  }

  /// Warns of a header that says that the body is compressed, where the spec has the body as it is.
  private func checkCoding(_ header: KeyedSettings<ValueTemplate>.Entry, into bag: inout DiagnosticBag) {
    guard let coding = header.value?.literal?.asText.string.lowercased(),
      ["gzip", "deflate", "br", "zstd"].contains(coding), settings.bodyCoding?.compress.value == nil
    else { return }
    switch settings.body.value {
    case .json, .form, .graphQL:
      bag.warning(
        .suspiciousHeader, "the header says that the body is compressed, and nothing compresses it",
        at: header.key.range,
        help: coding == "gzip" || coding == "deflate" ? "write `compress: \(coding)` in its place" : "leave it out")
    default: break
    }
  }
}
