import OperatingSystem
import ReqrunKit
import SpecImports
import Values

extension Runner {
  /// Returns whether an update is possible with these options.
  static func checkUpdate(_ options: ImportOptions, _ result: inout ImportResult) -> Bool {
    guard options.kind?.format ?? .openapi == .openapi else {
      result.fail(
        2, .invalidOption, "only specs of OpenAPI are updated: others aren't in step with a document",
        help: "write `reqrun import openapi`")
      return false
    }
    guard options.directory != nil else {
      result.fail(2, .invalidOption, "an update needs the directory of the specs", help: "give it with -o DIRECTORY")
      return false
    }
    return true
  }
}

/// The import that an update starts from: that of the documents' copies beside the specs.
struct EarlierImport {
  private let directory: String
  private let files: SpecUpdate.Files
  /// Indicates whether files of boundaries are beside the specs, which are updated, too.
  let hasBoundaries: Bool
  /// The time for the examples of each of two imports, which would differ if it were over.
  static let exampleTime: Duration = .seconds(120)

  /// Nil with errors in the result if there was none.
  ///
  /// - Parameter given: the changed documents; a single one gets the name of the copy.
  init?(
    for given: inout ImportFiles, _ options: ImportOptions, _ kind: ImportReader, _ result: inout ImportResult
  ) {
    let directory = options.directory ?? "."
    self.directory = directory
    let folder = "\(directory)/\(OpenAPICopies.folder)"
    var walk = DirectoryWalk()
    var sources: [ImportSource] = []
    for path in walk.files(below: folder, leavingOut: { _ in false }) {
      guard case .success(let bytes) = readFile("\(folder)/\(path)", limit: SpecLoader.sizeLimit) else { continue }
      sources.append(ImportSource(path: path, below: folder, bytes: bytes))
    }
    // A lone file is the document, wherever it has its version.
    let mains = sources.count == 1 ? sources : sources.filter(kind.recognizes)
    let new = given.sources.indices.filter { given.sources.count == 1 || kind.recognizes(given.sources[$0]) }
    if mains.isEmpty {
      result.fail(
        2, .missingFile, "there is no earlier import in \(directory): \(folder) has no document",
        help: "import it first, without --update")
      return nil
    }
    guard mains.count == max(1, new.count) else {
      result.fail(
        2, .importSource, "\(folder) has \(counted(mains.count, "document")), but \(new.count) are given",
        help: "give all documents of the specs, or remove those from \(folder) that the specs don't name")
      return nil
    }
    if mains.count == 1, let index = new.first ?? given.sources.indices.first {
      given.sources[index] = given.sources[index].renamed(mains[0])
    }
    hasBoundaries = Self.specPaths(below: directory).contains { $0.hasSuffix(OpenAPICopies.endOfBoundaries) }
    var bag = DiagnosticBag()
    var selection = ImportSelection()
    selection.hasBoundaries = hasBoundaries
    selection.exampleTime = EarlierImport.exampleTime
    let collection = kind.read(sources, selection, &bag)
    guard let collection, !bag.hasErrors else {
      result.diagnostics += bag.diagnostics.map { ReqrunKit.Diagnostic($0) }
      result.exitCode = 2
      return nil
    }
    guard !collection.isCut else {
      result.failCut()
      return nil
    }
    files = SpecComposer.compose(collection).files
  }

  /// The paths of all specs below a directory, and of other files.
  private static func specPaths(below directory: String, or others: Set<String> = []) -> [String] {
    var walk = DirectoryWalk()
    let ends = [".yaml", ".yml"]
    return walk.files(below: directory) { $0.hasPrefix(".") || $0 == "__snapshots__" || $0 == "node_modules" }
      .filter { path in others.contains(path) || ends.contains { path.hasSuffix($0) } }
  }

  /// Changes the specs, or says what would change.
  func update(to new: ComposedImport, _ options: ImportOptions, _ result: inout ImportResult) {
    let imported = new.files.map(\.path)
    let current = Self.specPaths(below: directory, or: Set(imported)).compactMap {
      path -> (path: String, bytes: [UInt8])? in
      guard case .success(let bytes) = readFile("\(directory)/\(path)", limit: SpecLoader.sizeLimit) else { return nil }
      return (path, bytes)
    }
    var bag = DiagnosticBag()
    let update = SpecUpdate(from: files, to: new.files, of: current, in: directory, into: &bag)
    result.diagnostics += bag.diagnostics.map { ReqrunKit.Diagnostic($0) }
    if bag.hasErrors { result.exitCode = 2 }
    result.changes = update.changes.map { change in
      "\(directory)/\(change.path)\(change.line.map { ":\($0)" } ?? ""): \(change.text)"
    }
    result.changesLeft = update.changes.count { $0.isLeft }
    let left = result.changesLeft > 0 ? ", \(result.changesLeft) of them left to you" : ""
    let count = counted(result.changes.count, "change")
    if result.changes.isEmpty {
      result.updateSummary = "the specs are in step with the document"
    } else if options.existing == .compared {
      result.updateSummary = "the specs are not in step with the document: \(count)\(left)"
      result.exitCode = max(result.exitCode, 1)
    } else {
      result.updateSummary = "\(count)\(left)"
      let written = writeFiles(update.files, to: directory, replaces: true)
      result.files = written.paths
      if let problem = written.problem {
        result.diagnostics.append(problem)
        result.exitCode = 5
      }
    }
  }
}

extension ImportResult {
  /// Fails since two imports can't be compared.
  mutating func failCut() {
    fail(
      2, .limitExceeded, "the examples of the document take longer than two minutes",
      help: "nothing was changed: make the document smaller, or try again on a machine that has less to do")
  }
}

extension ImportSource {
  /// The source under the name of its copy, so that specs go on to name it, if the extension allows that.
  fileprivate func renamed(_ copy: ImportSource) -> ImportSource {
    let isJSON = bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
    guard isJSON || copy.fileExtension != "json" else { return self }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return renamed(folder + copy.path)
  }
}
