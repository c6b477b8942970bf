"use strict";

/** A stand-in for VS Code with the part of its API that the extension uses; any other part fails. */
const record = (...names) => class {
  constructor(...values) {
    names.forEach((name, index) => (this[name] = values[index]));
  }
};

class Emitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener) => {
      this.listeners.add(listener);
      return disposable(() => this.listeners.delete(listener));
    };
  }
  fire(value) {
    for (const listener of this.listeners) listener(value);
  }
  dispose() {
    this.listeners.clear();
  }
}

const disposable = (dispose = () => {}) => ({dispose});

class Position extends record("line", "character") {}
class Range {
  constructor(...values) {
    const [start, end] = values.length === 4
      ? [new Position(values[0], values[1]), new Position(values[2], values[3])] : values;
    Object.assign(this, {start, end});
  }
  toJSON() {
    return [this.start, this.end];
  }
}
class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.split(":")[0];
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
class Items {
  map = new Map();
  add(item) {
    this.map.set(item.id, item);
  }
  replace(items) {
    this.map = new Map(items.map((item) => [item.id, item]));
  }
  forEach(action) {
    this.map.forEach(action);
  }
  get size() {
    return this.map.size;
  }
}

/** What a check sets and reads. */
const state = {
  documents: [], folders: [], trusted: true, settings: {}, providers: {}, commands: {}, diagnostics: new Map(), shown: [],
  clipboard: undefined, panel: undefined, runs: [], choice: undefined, controller: undefined, status: undefined,
  changed: new Emitter(), events: {},
};
const on = (name) => (state.events[name] = new Emitter()).event;
const show = (kind) => async (...values) => {
  state.shown.push([kind, values[0]]);
  state.changed.fire();
};
const provider = (name) => (...values) => {
  // A selector, the provider and what it needs; workspace symbols have no selector.
  state.providers[name] = values.find((value) => Object.values(value).some((member) => typeof member === "function"));
  return disposable(() => delete state.providers[name]);
};

