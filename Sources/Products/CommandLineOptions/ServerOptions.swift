extension ReqrunOptions {
  /// The options of the commands that serve.
  static let ofServers: [OptionSpec] = [
    OptionSpec(
      "port", value: "N", rule: .integer(0...65_535), group: server, of: [.demo, .mock, .record],
      help: "The port on 127.0.0.1, any free one by default"),
    OptionSpec(
      "target", value: "URL", group: server, of: [.record, .mock],
      help: "The server to which requests are passed on; of a mock, those that it has no response for"),
    OptionSpec(
      "save", value: "DIRECTORY", suggestion: .directories, group: server, of: [.mock], readsEnvironment: false,
      excludes: "verify", needs: "target",
      help: "At the end, write what was passed on as specs into this directory, as record does"),
    OptionSpec(
      "stateful", group: server, of: [.mock],
      help: "Keep what clients create: POST adds to a collection, GET lists it, PUT, PATCH and DELETE change its items"),
    OptionSpec(
      "reject", group: server, of: [.mock],
      help: "Reject requests that break the contract with 400 or 401, instead of a warning; broken examples are errors"),
    OptionSpec(
      "latency", value: "DURATION", group: server, of: [.mock],
      help: "Delay each response: 50ms, 50ms..200ms for a random time between, or recorded"),
    OptionSpec(
      "fault", value: "KIND:N%", group: server, of: [.mock],
      help: "Let a part of the responses fail: a status such as 503:5%, or empty, reset, truncated or slow"),
    OptionSpec(
      "cors", value: "ORIGIN", isRepeatable: true, group: server, of: [.mock],
      help: "Let the pages of an origin, such as http://localhost:5173, read the responses"),
    OptionSpec(
      "verify", group: server, of: [.mock],
      help: "At the end, list calls with a problem and requests that were not called, and exit with 1 if there are any"),
  ]

  private static let server = "Server"
}
