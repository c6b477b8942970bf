"use strict";

const vscode = require("vscode");
const {spawn} = require("child_process");
const {Connection} = require("./rpc");
const {register} = require("./languages");
const {diagnostics, workspaceEdit} = require("./convert");

/** The ends within this time after which the server is not started again. */
const MOST_ENDS = 4;
const ENDS_WITHIN = 3 * 60_000;
const SHUTDOWN_LIMIT = 5_000;

const CAPABILITIES = {
  general: {positionEncodings: ["utf-16"]},
  window: {workDoneProgress: false},
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: {documentChanges: true},
    codeLens: {refreshSupport: true},
    inlayHint: {refreshSupport: true},
    semanticTokens: {refreshSupport: true},
  },
  textDocument: {
    synchronization: {didSave: true},
    publishDiagnostics: {relatedInformation: true, versionSupport: true, codeDescriptionSupport: true, dataSupport: true,
      tagSupport: {valueSet: [1, 2]}},
    completion: {contextSupport: true, completionItem: {snippetSupport: true, labelDetailsSupport: true,
      documentationFormat: ["markdown", "plaintext"], tagSupport: {valueSet: [1]}}},
    hover: {contentFormat: ["markdown", "plaintext"]},
    signatureHelp: {contextSupport: true, signatureInformation: {documentationFormat: ["markdown", "plaintext"],
      parameterInformation: {labelOffsetSupport: true}, activeParameterSupport: true}},
    definition: {}, references: {}, formatting: {}, codeLens: {}, inlayHint: {},
    rename: {prepareSupport: true},
    documentSymbol: {hierarchicalDocumentSymbolSupport: true},
    foldingRange: {lineFoldingOnly: true},
    documentLink: {tooltipSupport: true},
    codeAction: {codeActionLiteralSupport: {codeActionKind: {valueSet: ["quickfix", "refactor", "source"]}},
      isPreferredSupport: true, dataSupport: true},
    semanticTokens: {requests: {full: true}, formats: ["relative"], tokenTypes: [], tokenModifiers: []},
  },
};

