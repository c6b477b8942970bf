"use strict";

/**
 * A stand-in for VS Code with the part of its API that the extension uses, which version 1.75 has; another part fails.
 * It does as the real one where the extension relies on it: results of tests that were not chosen are dropped, and the
 * lines of a completion are indented, unless it forbids that.
 */
const record = (...names) => class {
  constructor(...values) {
    names.forEach((name, index) => (this[name] = values[index]));
  }
};

class Emitter {
  listeners = new Set();
  event = (listener) => {
    this.listeners.add(listener);
    return {dispose: () => this.listeners.delete(listener)};
  };
  fire(value) {
    for (const listener of this.listeners) listener(value);
  }
  dispose() {
    this.listeners.clear();
  }
}

class Position extends record("line", "character") {}
class Range {
  constructor(...values) {
    [this.start, this.end] = values.length === 4
      ? [new Position(values[0], values[1]), new Position(values[2], values[3])] : values;
  }
  toJSON() {
    return [this.start, this.end];
  }
}
class Uri {
  constructor(text) {
    [this.text, this.scheme, this.path] = /^(\w+):\/\/(.*)/.exec(text);
  }
  static parse = (text) => new Uri(text);
  toString() {
    return this.text;
  }
}
class Token extends Emitter {
  isCancellationRequested = false;
  onCancellationRequested = this.event;
  cancel() {
    this.isCancellationRequested = true;
    this.fire();
  }
}
class WorkspaceEdit {
  edits = [];
  set(uri, edits) {
    this.edits.push([uri.toString(), edits]);
  }
}
class TestMessage extends record("message") {
  static diff = (message, expectedOutput, actualOutput) =>
    Object.assign(new TestMessage(message), {expectedOutput, actualOutput});
}
class Items extends Map {
  constructor(parent) {
    super();
    this.parent = parent;
  }
  add(item) {
    item.parent = this.parent;
    this.set(item.id, item);
    state.changed.fire();
  }
  delete(id) {
    super.delete(id);
    state.changed.fire();
  }
}

/** What a check sets and reads. */
const state = {
  documents: [], files: [], folders: [], trusted: true, settings: {}, used: new Set(), memory: {}, providers: {},
  commands: {}, diagnostics: new Map(), shown: [], runs: [], changed: new Emitter(), events: {},
};
const on = (name) => (state.events[name] = new Emitter()).event;
const show = (kind) => async (...values) => {
  state.shown.push([kind, values[0]]);
  state.changed.fire();
};
const provider = (name) => (selector, value, ...triggers) => {
  state.providers[name] = Object.assign(value, {selector, triggers});
  return {dispose: () => delete state.providers[name]};
};

function createTestRun(request) {
  const run = {request, token: new Token(), results: new Map(), started: () => {}, text: ""};
  const {include} = request;
  const isIncluded = (item) => !include || (item && (include.includes(item) || isIncluded(item.parent)));
  for (const outcome of ["passed", "failed", "skipped"]) {
    run[outcome] = (item, messages) => isIncluded(item) && run.results.set(item.label, {outcome, messages});
  }
  run.appendOutput = (text) => (run.text += text);
  run.end = () => {
    run.isEnded = true;
    state.changed.fire();
  };
  state.runs.push(run);
  state.changed.fire();
  return run;
}

