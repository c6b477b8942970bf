import OperatingSystem
import ReqrunKit

extension ReqrunOptions {
  /// The options for editors and other programs that check files.
  static let ofCheck: [OptionSpec] = [
    OptionSpec(
      "output", value: "FORMAT", choices: ["text"] + SpecListing.Format.allCases.map(\.rawValue), group: output,
      of: [.check, .list], readsEnvironment: false, excludes: "variables",
      help:
        """
        Print for people, or for programs: all as one JSON document (see `reqrun schema check`), or errors and warnings \
        as SARIF, or as annotations of GitHub Actions
        """),
    OptionSpec(
      "fix", group: output, of: [.check], readsEnvironment: false,
      help: "Correct errors that have one likely correction, such as a misspelt key, in the files"),
    OptionSpec(
      "stdin-path", value: "FILE", suggestion: .files, group: running, of: [.run, .check, .list],
      readsEnvironment: false,
      help: "Read - as the content of this file: its project file, and the paths in it, are those of the file"
    ) { (options, given) throws(UsageError) in
      guard let input = options.specs.firstIndex(of: .path(standardInputPath)) else {
        throw UsageError("--stdin-path goes with - as a file", help: "write `reqrun \(given.command) - --stdin-path …`")
      }
      options.specs[input] = .text(try standardInput(), name: given.last)
    },
  ]

  private static func standardInput() throws(UsageError) -> String {
    switch readFile("/dev/stdin", limit: SpecLoader.sizeLimit) {
    case .success(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw UsageError("standard input is not UTF-8")
      }
      return text
    case .failure(let problem): throw UsageError("standard input cannot be read: \(problem.reason)")
    }
  }
}
