"use strict";

const vscode = require("vscode");
const convert = require("./convert");

/** A pause after a change on disk before the tests are listed again. */
const PAUSE = 300;

/** The specs of the workspace in the Test Explorer: files, their flows and requests, and the rows of a run. */
class Tests {
  constructor(server) {
    this.server = server;
    this.controller = vscode.tests.createTestController("reqrun", "reqrun");
    this.controller.refreshHandler = (token) => this.refresh(token);
    this.profile = this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run,
      (request, token) => this.#inTurn(() => this.#runItems(request, token)), true);
    this.clear();
    this.turn = Promise.resolve();
  }

  dispose() {
    clearTimeout(this.timer);
    this.controller.dispose();
  }

  clear() {
    this.items = new Map();
    this.lines = new Map();
    this.controller.items.replace([]);
  }

  refreshSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh().catch(() => {}), PAUSE);
  }

  /** Lists the tests again, once no run needs the list that there is. */
  refresh(token) {
    return this.#inTurn(() => this.#list(token));
  }

  /** Runs the request of a line, or a file without one, as a lens does. */
  run(target) {
    return this.#inTurn(async () => {
      await this.#prepare([target.uri]);
      const file = key(target.uri);
      const item = this.lines.get(place(file, target.line)) ?? this.items.get(file);
      await this.#perform(new vscode.TestRunRequest(item ? [item] : [], [], this.profile), [{...target, item}]);
    });
  }

  /** Shows the result of a request in the present run. */
  result({uri, line, name, outcome, duration, messages = []}) {
    if (!this.testRun) return;
    this.results += 1;
    this.testRun.appendOutput(`${outcome}: ${name} (${Math.round(duration)} ms)\r\n`);
    const request = this.lines.get(place(key(uri), line));
    if (!request) return;
    const item = this.#row(request, name);
    const shown = messages.map(({message, range, expected, actual}) => {
      const result = expected !== undefined && actual !== undefined
        ? vscode.TestMessage.diff(message, expected, actual) : new vscode.TestMessage(message);
      result.location = new vscode.Location(item.uri, range ? convert.range(range) : item.range);
      return result;
    });
    switch (outcome) {
      case "passed": return this.testRun.passed(item, duration);
      case "failed": return this.testRun.failed(item, shown, duration);
      case "skipped": return this.testRun.skipped(item);
      default: return this.testRun.errored(item, shown, duration);
    }
  }

  /** Does one thing after another: results belong to the one run that there is. */
  #inTurn(action) {
    const done = this.turn.then(action);
    this.turn = done.catch(() => {});
    return done;
  }

  async #list(token) {
    const files = await this.server.request("reqrun/tests", {}, token);
    this.clear();
    this.controller.items.replace(files.map((file) => this.#file(file)));
  }

  #file({uri, name, requests, flows = []}) {
    const resource = convert.uri(uri);
    const file = this.#item(key(uri), vscode.workspace.asRelativePath(resource), resource, {uri});
    if (name !== file.label) file.description = name;
    for (const {name, line, flow, tags = []} of requests) {
      const known = flow && flows.find((one) => one.name === flow);
      const parent = flow === undefined ? file : this.items.get(`${file.id}#${flow}`)
        ?? this.#item(`${file.id}#${flow}`, flow, resource, known && {uri, line: known.line}, file);
      const target = {uri, line};
      const request = this.#item(`${file.id}#${flow ?? ""}#${name}`, name, resource, target, parent);
      request.tags = tags.map((tag) => new vscode.TestTag(tag));
      this.lines.set(place(file.id, line), request);
    }
    return file;
  }

  #item(id, label, uri, target, parent) {
    // Names may be repeated.
    while (this.items.has(id)) id += "#";
    const item = this.controller.createTestItem(id, label, uri);
    if (target?.line) item.range = new vscode.Range(target.line - 1, 0, target.line - 1, 0);
    item.target = target;
    this.items.set(id, item);
    parent?.children.add(item);
    return item;
  }

  /** The item of a row such as `reads [2]`, below its request; otherwise the request. */
  #row(request, name) {
    const start = name.lastIndexOf(`${request.label} [`);
    if (start < 0) return request;
    const label = name.slice(start);
    const id = `${request.id}#${label}`;
    return this.items.get(id) ?? this.#item(id, label, request.uri, request.target, request);
  }

  /** Saves what runs, since the saved files are run, and lists the tests as they are now. */
  async #prepare(uris, token) {
    const resources = new Set(uris.map(key));
    const unsaved = vscode.workspace.textDocuments.filter((document) =>
      document.isDirty && resources.has(document.uri.toString()));
    await Promise.all(unsaved.map((document) => document.save()));
    await this.#list(token);
  }

  async #runItems(request, token) {
    const included = request.include ?? [...this.items.values()].filter((item) => !item.parent);
    await this.#prepare(included.map((item) => item.uri.toString()), token);
    const excluded = (request.exclude ?? []).map((item) => item.id);
    const ids = request.include?.map((item) => item.id) ?? [...this.items.keys()].filter((id) => !this.items.get(id).parent);
    const targets = ids.flatMap((id) => this.#targets(this.items.get(id), excluded));
    await this.#perform(request, targets);
  }

  /** The targets of an item: itself, or what it has if a part is excluded or it is not in one line. */
  #targets(item, excluded) {
    if (!item || excluded.includes(item.id)) return [];
    const isWhole = item.target && !excluded.some((id) => id.startsWith(`${item.id}#`));
    return isWhole ? [{...item.target, item}] : children(item).flatMap((child) => this.#targets(child, excluded));
  }

  async #perform(request, targets) {
    if (!vscode.workspace.isTrusted) return void refuse();
    const run = this.testRun = this.controller.createTestRun(request);
    const counts = {passed: 0, failed: 0, skipped: 0};
    const problems = [];
    for (const {item} of targets) leaves(item).forEach((leaf) => run.enqueued(leaf));
    for (const {uri, line, item} of targets) {
      if (run.token.isCancellationRequested) break;
      leaves(item).forEach((leaf) => run.started(leaf));
      this.results = 0;
      try {
        const result = await this.server.request("workspace/executeCommand",
          {command: "reqrun.run", arguments: [{uri, line}]}, run.token);
        for (const count in counts) counts[count] += result[count];
        if (result.exitCode !== 0 && this.results === 0) {
          throw new Error(`reqrun could not run it (exit code ${result.exitCode})`);
        }
      } catch (error) {
        if (run.token.isCancellationRequested) break;
        run.appendOutput(`${error.message}\r\n`);
        problems.push(error.message);
        if (item) run.errored(item, new vscode.TestMessage(error.message));
      }
    }
    const texts = Object.entries(counts).filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
    vscode.window.setStatusBarMessage(`reqrun: ${texts.join(", ") || "nothing ran"}`, 10_000);
    this.testRun = undefined;
    run.end();
    if (problems.length > 0) vscode.window.showErrorMessage(problems[0]);
  }
}

async function refuse() {
  const choice = await vscode.window.showWarningMessage("reqrun sends nothing in a workspace that isn't trusted.", "Manage Trust");
  if (choice) vscode.commands.executeCommand("workbench.trust.manage");
}

/** A URI as VS Code writes it: the server may escape other characters. */
const key = (uri) => convert.uri(uri).toString();
const place = (file, line) => `${file}#${line}`;

function children(item) {
  const found = [];
  item.children.forEach((child) => found.push(child));
  return found;
}

/** The requests below an item; their rows come with the results. */
function leaves(item) {
  if (!item) return [];
  return item.children.size === 0 ? [item] : children(item).flatMap(leaves);
}

module.exports = {Tests};
