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
    return project
  }
}
