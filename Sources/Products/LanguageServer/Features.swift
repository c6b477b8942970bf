import JSONRPC
import ReqrunKit

/// A method of the protocol that a client calls.
enum Feature: Sendable {
  /// Nil if the response follows when a run is over.
  case ofWorkspace(
    @Sendable (inout LanguageServer, _ id: JSONValue, _ params: JSONValue) async throws(ResponseError) -> JSONValue?)
  /// Null for a document that isn't open.
  case ofDocument(
    @Sendable (inout LanguageServer, OpenDocument, _ params: JSONValue) async throws(ResponseError) -> JSONValue)
}

extension LanguageServer {
  static let features: [String: Feature] = [
    "textDocument/completion": .ofDocument { await $0.completion($1, $2) },
    "textDocument/hover": .ofDocument { await $0.hover($1, $2) },
    "textDocument/signatureHelp": .ofDocument { server, document, params in server.signatureHelp(document, params) },
    "textDocument/definition": .ofDocument { await $0.definition($1, $2) },
    "textDocument/references": .ofDocument { await $0.references($1, $2) },
    "textDocument/prepareRename": .ofDocument { (server, document, params) throws(ResponseError) in
      try await server.renamed(document, params)
    },
    "textDocument/rename": .ofDocument { (server, document, params) throws(ResponseError) in
      try await server.rename(document, params)
    },
    "textDocument/documentSymbol": .ofDocument { server, document, _ in await server.symbols(document) },
    "textDocument/documentLink": .ofDocument { server, document, _ in await server.links(document) },
    "textDocument/foldingRange": .ofDocument { server, document, _ in await server.foldingRanges(document) },
    "textDocument/selectionRange": .ofDocument { await $0.selectionRanges($1, $2) },
    "textDocument/semanticTokens/full": .ofDocument { server, document, _ in server.semanticTokens(document) },
    "textDocument/inlayHint": .ofDocument { await $0.inlayHints($1, $2) },
    "textDocument/formatting": .ofDocument { server, document, _ in await server.formatting(document) },
    "textDocument/codeAction": .ofDocument { await $0.codeActions($1, $2) },
    "textDocument/codeLens": .ofDocument { server, document, _ in await server.lenses(document) },
    "workspace/symbol": .ofWorkspace { server, _, params in await server.workspaceSymbols(params) },
    "workspace/executeCommand": .ofWorkspace { (server, id, params) throws(ResponseError) in
      try await server.execute(id, params)
    },
    "reqrun/tests": .ofWorkspace { server, _, params in await server.tests(params) },
    "reqrun/runTests": .ofWorkspace { (server, id, params) throws(ResponseError) in
      try await server.runTests(id, params)
    },
    "reqrun/environments": .ofWorkspace { server, _, params in await server.environments(params) },
  ]

  /// The capabilities of the server (LSP 3.17, "ServerCapabilities").
  var capabilities: JSONValue {
    [
      "positionEncoding": .string(encoding.rawValue),
      "textDocumentSync": ["openClose": true, "change": 2, "save": true],
      "completionProvider": ["triggerCharacters": ["{", " ", ".", "|", "/", "$"]],
      "signatureHelpProvider": ["triggerCharacters": ["(", ","]],
      "renameProvider": ["prepareProvider": true],
      "semanticTokensProvider": [
        "legend": [
          "tokenTypes": .array(SemanticToken.Kind.allCases.map { .string($0.rawValue) }), "tokenModifiers": [],
        ], "full": true,
      ],
      "codeActionProvider": ["codeActionKinds": ["quickfix", "refactor.extract", "refactor.rewrite"]],
      "codeLensProvider": [:],
      "documentLinkProvider": [:],
      "executeCommandProvider": ["commands": .array(EditorCommand.allCases.map { .string($0.rawValue) })],
      "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
      "hoverProvider": true, "definitionProvider": true, "referencesProvider": true, "documentSymbolProvider": true,
      "workspaceSymbolProvider": true, "foldingRangeProvider": true, "selectionRangeProvider": true,
      "inlayHintProvider": true, "documentFormattingProvider": true,
    ]
  }
}
