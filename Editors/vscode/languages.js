"use strict";

const vscode = require("vscode");
const convert = require("./convert");

/** The files that the server is asked about; it has nothing to say about those that are not specs. */
const SELECTOR = {language: "yaml", scheme: "file"};

/**
 * Registers what the server can do; returns what to dispose of when it ends.
 * @param changed the event after which lenses and hints are others.
 */
function register(server, can, changed) {
  const {languages} = vscode;
  const of = ({uri}) => ({textDocument: {uri: uri.toString()}});
  /** Asks the server; there is no result where it fails, which its output shows. */
  const ask = (method, params, token, result) => server.request(method, params, token).then(result, (error) => {
    if (!token.isCancellationRequested) server.output.appendLine(`${method}: ${error.message}`);
  });
  const at = (method, result) => (document, position, token) =>
    ask(`textDocument/${method}`, {...of(document), position}, token, result);
  const all = (method, result) => (document, token) => ask(`textDocument/${method}`, of(document), token, result);
  // A range of VS Code would be written as a list.
  const within = (method, result, context) => (document, {start, end}, token) =>
    ask(`textDocument/${method}`, {...of(document), range: {start, end}, context}, token, result);

  return [
    can.completionProvider && languages.registerCompletionItemProvider(SELECTOR,
      {provideCompletionItems: at("completion", convert.completions)}, ...can.completionProvider.triggerCharacters),
    can.signatureHelpProvider && languages.registerSignatureHelpProvider(SELECTOR,
      {provideSignatureHelp: at("signatureHelp", convert.signatureHelp)},
      ...can.signatureHelpProvider.triggerCharacters),
    can.hoverProvider && languages.registerHoverProvider(SELECTOR, {provideHover: at("hover", convert.hover)}),
    can.definitionProvider && languages.registerDefinitionProvider(SELECTOR,
      {provideDefinition: at("definition", convert.locations)}),
    can.referencesProvider && languages.registerReferenceProvider(SELECTOR, {
      provideReferences: (document, position, context, token) =>
        ask("textDocument/references", {...of(document), position, context}, token, convert.locations),
    }),
    can.renameProvider && languages.registerRenameProvider(SELECTOR, {
      // What can't be renamed is said by the server, so errors pass.
      provideRenameEdits: async (document, position, newName, token) =>
        convert.workspaceEdit(await server.request("textDocument/rename", {...of(document), position, newName}, token)),
      prepareRename: async (document, position, token) =>
        convert.renamed(await server.request("textDocument/prepareRename", {...of(document), position}, token)),
    }),
    can.documentSymbolProvider && languages.registerDocumentSymbolProvider(SELECTOR,
      {provideDocumentSymbols: all("documentSymbol", convert.documentSymbols)}),
    can.workspaceSymbolProvider && languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: (query, token) => ask("workspace/symbol", {query}, token, convert.workspaceSymbols),
    }),
    can.foldingRangeProvider && languages.registerFoldingRangeProvider(SELECTOR, {
      provideFoldingRanges: (document, context, token) => all("foldingRange", convert.foldingRanges)(document, token),
    }),
    can.selectionRangeProvider && languages.registerSelectionRangeProvider(SELECTOR, {
      provideSelectionRanges: (document, positions, token) =>
        ask("textDocument/selectionRange", {...of(document), positions}, token, convert.selectionRanges),
    }),
    can.documentLinkProvider && languages.registerDocumentLinkProvider(SELECTOR,
      {provideDocumentLinks: all("documentLink", convert.documentLinks)}),
    can.documentFormattingProvider && languages.registerDocumentFormattingEditProvider(SELECTOR, {
      provideDocumentFormattingEdits: (document, options, token) =>
        ask("textDocument/formatting", {...of(document), options}, token, convert.textEdits),
    }),
    can.codeActionProvider && languages.registerCodeActionsProvider(SELECTOR, {
      provideCodeActions: (document, range, context, token) =>
        within("codeAction", convert.codeActions, {diagnostics: [], triggerKind: context.triggerKind})(
          document, range, token),
    }),
    can.codeLensProvider && languages.registerCodeLensProvider(SELECTOR,
      {onDidChangeCodeLenses: changed, provideCodeLenses: all("codeLens", convert.codeLenses)}),
    can.inlayHintProvider && languages.registerInlayHintsProvider(SELECTOR,
      {onDidChangeInlayHints: changed, provideInlayHints: within("inlayHint", convert.inlayHints)}),
    can.semanticTokensProvider && languages.registerDocumentSemanticTokensProvider(SELECTOR,
      {provideDocumentSemanticTokens: all("semanticTokens/full", convert.semanticTokens)},
      new vscode.SemanticTokensLegend(can.semanticTokensProvider.legend.tokenTypes)),
  ].filter(Boolean);
}

module.exports = {SELECTOR, register};