/** `reqrun lsp`: its process, what is open in it, and its diagnostics. It is started again if it crashes. */
class Server {
  /** @param handlers functions by the method of the server's notifications. */
  constructor(handlers) {
    this.handlers = handlers;
    this.output = vscode.window.createOutputChannel("reqrun");
    this.diagnostics = vscode.languages.createDiagnosticCollection("reqrun");
    this.refreshes = {
      codeLens: new vscode.EventEmitter(), inlayHint: new vscode.EventEmitter(), semanticTokens: new vscode.EventEmitter(),
    };
    this.started = new vscode.EventEmitter();
    this.features = [];
    this.ends = [];
    const {workspace} = vscode;
    const watcher = workspace.createFileSystemWatcher("**/*.{yaml,yml,json,csv}");
    const watched = (type) => (uri) =>
      this.notify("workspace/didChangeWatchedFiles", {changes: [{uri: uri.toString(), type}]});
    this.subscriptions = [
      this.output, this.diagnostics, this.started, ...Object.values(this.refreshes), watcher,
      watcher.onDidCreate(watched(1)), watcher.onDidChange(watched(2)), watcher.onDidDelete(watched(3)),
      workspace.onDidOpenTextDocument((document) => this.#open(document)),
      workspace.onDidChangeTextDocument((event) => this.#change(event)),
      workspace.onDidSaveTextDocument((document) => this.#tell("textDocument/didSave", document)),
      workspace.onDidCloseTextDocument((document) => this.#tell("textDocument/didClose", document)),
      workspace.onDidChangeWorkspaceFolders(({added, removed}) => this.notify("workspace/didChangeWorkspaceFolders",
        {event: {added: added.map(folder), removed: removed.map(folder)}})),
      workspace.onDidGrantWorkspaceTrust(() => this.configure()),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("reqrun.path")) this.restart();
        else if (event.affectsConfiguration("reqrun.environment")) this.configure();
      }),
    ];
  }

  get settings() {
    return {
      environment: vscode.workspace.getConfiguration("reqrun").get("environment") || null,
      trusted: vscode.workspace.isTrusted,
    };
  }

  /** Starts the process, and resolves when it can be used or can't be. */
  async start() {
    const path = vscode.workspace.getConfiguration("reqrun").get("path");
    const child = spawn(path, ["lsp"], {stdio: "pipe"});
    const connection = new Connection(child.stdout, child.stdin, {
      request: (method, params) => this.#request(method, params),
      notification: (method, params) => this.#notification(method, params),
      broken: (reason) => {
        this.output.appendLine(`reqrun lsp wrote what is not LSP: ${reason}`);
        child.kill();
      },
    });
    Object.assign(this, {child, connection, lastWords: ""});
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text) => {
      this.output.append(text);
      this.lastWords = (this.lastWords + text).slice(-1000);
    });
    child.on("error", (error) => this.#ended(child, connection, path, error));
    child.on("close", (code, signal) =>
      this.#ended(child, connection, path, new Error(signal ? `ended by ${signal}` : `exit code ${code}`)));
    try {
      const {capabilities} = await connection.request("initialize", {
        processId: process.pid,
        clientInfo: {name: vscode.env.appName, version: vscode.version},
        capabilities: CAPABILITIES,
        initializationOptions: this.settings,
        rootUri: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? null,
        workspaceFolders: vscode.workspace.workspaceFolders?.map(folder) ?? null,
      });
      connection.notify("initialized", {});
      this.features = register(this, capabilities);
      vscode.workspace.textDocuments.forEach((document) => this.#open(document));
      this.started.fire();
    } catch (error) {
      if (!connection.closed) {
        this.output.appendLine(`reqrun lsp could not be initialized: ${error.message}`);
        child.kill();
      }
    }
  }

  /** Sends a request, whose result is that of the server; fails while there is no server. */
  request(method, params, token) {
    return this.connection.request(method, params, token);
  }

  notify(method, params) {
    this.connection?.notify(method, params);
  }

  configure() {
    this.notify("workspace/didChangeConfiguration", {settings: {reqrun: this.settings}});
  }

  async restart() {
    this.ends = [];
    await this.stop();
    await this.start();
  }

  /** Asks the server to end, and ends it after a limit. */
  async stop() {
    const {child, connection} = this;
    this.#clear();
    if (!child || connection.closed) return;
    this.child = undefined;
    const closed = new Promise((resolve) => child.once("close", resolve));
    const limit = setTimeout(() => child.kill("SIGKILL"), SHUTDOWN_LIMIT);
    await connection.request("shutdown").catch(() => {});
    connection.notify("exit");
    child.stdin.end();
    await closed;
    clearTimeout(limit);
  }

  async dispose() {
    await this.stop();
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }

  #clear() {
    this.features.forEach((feature) => feature.dispose());
    this.features = [];
    this.diagnostics.clear();
  }

  #ended(child, connection, path, error) {
    if (connection.closed) return;
    connection.close(new Error(`reqrun lsp isn't running: ${error.message}`));
    if (this.child !== child) return;
    this.#clear();
    if (child.pid === undefined) return this.#report(
      `${path} can't be started (${error.code ?? error.message}). Install reqrun, or set reqrun.path to where it is.`);
    this.output.appendLine(`reqrun lsp: ${error.message}`);
    const now = Date.now();
    this.ends = [...this.ends.filter((end) => now - end < ENDS_WITHIN), now];
    if (this.ends.length < MOST_ENDS) return void this.start();
    const words = this.lastWords.trim().split("\n").pop();
    this.#report(`${path} lsp ended ${MOST_ENDS} times (${words || error.message}). It needs a reqrun that has \`lsp\`.`);
  }

  async #report(message) {
    const choice = await vscode.window.showErrorMessage(message, "Open Settings", "Try Again");
    if (choice === "Open Settings") vscode.commands.executeCommand("workbench.action.openSettings", "reqrun.path");
    if (choice === "Try Again") this.restart();
  }

  #open(document) {
    this.#tell("textDocument/didOpen", document,
      {languageId: document.languageId, version: document.version, text: document.getText()});
  }

  #change({document, contentChanges}) {
    if (contentChanges.length === 0 || !isYAML(document)) return;
    this.notify("textDocument/didChange", {
      textDocument: {uri: document.uri.toString(), version: document.version},
      contentChanges: contentChanges.map(({range: {start, end}, text}) => ({range: {start, end}, text})),
    });
  }

  #tell(method, document, more) {
    if (isYAML(document)) this.notify(method, {textDocument: {uri: document.uri.toString(), ...more}});
  }

  #request(method, params) {
    const refreshed = /^workspace\/(\w+)\/refresh$/.exec(method)?.[1];
    if (refreshed in this.refreshes) return this.refreshes[refreshed].fire();
    switch (method) {
      case "workspace/configuration": return params.items.map(() => this.settings);
      case "workspace/workspaceFolders": return vscode.workspace.workspaceFolders?.map(folder) ?? null;
      case "workspace/applyEdit": return vscode.workspace.applyEdit(workspaceEdit(params.edit)).then((applied) => ({applied}));
      default: throw Object.assign(new Error(`unknown method ${method}`), {code: -32601});
    }
  }

  #notification(method, params) {
    switch (method) {
      case "textDocument/publishDiagnostics": return this.#publish(params);
      case "window/logMessage": return this.output.appendLine(params.message);
      case "window/showMessage": {
        const {showErrorMessage, showWarningMessage, showInformationMessage} = vscode.window;
        const show = [showErrorMessage, showWarningMessage][params.type - 1] ?? showInformationMessage;
        return void show(params.message);
      }
      default: this.handlers[method]?.(params);
    }
  }

  /** Diagnostics of an older version than the open one are at wrong places; those of the open one follow. */
  #publish({uri, version, diagnostics: published}) {
    const resource = vscode.Uri.parse(uri);
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === resource.toString());
    if (version === undefined || !open || version === open.version) this.diagnostics.set(resource, diagnostics(published));
  }
}

const isYAML = ({languageId, uri}) => languageId === "yaml" && uri.scheme === "file";
const folder = ({uri, name}) => ({uri: uri.toString(), name});

module.exports = {Server};
