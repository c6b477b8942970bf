import Values
import YAMLNodes

extension SpecReader {
  mutating func projectFile(_ root: YAMLNode, source: SourceText, path: String) -> ProjectFile {
    var project = ProjectFile(source: source, path: path)
    visit(root, as: "the project file", keys: projectKeys, into: &project)
    if let name = project.defaultEnvironment, !missedKeys.contains("environments") {
      let names = project.environments.map(\.name.value)
      if !names.contains(name.value) {
        bag.error(
          .unknownEnvironment, "there is no environment `\(jsonEscaped(name.value))`", at: name.range,
          help: suggestion(name.value, among: names)
            ?? (names.isEmpty ? "name it under `environments:`" : "there are \(names.joined(separator: ", "))"))
      }
    }
    checkServerNames(root, project)
    return project
  }

  /// Checks that no variable beside a server's key has the name that its address has.
  private mutating func checkServerNames(_ root: YAMLNode, _ project: ProjectFile) {
    for (name, isStarted) in [("demo", project.runsDemo), ("mock", project.mock != nil)] where isStarted {
      guard let server = root.members?.first(where: { $0.key == name }),
        let variable = project.variables.entries.first(where: { $0.key.text == name })
      else { continue }
      bag.error(
        .conflictingNames, "`\(name)` is the address of a server of the project, too", at: variable.key.range,
        notes: [Diagnostic.Note("the server is started here", at: server.keyRange)],
        help: "give the variable another name, or remove one of the two")
    }
  }
}
