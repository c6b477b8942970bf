"use strict";

const vscode = require("vscode");
const convert = require("./convert");

/** The files that the server is asked about; it has nothing to say about those that are not specs. */
const SELECTOR = {language: "yaml", scheme: "file"};

/** Codes of the protocol for results that nobody waits for any more: cancelled, or the text is another one. */
const OUTDATED = [-32800, -32801, -32802];

/** Registers what the server can do; returns what to dispose of when it ends. */
function register(server, can) {
  const {languages} = vscode;
  const features = [];
  const add = (capability, registered) => capability && features.push(registered(capability));

  /** Asks about a document; without a result where there is no server, or where it is outdated. */
  async function ask(method, document, params, token, result) {
    try {
      return result(await server.request(method, {...(document && of(document)), ...params}, token));
    } catch (error) {
      if (!OUTDATED.includes(error.code) && !server.connection.closed) {
        server.output.appendLine(`${method}: ${error.message}`);
      }
      return undefined;
    }
  }
  const at = (method, result) => (document, position, token) =>
    ask(`textDocument/${method}`, document, {position}, token, result);
  const all = (method, result) => (document, token) => ask(`textDocument/${method}`, document, {}, token, result);
  const listed = (result) => (values) => convert.list(values, result);
  const locations = (value) => convert.list(value && [value].flat(), convert.location);

  add(can.completionProvider, ({triggerCharacters = []}) => languages.registerCompletionItemProvider(SELECTOR, {
    provideCompletionItems: (document, position, token, {triggerKind, triggerCharacter}) =>
      ask("textDocument/completion", document, {position, context: {triggerKind: triggerKind + 1, triggerCharacter}},
        token, convert.completions),
  }, ...triggerCharacters));
  add(can.hoverProvider, () =>
    languages.registerHoverProvider(SELECTOR, {provideHover: at("hover", convert.hover)}));
  add(can.signatureHelpProvider, ({triggerCharacters = []}) => languages.registerSignatureHelpProvider(SELECTOR,
    {provideSignatureHelp: at("signatureHelp", convert.signatureHelp)}, ...triggerCharacters));
  add(can.definitionProvider, () =>
    languages.registerDefinitionProvider(SELECTOR, {provideDefinition: at("definition", locations)}));
  add(can.referencesProvider, () => languages.registerReferenceProvider(SELECTOR, {
    provideReferences: (document, position, context, token) =>
      ask("textDocument/references", document, {position, context}, token, locations),
  }));
  add(can.renameProvider, ({prepareProvider}) => languages.registerRenameProvider(SELECTOR, {
    // What can't be renamed is said by the server, so errors pass.
    async provideRenameEdits(document, position, newName, token) {
      const edit = await server.request("textDocument/rename", {...of(document), position, newName}, token);
      return edit && convert.workspaceEdit(edit);
    },
    prepareRename: prepareProvider && (async (document, position, token) => {
      const found = await server.request("textDocument/prepareRename", {...of(document), position}, token);
      if (!found) throw new Error("there is no name here that can be renamed");
      return found.range ? {range: convert.range(found.range), placeholder: found.placeholder} : convert.range(found);
    }),
  }));
  add(can.documentSymbolProvider, () => languages.registerDocumentSymbolProvider(SELECTOR,
    {provideDocumentSymbols: all("documentSymbol", listed(convert.documentSymbol))}));
  add(can.workspaceSymbolProvider, () => languages.registerWorkspaceSymbolProvider({
    provideWorkspaceSymbols: (query, token) =>
      ask("workspace/symbol", undefined, {query}, token, listed(convert.workspaceSymbol)),
  }));
  add(can.foldingRangeProvider, () => languages.registerFoldingRangeProvider(SELECTOR, {
    provideFoldingRanges: (document, context, token) =>
      ask("textDocument/foldingRange", document, {}, token, listed(convert.foldingRange)),
  }));
  add(can.documentLinkProvider, () => languages.registerDocumentLinkProvider(SELECTOR,
    {provideDocumentLinks: all("documentLink", listed(convert.documentLink))}));
  add(can.documentFormattingProvider, () => languages.registerDocumentFormattingEditProvider(SELECTOR, {
    provideDocumentFormattingEdits: (document, options, token) =>
      ask("textDocument/formatting", document, {options}, token, listed(convert.textEdit)),
  }));
  add(can.codeActionProvider, () => languages.registerCodeActionsProvider(SELECTOR, {
    provideCodeActions: (document, range, {diagnostics, only, triggerKind}, token) =>
      ask("textDocument/codeAction", document, {
        range: plain(range),
        context: {
          // VS Code has moved the ranges with the text.
          diagnostics: diagnostics.filter(({published}) => published)
            .map((diagnostic) => ({...diagnostic.published, range: plain(diagnostic.range)})),
          only: only && [only.value],
          triggerKind,
        },
      }, token, listed(convert.codeAction)),
  }));
  add(can.codeLensProvider, () => languages.registerCodeLensProvider(SELECTOR, {
    onDidChangeCodeLenses: server.refreshes.codeLens.event,
    provideCodeLenses: all("codeLens", listed(convert.codeLens)),
  }));
  add(can.semanticTokensProvider, ({legend}) => languages.registerDocumentSemanticTokensProvider(SELECTOR, {
    onDidChangeSemanticTokens: server.refreshes.semanticTokens.event,
    provideDocumentSemanticTokens: all("semanticTokens/full", (value) =>
      value && new vscode.SemanticTokens(new Uint32Array(value.data), value.resultId)),
  }, new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)));
  add(can.inlayHintProvider, () => languages.registerInlayHintsProvider(SELECTOR, {
    onDidChangeInlayHints: server.refreshes.inlayHint.event,
    provideInlayHints: (document, range, token) =>
      ask("textDocument/inlayHint", document, {range: plain(range)}, token, listed(convert.inlayHint)),
  }));
  return features;
}

const of = (document) => ({textDocument: {uri: document.uri.toString()}});
// A range of VS Code would be written as a list.
const plain = ({start, end}) => ({start, end});

module.exports = {register};
