"use strict";

const vscode = require("vscode");

/** A run of a directory leaves out the files that begin with `_`. */
const FILE = /\/[^/_][^/]*\.ya?ml$/;
const CANCELLED = -32800;

/** The specs of the workspace in the Test Explorer: files, their flows and requests, and the rows of a run. */
class Tests {
  /** The requests of a file by their lines, by its URI. */
  requests = new Map();
  isComplete = false;
  testRun;
  failed;
  turn = Promise.resolve();

  constructor(server) {
    this.server = server;
    this.controller = vscode.tests.createTestController("reqrun", "reqrun");
    this.controller.resolveHandler = (item) => (item ? undefined : this.#find());
    this.controller.refreshHandler = (token) => this.#find(token);
    this.profile = this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run,
      (request) => this.#runItems(request), true);
    const {watcher} = server;
    const {workspace} = vscode;
    const changed = (uri) => (this.isComplete || isOpen(uri)) && this.#list(uri);
    this.subscriptions = [
      this.controller,
      watcher.onDidCreate(changed), watcher.onDidChange(changed), watcher.onDidDelete((uri) => this.#remove(uri)),
      workspace.onDidOpenTextDocument(({uri}) => this.#list(uri)),
      server.started.event(() => workspace.textDocuments.forEach(({uri}) => this.#list(uri))),
    ];
  }

  dispose() {
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }

  /** Runs what a lens names: a line, or a whole file. */
  async run(target) {
    const uri = vscode.Uri.parse(target.uri);
    await this.#list(uri);
    const item = this.requests.get(uri.toString())?.get(target.line) ?? this.controller.items.get(uri.toString());
    await this.#perform(new vscode.TestRunRequest(item ? [item] : [], [], this.profile), [target]);
  }

  /** Shows the result of a request, or of one of its rows, in the present run. */
  result({uri, line, name, outcome, duration, messages}) {
    if (!this.testRun) return;
    this.testRun.appendOutput([`${outcome}: ${name}`, ...messages.map(({message}) => message)]
      .map((text) => `${text.replace(/\r?\n/g, "\r\n")}\r\n`).join("  "));
    const request = this.requests.get(vscode.Uri.parse(uri).toString())?.get(line);
    if (!request) return;
    const isRow = name !== request.label && name.endsWith("]");
    const item = isRow ? this.#child(request, `${request.id}#${name}`, name, line) : request;
    // A request of a flow with rows has a result in each of them.
    if (this.failed.has(item)) return;
    if (outcome === "skipped") return this.testRun.skipped(item);
    if (outcome === "passed") return this.testRun.passed(item, duration);
    this.failed.add(item);
    const shown = messages.map(({message, line, expected, actual}) => Object.assign(
      vscode.TestMessage.diff(message, expected, actual), {location: new vscode.Location(item.uri, lineRange(line))}));
    this.testRun.failed(item, shown, duration);
  }

  /** Lists all files, once the explorer is open. */
  async #find(token) {
    this.isComplete = true;
    for (const uri of await vscode.workspace.findFiles("**/*.{yaml,yml}", "**/node_modules/**", undefined, token)) {
      await this.#list(uri);
    }
  }

  /** Lists the flows and requests of a file, as it is open or on disk. */
  async #list(uri) {
    if (uri.scheme !== "file" || !FILE.test(uri.path)) return;
    const id = uri.toString();
    const found = await this.server.request("reqrun/tests", {uri: id}).catch(() => undefined);
    if (found === undefined) return;
    if (!found?.requests.length) return this.#remove(uri);
    const {controller} = this;
    const file = controller.items.get(id) ?? controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    controller.items.add(file);
    const ids = new Set();
    const child = (parent, name, line) => {
      let id = `${parent.id}#${name}`;
      while (ids.has(id)) id += "#";
      ids.add(id);
      return this.#child(parent, id, name, line);
    };
    const flows = new Map(found.flows.map(({name, line}) => [name, child(file, name, line)]));
    this.requests.set(id, new Map(found.requests.map(({name, line, flow}) =>
      [line, child(flows.get(flow) ?? file, name, line)])));
    for (const {children} of [file, ...flows.values()]) {
      children.forEach((item) => ids.has(item.id) || children.delete(item.id));
    }
  }

  /** An item that is kept as long as its name, with its results. */
  #child(parent, id, label, line) {
    const item = parent.children.get(id) ?? this.controller.createTestItem(id, label, parent.uri);
    item.range = lineRange(line);
    // Rows move with their request.
    item.children.forEach((row) => (row.range = item.range));
    parent.children.add(item);
    return item;
  }

  #remove(uri) {
    this.controller.items.delete(uri.toString());
    this.requests.delete(uri.toString());
  }

  /** Runs what is chosen in the explorer, at the lines where it is now. */
  async #runItems(request) {
    const items = request.include ?? children(this.controller.items);
    await Promise.all([...new Set(items.map(({uri}) => uri))].map((uri) => this.#list(uri)));
    const excluded = new Set(request.exclude);
    const split = new Set(request.exclude?.flatMap(({parent}) => around(parent)));
    const wanted = (item) => {
      if (excluded.has(item)) return [];
      return split.has(item) ? children(item.children).flatMap(wanted) : [item];
    };
    // Rows have the line of their request.
    const targets = new Map(items.flatMap(wanted).map(({uri, range}) =>
      [`${uri}#${range?.start.line}`, {uri: uri.toString(), line: range?.start.line}]));
    await this.#perform(request, [...targets.values()]);
  }

  /** Runs one thing after another: results belong to the one run that there is. */
  #perform(request, tests) {
    return (this.turn = this.turn.then(async () => {
      const run = this.testRun = this.controller.createTestRun(request);
      this.failed = new Set();
      (request.include ?? children(this.controller.items)).flatMap(leaves).forEach((item) => run.started(item));
      try {
        const {passed, failed, skipped, message} = await this.server.request("reqrun/runTests", {tests}, run.token);
        vscode.window.setStatusBarMessage(`reqrun: ${passed} passed, ${failed} failed, ${skipped} skipped`, 10_000);
        if (message) vscode.window.showErrorMessage(message);
      } catch (error) {
        if (error.code !== CANCELLED) vscode.window.showErrorMessage(error.message);
      }
      this.testRun = undefined;
      run.end();
      this.server.changed.fire();
    }));
  }
}

const isOpen = (uri) => vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
const lineRange = (line) => new vscode.Range(line, 0, line, 0);
const around = (item) => (item ? [item, ...around(item.parent)] : []);
const leaves = (item) => (item.children.size === 0 ? [item] : children(item.children).flatMap(leaves));

function children(collection) {
  const found = [];
  collection.forEach((item) => found.push(item));
  return found;
}

module.exports = {Tests};
