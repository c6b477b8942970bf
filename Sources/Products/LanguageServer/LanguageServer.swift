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
  }

  /// The time without another change after which what is open is checked.
  private static let pause = Duration.milliseconds(50)

  let connection: MessageConnection
  let events: AsyncStream<Event>.Continuation
  var options = RunOptions()
  var encoding = PositionEncoding.utf16
  var documents: [String: OpenDocument] = [:]
  /// The files that open documents use.
  let used = UsedFiles()
  /// The URIs whose problems the client shows.
  var published: Set<String> = []
  /// The open documents that changes affect since they were checked.
  var unchecked: Set<String> = []
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
    for await event in stream {
      switch event {
      case .message(let message):
        if message.method == "exit" { return server.isShutDown ? 0 : 1 }
        await server.handle(message)
      case .check(let change): if change == server.changes { await server.check() }
      }
    }
    return server.isShutDown ? 0 : 1
  }

  private init(connection: MessageConnection, events: AsyncStream<Event>.Continuation) {
    (self.connection, self.events) = (connection, events)
  }

  private mutating func handle(_ message: Message) async {
    guard let id = message.id else { return await notified(message) }
    if connection.isCancelled(id) { return connection.respond(id, .failure(.cancelled)) }
    do throws(ResponseError) {
      connection.respond(id, .success(try await result(of: message)))
    } catch {
      connection.respond(id, .failure(error))
    }
  }

  private mutating func result(of message: Message) async throws(ResponseError) -> JSONValue {
    if message.method == "initialize" { return initialize(message.params) }
    guard isInitialized else { throw .notInitialized }
    if message.method == "shutdown" {
      isShutDown = true
      return .null
    }
    guard let feature = LanguageServer.features[message.method] else { throw .unknown(message.method) }
    guard let uri = message.params["textDocument"]?["uri"]?.stringValue, let document = documents[uri] else {
      return .null
    }
    return await feature(&self, document, message.params)
  }

  /// The requests about a document.
  private static let features: [String: @Sendable (inout LanguageServer, OpenDocument, JSONValue) async -> JSONValue] =
    [
      "textDocument/completion": { await $0.completion($1, $2) },
      "textDocument/hover": { await $0.hover($1, $2) },
      "textDocument/definition": { await $0.definition($1, $2) },
      "textDocument/references": { await $0.references($1, $2) },
      "textDocument/documentSymbol": { server, document, _ in server.symbols(document) },
      "textDocument/foldingRange": { server, document, _ in server.foldingRanges(document) },
      "textDocument/formatting": { server, document, _ in server.formatting(document) },
      "textDocument/codeAction": { await $0.codeActions($1, $2) },
    ]

  private mutating func initialize(_ params: JSONValue) -> JSONValue {
    isInitialized = true
    if case .array(let encodings)? = params["capabilities"]?["general"]?["positionEncodings"],
      encodings.contains("utf-8")
    {
      encoding = .utf8
    }
    configure(params["initializationOptions"])
    return [
      "capabilities": [
        "positionEncoding": .string(encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2, "save": true],
        "completionProvider": ["triggerCharacters": ["{", " ", ".", "|", "/"]],
        "hoverProvider": true, "definitionProvider": true, "referencesProvider": true, "documentSymbolProvider": true,
        "foldingRangeProvider": true, "documentFormattingProvider": true,
        "codeActionProvider": ["codeActionKinds": ["quickfix"]],
      ],
      "serverInfo": ["name": "reqrun", "version": .string(Runner.version)],
    ]
  }

  private mutating func configure(_ settings: JSONValue?) {
    options.environment = settings?["environment"]?.stringValue
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
      publish([], for: uri, version: nil)
      changed(Array(documents.keys))
    case "textDocument/didSave", "workspace/didChangeWatchedFiles": changed(Array(documents.keys))
    case "workspace/didChangeConfiguration":
      configure(params["settings"]?["reqrun"])
      changed(Array(documents.keys))
    default: break
    }
  }

  /// Checks these documents when nothing changes for a moment.
  private mutating func changed(_ uris: [String]) {
    unchecked.formUnion(uris)
    changes += 1
    let (change, events) = (changes, events)
    Task {
      try? await Task.sleep(for: LanguageServer.pause)
      events.yield(.check(change: change))
    }
  }
}
