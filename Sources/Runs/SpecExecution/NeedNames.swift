import RequestSpecs
import Templates
import Values

/// The names of the runs of needed files in reports, which are the same each time.
struct NeedNames {
  private var counts: [String: Int] = [:]

  /// The values of a run's variables, in one line for people; nil without any. A value that is another one each time
  /// has none: whoever needs the file stands for it. Of runs with the same name, all but the first have a number.
  ///
  /// - Parameter needer: the need, and the file that has it.
  mutating func name(
    of arguments: Mapping, changing: Set<String>, in path: String, needer: (name: String?, path: String)
  ) -> String? {
    if arguments.members.isEmpty { return nil }
    var name = arguments.members.map { argument in
      let value = changing.contains(argument.key.string) ? "…" : argument.value.asText.masked
      return "\(argument.key.masked): \(value)"
    }.joined(separator: ", ")
    if !changing.isEmpty { name += "; for " + (needer.name.map { "\($0) of " } ?? "") + needer.path }
    let count = counts["\(path) \(name)", default: 0] + 1
    counts["\(path) \(name)"] = count
    return count == 1 ? name : "\(name) (\(count))"
  }
}

/// Finds the arguments whose values are others each time: those with `uuid`, `now` and the like, at any remove.
struct ChangingArguments {
  private let variables: [String: ValueTemplate]
  private let changing: Set<String>
  /// Names whose values are known to be the same each time.
  private var steady: Set<String> = []

  /// - Parameters:
  ///   - file: the file with the needs.
  ///   - changing: the names of its own variables with such values, which whoever needs it gives.
  init(of file: PlannedFile, changing: Set<String>) {
    var variables: [String: ValueTemplate] = [:]
    for scope in [file.sharedScope, file.scope] {
      for entry in scope?.variables.entries ?? [] where file.overrides[entry.key.text] == nil {
        variables[entry.key.text] = entry.value
      }
    }
    (self.variables, self.changing) = (variables, changing)
  }

  mutating func names(of need: PlannedNeed) -> Set<String> {
    var names: Set<String> = []
    for entry in need.arguments.entries where changes(entry.value?.templates ?? []) { names.insert(entry.key.text) }
    return names
  }

  private mutating func changes(_ templates: [Template]) -> Bool {
    var pending = templates
    var seen: Set<String> = []
    while let template = pending.popLast() {
      if !template.unrepeatableFunctions.isEmpty { return true }
      for name in template.references.map(\.name) where !steady.contains(name) && seen.insert(name).inserted {
        if changing.contains(name) { return true }
        pending += variables[name]?.templates ?? []
      }
    }
    steady.formUnion(seen)
    return false
  }
}
