import CommandLineOptions
import OperatingSystem
import ReqrunKit
import RunReports
import Values

/// The command line of `send`: the run that it stands for, and what is printed.
struct SendSettings {
  private(set) var options: RunOptions
  private(set) var response = ResponseOptions()
  /// The path of `--output`.
  let outputPath: String?
  /// The file or directory of a download; nil for none.
  private let downloadPath: String?
  private let progressIsWanted: Bool
  /// Indicates whether the request opens a WebSocket.
  private(set) var opensWebSocket = false
  /// The files of the session, with the line and its files that change it; nil without one.
  private var session: (place: SessionFiles, line: SendArguments, files: SendArguments.Files)?
  /// Nil if nothing is saved.
  private(set) var saving: SendSaving?

  init(_ command: ParsedCommand) throws(UsageError) {
    options = try runOptions(command)
    let stream = consoleStream(of: options)
    // In a pipe, the next program gets the body.
    let isDownload = command.flag("download") && (command.flag("output") || stream.isTerminal)
    downloadPath = isDownload ? command.value(of: "output") ?? "./" : nil
    outputPath = isDownload ? nil : command.value(of: "output")
    options.collectsRequests = false
    progressIsWanted = showsProgressLine(command)
    // The person who types a path may read it.
    options.fileRoot = options.fileRoot ?? "/"
    options.dryRun = command.flag("offline") || options.curl
    let query = command.value(of: "query")
    try setResponse(command, query)
    do throws(SendProblem) {
      var line = try SendSettings.line(command, options, downloadPath)
      opensWebSocket = line.opensWebSocket
      let files = SendArguments.Files(home: environmentSetting("HOME")) { (path) throws(SendProblem) in
        try SendSettings.file(path)
      }
      if let name = command.value(of: "session") { try openSession(name, &line, files) }
      options.connection.proxy = line.proxy(among: command.values(of: "proxy"))
      let request = try line.request(files)
      options.secrets.merge(request.secrets.map { ($0.name, $0.value) }) { given, _ in given }
      options.specs = [
        .text(
          request.specText(checksStatus: command.flag("check-status") || downloadPath != nil, query: query),
          name: "command line")
      ]
      if let path = command.value(of: "save") {
        let saving = SendSaving(path, line, files, options, expects: command.flag("expect"))
        options.reports.append(.keeping(saving.response))
        self.saving = saving
      }
    } catch {
      throw UsageError(error.message, help: error.help)
    }
  }

  /// Indicates whether a download shows its progress.
  var showsProgress: Bool { downloadPath != nil && progressIsWanted }

  private mutating func openSession(
    _ name: String, _ line: inout SendArguments, _ files: SendArguments.Files
  ) throws(SendProblem) {
    let place = try SessionFiles(name, of: line)
    line.session = try place.read()
    if !options.dryRun { try place.prepare(cookies: line.ownCookies(files), from: line.server) }
    options.cookieJar = place.cookiePath
    session = (place, line, files)
    if let warning = place.warning {
      StandardStream.error.write(sanitizedForTerminal(warning, keepingLineBreaks: true))
    }
  }

  /// Keeps what the line sets for the next request of its session, and returns the error if that fails.
  func keepSession() -> String? {
    guard let session else { return nil }
    do throws(SendProblem) {
      try session.place.update(by: session.line, session.files)
    } catch {
      return UsageError(error.message, help: error.help).text
    }
    return nil
  }

  // MARK: What is sent

