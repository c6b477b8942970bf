import Foundation
import TestSupport

/// A page of the documentation, with its blocks of code.
struct Page: Sendable, CustomStringConvertible {
  /// A fenced block.
  struct Block: Sendable {
    /// The role that a comment above the block gives it.
    enum Mark: Sendable, Equatable {
      /// `<!-- file: PATH -->`, or a first line `# PATH`: a file of that name.
      case file(String)
      /// `<!-- output: COMMAND -->`: the output of that command.
      case output(String)
      /// `<!-- not checked: REASON -->`, or a first line `# wrong`, which `DiagnosticPageTests` reads.
      case unchecked
    }

    let language: String
    let mark: Mark?
    /// The lines between the fences, by their indices in the page.
    let lines: Range<Int>
    /// Each line with its end.
    let text: String
  }

  /// Relative to the repository.
  let path: String
  let lines: [String]
  let blocks: [Block]

  var description: String { path }
  var name: String {
    let file = URL(fileURLWithPath: path).lastPathComponent
    return String(file.prefix { $0 != "." })
  }

  /// The README, and the pages of the catalogue.
  static let all: [Page] = {
    let catalogue = "Sources/Products/ReqrunKit/ReqrunKit.docc"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(Repository.root.path)/\(catalogue)")) ?? []
    return (["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalogue)/\($0)" })
      .compactMap { path in
        let file = Repository.root.appendingPathComponent(path)
        return (try? String(contentsOf: file, encoding: .utf8)).map { Page(path: path, text: $0) }
      }
  }()

  init(path: String, text: String) {
    self.path = path
    lines = text.components(separatedBy: "\n")
    var blocks: [Block] = []
    var index = 0
    while index < lines.count {
      let fence = lines[index]
      let indentation = fence.prefix { $0 == " " }
      let ticks = fence.dropFirst(indentation.count).prefix { $0 == "`" }
      guard ticks.count >= 3 else {
        index += 1
        continue
      }
      let start = index + 1
      let end = lines[start...].firstIndex { $0 == indentation + ticks } ?? lines.endIndex
      let own = lines[start..<end].map { $0.hasPrefix(indentation) ? String($0.dropFirst(indentation.count)) : $0 }
      let above = start > 1 ? lines[start - 2] : ""
      blocks.append(
        Block(
          language: fence.dropFirst(indentation.count + ticks.count).trimmingCharacters(in: .whitespaces),
          mark: Page.mark(above) ?? own.first.flatMap(Page.mark(inside:)), lines: start..<end,
          text: own.map { $0 + "\n" }.joined()))
      index = end + 1
    }
    self.blocks = blocks
  }

  private static func mark(_ line: String) -> Block.Mark? {
    guard let match = line.wholeMatch(of: /\s*<!-- (file|output|not checked): (.+) -->/) else { return nil }
    switch match.1 {
    case "file": return .file(String(match.2))
    case "output": return .output(String(match.2))
    default: return .unchecked
    }
  }

  private static func mark(inside line: String) -> Block.Mark? {
    line == "# wrong" ? .unchecked : path(line).map { .file($0) }
  }

  /// The path in a first line such as `# shop/users.yaml`.
  private static func path(_ line: String) -> String? {
    line.wholeMatch(of: /(?:#|\/\/) ([\w.\/-]*[.\/][\w-]+|Dockerfile|Jenkinsfile)/).map { String($0.1) }
  }

  /// The page with other texts in place of those of some lines.
  func text(replacing replacements: [(lines: Range<Int>, text: [String])]) -> String {
    var lines = lines
    for (range, text) in replacements.reversed() { lines.replaceSubrange(range, with: text) }
    return lines.joined(separator: "\n")
  }
}
