import RequestSpecs
import Values

/// A file of specs, or one of its flows, as far as it is known before a run.
package struct ExportedFile: Sendable {
  package let path: String
  /// The name of the file, and that of the flow.
  package let title: String?
  package let flow: String?
  /// The requests in their order: those that it needs, its setup, its own, its teardown; and those that are left out.
  package var entries: [ExportedEntry] = []
  package var requests: [ExportedRequest] {
    entries.compactMap { if case .request(let request) = $0 { request } else { nil } }
  }

  package init(path: String, title: String?, flow: String?) {
    (self.path, self.title, self.flow) = (path, title, flow)
  }

  /// The name as a part of a collection.
  var name: String {
    let stem = path.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? path
    return ([title ?? stem] + [flow].compactMap(\.self)).joined(separator: " › ")
  }

  /// The line that says what is exported.
  var heading: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return ([title, flow].compactMap(\.self) + [name]).joined(separator: ", ")
  }

  /// The variables that have one value in all requests.
  func sharedVariables() -> [ExportedVariable] {
    var result: [ExportedVariable] = []
    var names: Set<String> = []
    for variable in requests.flatMap(\.variables)
    where !variable.isOfRequest && !variable.readsCaptures && names.insert(variable.name).inserted {
      result.append(variable)
    }
    return result
  }

  /// The captures that are JSON values of their own, whose type only a run knows.
  var capturesAsJSON: Set<String> {
    Set(requests.flatMap(\.values).compactMap(\.captureAsJSON))
  }

  /// The names of the environment variables that it reads.
  var environment: [String] {
    var known: Set<String> = []
    return requests.flatMap(\.values).compactMap { value in
      if case .environment(let name) = value.plain, known.insert(name).inserted { name } else { nil }
    }
  }
}

/// A request of a file, or what is said in its place.
package enum ExportedEntry: Sendable {
  case request(ExportedRequest)
  case omission(label: String, reason: String, RequestStage)

  package var stage: RequestStage {
    switch self {
    case .request(let request): request.step.stage
    case .omission(_, _, let stage): stage
    }
  }

  package mutating func take(_ names: [(name: String, capture: String)], _ words: ExportWords) {
    guard case .request(var request) = self else { return }
    request.take(names, words)
    self = .request(request)
  }

  package mutating func takeVariables(_ words: ExportWords) {
    guard case .request(var request) = self else { return }
    request.takeVariables(words)
    self = .request(request)
  }
}

/// The result of an export of specs.
package struct SpecExport: Sendable {
  package var files: [(name: String, bytes: [UInt8])] = []
  /// The files that the requests send, copied beside the others.
  package var inputs: [ExportedInput] = []
  package var remarks: [ExportRemark] = []
  /// The number of exported requests.
  package var requests = 0
  /// The environment variables that it reads.
  package var environment: [String] = []
  /// The names of its inputs, and of its environment variables behind `$`.
  private var known: Set<String> = []
}

/// The form of another tool for specs.
package struct SpecForm: Sendable {
  /// Returns whether the tool has a function.
  package let supports: @Sendable (ExportFunction) -> Bool
  package let export: @Sendable ([ExportedFile], ExportWords) -> SpecExport

  /// A form with a file for each spec.
  static func files(
    ending: String, supports: @escaping @Sendable (ExportFunction) -> Bool,
    text: @escaping @Sendable (ExportedFile, ExportWords, inout SpecExport) -> String
  ) -> SpecForm {
    SpecForm(supports: supports) { files, words in
      var export = SpecExport()
      for (file, name) in zip(files, fileNames(files)) {
        let own = text(file, words, &export)
        export.add(file)
        export.files.append(("\(name).\(ending)", Array(own.utf8)))
      }
      return export
    }
  }

  /// A name for each file: its path below the directory that all share.
  static func fileNames(_ files: [ExportedFile]) -> [String] {
    let parts = files.map { $0.path.split(separator: "/").map(String.init).filter { $0 != "." && $0 != ".." } }
    var shared = parts.first.map { Array($0.dropLast()) } ?? []
    for part in parts { while !part.starts(with: shared) { shared.removeLast() } }
    var names = UniqueNames()
    return zip(files, parts).map { file, part in
      var own = Array(part.dropFirst(shared.count))
      let last = own.popLast() ?? "spec"
      let stem = last.prefix { $0 != "." }
      let flow = file.flow.map { "-" + exportedName($0.lowercased()).replacing("_", with: "-") } ?? ""
      return names.name((own + [(stem.isEmpty ? "spec" : String(stem)) + flow]).joined(separator: "/"), "-")
    }
  }
}

extension SpecExport {
  /// Adds the remarks on a file's requests, and the files that they send.
  mutating func add(_ file: ExportedFile) {
    for request in file.requests {
      requests += 1
      remarks += request.remarks
      inputs += request.files.filter { known.insert($0.name).inserted }
    }
    environment += file.environment.filter { known.insert("$\($0)").inserted }
  }
}
