import HTTPSemantics
import Matching
import RequestSpecs
import SpecExecution
import Templates
import Values

/// A request as far as it is known before a run: with words in place of open values, and without secrets.
package struct ExportedRequest: Sendable {
  package let step: RequestStep
  /// The path of the file that it stands in.
  package let path: String
  package let label: String
  let request: ResolvedRequest
  private(set) var checks: ExportedChecks
  /// The texts with words.
  private let texts: [String]
  /// The values that stand open in it, and in its variables.
  private(set) var values: [ExportedValue] = []
  /// The base of its URL, in which words stand; nil without one.
  let base: String?
  /// The variables that it reads, each after those that its value reads.
  private(set) var variables: [ExportedVariable] = []
  /// The files that it sends, by their names beside the export.
  let files: [ExportedInput]
  /// The parts that no kind can say.
  let remarks: [ExportRemark]
  /// The reason why it is left out; nil if it can be sent.
  package let omission: String?
  private let scope: FileScope

  var place: String { "\(path):\(step.line)" }

  /// The boundary of forms.
  static let boundary = "form-boundary"

  /// The headers of its own, for tools that neither compress bodies nor compute their digests.
  var headers: [(name: String, value: String)] {
    let isDigested = !request.outgoing.digests.isEmpty || step.settings.bodyCoding?.digest.value != nil
    var headers = request.headers.map { (name: $0.name.string, value: $0.value.string) }
    // That of a form is random.
    if case .multipart(_, let boundary) = request.body {
      for index in headers.indices where headers[index].name.lowercased() == "content-type" {
        headers[index].value = headers[index].value.replacing(boundary, with: ExportedRequest.boundary)
      }
    }
    return headers.filter { name, value in
      switch name.lowercased() {
      case "accept": value != "*/*"
      case "user-agent": !value.hasPrefix("reqrun")
      case "content-encoding": request.coding == nil
      case "content-digest", "repr-digest": !isDigested
      default: true
      }
    }
  }

  package init(
    _ step: RequestStep, label: String, path: String, _ resolved: ResolvedRequest, in scope: FileScope,
    _ words: ExportWords
  ) {
    let (label, place) = (words.named(label), "\(path):\(step.line)")
    (self.step, self.path, self.label, self.scope) = (step, path, label, scope)
    let whole = try? step.settings.baseURL.value?.resolve(in: scope)
    base = whole.map { words.opened($0.asAddress ?? $0, named: "base_url", at: place, isURL: true) }
    let open = OpenRequest(resolved, at: place, base: base, words)
    (request, files, omission) = (open.request, open.files, open.omission)
    checks = CheckExport(step, in: scope) { words.expected($1, of: $0, at: place) }.checks
    texts = (open.texts + checks.texts).filter { ExportWords.hasWord($0[...]) }
    remarks = (open.reasons + checks.missing + ExportedRequest.unsaid(step)).map { reason in
      ExportRemark(place: place, reason: reason, detail: label)
    }
  }

  /// Takes the open values and the variables, once all that are secrets are known.
  package mutating func takeVariables(_ words: ExportWords) {
    var reading = VariableReading(words, step, at: place, in: scope)
    values = texts.flatMap { words.values(in: $0) }
    for value in values { _ = reading.add(value) }
    variables = reading.variables
    values += reading.values
  }

  /// Adds captures of what the request captures, under the names outside its file.
  package mutating func take(_ names: [(name: String, capture: String)], _ words: ExportWords) {
    checks.add(names, words)
  }

  /// The settings that no other tool has.
  private static func unsaid(_ step: RequestStep) -> [String] {
    let settings = step.settings
    var words: [String] = []
    if settings.when.value != nil { words.append("`when` was evaluated by the export") }
    if settings.continueOnFailure.value != nil { words.append("`continue_on_failure`") }
    if settings.session.cache.value != nil { words.append("`session.cache`") }
    if !step.children.isEmpty { words.append("`during`") }
    if step.rows?.next != nil { words.append("rows of `next`: only the first request is exported") }
    return words
  }
}

/// A file beside the export.
package struct ExportedInput: Sendable, Hashable {
  package let name: String
  package let path: String
}

extension ResolvedRequest {
  /// The type of its body in lower case; empty without one.
  var contentType: String { (outgoing.headers.values("Content-Type").last ?? "").lowercased() }
}

extension ExportedRequest {
  /// The keys of the request that interactive clients lack.
  var keysThatClientsLack: [String] {
    var keys: [String] = []
    if request.coding != nil { keys.append("`compress`") }
    if !request.outgoing.digests.isEmpty { keys.append("`digest`") }
    if step.retry != nil { keys.append("`retry`") }
    if step.poll != nil { keys.append("`poll`") }
    return keys
  }

  /// The remark on a URL that clients can't make absolute as reqrun does.
  func linkRemarks(_ words: ExportWords) -> [String] {
    guard case .placed(_, .link)? = words.value(of: request.outgoing.url.string) else { return [] }
    return ["a URL that a response gives, which is taken as relative to the server"]
  }

  /// The reason why a client can't send it; nil if most can.
  ///
  /// - Parameter captures: what the requests before it give.
  func obstacle(for client: String, after captures: KnownCaptures) -> String? {
    if let reason = captures.obstacle(for: self) { return reason }
    switch request.transfer {
    case .stream?: return "\(client) reads no streams"
    case .hls?: return "\(client) reads no playlists"
    case .upload?: return "\(client) sends no segments"
    case .download?, nil: break
    }
    if checks.expectsFailure { return "\(client) expects no failure of an exchange" }
    return request.requestTarget == nil ? nil : "\(client) has no `request_target`"
  }

  /// The parts of a form that clients change.
  var changedParts: [String] {
    guard case .multipart(let parts, _) = request.body else { return [] }
    return parts.flatMap { part -> [String] in
      switch part.content {
      case .data: ["a part of bytes"]
      case .file(let file) where part.filename.map { $0.string != file.name.string } ?? false:
        ["another name for a file"]
      case .file, .text: []
      }
    }
  }
}
