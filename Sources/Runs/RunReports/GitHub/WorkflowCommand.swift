import OperatingSystem
import Values

/// A workflow command of GitHub Actions, by which a log annotates a line of a file.
package struct WorkflowCommand: Sendable {
  package enum Kind: String, Sendable {
    case error, warning, notice
  }

  /// A place in a file, counted from 1.
  package struct Place: Sendable {
    package let path: String
    /// Nil for the file as a whole.
    package let line: Int?
    package var column: Int?

    package init(path: String, line: Int?, column: Int? = nil) {
      self.path = path
      self.line = line
      self.column = column
    }

    package init(_ range: SourceRange) {
      self.init(
        path: concealingSecrets(in: range.source.name), line: range.start.line, column: range.start.column)
    }
  }

  private static let titleLimit = 200
  private static let messageLimit = 4000

  let kind: Kind
  /// The place below the workspace; nil if it is elsewhere.
  let place: Place?
  let title: String
  /// The message, of several lines if need be.
  let message: String

  package init(_ kind: Kind, at place: Place? = nil, title: String, message: String) {
    self.kind = kind
    self.place = place
    self.title = title
    self.message = message
  }

  /// `::error file=users.yaml,line=109,col=13,title=create a user::status: expected 201, actual 400`
  package var line: String {
    var properties: [String] = []
    if let place {
      properties.append("file=\(Self.property(place.path))")
      if let line = place.line { properties.append("line=\(line)") }
      if let column = place.column { properties.append("col=\(column)") }
    }
    properties.append("title=\(Self.property(elided(title, to: Self.titleLimit)))")
    let text = sanitizedForTerminal(elided(message, to: Self.messageLimit), keepingLineBreaks: true)
    return "::\(kind.rawValue) \(properties.joined(separator: ","))::\(Self.escaped(text))\n"
  }

  private static func property(_ text: String) -> String { escaped(sanitizedForTerminal(text), isProperty: true) }

  /// A text without the characters that end a command's property or its message.
  package static func escaped(_ text: String, isProperty: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// The directory of a repository, to which the paths in annotations are relative.
package struct Workspace: Sendable {
  private let root: String?

  /// - Parameter path: nil leaves paths as they are.
  package init(_ path: String?) {
    root = path.map { (canonicalPath($0) ?? $0) }.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
  }

  /// Returns the place with its path relative to the workspace; nil if it is outside.
  package func place(_ place: WorkflowCommand.Place) -> WorkflowCommand.Place? {
    guard let root else { return place }
    guard let path = canonicalPath(place.path), path.hasPrefix(root) else { return nil }
    return WorkflowCommand.Place(
      path: String(decoding: path.utf8.dropFirst(root.utf8.count), as: UTF8.self), line: place.line,
      column: place.column)
  }
}
