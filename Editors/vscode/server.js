"use strict";

const vscode = require("vscode");
const {spawn} = require("child_process");
const {Connection} = require("./rpc");
const {SELECTOR, register} = require("./languages");
const convert = require("./convert");

/** The least time, in milliseconds, after which a server that ends is started again without asking. */
const RUN_MINIMUM = 10_000;
const SHUTDOWN_LIMIT = 5_000;

const CAPABILITIES = {
  general: {positionEncodings: ["utf-16"]},
  workspace: {workspaceFolders: true, symbol: {}},
  textDocument: {
    synchronization: {},
    publishDiagnostics: {relatedInformation: true},
    completion: {completionItem: {insertTextModeSupport: {valueSet: [1]}}},
    signatureHelp: {}, definition: {}, references: {}, rename: {prepareSupport: true}, selectionRange: {},
    hover: {contentFormat: ["markdown"]},
    documentSymbol: {hierarchicalDocumentSymbolSupport: true},
    foldingRange: {lineFoldingOnly: true},
    documentLink: {}, formatting: {}, codeLens: {}, inlayHint: {},
    codeAction: {
      codeActionLiteralSupport: {codeActionKind: {valueSet: ["quickfix", "refactor"]}}, isPreferredSupport: true,
    },
    semanticTokens: {requests: {full: true}, formats: ["relative"], tokenTypes: [], tokenModifiers: []},
  },
};

/** `reqrun lsp`: its process, what is open in it, and its diagnostics. It is started again if it crashes. */
class Server {
  child;
  /** The connection of an initialized server. */
  connection;
  features = [];
  turn = Promise.resolve();
  started = new vscode.EventEmitter();
  /** Fires when results or settings are others, and with them lenses and hints. */
  changed = new vscode.EventEmitter();

  /**
   * @param state the memory of the workspace, which has the chosen environment.
   * @param handlers functions by the method of the server's notifications.
   */
  constructor(state, handlers) {
    this.state = state;
    this.handlers = handlers;
    const {workspace} = vscode;
    this.output = vscode.window.createOutputChannel("reqrun");
    this.diagnostics = vscode.languages.createDiagnosticCollection("reqrun");
    this.watcher = workspace.createFileSystemWatcher("**/*.{yaml,yml,json,jsonl,csv,graphql}");
    const watched = (type) => (uri) =>
      this.notify("workspace/didChangeWatchedFiles", {changes: [{uri: uri.toString(), type}]});
    this.subscriptions = [
      this.output, this.diagnostics, this.started, this.changed, this.watcher,
      this.watcher.onDidCreate(watched(1)), this.watcher.onDidChange(watched(2)), this.watcher.onDidDelete(watched(3)),
      workspace.onDidOpenTextDocument((document) => this.#open(document)),
      workspace.onDidChangeTextDocument((event) => this.#change(event)),
      workspace.onDidCloseTextDocument((document) => this.#tell("didClose", document)),
      workspace.onDidChangeWorkspaceFolders(({added, removed}) => this.notify("workspace/didChangeWorkspaceFolders",
        {event: {added: added.map(folder), removed: removed.map(folder)}})),
      workspace.onDidGrantWorkspaceTrust(() => this.configure()),
      workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("reqrun.path") && this.restart()),
    ];
  }

  get settings() {
    return {environment: this.state.get("environment") ?? null, trusted: vscode.workspace.isTrusted};
  }

  configure() {
    this.notify("workspace/didChangeConfiguration", {settings: {reqrun: this.settings}});
    this.changed.fire();
  }

  request(method, params, token) {
    return this.connection?.request(method, params, token) ?? Promise.reject(new Error("reqrun lsp isn't running"));
  }

  execute(command, target) {
    return this.request("workspace/executeCommand", {command, arguments: [target]});
  }

  notify(method, params) {
    this.connection?.notify(method, params);
  }

  /** Starts the server, in place of one that runs; one restart after another. */
  restart() {
    const restarted = this.turn.then(() => this.#stop()).then(() => this.#start());
    return (this.turn = restarted.catch((error) => void this.#report(error.message)));
  }

  async dispose() {
    await (this.turn = this.turn.then(() => this.#stop()));
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }

  #start() {
    const path = vscode.workspace.getConfiguration("reqrun").get("path");
    const start = Date.now();
    const child = spawn(path, ["lsp"]);
    const connection = new Connection(child.stdout, child.stdin, (method, params) => this.#notified(method, params),
      (reason) => {
        words = `not a language server: ${reason}`;
        child.kill();
      });
    let words = "";
    this.child = child;
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text) => {
      this.output.append(text);
      words = (words + text).slice(0, 1000);
    });
    child.on("error", ({code}) => (words = `it can't be started, ${code}`));
    child.on("close", (code, signal) => {
      const reason = words.trim().split("\n")[0] || (signal ?? `exit code ${code}`);
      connection.close(new Error(`reqrun lsp isn't running: ${reason}`));
      if (this.child !== child) return;
      this.#clear();
      this.output.appendLine(`${path} lsp ended: ${reason}`);
      if (Date.now() - start > RUN_MINIMUM) this.restart();
      else this.#report(`${path} lsp: ${reason}`);
    });
    this.#initialize(child, connection);
  }

  async #initialize(child, connection) {
    const result = await connection.request("initialize", {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: vscode.workspace.workspaceFolders?.map(folder) ?? [],
      capabilities: CAPABILITIES,
      initializationOptions: this.settings,
    }).catch(() => undefined);
    if (this.child !== child) return;
    if (!result) return void child.kill();
    this.connection = connection;
    connection.notify("initialized", {});
    this.features = register(this, result.capabilities, this.changed.event);
    vscode.workspace.textDocuments.forEach((document) => this.#open(document));
    this.started.fire();
  }

  async #stop() {
    const {child, connection} = this;
    this.#clear();
    if (!child) return;
    const closed = new Promise((resolve) => child.once("close", resolve));
    const limit = setTimeout(() => child.kill("SIGKILL"), connection ? SHUTDOWN_LIMIT : 0);
    connection?.request("shutdown").catch(() => {});
    connection?.notify("exit");
    await closed;
    clearTimeout(limit);
  }

  #clear() {
    this.child = this.connection = undefined;
    this.features.forEach((feature) => feature.dispose());
    this.features = [];
    this.diagnostics.clear();
  }

  async #report(reason) {
    const choice = await vscode.window.showErrorMessage(
      `${reason}. Install reqrun, or set reqrun.path to where it is.`, "Open Settings", "Try Again");
    if (choice === "Open Settings") vscode.commands.executeCommand("workbench.action.openSettings", "reqrun.path");
    if (choice === "Try Again") this.restart();
  }

  #open(document) {
    this.#tell("didOpen", document,
      {languageId: document.languageId, version: document.version, text: document.getText()});
  }

  #change({document, contentChanges}) {
    const changes = contentChanges.map(({range: {start, end}, text}) => ({range: {start, end}, text}));
    if (changes.length > 0) this.#tell("didChange", document, {version: document.version}, {contentChanges: changes});
  }

  #tell(method, document, more, params) {
    if (!vscode.languages.match(SELECTOR, document)) return;
    this.notify(`textDocument/${method}`, {textDocument: {uri: document.uri.toString(), ...more}, ...params});
  }

  #notified(method, params) {
    if (method === "textDocument/publishDiagnostics") {
      this.diagnostics.set(vscode.Uri.parse(params.uri), convert.diagnostics(params.diagnostics));
    } else {
      this.handlers[method]?.(params);
    }
  }
}

const folder = ({uri, name}) => ({uri: uri.toString(), name});

module.exports = {Server};
