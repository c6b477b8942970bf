import LocalServer
import CommandLineOptions
import DemoServer
import Foundation
import TestSupport

/// The check of a page, in a directory of its own.
struct PageCheck {
  let page: Page
  /// `work`, where commands run, with their programs in `bin` and `home` as the home directory.
  let folder: TemporaryFolder
  private let server: HTTPServer?
  private(set) var problems: [String] = []
  /// Blocks whose output is another now.
  var printed: [(lines: Range<Int>, text: [String])] = []

  /// The programs of consoles.
  private static let programs = ["cat", "curl", "grep", "head", "ls", "mkdir", "sort", "tail", "wc"]

  init(_ page: Page) throws {
    self.page = page
    folder = try TemporaryFolder()
    server = try page.blocks.contains { $0.text.contains(":8080") } ? PageCheck.demoServer() : nil
    try folder.write(["bin/.keep": "", "home/.keep": "", "work/.keep": ""])
    let files = FileManager.default
    try files.removeItem(atPath: "\(folder.path)/work/.keep")
    let own = Repository.root.appendingPathComponent("Tests/Products/EndToEndTests/Pages/\(page.name)").path
    for name in (try? files.contentsOfDirectory(atPath: own)) ?? [] {
      try files.copyItem(atPath: "\(own)/\(name)", toPath: "\(folder.path)/work/\(name)")
    }
    if page.blocks.contains(where: { $0.text.contains("Examples/") }) {
      try files.copyItem(atPath: "\(Repository.root.path)/Examples", toPath: "\(folder.path)/work/Examples")
    }
    try files.createSymbolicLink(
      atPath: "\(folder.path)/bin/reqrun", withDestinationPath: try builtExecutable("reqrun"))
    for name in PageCheck.programs {
      let path = ["/usr/bin/\(name)", "/bin/\(name)"].first(where: files.isExecutableFile)
      if let path { try files.createSymbolicLink(atPath: "\(folder.path)/bin/\(name)", withDestinationPath: path) }
    }
  }

  /// A server at a port of four digits, such as 8080: lengths are those of the page.
  private static func demoServer() throws -> HTTPServer? {
    for port in UInt16(8080)..<8180 {
      if let server = try? DemoAPI.start(port: port) { return server }
    }
    throw HarnessError("no port from 8080 to 8179 is free")
  }

  func end() {
    server?.stop()
    folder.remove()
  }

  mutating func run() async throws {
    checkLinks()
    var specs: [String: Page.Block] = [:]
    for block in page.blocks {
      switch (block.mark, block.language) {
      case (.unchecked, _), (nil, ""), (nil, "swift"), (nil, "gherkin"), (nil, "groovy"): break
      case (.output(let command), _): try await checkOutput(of: [command], shown: block, isConsole: false)
      case (_, "console"): try await checkConsole(block)
      case (.file(let path), _):
        try folder.write(["work/\(path)": withPort(block.text)])
        if try await checkFile(path, block) { specs[path] = block }
      case (nil, "yaml"): checkPart(block)
      case (nil, "json"): checkJSON(block)
      case (nil, "sh"): try await checkCommandLines(block.text, block)
      default:
        report(
          "give the block a file name by a first line `# NAME`, or mark it: see Pages/README.md of these tests", block)
      }
    }
    let commands = page.blocks.filter { $0.language == "console" }.flatMap { $0.text.components(separatedBy: "\n") }
      .filter { $0.hasPrefix("$ ") && $0.contains("reqrun ") && !$0.contains("reqrun import") }
    let unused = specs.filter { path, _ in !commands.contains { $0.contains(path) } }
    if !unused.isEmpty { try await checkSpecs(unused) }
  }

