"use strict";

const vscode = require("vscode");
const {SELECTOR} = require("./languages");
const {Server} = require("./server");
const {Tests} = require("./tests");

async function activate({subscriptions, workspaceState}) {
  const server = new Server(workspaceState, {"reqrun/testResult": (result) => tests.result(result)});
  const tests = new Tests(server);
  const environments = new Environments(server, workspaceState);
  const response = new Response(server);
  const aboutRequest = (action) => async (target) => action(target ?? await chosen(server));
  const commands = {
    "reqrun.run": aboutRequest((target) => tests.run(target)),
    "reqrun.runFile": aboutRequest(({uri}) => tests.run({uri})),
    "reqrun.curl": aboutRequest(async (target) => {
      await vscode.env.clipboard.writeText((await server.execute("reqrun.curl", target)).text);
      vscode.window.setStatusBarMessage("reqrun: the curl command is in the clipboard", 5_000);
    }),
    "reqrun.send": aboutRequest((target) => response.send(target)),
    "reqrun.response": aboutRequest((target) => response.show(target)),
    "reqrun.chooseEnvironment": () => environments.choose(),
    "reqrun.restart": () => server.restart(),
  };
  const register = ([name, action]) => vscode.commands.registerCommand(name, async (target) => {
    try {
      await action(target);
    } catch (error) {
      vscode.window.showErrorMessage(error.message);
    }
  });
  subscriptions.push(...Object.entries(commands).map(register), tests, environments, response);
  module.exports.deactivate = () => server.dispose();
  await server.restart();
}

/** The target of commands that no lens calls: the last request that begins before the cursor. */
async function chosen(server) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error("there is no request here");
  const uri = editor.document.uri.toString();
  const lenses = await server.request("textDocument/codeLens", {textDocument: {uri}});
  const lines = lenses.map(({range}) => range.start.line).filter((line) => line <= editor.selection.active.line);
  return {uri, line: Math.max(0, ...lines)};
}

/** The environment in the status bar, beside specs of a project that has any. */
class Environments {
  constructor(server, state) {
    this.server = server;
    this.state = state;
    this.item = vscode.window.createStatusBarItem("reqrun.environment", vscode.StatusBarAlignment.Right, 100);
    this.item.name = "reqrun environment";
    this.item.command = "reqrun.chooseEnvironment";
    this.item.tooltip = "The environment of reqrun";
    const show = () => this.#show();
    this.subscriptions = [this.item, server.started.event(show), server.watcher.onDidChange(show),
      vscode.window.onDidChangeActiveTextEditor(show)];
  }

  dispose() {
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }

  async choose() {
    const {environments} = await this.#known();
    const items = [{label: "The default of the project"}, ...environments.map((label) => ({label, name: label}))];
    const choice = await vscode.window.showQuickPick(items, {placeHolder: "Environment"});
    if (!choice) return;
    await this.state.update("environment", choice.name);
    this.server.configure();
    await this.#show();
  }

  async #show() {
    const {environments, current} = await this.#known().catch(() => ({environments: []}));
    this.item.text = `$(globe) ${current ?? "no environment"}`;
    this.item[environments.length > 0 ? "show" : "hide"]();
  }

  async #known() {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !vscode.languages.match(SELECTOR, document)) return {environments: []};
    return this.server.request("reqrun/environments", {uri: document.uri.toString()});
  }
}

/** The page of the HTML report on a request, which follows the runs. */
class Response {
  panel;
  target;

  constructor(server) {
    this.server = server;
    this.subscription = server.changed.event(async () => {
      const page = this.panel && await this.#page().catch(() => null);
      if (page && this.panel) this.panel.webview.html = page.html;
    });
  }

  dispose() {
    this.subscription.dispose();
    this.panel?.dispose();
  }

  async send(target) {
    const {html, message} = await this.server.execute("reqrun.send", target);
    if (!html) throw new Error(message ?? "there is no response");
    this.target = target;
    this.#show(html);
  }

  async show(target) {
    this.target = target;
    const page = await this.#page();
    if (!page) return void vscode.window.showInformationMessage("This request has not run yet.");
    this.#show(page.html);
  }

  #show(html) {
    if (!this.panel) {
      // The page brings the policy that only its own script may run.
      this.panel = vscode.window.createWebviewPanel("reqrun.response", "Response",
        {viewColumn: vscode.ViewColumn.Beside, preserveFocus: true}, {enableScripts: true, localResourceRoots: []});
      this.panel.onDidDispose(() => (this.panel = undefined));
    }
    this.panel.webview.html = html;
  }

  #page() {
    return this.server.execute("reqrun.response", this.target);
  }
}

module.exports = {activate};
