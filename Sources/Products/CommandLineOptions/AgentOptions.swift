import OperatingSystem
import ReqrunKit

extension ReqrunOptions {
  /// The options that limit what agents can do.
  static let ofAgents: [OptionSpec] = [
    OptionSpec(
      "root", value: "DIRECTORY", suggestion: .directories, group: agents, of: [.mcp], readsEnvironment: false,
      help: "The directory whose specs the agent may read and run, the working directory by default"
    ) { (options, given) throws(UsageError) in
      guard let root = canonicalPath(given.last), pathKind(root) == .directory else {
        throw UsageError("--root \(given.last) is not a directory")
      }
      options.root = root
    },
    OptionSpec(
      "allow-send", value: "HOST,…", isRepeatable: true, group: agents, of: [.mcp], readsEnvironment: false,
      help: "The hosts that the agent may send requests of its own to: a name, name:port, or *.name for its subdomains"),
    OptionSpec(
      "allow-write", group: agents, of: [.mcp], readsEnvironment: false,
      help: "Let the agent format specs, and its runs write what they download or keep"),
  ]

  private static let agents = "What an agent may do"
}