  /// Reports links to pages and files that aren't there.
  private mutating func checkLinks() {
    let directory = Repository.root.appendingPathComponent(page.path).deletingLastPathComponent()
    for (index, line) in page.lines.enumerated() where ["](", "src", "<doc:"].contains(where: line.contains) {
      if page.blocks.contains(where: { $0.lines.contains(index) }) { continue }
      let files = line.matches(of: /(?:\]\(|\bsrc(?:set)?=")([^)":#\s]*[.\/][^)":#\s]*)[)"#]/).map { String($0.1) }
      let links = line.matches(of: /<doc:(\w+)(?:#([^>]+))?>/)
      let pages = links.map { "\($0.1).md" }
      for link in links {
        guard let anchor = link.2, let page = Page.all.first(where: { $0.name == link.1 }) else { continue }
        let headings = page.lines.filter { $0.hasPrefix("##") }.map { String($0.drop { $0 == "#" || $0 == " " }) }
        let anchors = headings.map { $0.replacing(/[^\w -]/, with: "").replacing(" ", with: "-") }
        if !anchors.contains(String(anchor)) {
          problems.append("\(self.page.path):\(index + 1): \(link.1).md has no heading for #\(anchor)")
        }
      }
      for link in files + pages
      where !FileManager.default.fileExists(atPath: directory.appendingPathComponent(link).path) {
        problems.append("\(page.path):\(index + 1): there is no \(link)")
      }
    }
  }

  mutating func report(_ problem: String, _ block: Page.Block, line: Int = 0) {
    problems.append("\(page.path):\(block.lines.lowerBound + 1 + line): \(problem)")
  }

  /// Parses the command lines of reqrun in a script, of which nothing is run.
  ///
  /// A shell without programs reads it, once as if all succeeded, and once as if all failed: so both sides of `||` are
  /// there.
  mutating func checkCommandLines(
    _ script: String, _ block: Page.Block, isScript: Bool = true
  ) async throws {
    let plain = script.replacing(/\$\{\{.*?\}\}/, with: "1")
    var seen: Set<[String]> = []
    for status in 0...1 {
      let stub = """
        readonly PATH= record="$HOME/record"
        : > "$record"
        exec() { "$@"; }
        reqrun() { printf '%s\\0' "$@" >> "$record"; printf '\\036' >> "$record"; return \(status); }
        command_not_found_handle() { return \(status); }
        {
        \(plain)
        } > /dev/null 2> /dev/null
        """
      let (syntaxErrors, _) = try await bash(stub)
      if status == 0, isScript, !syntaxErrors.isEmpty { report(syntaxErrors, block) }
      for line in folder.text("home/record")?.split(separator: "\u{1E}") ?? [] {
        let arguments = line.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
        guard seen.insert(arguments).inserted else { continue }
        do throws(UsageError) {
          _ = try CommandTable.reqrun.parse(arguments)
        } catch {
          report(error.message, block)
        }
      }
    }
  }

  private mutating func checkConsole(_ block: Page.Block) async throws {
    guard block.text.hasPrefix("$ ") else { return report("a console begins with `$ ` and a command", block) }
    var commands: [String] = []
    var isContinued = false
    for line in block.text.components(separatedBy: "\n").dropLast() {
      if isContinued {
        commands[commands.count - 1] += "\n" + line
      } else if line.hasPrefix("$ ") {
        commands.append(String(line.dropFirst(2)))
      } else {
        continue
      }
      isContinued = line.hasSuffix("\\")
    }
    try await checkOutput(of: commands, shown: block, isConsole: true)
  }

  private mutating func checkOutput(of commands: [String], shown block: Page.Block, isConsole: Bool) async throws {
    let script = commands.map { "(exit $status); {\n\($0)\n}; status=$?; printf '\\036'" }.joined(separator: "\n")
    let (output, _) = try await bash("exec 2>&1; status=0\n" + withPort(script))
    let outputs = output.replacingOccurrences(of: ":\(port)", with: ":8080")
      .replacingOccurrences(of: folder.path + "/work", with: "/home/ann").components(separatedBy: "\u{1E}")
    var fresh: [String] = []
    for (command, output) in zip(commands, outputs) {
      if output.contains(": command not found\n") {
        return report(
          "`$ \(command)` is not run here: it has reqrun, \(PageCheck.programs.joined(separator: ", "))", block)
      }
      if isConsole { fresh += "$ \(command)".components(separatedBy: "\n") }
      fresh += output.components(separatedBy: "\n")
      if fresh.last == "" { fresh.removeLast() }
    }
    let shown = block.text.components(separatedBy: "\n").dropLast()
    guard Array(shown) != fresh, !matches(normalized(Array(shown)), normalized(fresh)) else { return }
    printed.append((block.lines, fresh))
  }

  /// A line `…` stands for any lines.
  private func matches(_ shown: [String], _ actual: [String]) -> Bool {
    let pieces = shown.split(separator: "…", omittingEmptySubsequences: false).map(Array.init)
    var rest = actual[...]
    for (index, piece) in pieces.enumerated() {
      let isLast = index == pieces.count - 1
      var starts = rest.startIndex...max(rest.startIndex, rest.endIndex - piece.count)
      if isLast { starts = starts.upperBound...starts.upperBound }
      if index == 0 { starts = starts.lowerBound...starts.lowerBound }
      guard let start = starts.first(where: { rest[$0...].starts(with: piece) }) else { return false }
      rest = rest[(start + piece.count)...]
      if isLast, !rest.isEmpty { return false }
    }
    return true
  }

  private func normalized(_ lines: [String]) -> [String] {
    OutputMapping(temporaryFolder: folder.path).map(lines.joined(separator: "\n"))
      .replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "<uuid>")
      .replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/, with: "<date>")
      .replacing(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/, with: "<date>")
      .components(separatedBy: "\n").map { line in
        line.contains("█") || line.hasPrefix("total ")
          ? line.replacing(/^(\w[\w ]*?)[ █]+<time>$/) { "\($0.output.1) <time>" } : line
      }
  }

  private var port: String { server.map { String($0.address.split(separator: ":").last ?? "") } ?? "8080" }

  private func withPort(_ text: String) -> String { text.replacingOccurrences(of: ":8080", with: ":\(port)") }

  func bash(_ script: String) async throws -> (output: String, ending: ProcessRun.Ending) {
    var process = ProcessRun("/bin/bash", ["-c", script], in: folder.path + "/work")
    process.environment = [
      "PATH": folder.path + "/bin", "HOME": folder.path + "/home", "LC_ALL": "C.UTF-8", "NO_PROXY": "*",
    ]
    let result = try await process.run()
    let output = String(decoding: result.output + result.errorOutput, as: UTF8.self)
    if case .killed = result.ending { throw HarnessError("\(page.path): \(result.ending):\n\(script)") }
    return (output, result.ending)
  }
}
