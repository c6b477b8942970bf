"use strict";

const {languages} = require("vscode");
const convert = require("./convert");

/** The files that the server is asked about; it has nothing to say about those that are not specs. */
const SELECTOR = {language: "yaml", scheme: "file"};

/** Registers what the server can do; returns what to dispose of when it ends. */
function register(server, can) {
  /** Asks about a document; there is no result where the server fails, which its output shows. */
  async function ask(method, document, params, token, result) {
    try {
      const textDocument = {uri: document.uri.toString()};
      return result(await server.request(`textDocument/${method}`, {textDocument, ...params}, token));
    } catch (error) {
      if (!token.isCancellationRequested) server.output.appendLine(`${method}: ${error.message}`);
      return undefined;
    }
  }
  const at = (method, result) => (document, position, token) => ask(method, document, {position}, token, result);
  const all = (method, result) => (document, token) =>
    ask(method, document, {}, token, (values) => convert.list(values, result));

  return [
    can.completionProvider && languages.registerCompletionItemProvider(
      SELECTOR, {provideCompletionItems: at("completion", convert.completions)}, ...can.completionProvider.triggerCharacters),
    can.hoverProvider && languages.registerHoverProvider(SELECTOR, {provideHover: at("hover", convert.hover)}),
    can.definitionProvider && languages.registerDefinitionProvider(
      SELECTOR, {provideDefinition: at("definition", convert.locations)}),
    can.referencesProvider && languages.registerReferenceProvider(SELECTOR, {
      provideReferences: (document, position, context, token) =>
        ask("references", document, {position, context}, token, convert.locations),
    }),
    can.documentSymbolProvider && languages.registerDocumentSymbolProvider(
      SELECTOR, {provideDocumentSymbols: all("documentSymbol", convert.documentSymbol)}),
    can.foldingRangeProvider && languages.registerFoldingRangeProvider(SELECTOR, {
      provideFoldingRanges: (document, context, token) => all("foldingRange", convert.foldingRange)(document, token),
    }),
    can.documentFormattingProvider && languages.registerDocumentFormattingEditProvider(SELECTOR, {
      provideDocumentFormattingEdits: (document, options, token) =>
        ask("formatting", document, {options}, token, (edits) => convert.list(edits, convert.textEdit)),
    }),
    can.codeActionProvider && languages.registerCodeActionsProvider(SELECTOR, {
      // A range of VS Code would be written as a list.
      provideCodeActions: (document, {start, end}, context, token) =>
        ask("codeAction", document, {range: {start, end}, context: {diagnostics: []}}, token,
          (actions) => convert.list(actions, convert.codeAction)),
    }),
    can.codeLensProvider && languages.registerCodeLensProvider(
      SELECTOR, {provideCodeLenses: all("codeLens", convert.codeLens)}),
  ].filter(Boolean);
}

module.exports = {SELECTOR, register};
