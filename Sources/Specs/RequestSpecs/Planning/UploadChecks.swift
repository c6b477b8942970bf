import HTTPSemantics
import Values

/// Checks of the merged settings of a request with an upload before sending.
struct UploadChecks {
  let request: PlannedRequest
  let upload: UploadSpec

  private var settings: RequestSettings { request.settings }
  private var style: UploadStyle? { upload.style.map(\.literal) ?? .contentRange }

  func run(into bag: inout DiagnosticBag) {
    checkMethod(into: &bag)
    checkForm(into: &bag)
    checkHeaders(into: &bag)
  }

  private func checkMethod(into bag: inout DiagnosticBag) {
    guard let field = settings.method.value, let method = field.literal, !method.takesUpload else { return }
    bag.error(
      .unsuitableMethod, "a \(method.rawValue) request can't send a file", at: field.range,
      notes: [Diagnostic.Note("the upload stands here", at: upload.range.firstLine)],
      help: "leave the method out for \(upload.method?.rawValue ?? "PUT"), or write PUT, PATCH or POST")
  }

  private func checkForm(into bag: inout DiagnosticBag) {
    if let fields = upload.fields, upload.segments == nil {
      bag.error(
        .orphanedKey, "`fields` distinguish segments, and there are none", at: fields.range.firstLine,
        help: "add `segments: {}`, or leave `fields` out")
    }
    guard style == .contentRange else { return }
    for range in [upload.field?.range, upload.fields?.range].compactMap({ $0 }) {
      bag.error(
        .orphanedKey, "only a form has fields: here the body is the file itself", at: range.firstLine,
        help: "add `style: multipart`")
    }
  }

  private func checkHeaders(into bag: inout DiagnosticBag) {
    for entry in settings.headers.entries where entry.value != nil && entry.key.template == nil {
      guard let reason = upload.refusal(ofHeader: entry.key.text, style: style) else { continue }
      bag.error(
        .conflictingKeys, "an upload sets \(entry.key.text) itself: \(reason)", at: entry.key.range,
        help: "leave the header out")
    }
  }
}

/// Checks before a run that the files for bodies can be read, as far as their names are literals.
///
/// A missing one may be fetched by an earlier request.
func checkBodyFiles(
  _ requests: [PlannedRequest], into bag: inout DiagnosticBag,
  _ problem: (FileReference, SourceRange) -> DecodingProblem?
) {
  var known: Set<SourceRange> = []
  for request in requests {
    let transfer = request.settings.transferBox?.content
    // The following checks may be about the files that this one makes.
    if transfer?.download.value != nil || transfer?.hls.value != nil { return }
    let files = (request.settings.body.value?.files ?? []) + (transfer?.upload.value.map { [$0.file] } ?? [])
    for file in files {
      guard let reference = file.literal, known.insert(file.range).inserted,
        let problem = problem(reference, file.range)
      else { continue }
      bag.error(problem.code, problem.message, at: file.range, help: problem.help)
    }
    for file in request.settings.body.value?.possibleFiles ?? [] where known.insert(file.range).inserted {
      if problem(FileReference(Text(file.name)), file.range) != nil { continue }
      bag.warning(
        .suspiciousBody, "this is sent as text, and there is a file of that name", at: file.range, help: file.help)
    }
  }
}

/// Warns of files that are sent as they are, with templates of names that have a value; not of YAML, whose templates may be
/// those of another program.
func checkTemplates(
  inFilesOf requests: [PlannedRequest], _ names: Set<String>, into bag: inout DiagnosticBag,
  _ beginning: (FileReference, SourceRange) -> [UInt8]?
) {
  var known: Set<SourceRange> = []
  for request in requests {
    guard case .file(let field)? = request.settings.body.value, let reference = field.literal,
      ![".yaml", ".yml"].contains(where: reference.path.string.hasSuffix), known.insert(field.range).inserted,
      let text = beginning(reference, field.range).map({ String(decoding: $0, as: UTF8.self) })
    else { continue }
    for part in text.split(separator: "${{").dropFirst() {
      let name = part.drop { $0 == " " }.prefix { isWordCharacter($0.utf8.first ?? 0) }
      guard part.contains("}}"), names.contains(String(name)) else { continue }
      bag.warning(
        .missingTemplate, "the file has a template of `\(name)`, and is sent as it stands", at: field.range,
        help: "write `template: true` beside `file:`")
      break
    }
  }
}