  private static func line(
    _ command: ParsedCommand, _ options: RunOptions, _ downloadPath: String?
  ) throws(SendProblem) -> SendArguments {
    var line = try SendArguments(command.arguments)
    line.form =
      command.flag("multipart") ? .multipart : command.flag("form") ? .form : command.flag("json") ? .json : nil
    line.raw = command.value(of: "raw")
    line.graphQL = command.value(of: "graphql")
    line.compression = command.count("compress") > 1 ? .always : command.flag("compress") ? .ifSmaller : nil
    line.isPathAsIs = command.flag("path-as-is")
    line.followsRedirects = command.flag("no-follow") ? false : nil
    line.maxRedirects = command.integer(of: "max-redirects")
    line.takenNames = Set(options.variables.keys).union(options.secrets.keys)
    for (name, value) in options.secrets.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      line.knownSecrets[value] = name
    }
    if let auth = command.value(of: "auth") {
      line.credentials = try credentials(auth, scheme: command.value(of: "auth-type"))
    }
    // Lines of input are messages to a WebSocket.
    if !command.flag("ignore-stdin"), !line.opensWebSocket, StandardStream.input.hasContent {
      // Bytes that nothing would read are an error; a pipe that is open and empty is none.
      line.input = line.takesInput ? try input() : StandardStream.input.hasBytes ? [] : nil
    }
    line.download = downloadPath
    line.isStream = command.flag("stream")
    line.name = command.value(of: "name")
    return line
  }

  private static func credentials(_ text: String, scheme: String?) throws(SendProblem) -> SendCredentials {
    var credentials = try SendCredentials(text, scheme: scheme)
    guard credentials.secret == nil else { return credentials }
    guard let secret = readSecret(prompt: credentials.prompt) else {
      throw SendProblem(
        "--auth has no \(credentials.scheme == .bearer ? "token" : "password"), and there is no terminal to ask for it",
        help: "write \(text):… or a template that reads it: \(text):'${{ env.PASSWORD }}'")
    }
    credentials.secret = secret
    return credentials
  }

  private static let sizeLimit = 64 << 20

  private static func input() throws(SendProblem) -> [UInt8]? {
    if !StandardStream.input.isReadable(within: 2000) {
      StandardStream.error.write("waiting for a body from standard input; --ignore-stdin sends none\n")
    }
    switch readFile("/dev/stdin", limit: sizeLimit) {
    case .success(let bytes): return bytes.isEmpty ? nil : bytes
    case .failure(let problem):
      throw SendProblem(
        "standard input cannot be read: \(problem.reason)", help: "a large body is sent from a file: @FILE")
    }
  }

  private static func file(_ path: String) throws(SendProblem) -> [UInt8] {
    switch readFile(path, limit: sizeLimit) {
    case .success(let bytes): return bytes
    case .failure(let problem): throw SendProblem("the file \"\(path)\" cannot be read: \(problem.reason)")
    }
  }

  // MARK: What is printed

  private mutating func setResponse(_ command: ParsedCommand, _ query: String?) throws(UsageError) {
    let stream = consoleStream(of: options)
    let isTerminal = outputPath == nil && stream.isTerminal
    let pretty = command.value(of: "pretty")
    response.isTerminal = isTerminal
    response.isFormatted = pretty.map { ["all", "format"].contains($0) } ?? isTerminal
    let isColored = pretty.map { ["all", "colors"].contains($0) } ?? (outputPath == nil && options.isColored)
    response.style = ConsoleStyle(isColored: isColored)
    response.errorStyle = ConsoleStyle(isColored: StandardStream.error.isTerminal && usesColor(command, on: .error))
    response.width = options.width
    response.isOffline = options.dryRun
    response.showsCurl = options.curl
    response.showsTiming = command.flag("timing")
    response.showsSecrets = options.showSecrets
    response.showsAllHops = command.flag("all") || command.count("verbose") > 0
    response.parts = try parts(command, isTerminal: isTerminal, hasQuery: query != nil)
    guard let query else { return }
    do throws(ResponseQuery.Problem) {
      response.query = try ResponseQuery(query)
    } catch {
      throw UsageError(error.message, help: error.help)
    }
  }

  private func parts(
    _ command: ParsedCommand, isTerminal: Bool, hasQuery: Bool
  ) throws(UsageError) -> ResponseOptions.Parts {
    if let letters = command.value(of: "print") {
      var parts: ResponseOptions.Parts = []
      for letter in letters {
        guard let part = ResponseOptions.Parts.letters.first(where: { $0.key == letter })?.value else {
          throw UsageError(
            "--print takes letters of HBhbm, not \"\(letter)\"",
            help: "H and B are the request, h and b the response, m its times and sizes")
        }
        parts.insert(part)
      }
      return parts
    }
    if command.flag("quiet") { return [] }
    if hasQuery || command.flag("body") { return .responseBody }
    if command.flag("headers") { return .responseHead }
    if command.flag("meta") { return .measures }
    switch command.count("verbose") {
    case 0: break
    case 1: return [.requestHead, .requestBody, .responseHead, .responseBody]
    default: return [.requestHead, .requestBody, .responseHead, .responseBody, .measures]
    }
    if downloadPath != nil { return isTerminal ? .responseHead : [] }
    if options.dryRun { return [.requestHead, .requestBody] }
    return isTerminal ? [.responseHead, .responseBody] : .responseBody
  }
}
