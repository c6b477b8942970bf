import Synchronization
import Templates
import Values

/// The names that templates read, and where these have their values from: for editors.
package final class NameRecorder: Sendable {
  /// A name in a template.
  package struct Use: Sendable {
    package let reference: TemplateReference
    /// Nil if nothing gives the name a value there.
    package let origin: NameOrigin?
  }

  /// A name that no file has: where it stands, all names that can be read there are recorded.
  package static let probe = "reqrun_editor_probe"

  private struct State {
    var uses: [Use] = []
    var readable: [String: NameOrigin] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var uses: [Use] { state.withLock { $0.uses } }
  /// The names that can be read in place of ``probe``.
  package var readable: [String: NameOrigin] { state.withLock { $0.readable } }

  func add(_ reference: TemplateReference, _ origin: NameOrigin?) {
    state.withLock { $0.uses.append(Use(reference: reference, origin: origin)) }
  }

  func add(readable origins: [String: NameOrigin]) { state.withLock { $0.readable.merge(origins) { $1 } } }
}

/// The origin of a name's value.
package struct NameOrigin: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case variable, secret, capture, row
    /// A file that runs before, whose captures are members of the name.
    case need
    /// The command line, or the run.
    case run
  }

  package let kind: Kind
  /// The place that declares or captures the name; nil if no file does.
  package let range: SourceRange?
  /// A phrase such as `captured by "log in", line 11`.
  package let phrase: String
  /// The names of its members, if they are known.
  package internal(set) var members: [String] = []

  init(_ kind: Kind, at range: SourceRange?, _ phrase: String) {
    (self.kind, self.range, self.phrase) = (kind, range, phrase)
  }
}

extension ReadableNames {
  /// Records a name that a template reads.
  ///
  /// - Parameter index: the request that reads it; nil for a declaration of the file.
  func record(_ reference: TemplateReference, among names: Set<String>, at index: Int?) {
    guard let recorder else { return }
    if reference.name == NameRecorder.probe {
      recorder.add(
        readable: Dictionary(names.map { ($0, origin(of: $0, at: index)) }, uniquingKeysWith: { first, _ in first }))
    } else {
      recorder.add(reference, names.contains(reference.name) ? origin(of: reference.name, at: index) : nil)
    }
  }

  private func origin(of name: String, at index: Int?) -> NameOrigin {
    if let index {
      let request = requests[index]
      if let entry = request.spec.variables.entries.first(where: { $0.key.text == name }) {
        return NameOrigin(.variable, at: entry.key.range, "variable of the request")
      }
      let earlier = suppliers[name]?.last { $0 < index && sees(index, $0) }
      if let earlier { return captured(name, by: requests[earlier]) }
      if let flow = request.flow, let entry = flows[flow].variables.entries.first(where: { $0.key.text == name }) {
        return NameOrigin(.variable, at: entry.key.range, "variable of the flow")
      }
    }
    if let known = declarations[name] { return known }
    if let members = needed.members[name] {
      var origin = NameOrigin(.need, at: needed.places[name], "captures of the file that is needed")
      origin.members = members
      return origin
    }
    if let captured = needed.origin(of: name) { return captured }
    if let supplier = suppliers[name]?.first(where: { index == nil || sees(index ?? 0, $0) }) {
      return captured(name, by: requests[supplier])
    }
    if rowNames.contains(name) {
      let rows = index.flatMap { requests[$0].spec.rows ?? requests[$0].flow.flatMap { flows[$0].rows } }
      return NameOrigin(.row, at: rows?.range, "of the row")
    }
    return NameOrigin(.run, at: nil, name == "poll_round" ? "number of the poll's round" : "of the command or the run")
  }

  private func captured(_ name: String, by request: PlannedRequest) -> NameOrigin {
    NameOrigin(.capture, at: request.place(ofCapture: name), "captured by \(request.label), line \(request.line)")
  }
}

extension NeededNames {
  /// The capture of a name that a need without a name of its own supplies.
  fileprivate func origin(of name: String) -> NameOrigin? {
    guard let place = places[name] else { return nil }
    let file = file(supplying: name)
    return NameOrigin(
      .capture, at: file?.place(ofCapture: name) ?? place, "captured by the needed file \(file?.path ?? place.text)")
  }
}

extension PlannedFile {
  /// The place at which one of its requests captures a name last.
  fileprivate func place(ofCapture name: String) -> SourceRange? {
    requestSteps.last { $0.request.captureNames.contains(name) }?.request.place(ofCapture: name)
  }
}

extension PlannedRequest {
  /// The place at which it, or the file that it uses, captures a name.
  fileprivate func place(ofCapture name: String) -> SourceRange {
    if let own = ownPlace(ofCapture: name) { return own }
    if let taken = spec.use?.taken?.first(where: { $0.name.value == name }) { return taken.name.range }
    let inside = use.flatMap { use in
      use.outputs.first { $0.name == name }.flatMap { use.file.place(ofCapture: $0.capture) }
    }
    return inside ?? spec.range.firstLine
  }
}