const vscode = {
  Position, Range, Uri, WorkspaceEdit, TestMessage, EventEmitter: Emitter,
  Location: record("uri", "range"), MarkdownString: record("value"), TextEdit: record("range", "newText"),
  Diagnostic: record("range", "message", "severity"), DiagnosticRelatedInformation: record("location", "message"),
  CompletionItem: record("label", "kind"), Hover: record("contents", "range"), FoldingRange: record("start", "end"),
  DocumentSymbol: record("name", "detail", "kind", "range", "selectionRange"),
  SignatureHelp: record(), SignatureInformation: record("label", "documentation"),
  ParameterInformation: record("label"),
  SymbolInformation: record("name", "kind", "containerName", "location"), SelectionRange: record("range", "parent"),
  DocumentLink: record("range", "target"), InlayHint: record("position", "label"), SemanticTokens: record("data"),
  SemanticTokensLegend: record("tokenTypes"),
  CodeAction: record("title", "kind"), CodeActionKind: {Empty: {append: (kind) => kind}},
  CodeLens: record("range", "command"),
  TestRunRequest: record("include", "exclude", "profile"), TestRunProfileKind: {Run: 1},
  StatusBarAlignment: {Right: 2}, ViewColumn: {Beside: -2},
  commands: {
    registerCommand(name, action) {
      state.commands[name] = action;
      return {dispose: () => delete state.commands[name]};
    },
    executeCommand: async (name) => void state.shown.push(["command", name]),
  },
  env: {clipboard: {writeText: async (text) => void (state.clipboard = text)}},
  languages: {
    match: ({language, scheme}, {languageId, uri}) => (language === languageId && scheme === uri.scheme ? 10 : 0),
    createDiagnosticCollection: () => ({
      set(uri, values) {
        state.diagnostics.set(uri.toString(), values);
        state.changed.fire();
      },
      clear: () => state.diagnostics.clear(),
      dispose() {},
    }),
  },
  tests: {
    createTestController: () => (state.controller = {
      items: new Items(), dispose() {}, createTestRun,
      createRunProfile: (label, kind, run) => (state.profile = {label, kind, run}),
      createTestItem(id, label, uri) {
        const item = {id, label, uri};
        item.children = new Items(item);
        return item;
      },
    }),
  },
  window: {
    createOutputChannel: () => ({append() {}, appendLine() {}, dispose() {}}),
    createStatusBarItem: () => (state.status = {
      dispose() {}, show: () => (state.status.isShown = true), hide: () => (state.status.isShown = false),
    }),
    setStatusBarMessage: (message) => (state.message = message),
    showErrorMessage: show("error"), showInformationMessage: show("information"),
    showQuickPick: async (items) => items.find(({label}) => label === state.choice),
    createWebviewPanel: (type, title, where, options) =>
      (state.panel = {
      options, dispose() {}, onDidDispose: (action) => (state.closePanel = action),
      webview: {
        set html(text) {
          state.html = text;
          state.changed.fire();
        },
      },
    }),
    onDidChangeActiveTextEditor: on("editor"),
    get activeTextEditor() {
      return state.editor;
    },
  },
  workspace: {
    get textDocuments() {
      return state.documents;
    },
    get isTrusted() {
      return state.trusted;
    },
    asRelativePath: (uri) => uri.path.split("/").pop(),
    createFileSystemWatcher: () => ({
      onDidCreate: on("created"), onDidChange: on("changed"), onDidDelete: on("deleted"), dispose() {},
    }),
    get workspaceFolders() {
      return state.folders;
    },
    findFiles: async () => state.files,
    getConfiguration: (section) => ({get: (name) => setting(`${section}.${name}`)}),
    onDidOpenTextDocument: on("open"), onDidChangeTextDocument: on("change"), onDidCloseTextDocument: on("close"),
    onDidChangeWorkspaceFolders: on("folders"),
    onDidGrantWorkspaceTrust: on("trust"), onDidChangeConfiguration: on("configuration"),
  },
};
for (const name of ["CompletionItem", "Hover", "Definition", "Reference", "Rename", "SignatureHelp",
  "DocumentSymbol", "FoldingRange", "SelectionRange", "DocumentLink", "DocumentFormattingEdit", "CodeActions",
  "CodeLens", "InlayHints", "DocumentSemanticTokens"]) {
  vscode.languages[`register${name}Provider`] = provider(name);
}

vscode.languages.registerWorkspaceSymbolProvider = (value) => provider("WorkspaceSymbol")({language: "yaml"}, value);

function setting(name) {
  state.used.add(name);
  return state.settings[name];
}

/** Fails where the extension reads what is not here, which may be newer than the API that it asks for. */
const strict = (value, path, depth) => new Proxy(value, {
  get(target, name) {
    if (!(name in target)) throw new Error(`${path}.${String(name)} is not in the stand-in`);
    const isNamespace = depth > 0 && /^[a-z]/.test(name) && typeof target[name] === "object" && target[name];
    return isNamespace ? strict(target[name], `${path}.${name}`, depth - 1) : target[name];
  },
});

/** The text after a completion is accepted. */
function accept({insertText, range, keepWhitespace}, text) {
  const lines = text.split("\n");
  const line = lines[range.start.line];
  const inserted = keepWhitespace ? insertText : insertText.replaceAll("\n", `\n${/^ */.exec(line)[0]}`);
  lines[range.start.line] = line.slice(0, range.start.character) + inserted + line.slice(range.end.character);
  return lines.join("\n");
}

module.exports = {vscode: strict(vscode, "vscode", 1), state, accept, Token};
