import SpecExecution
import Values

/// The result of writing a collection to start from.
public struct StartedCollection: Sendable {
  /// The paths of the files that were written.
  public let files: [String]
  /// Files that exist already, or that cannot be written.
  public let diagnostics: [Diagnostic]
  /// The exit code: 0, 5 a file exists already or cannot be written.
  public var exitCode: Int32 { diagnostics.isEmpty ? 0 : 5 }
  /// The files and the next steps, as the command prints them.
  public let text: String
}

extension Runner {
  /// Writes a collection to start from, whose specs pass against the demo server.
  ///
  /// - Parameters:
  ///   - directory: the directory for the files, created if it doesn't exist.
  ///   - replaces: whether files that exist are replaced; otherwise none is written if one exists.
  public static func startCollection(in directory: String, replaces: Bool = false) -> StartedCollection {
    let schema = (path: "reqrun.schema.json", purpose: "what editors complete and check", text: formatSchema)
    let files = StarterCollection.files + [schema]
    let written = writeFiles(files.map { ($0.path, Array($0.text.utf8)) }, to: directory, replaces: replaces)
    if let problem = written.problem {
      return StartedCollection(files: written.paths, diagnostics: [problem], text: "")
    }
    let place = quotedForShell(directory.isEmpty ? "." : directory)
    let steps = [
      ("reqrun \(place)", "runs it against the demo server"),
      ("edit \(written.paths.first ?? "")", "for the address of your API, under staging"),
      ("reqrun --env staging \(place)", "runs it there; change the specs to what your API responds"),
    ]
    let text =
      aligned(zip(written.paths, files).map { ($0, $1.purpose) }, "") + "\nnext:\n" + aligned(steps, "  ")
    return StartedCollection(
      files: written.paths, diagnostics: [],
      text: withoutWorkflowCommands(sanitizedForTerminal(text, keepingLineBreaks: true)))
  }

  private static func aligned(_ rows: [(String, String)], _ indentation: String) -> String {
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    return rows.map { indentation + $0 + String(repeating: " ", count: width - $0.count) + $1 + "\n" }.joined()
  }
}

/// The files of a collection to start from.
private enum StarterCollection {
  static let files: [(path: String, purpose: String, text: String)] = [
    ("reqrun.yaml", "the project: environments, and what all specs share", PackageResources.reqrun_yaml),
    ("smoke.yaml", "a test that is fast and changes nothing", PackageResources.smoke_yaml),
    (
      "flows/users.yaml", "a flow: independent tests with a login, captures and a teardown",
      PackageResources.users_yaml
    ),
    ("_shared/login.yaml", "the login that the flow needs", PackageResources.login_yaml),
    ("env/.gitignore", "keeps private values out of the repository", PackageResources.gitignore_txt),
  ].map { ($0, $1, String(decoding: $2, as: UTF8.self)) }
}
