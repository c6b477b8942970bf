import HTTPSemantics
import Values

/// The variables that replace `{$name}` in a playlist (`#EXT-X-DEFINE`).
struct PlaylistVariables {
  /// The maximum size of a line: a few definitions could multiply a text endlessly.
  private static let limit = 64 << 10
  private static let countLimit = 1000

  private let imports: [String: String]
  private let query: String?
  private(set) var values: [String: String] = [:]

  init(imports: [String: String], query: String?) {
    self.imports = imports
    self.query = query
  }

  mutating func define(_ text: Substring, line: Int) throws(PlaylistProblem) {
    let tag = "#EXT-X-DEFINE"
    let attributes = try AttributeList(parsing: text, of: tag, line: line, variables: self)
    let name: String
    let value: String
    if let own = attributes["NAME"] {
      name = own
      guard let given = attributes["VALUE"] else { throw PlaylistProblem("\(tag) has no VALUE", line: line) }
      value = given
    } else if let imported = attributes["IMPORT"] {
      name = imported
      guard let given = imports[imported] else {
        throw PlaylistProblem("the master playlist defines no variable \"\(excerpt(imported))\"", line: line)
      }
      value = given
    } else if let parameter = attributes["QUERYPARAM"] {
      name = parameter
      guard let given = queryParameter(parameter), !given.isEmpty else {
        throw PlaylistProblem("the playlist's URL has no parameter \"\(excerpt(parameter))\"", line: line)
      }
      value = given
    } else {
      throw PlaylistProblem("\(tag) has neither NAME nor IMPORT nor QUERYPARAM", line: line)
    }
    guard values.updateValue(value, forKey: name) == nil else {
      throw PlaylistProblem("the variable \"\(excerpt(name))\" is defined twice", line: line)
    }
    guard values.count <= PlaylistVariables.countLimit else {
      throw PlaylistProblem("the playlist defines more than \(PlaylistVariables.countLimit) variables", line: line)
    }
  }

  private func queryParameter(_ name: String) -> String? {
    for pair in (query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if percentDecoded(parts[0]) == name { return parts.count > 1 ? percentDecoded(parts[1]) : "" }
    }
    return nil
  }

  /// The text with its variables replaced; unchanged if the playlist defines none.
  func replaced(in text: Substring, line: Int) throws(PlaylistProblem) -> String {
    guard !values.isEmpty else { return String(text) }
    var result = ""
    var rest = text
    while let start = rest.firstRange(of: "{$") {
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else { break }
      let name = rest[start.upperBound..<end]
      guard let value = values[String(name)] else {
        throw PlaylistProblem("there is no variable \"\(excerpt(name))\" for {$…}", line: line)
      }
      result += rest[..<start.lowerBound]
      result += value
      guard result.utf8.count <= PlaylistVariables.limit else {
        throw PlaylistProblem(
          "with its variables the line is longer than \(PlaylistVariables.limit >> 10) KiB", line: line)
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
