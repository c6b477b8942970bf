"use strict";

const vscode = require("vscode");
const {Server} = require("./server");
const {Tests} = require("./tests");

const SETTINGS = "reqrun";

async function activate(context) {
  const server = new Server({"reqrun/testResult": (result) => tests.result(result)});
  const tests = new Tests(server);
  const environments = new Environments(server);
  const response = new ResponseView();
  const update = () => {
    tests.refreshSoon();
    environments.update();
  };
  const call = async (command, target) => {
    try {
      return await server.request("workspace/executeCommand", {command, arguments: [target]});
    } catch (error) {
      vscode.window.showErrorMessage(error.message);
      return undefined;
    }
  };
  const commands = {
    "reqrun.run": (target = cursor()) => target && tests.run(target)
      .catch((error) => void vscode.window.showErrorMessage(error.message)),
    "reqrun.curl": async (target = cursor()) => {
      const text = target && await call("reqrun.curl", target);
      if (!text) return;
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage("reqrun: the curl command is in the clipboard", 5_000);
    },
    "reqrun.response": async (target = cursor()) => {
      const page = target && await call("reqrun.response", target);
      if (page) response.show(page.html);
      else if (page === null) vscode.window.showInformationMessage("This request has not run yet.");
    },
    "reqrun.chooseEnvironment": () => environments.choose(),
    "reqrun.restart": () => server.restart(),
  };
  context.subscriptions.push(
    tests, environments, response, server.started.event(update),
    vscode.workspace.onDidSaveTextDocument(({languageId}) => languageId === "yaml" && update()),
    ...Object.entries(commands).map(([name, action]) => vscode.commands.registerCommand(name, action)));
  module.exports.deactivate = () => server.dispose();
  await server.start();
  return {server, tests};
}

/** The line of the cursor, for commands that no lens calls. */
function cursor() {
  const editor = vscode.window.activeTextEditor;
  return editor && {uri: editor.document.uri.toString(), line: editor.selection.active.line + 1};
}

/** The environment in the status bar, where the project has any, beside a YAML file. */
class Environments {
  constructor(server) {
    this.server = server;
    this.names = [];
    this.item = vscode.window.createStatusBarItem("reqrun.environment", vscode.StatusBarAlignment.Right, 100);
    this.item.name = "reqrun environment";
    this.item.command = "reqrun.chooseEnvironment";
    this.item.tooltip = "The environment of reqrun";
    this.change = vscode.window.onDidChangeActiveTextEditor(() => this.#show());
  }

  dispose() {
    this.change.dispose();
    this.item.dispose();
  }

  async update() {
    const {names, current} = await this.server.request("reqrun/environments", {}).catch(() => ({names: [], current: null}));
    this.names = names;
    this.item.text = `$(globe) ${current ?? "no environment"}`;
    this.#show();
  }

  async choose() {
    await this.update();
    const none = {label: "The default of reqrun.yaml", value: undefined};
    const items = [none, ...this.names.map((label) => ({label, value: label}))];
    const choice = await vscode.window.showQuickPick(items, {placeHolder: "Environment"});
    if (!choice) return;
    const target = vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration(SETTINGS).update("environment", choice.value, target);
    await this.update();
  }

  #show() {
    const isShown = this.names.length > 0 && vscode.window.activeTextEditor?.document.languageId === "yaml";
    this.item[isShown ? "show" : "hide"]();
  }
}

/** The page of a response, which brings the policy that only its own script may run. */
class ResponseView {
  show(html) {
    const hasPolicy = /^<!doctype html>\s*<html[^>]*>\s*<head>\s*<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="default-src 'none';/i
      .test(html);
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel("reqrun.response", "Response",
        {viewColumn: vscode.ViewColumn.Beside, preserveFocus: true}, {localResourceRoots: []});
      this.panel.onDidDispose(() => {
        this.panel = undefined;
      });
    }
    this.panel.webview.options = {enableScripts: hasPolicy, localResourceRoots: []};
    this.panel.webview.html = hasPolicy ? html
      : `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">${html}`;
    this.panel.reveal(undefined, true);
  }

  dispose() {
    this.panel?.dispose();
  }
}

module.exports = {activate};
