import Values
import YAMLNodes

extension SpecFile {
  /// Reads a spec made in memory from nodes, and writes it as a person would: the keys of the file and of its requests
  /// in the order of their tables, with blank lines between requests.
  ///
  /// - Returns: nil if the bag has an error. The text is validated like that of any file.
  package static func written(
    _ root: YAMLNode, path: String, into bag: inout DiagnosticBag
  ) -> (file: SpecFile, text: [UInt8])? {
    let errors = bag.errorCount
    let text = Array(YAMLWriter.text(of: root.inKeyOrder).utf8)
    guard let formatted = YAMLReader.formatted(bytes: text, name: path, into: &bag) else { return nil }
    let loaded = LoadedFile.read(bytes: formatted, path: path, asProject: false, into: &bag)
    guard bag.errorCount == errors else { return nil }
    guard case .spec(let file)? = loaded else {
      bag.error(.notASpec, "\(path) would not be a spec", at: nil, help: "it has neither `requests` nor `url`")
      return nil
    }
    return (file, formatted)
  }
}

extension YAMLNode {
  /// A spec with its keys, and those of its requests, in the order of their tables.
  package var inKeyOrder: YAMLNode {
    guard let members else { return self }
    let stages: Set<String> = ["setup", "requests", "teardown"]
    let ordered = members.map { member in
      guard stages.contains(member.key), let items = member.value.items else { return member }
      return YAMLMember(key: member.key, keyRange: member.keyRange, value: .list(items.map(\.requestInKeyOrder)))
    }
    let isSingle = members.contains { $0.key == "url" }
    return .ordered(ordered, by: isSingle ? requestKeys.names.known + fileKeys.names.known : fileKeys.names.known)
  }

  /// A request with its keys in the order of their table.
  package var requestInKeyOrder: YAMLNode {
    members.map { .ordered($0, by: requestKeys.names.known) } ?? self
  }

  /// Sorts keys by their table; others keep their order, at the end.
  private static func ordered(_ members: [YAMLMember], by keys: [String]) -> YAMLNode {
    let ranks = members.map { keys.firstIndex(of: $0.key) ?? .max }
    let sorted = zip(ranks, members).enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
    return .mapping(sorted.map { ($0.element.1.key, $0.element.1.value) })
  }
}
