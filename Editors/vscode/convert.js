"use strict";

const vscode = require("vscode");

/** Conversions from the protocol's values to those of VS Code; what the server left out is undefined in both. */
const position = ({line, character}) => new vscode.Position(line, character);
const range = ({start, end}) => new vscode.Range(position(start), position(end));
const uri = (text) => vscode.Uri.parse(text);
const location = (value) => new vscode.Location(uri(value.uri), range(value.range));
const each = (convert) => (values) => values?.map(convert) ?? [];

const diagnostics = each((value) => {
  const result = new vscode.Diagnostic(range(value.range), value.message, value.severity - 1);
  result.source = value.source;
  result.code = value.code;
  result.relatedInformation = each(({location: place, message}) =>
    new vscode.DiagnosticRelatedInformation(location(place), message))(value.relatedInformation);
  return result;
});

const completionItems = each((value) => {
  const result = new vscode.CompletionItem(value.label, value.kind - 1);
  result.range = range(value.textEdit.range);
  result.insertText = value.textEdit.newText;
  // The server has indented the lines of what it inserts.
  result.keepWhitespace = value.insertTextMode === 1;
  for (const name of ["detail", "documentation", "sortText", "filterText"]) result[name] = value[name];
  return result;
});
const completions = (value) => completionItems(value?.items);

function signatureHelp(value) {
  if (!value) return undefined;
  const result = new vscode.SignatureHelp();
  result.signatures = value.signatures.map(({label, documentation, parameters}) => {
    const signature = new vscode.SignatureInformation(label, documentation ?? undefined);
    signature.parameters = parameters.map((parameter) => new vscode.ParameterInformation(parameter.label));
    return signature;
  });
  result.activeSignature = value.activeSignature;
  result.activeParameter = value.activeParameter;
  return result;
}

const hover = (value) => value && new vscode.Hover(new vscode.MarkdownString(value.contents.value), range(value.range));

const locations = (value) => each(location)(value && [value].flat());

const renamed = (value) => value && {range: range(value.range), placeholder: value.placeholder};

const documentSymbols = each(({name, kind, range: whole, selectionRange: own, children}) => {
  const result = new vscode.DocumentSymbol(name, "", kind - 1, range(whole), range(own));
  result.children = documentSymbols(children);
  return result;
});

const workspaceSymbols = each((value) =>
  new vscode.SymbolInformation(value.name, value.kind - 1, value.containerName, location(value.location)));

const foldingRanges = each(({startLine, endLine}) => new vscode.FoldingRange(startLine, endLine));

const selectionRange = ({range: own, parent}) =>
  new vscode.SelectionRange(range(own), parent && selectionRange(parent));
const selectionRanges = each(selectionRange);

const documentLinks = each((value) => new vscode.DocumentLink(range(value.range), uri(value.target)));

const textEdits = each((edit) => new vscode.TextEdit(range(edit.range), edit.newText));

function workspaceEdit(value) {
  const result = new vscode.WorkspaceEdit();
  for (const [file, edits] of Object.entries(value.changes)) result.set(uri(file), textEdits(edits));
  return result;
}

const codeActions = each((value) => {
  const result = new vscode.CodeAction(value.title, vscode.CodeActionKind.Empty.append(value.kind));
  result.isPreferred = value.isPreferred;
  result.edit = workspaceEdit(value.edit);
  return result;
});

const codeLenses = each((value) => new vscode.CodeLens(range(value.range), value.command));

const inlayHints = each((value) =>
  Object.assign(new vscode.InlayHint(position(value.position), value.label), {paddingLeft: value.paddingLeft}));

const semanticTokens = (value) => value && new vscode.SemanticTokens(new Uint32Array(value.data));

module.exports = {
  codeActions, codeLenses, completions, diagnostics, documentLinks, documentSymbols, foldingRanges, hover, inlayHints,
  locations, renamed, selectionRanges, semanticTokens, signatureHelp, textEdits, workspaceEdit, workspaceSymbols,
};
