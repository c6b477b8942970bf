import OperatingSystem
import ReqrunKit

extension ReqrunOptions {
  /// The options of every command.
  static let general: [OptionSpec] = [
    OptionSpec(
      "color", value: "WHEN", choices: ["auto", "always", "never"], group: "General", of: [],
      help: "Use colours; auto uses them on a terminal, unless NO_COLOR is set"),
    OptionSpec("quiet", short: "q", group: "General", of: [], help: "Print failures, errors and the summary only") {
      if $1.flag { $0.detail = .quiet }
    },
    OptionSpec(
      "verbose", short: "v", isRepeatable: true, group: "General", of: [],
      help: "Print more: requests and responses with their headers; -vv prints bodies too"
    ) { options, given in
      if options.detail != .quiet { options.detail = given.count > 1 ? .bodies : given.count == 1 ? .heads : .normal }
    },
    OptionSpec("help", short: "h", group: "General", of: [], readsEnvironment: false, help: "Print this help"),
    OptionSpec("version", group: "General", of: [], readsEnvironment: false, help: "Print the version"),
  ]
}
