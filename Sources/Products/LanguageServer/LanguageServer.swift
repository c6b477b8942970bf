import JSONRPC
import OperatingSystem
import ReqrunKit
import Values

/// A server of the Language Server Protocol (3.17) for specs, on standard input and output.
package struct LanguageServer {
  /// A reason for the server to act.
  enum Event: Sendable {
    case message(Message)
    /// The pause after the last change is over.
    case check(change: Int)
    case ran(EditorRun, RunResult, page: [UInt8])
  }

  /// The time without another change after which what is open is checked.
  private static let pause = Duration.milliseconds(50)

  let connection: MessageConnection
  let events: AsyncStream<Event>.Continuation
  var options = RunOptions()
  /// Indicates whether requests may be sent: the client asks before it trusts a workspace.
  var isTrusted = true
  var encoding = PositionEncoding.utf16
  /// The paths of the workspace's folders.
  var folders: [String] = []
  var documents: [String: OpenDocument] = [:]
  /// The files that open documents use.
  let used = UsedFiles()
  /// The readings since the last change, by the URIs of documents; that of the workspace by an empty text.
  var readings: [String: Reading] = [:]
  /// The open documents that changes affect since they were checked.
  var unchecked: Set<String> = []
  /// The canonical paths of the workspace's specs; nil before they are read.
  var closedSpecs: Set<String>?
  /// Those that aren't open, and whose problems the client shows.
  var brokenClosed: Set<String> = []
  /// The runs in progress, by the IDs of their requests.
  var runs: [JSONValue: Task<Void, Never>] = [:]
  /// The results of the last run, by URI.
  var results: [String: LastResults] = [:]
  private var changes = 0
  private var isInitialized = false
  private var isShutDown = false

  /// Serves until the client ends, and returns the exit code: 0 after `shutdown`.
  ///
  /// - Parameters:
  ///   - read: the next bytes of the client; none at the end.
  ///   - write: takes the server's bytes.
  package static func run(
    read: @escaping @Sendable () -> [UInt8], write: @escaping @Sendable ([UInt8]) -> Void
  ) async -> Int32 {
    let connection = MessageConnection(.header, write: write)
    let (stream, events) = AsyncStream.makeStream(of: Event.self)
    let isStarted = startThread {
      connection.receive(from: read) { events.yield(.message($0)) }
      events.finish()
    }
    guard isStarted else { return 3 }
    var server = LanguageServer(connection: connection, events: events)
    loop: for await event in stream {
      switch event {
      case .message(let message):
        if message.method == "exit" { break loop }
        await server.handle(message)
      case .check(let change): if change == server.changes { await server.check() }
      case .ran(let run, let result, let page): await server.finish(run, result, page: page)
      }
    }
    // Teardowns still run, and remove what runs made.
    for run in server.runs.values { run.cancel() }
    for run in server.runs.values { await run.value }
    return server.isShutDown ? 0 : 1
  }

  private init(connection: MessageConnection, events: AsyncStream<Event>.Continuation) {
    (self.connection, self.events) = (connection, events)
    // Variables of the environment.
    options.isSecretVariable = { isSecretName($0) }
  }

  private mutating func handle(_ message: Message) async {
    guard let id = message.id else { return await notified(message) }
    if connection.isCancelled(id) { return connection.respond(id, .failure(.cancelled)) }
    do throws(ResponseError) {
      guard let result = try await result(of: message, id) else { return }
      connection.respond(id, .success(result))
    } catch {
      connection.respond(id, .failure(error))
    }
  }

  /// The result of a request; nil if it follows when a run is over.
  private mutating func result(of message: Message, _ id: JSONValue) async throws(ResponseError) -> JSONValue? {
    if message.method == "initialize" { return initialize(message.params) }
    guard isInitialized else { throw .notInitialized }
    if message.method == "shutdown" {
      isShutDown = true
      return .null
    }
    guard let feature = LanguageServer.features[message.method] else { throw .unknown(message.method) }
    switch feature {
    case .ofWorkspace(let result): return try await result(&self, id, message.params)
    case .ofDocument(let result):
      let uri = message.params["textDocument"]?["uri"]?.stringValue ?? message.params["uri"]?.stringValue
      guard let document = uri.flatMap({ documents[$0] }) else { return .null }
      return try await result(&self, document, message.params)
    }
  }

  private mutating func initialize(_ params: JSONValue) -> JSONValue {
    isInitialized = true
    if case .array(let encodings)? = params["capabilities"]?["general"]?["positionEncodings"],
      encodings.contains("utf-8")
    {
      encoding = .utf8
    }
    let uris =
      if case .array(let folders)? = params["workspaceFolders"] {
        folders.compactMap { $0["uri"]?.stringValue }
      } else {
        [params["rootUri"]?.stringValue].compactMap(\.self)
      }
    folders = uris.compactMap(path(ofURI:))
    configure(params["initializationOptions"])
    return [
      "capabilities": capabilities, "serverInfo": ["name": "reqrun", "version": .string(Runner.version)],
    ]
  }

  private mutating func configure(_ settings: JSONValue?) {
    options.environment = settings?["environment"]?.stringValue
    isTrusted = settings?["trusted"]?.boolValue ?? true
  }

  private mutating func notified(_ message: Message) async {
    let params = message.params
    let uri = params["textDocument"]?["uri"]?.stringValue ?? ""
    switch message.method {
    case "textDocument/didOpen":
      guard let path = path(ofURI: uri), let text = params["textDocument"]?["text"]?.stringValue else { return }
      documents[uri] = OpenDocument(
        uri: uri, path: path, version: params["textDocument"]?["version"]?.intValue ?? 0, text: text)
      changed([uri])
    case "textDocument/didChange":
      guard documents[uri] != nil, case .array(let changes)? = params["contentChanges"] else { return }
      for change in changes { documents[uri]?.change(change, encoding) }
      documents[uri]?.version = params["textDocument"]?["version"]?.intValue ?? 0
      changed(affected(by: uri))
    case "textDocument/didClose":
      documents[uri] = nil
      results[uri] = nil
      publish([], for: uri)
      changed(Array(documents.keys))
    case "textDocument/didSave": changed(Array(documents.keys))
    case "workspace/didChangeWatchedFiles":
      closedSpecs = nil
      changed(Array(documents.keys))
    case "workspace/didChangeConfiguration":
      configure(params["settings"]?["reqrun"])
      changed(Array(documents.keys))
    case "workspace/didChangeWorkspaceFolders":
      closedSpecs = nil
      if case .array(let removed)? = params["event"]?["removed"] {
        let gone = removed.compactMap { $0["uri"]?.stringValue.flatMap(path(ofURI:)) }
        folders.removeAll { gone.contains($0) }
      }
      if case .array(let added)? = params["event"]?["added"] {
        folders += added.compactMap { $0["uri"]?.stringValue.flatMap(path(ofURI:)) }
      }
    case "$/cancelRequest": if let id = params["id"] { runs[id]?.cancel() }
    default: break
    }
  }

  /// Checks these documents when nothing changes for a moment.
  private mutating func changed(_ uris: [String]) {
    unchecked.formUnion(uris)
    readings = [:]
    changes += 1
    let (change, events) = (changes, events)
    Task {
      try? await Task.sleep(for: LanguageServer.pause)
      events.yield(.check(change: change))
    }
  }
}
