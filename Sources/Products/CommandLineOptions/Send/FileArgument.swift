/// A text in which templates are none.
func escapingTemplates(_ text: String) -> String { text.replacing("${{", with: "$${{") }

extension SendArguments.Files {
  /// The text of the file that an item names, with templates as literals.
  func literal(of item: RequestItem) throws(SendProblem) -> String {
    escapingTemplates(try text(of: item))
  }

  func text(of item: RequestItem) throws(SendProblem) -> String {
    guard let text = String(validating: try read(FileArgument.expanded(item.value, self)), as: UTF8.self) else {
      throw SendProblem(
        "the file in \"\(item.text)\" is not UTF-8", help: "send it as a file: \(item.name)@\(item.value)")
    }
    return text
  }
}

/// The file of an item, with its type and its name: `path;type=image/png;filename=x.png`.
struct FileArgument {
  var path: String
  var type: String?
  var filename: String?

  init(_ item: RequestItem, _ files: SendArguments.Files) throws(SendProblem) {
    var rest = item.value[...]
    // From the end: a path may have semicolons.
    while true {
      if let last = rest.parts(separatedBy: ";type=").dropFirst().last, !last.contains(";filename=") {
        type = String(last)
        rest = rest[..<last.startIndex].dropLast(";type=".count)
      } else if let last = rest.parts(separatedBy: ";filename=").dropFirst().last {
        filename = String(last)
        rest = rest[..<last.startIndex].dropLast(";filename=".count)
      } else {
        break
      }
    }
    if rest.isEmpty { throw SendProblem("the item \"\(item.text)\" names no file") }
    path = Self.expanded(String(rest), files)
  }

  static func expanded(_ path: String, _ files: SendArguments.Files) -> String {
    guard let home = files.home, path == "~" || path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
  }
}
