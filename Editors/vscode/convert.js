"use strict";

const vscode = require("vscode");

/** Conversions from the protocol's values to those of VS Code; what the server left out is undefined in both. */
const position = ({line, character}) => new vscode.Position(line, character);
const range = ({start, end}) => new vscode.Range(position(start), position(end));
const uri = (text) => vscode.Uri.parse(text);
const location = (value) => new vscode.Location(uri(value.uri), range(value.range));
const list = (values, convert) => values?.map(convert) ?? [];

/** Markdown in which no command can be called and no HTML is shown. */
function documentation(value) {
  if (value === undefined || typeof value === "string") return value;
  return value.kind === "plaintext" ? value.value : new vscode.MarkdownString(value.value);
}

function diagnostics(values) {
  return values.map((value) => {
    const result = new vscode.Diagnostic(range(value.range), value.message, (value.severity ?? 1) - 1);
    result.source = value.source;
    result.code = value.codeDescription ? {value: value.code, target: uri(value.codeDescription.href)} : value.code;
    result.tags = value.tags;
    result.relatedInformation = value.relatedInformation?.map((information) =>
      new vscode.DiagnosticRelatedInformation(location(information.location), information.message));
    // A code action is asked for with what the server published.
    result.published = value;
    return result;
  });
}

const textEdit = (edit) => new vscode.TextEdit(range(edit.range), edit.newText);

function workspaceEdit(value) {
  const result = new vscode.WorkspaceEdit();
  const changes = value.documentChanges?.map(({textDocument, edits}) => [textDocument.uri, edits])
    ?? Object.entries(value.changes ?? {});
  for (const [resource, edits] of changes) result.set(uri(resource), edits.map(textEdit));
  return result;
}

function completionItem(value) {
  const label = value.labelDetails ? {label: value.label, ...value.labelDetails} : value.label;
  const result = new vscode.CompletionItem(label, value.kind === undefined ? undefined : value.kind - 1);
  const text = value.textEdit?.newText ?? value.insertText ?? value.label;
  result.insertText = value.insertTextFormat === 2 ? new vscode.SnippetString(text) : text;
  if (value.textEdit) result.range = range(value.textEdit.range);
  result.additionalTextEdits = value.additionalTextEdits?.map(textEdit);
  result.detail = value.detail;
  result.documentation = documentation(value.documentation);
  result.sortText = value.sortText;
  result.filterText = value.filterText;
  result.preselect = value.preselect;
  result.commitCharacters = value.commitCharacters;
  result.tags = value.tags;
  result.command = value.command;
  return result;
}

function completions(value) {
  const items = Array.isArray(value) ? value : value?.items;
  return new vscode.CompletionList(list(items, completionItem), value?.isIncomplete ?? false);
}

function hover(value) {
  return value && new vscode.Hover([documentation(value.contents)], value.range && range(value.range));
}

function signatureHelp(value) {
  if (!value) return value;
  const result = new vscode.SignatureHelp();
  result.signatures = value.signatures.map((signature) => {
    const information = new vscode.SignatureInformation(signature.label, documentation(signature.documentation));
    information.parameters = list(signature.parameters, (parameter) =>
      new vscode.ParameterInformation(parameter.label, documentation(parameter.documentation)));
    information.activeParameter = signature.activeParameter;
    return information;
  });
  result.activeSignature = value.activeSignature ?? 0;
  result.activeParameter = value.activeParameter ?? 0;
  return result;
}

function documentSymbol(value) {
  const result = new vscode.DocumentSymbol(value.name, value.detail ?? "", value.kind - 1, range(value.range),
    range(value.selectionRange));
  result.children = list(value.children, documentSymbol);
  result.tags = value.tags;
  return result;
}

function workspaceSymbol(value) {
  return new vscode.SymbolInformation(value.name, value.kind - 1, value.containerName ?? "", location(value.location));
}

const FOLDING = {comment: vscode.FoldingRangeKind.Comment, region: vscode.FoldingRangeKind.Region,
  imports: vscode.FoldingRangeKind.Imports};
const foldingRange = (value) => new vscode.FoldingRange(value.startLine, value.endLine, FOLDING[value.kind]);

function documentLink(value) {
  const result = new vscode.DocumentLink(range(value.range), value.target && uri(value.target));
  result.tooltip = value.tooltip;
  return result;
}

function codeAction(value) {
  const result = new vscode.CodeAction(value.title, value.kind && vscode.CodeActionKind.Empty.append(value.kind));
  result.edit = value.edit && workspaceEdit(value.edit);
  result.command = value.command;
  result.diagnostics = value.diagnostics && diagnostics(value.diagnostics);
  result.isPreferred = value.isPreferred;
  return result;
}

const codeLens = (value) => new vscode.CodeLens(range(value.range), value.command);

function inlayHint(value) {
  const label = typeof value.label === "string" ? value.label : value.label.map((part) =>
    Object.assign(new vscode.InlayHintLabelPart(part.value), {tooltip: documentation(part.tooltip)}));
  const result = new vscode.InlayHint(position(value.position), label, value.kind);
  result.tooltip = documentation(value.tooltip);
  result.paddingLeft = value.paddingLeft;
  result.paddingRight = value.paddingRight;
  return result;
}

module.exports = {codeAction, codeLens, completions, diagnostics, documentLink, documentSymbol, foldingRange, hover,
  inlayHint, list, location, range, signatureHelp, textEdit, uri, workspaceEdit, workspaceSymbol};