const vscode = {
  Position, Range, Uri, WorkspaceEdit, TestMessage, EventEmitter: Emitter,
  Location: record("uri", "range"), MarkdownString: record("value"), TextEdit: record("range", "newText"),
  Diagnostic: record("range", "message", "severity"), DiagnosticRelatedInformation: record("location", "message"),
  CompletionItem: record("label", "kind"), CompletionList: record("items", "isIncomplete"), SnippetString: record("value"),
  Hover: record("contents", "range"), SignatureHelp: record(), SignatureInformation: record("label", "documentation"),
  ParameterInformation: record("label", "documentation"), SymbolInformation: record("name", "kind", "container", "location"),
  DocumentSymbol: record("name", "detail", "kind", "range", "selectionRange"), FoldingRange: record("start", "end", "kind"),
  FoldingRangeKind: {Comment: 1, Imports: 2, Region: 3}, DocumentLink: record("range", "target"),
  CodeAction: record("title", "kind"), CodeActionKind: {Empty: {append: (value) => ({value})}},
  CodeLens: record("range", "command"), InlayHint: record("position", "label", "kind"), InlayHintLabelPart: record("value"),
  SemanticTokens: record("data", "resultId"), SemanticTokensLegend: record("types", "modifiers"),
  TestTag: record("id"), TestRunRequest: record("include", "exclude", "profile"), TestRunProfileKind: {Run: 1},
  StatusBarAlignment: {Right: 2}, ViewColumn: {Beside: -2}, ConfigurationTarget: {Global: 1, Workspace: 2},
  version: "1.75.0",
  env: {appName: "a stand-in", clipboard: {writeText: async (text) => void (state.clipboard = text)}},
  commands: {
    registerCommand(name, action) {
      state.commands[name] = action;
      return disposable();
    },
    executeCommand: async (name) => void state.shown.push(["command", name]),
  },
  languages: {
    createDiagnosticCollection: () => ({
      set(uri, values) {
        state.diagnostics.set(uri.toString(), values);
        state.changed.fire();
      },
      clear: () => state.diagnostics.clear(),
      dispose() {},
    }),
  },
  window: {
    createOutputChannel: () => ({append() {}, appendLine: (line) => process.env.VERBOSE && console.log(line), dispose() {}}),
    createStatusBarItem: () => (state.status = {
      show: () => (state.status.isShown = true), hide: () => (state.status.isShown = false), dispose() {},
    }),
    setStatusBarMessage: () => disposable(),
    showErrorMessage: show("error"), showWarningMessage: show("warning"), showInformationMessage: show("information"),
    showQuickPick: async (items) => items.find(({label}) => label === state.choice),
    createWebviewPanel: () => (state.panel = {webview: {}, reveal() {}, dispose() {}, onDidDispose() {}}),
    onDidChangeActiveTextEditor: on("editor"),
    activeTextEditor: undefined,
  },
  workspace: {
    get textDocuments() { return state.documents; },
    get workspaceFolders() { return state.folders; },
    get isTrusted() { return state.trusted; },
    asRelativePath: (uri) => uri.toString().split("/").pop(),
    createFileSystemWatcher: () => ({onDidCreate: on("created"), onDidChange: on("changed"), onDidDelete: on("deleted"), dispose() {}}),
    getConfiguration: (section) => ({
      get: (name) => state.settings[`${section}.${name}`],
      async update(name, value) {
        state.settings[`${section}.${name}`] = value;
        state.events.configuration.fire({affectsConfiguration: (other) => other === `${section}.${name}`});
      },
    }),
    applyEdit: async () => true,
    onDidOpenTextDocument: on("open"), onDidChangeTextDocument: on("change"), onDidSaveTextDocument: on("save"),
    onDidCloseTextDocument: on("close"), onDidChangeWorkspaceFolders: on("folders"), onDidGrantWorkspaceTrust: on("trust"),
    onDidChangeConfiguration: on("configuration"),
  },
  tests: {
    createTestController: () => (state.controller = {
      items: new Items(), dispose() {},
      createRunProfile: (label, kind, handler) => (state.runTests = handler, {label, kind}),
      createTestItem: (id, label, uri) => {
        const item = {id, label, uri, children: new Items()};
        const add = item.children.add.bind(item.children);
        item.children.add = (child) => {
          child.parent = item;
          add(child);
        };
        return item;
      },
      createTestRun(request) {
        const run = {request, token: new Token(), results: [], text: "", enqueued() {}, started() {}};
        for (const outcome of ["passed", "failed", "skipped", "errored"]) {
          run[outcome] = (item, messages) => {
            run.results.push({outcome, name: item.label, messages});
            state.changed.fire();
          };
        }
        run.appendOutput = (text) => (run.text += text);
        run.end = () => (run.ended = true);
        state.runs.push(run);
        state.changed.fire();
        return run;
      },
    }),
  },
};
for (const name of ["CompletionItem", "Hover", "SignatureHelp", "Definition", "Reference", "Rename", "DocumentSymbol",
  "WorkspaceSymbol", "FoldingRange", "DocumentLink", "DocumentFormattingEdit", "CodeActions", "CodeLens",
  "DocumentSemanticTokens", "InlayHints"]) {
  vscode.languages[`register${name}Provider`] = provider(name);
}

/** Fails where the extension reads what is not there, which may be newer than the API that it asks for. */
const strict = (value, path) => new Proxy(value, {
  get(target, name) {
    if (!(name in target)) throw new Error(`${path}.${String(name)} is not in the stand-in`);
    const member = target[name];
    const isNamespace = ["commands", "env", "languages", "tests", "window", "workspace"].includes(name);
    return isNamespace && path === "vscode" ? strict(member, `${path}.${name}`) : member;
  },
});

module.exports = {vscode: strict(vscode, "vscode"), state, Token};
