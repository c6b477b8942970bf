"use strict";

const vscode = require("vscode");

/** Conversions from the protocol's values to those of VS Code; what the server left out is undefined in both. */
const range = ({start, end}) => new vscode.Range(start.line, start.character, end.line, end.character);
const location = (value) => new vscode.Location(vscode.Uri.parse(value.uri), range(value.range));
const list = (values, convert) => values?.map(convert) ?? [];

function diagnostic(value) {
  const result = new vscode.Diagnostic(range(value.range), value.message, value.severity - 1);
  result.source = value.source;
  result.relatedInformation = list(value.relatedInformation, (information) =>
    new vscode.DiagnosticRelatedInformation(location(information.location), information.message));
  return result;
}

function completionItem(value) {
  const result = new vscode.CompletionItem(value.label, value.kind - 1);
  result.range = range(value.textEdit.range);
  result.insertText = value.textEdit.newText;
  // The server has indented the lines of what it inserts.
  result.keepWhitespace = value.insertTextMode === 1;
  for (const name of ["detail", "documentation", "sortText", "filterText"]) result[name] = value[name];
  return result;
}

const completions = (value) => list(value?.items, completionItem);

const hover = (value) => value && new vscode.Hover(new vscode.MarkdownString(value.contents.value), range(value.range));

const locations = (value) => list(value && [value].flat(), location);

function documentSymbol(value) {
  const result = new vscode.DocumentSymbol(value.name, "", value.kind - 1, range(value.range), range(value.selectionRange));
  result.children = list(value.children, documentSymbol);
  return result;
}

const foldingRange = ({startLine, endLine}) => new vscode.FoldingRange(startLine, endLine);

const textEdit = (edit) => new vscode.TextEdit(range(edit.range), edit.newText);

function codeAction(value) {
  const result = new vscode.CodeAction(value.title, vscode.CodeActionKind.QuickFix);
  result.isPreferred = value.isPreferred;
  result.edit = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(value.edit.changes)) result.edit.set(vscode.Uri.parse(uri), edits.map(textEdit));
  return result;
}

const codeLens = (value) => new vscode.CodeLens(range(value.range), value.command);

module.exports = {codeAction, codeLens, completions, diagnostic, documentSymbol, foldingRange, hover, list, locations, textEdit};
