import RequestSpecs
import Values

/// Explains why no request was selected, and lists those that can be.
struct NothingSelected {
  let specs: [LoadedSpec]
  let emptyDirectories: [String]
  let options: RunOptions

  /// The maximum number of names listed.
  private static let shown = 20

  /// Indicates that no request can have one of the wanted tags, which is an error.
  var selectsNone: Bool { !options.tags.isEmpty && !options.tags.contains(where: Set(tags).contains) }

  var isOfEmptyDirectory: Bool { specs.isEmpty && !emptyDirectories.isEmpty }

  var diagnostic: Values.Diagnostic {
    if isOfEmptyDirectory, let directory = emptyDirectories.first {
      return NothingSelected.emptyDirectory(directory, to: "run")
    }
    var reason = "no request was selected"
    var help: String?
    let unknown = options.tags.filter { !tags.contains($0) }
    if !options.tags.isEmpty, unknown.count == options.tags.count {
      reason = "no request has the tag \(unknown.joined(separator: " or "))"
      help = tags.isEmpty ? "the files have no tags" : nearestTag(unknown) + "the tags are " + list(tags)
    } else if let pattern = options.name, options.tags.isEmpty, options.excludeTags.isEmpty {
      reason = "no request has a name that fits \(pattern)"
      if let near = nearNames(pattern, names) {
        help = "did you mean \(near)?"
      } else {
        help =
          names.isEmpty
          ? "the requests have no names: their methods and URLs stand for them" : "the names are " + list(names)
      }
    } else if !options.excludeTags.isEmpty {
      reason = "no request is left by the selection"
      help = tags.isEmpty ? nil : "the tags are " + list(tags)
    } else if specs.isEmpty {
      reason = "no file has requests"
      help =
        "a file without `requests` is for `extends`, which takes over no requests either; a project file is for the "
        + "specs beside it, which are run in its place"
    }
    return .error(.nothingToRun, "nothing to run: \(reason)", at: nil, help: help)
  }

  /// - Parameter purpose: the verb of what is done with specs.
  static func emptyDirectory(_ directory: String, to purpose: String) -> Values.Diagnostic {
    .error(
      .nothingToRun, "nothing to \(purpose): there is no spec in the directory \(directory)", at: nil,
      help:
        "specs are files `*.yaml` and `*.yml`; names that begin with `.` or `_` are skipped, unless they are arguments")
  }

  /// The warnings about tags and directories that select nothing where others do.
  var warnings: [Values.Diagnostic] {
    guard !specs.isEmpty else { return [] }
    var warnings = emptyDirectories.map {
      Values.Diagnostic.warning(.nothingToRun, "there is no spec in the directory \($0)", at: nil)
    }
    let given = options.tags.sorted() + options.excludeTags.sorted()
    // A shard has the tags of its files alone.
    guard !given.isEmpty, options.shard == nil, options.rerunFailed == nil else { return warnings }
    let known = Set(tags)
    for tag in given where !known.contains(tag) {
      let near = joinedTag(with: tag) ?? nearestWord(to: tag, among: tags).map { "did you mean \($0)?" }
      // What nothing has is excluded as it was wanted.
      guard near != nil || options.tags.contains(tag) else { continue }
      warnings.append(.warning(.unknownRequest, "no request has the tag \(tag)", at: nil, help: near))
    }
    return warnings
  }

  /// The names of the requests, each once.
  var names: [String] {
    var seen: Set<String> = []
    let all = specs.flatMap { spec in
      (spec.file.flows.map(\.name) + spec.file.allRequests.map(\.name)).compactMap { $0?.literal?.masked }
    }
    return all.filter { seen.insert($0).inserted }
  }

  var tags: [String] {
    var seen: Set<String> = []
    let all = specs.flatMap { spec in
      spec.file.tags + spec.file.flows.flatMap(\.allTags) + spec.file.requests.flatMap(\.tags)
    }
    return all.filter { seen.insert($0).inserted }
  }

  /// The advice on a tag that consists of several words, of which one is looked for.
  private func joinedTag(with word: String) -> String? {
    tags.lazy.compactMap { tag in
      let words = tag.split { $0 == "," || $0.isWhitespace }
      guard words.count > 1, words.contains(word[...]) else { return nil }
      return "\"\(tag)\" is one tag: write `tags: [\(words.joined(separator: ", "))]`"
    }.first
  }

  private func nearestTag(_ unknown: [String]) -> String {
    if let joined = unknown.lazy.compactMap(joinedTag).first { return joined + "; " }
    return unknown.lazy.compactMap { nearestWord(to: $0, among: tags) }.first.map { "did you mean \($0)? " } ?? ""
  }

  /// The name that the pattern probably meant; for a part of a name, its nearest word.
  private func nearNames(_ pattern: String, _ names: [String]) -> String? {
    let plain = pattern.filter { $0 != "*" && $0 != "?" }
    if let name = nearestWord(to: plain, among: names) { return name }
    return names.first { name in nearestWord(to: plain, among: name.split(separator: " ").map(String.init)) != nil }
  }

  private func list(_ words: [String]) -> String {
    let rest = words.count - Self.shown
    let shown = words.prefix(Self.shown).map { $0.contains(" ") ? "\"\($0)\"" : $0 }
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
