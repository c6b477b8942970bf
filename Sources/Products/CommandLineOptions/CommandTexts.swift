import ReqrunKit

extension CommandSpec {
  /// One line without a final period.
  package var summary: String { lines[0] }

  /// A paragraph.
  var description: String {
    let kinds =
      name == .import
      ? ImportFormat.allCases.map { "\($0.rawValue) (\($0.summary))" }
      : ExportFormat.allCases.map { "\($0.rawValue) (\($0.summary))" }
    return lines[1].replacing("{kinds}", with: kinds.joined(separator: ", "))
  }

  package var examples: [(command: String, explanation: String)] {
    stride(from: 2, to: lines.count - 1, by: 2).map { (lines[$0 + 1], lines[$0]) }
  }

  /// The lines of the command in `commands.txt`: summary, description, and examples below what they are for.
  private var lines: [String] { CommandSpec.texts[name.rawValue] ?? ["", ""] }

  private static let texts: [String: [String]] = {
    let sections = String(decoding: PackageResources.commands_txt, as: UTF8.self).split(separator: "# ")
    let lines = sections.map { $0.split(separator: "\n").map(String.init) }
    return Dictionary(uniqueKeysWithValues: lines.map { ($0[0], Array($0.dropFirst())) })
  }()
}
