"use strict";

/** Uses an extension with $REQRUN as in a day of a user of VS Code, by a stand-in for it: node drive.js EXTENSION */
const assert = require("assert");
const childProcess = require("child_process");
const fs = require("fs");
const Module = require("module");
const path = require("path");
const {pathToFileURL} = require("url");
const {vscode, state, accept, Token} = require("./stand-in");
const {FLOWS, behind, create, folder, others, part, project, shared, type, users, write} = require("./workspace");

const LIMIT = 300_000;
/** The processes that the extension starts. */
const started = [];
const {spawn} = childProcess;
childProcess.spawn = (...values) => {
  started.push(spawn(...values));
  return started.at(-1);
};
/** The clock of the extension, which counts how long the server has run. */
let now = 0;
Date.now = () => now;
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const root = path.resolve(process.argv[2]);
const extension = require(root);
const manifest = require(path.join(root, "package.json"));

const uri = users.uri.toString();
const lineOf = (text) => behind(users, text).line;

function choosePath(file) {
  state.settings["reqrun.path"] = file;
  state.events.configuration.fire({affectsConfiguration: (name) => state.used.add(name)});
}

/** Waits until something holds, which is looked at whenever the stand-in is changed. */
function until(what, holds) {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`not within ${LIMIT / 1000} s: ${what}`)), LIMIT);
    const look = () => {
      const found = holds();
      if (!found) return;
      clearTimeout(limit);
      subscription.dispose();
      resolve(found);
    };
    const subscription = state.changed.event(look);
    look();
  });
}

const token = new Token();
function ask(name, ...values) {
  const provider = state.providers[name];
  return provider[Object.keys(provider).find((method) => method.startsWith("provide"))](users, ...values, token);
}
const problems = (document = users) => state.diagnostics.get(document.uri.toString())?.map(
  ({source, code, message, range}) => ({source, code, message, range, line: range.start.line}));
const reported = (line, pattern) => until(`${pattern} at line ${line}`,
  () => problems()?.find((problem) => problem.line === line && pattern.test(problem.message)));
const lens = async (title, line) => {
  const found = (await ask("CodeLens")).map(({command}) => command)
    .find((command) => command.title === title && command.arguments[0].line === line);
  assert(found, `a lens "${title}" at line ${line}`);
  return state.commands[found.command](...found.arguments);
};
const outcomes = () =>
  Object.fromEntries([...state.runs.at(-1).results].map(([name, {outcome}]) => [name, outcome]));
const lastShown = () => state.shown.at(-1);

const steps = {
  async "without reqrun, it asks for it"() {
    state.settings["reqrun.path"] = path.join(folder, "nowhere");
    state.folders.push({uri: vscode.Uri.parse(pathToFileURL(folder).toString()), name: "specs"});
    state.documents.push(others, users);
    state.files.push(project.uri, shared.uri, part.uri, others.uri, users.uri);
    state.editor = {document: users, selection: {active: {line: 7}}};
    const workspaceState = {
      get: (name) => state.memory[name], update: async (name, value) => void (state.memory[name] = value),
    };
    await extension.activate({subscriptions: state.subscriptions = [], workspaceState});
    const [, message] = await until("an error", () => state.shown.find(([kind]) => kind === "error"));
    assert.match(message, /nowhere lsp: it can't be started, ENOENT\. Install reqrun, or set reqrun\.path/);
    choosePath("/bin/cat");
    await until("an error about another program", () => /^.bin.cat lsp: .*lsp: No such file/.test(lastShown()[1]));
    choosePath("/usr/bin/yes");
    await until("an error about what it writes", () => /^.usr.bin.yes lsp: not a language server/.test(lastShown()[1]));
    const silent = path.join(folder, "silent");
    fs.writeFileSync(silent, "#!/bin/sh\nexec sleep 600\n", {mode: 0o755});
    choosePath(silent);
  },

  async "the manifest names what there is"() {
    const {commands, configuration: {properties}} = manifest.contributes;
    assert.deepStrictEqual(Object.keys(state.commands).sort(), commands.map(({command}) => command).sort());
    assert.deepStrictEqual([...state.used], Object.keys(properties));
  },

  async "a right spec has no problems, other YAML is left alone"() {
    choosePath(path.resolve(process.env.REQRUN));
    await until("diagnostics", () => problems() && problems(others));
    assert.deepStrictEqual([problems(), problems(others)], [[], []]);
    for (const {selector} of Object.values(state.providers)) {
      assert(manifest.activationEvents.includes(`onLanguage:${selector.language}`));
    }
  },

  async "a wrong key is reported at its place, with a fix"() {
    // Characters of several code units are before it.
    type(users, "name: Users", "name: é𝄞");
    type(users, "url: /anything/slow", "heders: {a: 𝄞, b: 1}\n    url: /anything/slow");
    const {range, code} = await reported(lineOf("heders"), /heders/);
    assert.deepStrictEqual([range.start.character, range.end.character, code], [4, 10, "unknown-key"]);
    const [fix] = await ask("CodeActions", range, {});
    const [[where, [edit]]] = fix.edit.edits;
    assert.deepStrictEqual([where, edit.newText, edit.range, fix.isPreferred], [uri, "headers", range, true]);
    type(users, "heders", edit.newText);
    await until("no problems", () => problems().length === 0);
    type(users, "    headers: {a: 𝄞, b: 1}\n", "");
  },

  async "a file that changes on disk is read again"() {
    write(shared, "variables: {}\n");
    await reported(lineOf("greeting }}"), /greeting/);
    write(shared, shared.text);
    await until("no problems", () => problems().length === 0);
  },

  async "keys and names are completed"() {
    type(users, "    url: /anything/slow", "    ta\n    url: /anything/slow");
    const keys = await ask("CompletionItem", behind(users, "    ta"));
    const key = keys.find(({label}) => label === "take");
    assert.match(accept(key, users.text), /\n    take:\n      \n    url: \/anything\/slow/);
    type(users, "    ta\n", "");
    type(users, "token=${{ token }}", "token=${{ to }}");
    const names = await ask("CompletionItem", behind(users, "${{ to"));
    assert.strictEqual(names.find(({label}) => label === "token")?.detail, 'captured by "log in", line 5, secret');
    assert(state.providers.CompletionItem.triggers.includes("{"));
    type(users, "token=${{ to }}", "token=${{ token }}");
  },

  async "a name leads to where it comes from"() {
    const place = behind(users, "token=${{ to");
    const [definition] = await ask("Definition", place);
    assert.deepStrictEqual([definition.uri.toString(), definition.range.start.line], [uri, 6]);
    assert.strictEqual((await ask("Reference", place, {includeDeclaration: true})).length, 2);
    assert.match((await ask("Hover", place)).contents.value, /captured by "log in"/);
    assert.match((await ask("Hover", behind(users, "expe"))).contents.value, /^`expect`: /);
    const symbols = await ask("DocumentSymbol");
    assert.deepStrictEqual(symbols.map(({name}) => name), ["log in", "passes", "fails", "city", "is slow"]);
    assert.strictEqual((await ask("FoldingRange", {})).length, 5);
  },

  async "a name is renamed, if it is one"() {
    const place = behind(users, "token=${{ to");
    const {placeholder} = await state.providers.Rename.prepareRename(users, place, token);
    const {edits: [[where, edits], ...others]} = await ask("Rename", place, "session");
    assert.deepStrictEqual([placeholder, where, edits.map(({range, newText}) => [range.start.line, newText]), others],
      ["token", uri, [[6, "session"], [lineOf("token=${{"), "session"]], []]);
    await assert.rejects(state.providers.Rename.prepareRename(users, behind(users, "requ"), token), /no name/);
  },

  async "files, functions and templates are shown for what they are"() {
    const [link] = await ask("DocumentLink");
    assert.deepStrictEqual([link.target.toString(), link.range.start.line], [shared.uri.toString(), 1]);
    type(users, "place=${{ place }}", "place=${{ replace(place, ");
    const {signatures: [{label, parameters}], activeParameter} =
      await ask("SignatureHelp", behind(users, "replace(place, "));
    assert.match(label, /^replace\(/);
    assert.deepStrictEqual([activeParameter, typeof parameters[1].label], [1, "string"]);
    type(users, "place=${{ replace(place, ", "place=${{ place }}");
    const {data} = await ask("DocumentSemanticTokens");
    assert.deepStrictEqual([data.length, data[0], data[2]], [20, lineOf("token=${{"), "token".length]);
    const [{range, parent}] = await ask("SelectionRange", [behind(users, "{status: 20")]);
    assert(range.start.line === parent.range.start.line && range.start.character > parent.range.start.character);
    const [symbol, ...more] = await state.providers.WorkspaceSymbol.provideWorkspaceSymbols("is sl", token);
    assert.deepStrictEqual([symbol.name, symbol.location.range.start.line, more],
      ["is slow", lineOf("name: is slow"), []]);
  },

  async "a file is formatted"() {
    type(users, "expect: {status: 200}", "expect:   {status:   200}");
    const [{newText}] = await ask("DocumentFormattingEdit", {tabSize: 2, insertSpaces: true});
    assert.match(newText, /expect: \{status: 200\}/);
    type(users, "expect:   {status:   200}", "expect: {status: 200}");
  },

  async "a lens runs a request with what it needs"() {
    await lens("run", lineOf("name: passes"));
    assert.deepStrictEqual(outcomes(), {passes: "passed"});
    assert.match(state.runs.at(-1).text, /passed: log in\r\n/);
    assert.match(state.message, /2 passed, 0 failed, 0 skipped/);
    await lens("run up to here", lineOf("name: fails"));
    assert.match(state.message, /2 passed, 1 failed, 0 skipped/);
  },

  async "results are beside the requests"() {
    const {CodeLens: {onDidChangeCodeLenses}, InlayHints: {onDidChangeInlayHints}} = state.providers;
    for (const event of [onDidChangeCodeLenses, onDidChangeInlayHints]) event(() => (state.asked += 1));
    state.asked = 0;
    await lens("run", lineOf("name: passes"));
    const hints = await ask("InlayHints", new vscode.Range(0, 0, 99, 0));
    const texts = hints.map(({position, label}) => [position.line, label.replace(/\d+ ms/, "N ms")]);
    assert.deepStrictEqual(texts.filter(([, text]) => text.includes(" ms")),
      ["log in", "passes"].map((name) => [lineOf(`name: ${name}`), "✓ 200, N ms"]));
    assert.strictEqual(state.asked, 2);
  },

  async "a failure is shown at its line, with what was expected"() {
    await lens("run", lineOf("name: fails"));
    assert.deepStrictEqual(outcomes(), {fails: "failed"});
    const [message] = state.runs.at(-1).results.get("fails").messages;
    const {location} = message;
    assert.deepStrictEqual([location.uri.toString(), location.range.start.line], [uri, lineOf("status: 201")]);
    assert.match(message.expectedOutput, /201/);
    assert.match(message.actualOutput, /200/);
    assert.strictEqual((await reported(lineOf("status: 201"), /201/)).source, "reqrun run");
  },

  async "the response is shown, and follows the runs"() {
    await state.commands["reqrun.response"]({uri, line: lineOf("name: is slow")});
    assert.deepStrictEqual([lastShown(), state.panel], [["information", "This request has not run yet."], undefined]);
    await lens("open response", lineOf("name: fails"));
    const {html} = state;
    assert.match(html, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
    await lens("run", lineOf("name: fails"));
    await until("the new response", () => state.html !== html);
    state.closePanel();
  },

  async "a correction is run without saving it, and the problem vanishes"() {
    type(users, "status: 201", "status: 200");
    await until("the problem of the run is gone", () => problems().length === 0);
    await lens("run", lineOf("name: fails"));
    assert.deepStrictEqual(outcomes(), {fails: "passed"});
    assert.deepStrictEqual(problems(), []);
  },

  async "the command for curl is in the clipboard"() {
    await lens("copy as curl", lineOf("name: fails"));
    assert.match(state.clipboard, /^curl .*\/get/);
  },

  async "commands of the palette are about the request around the cursor"() {
    state.editor.selection.active.line = lineOf("token=${{");
    await state.commands["reqrun.run"]();
    assert.deepStrictEqual(outcomes(), {passes: "passed"});
    await state.commands["reqrun.curl"]();
    assert.match(state.clipboard, /X-Greeting: hello/);
    await state.commands["reqrun.response"]();
    assert.match(state.html, /data-address="[^"]*passes/);
  },

  async "the explorer has files, requests and the rows of a run"() {
    type(users, "status: 200}\n  - name: city", "status: 201}\n  - name: city");
    await state.controller.resolveHandler();
    assert.deepStrictEqual([...state.controller.items.values()].map(({label}) => label), ["users.yaml"]);
    const [file] = state.controller.items.values();
    const requests = [...file.children.values()];
    assert.deepStrictEqual(requests.map(({label, range}) => [label, range.start.line]),
      ["log in", "passes", "fails", "city", "is slow"].map((name) => [name, lineOf(`name: ${name}`)]));
    await state.profile.run(new vscode.TestRunRequest(undefined, [requests[4]]));
    assert.deepStrictEqual(outcomes(), {
      "log in": "passed", passes: "passed", fails: "failed",
      "city [0]": "passed", "city [1]": "failed", city: "failed",
    });
  },

  async "failed ones are run again, at the lines where they are now"() {
    const [file] = state.controller.items.values();
    const [, , fails, city] = file.children.values();
    const [, oslo] = city.children.values();
    type(users, "requests:\n", "requests:\n  # They moved.\n");
    type(users, "city: Rome}", "city: !any}");
    await state.profile.run(new vscode.TestRunRequest([fails, oslo]));
    assert.deepStrictEqual(outcomes(), {fails: "failed", "city [1]": "passed"});
  },

  async "a run is cancelled, while what is typed is checked"() {
    const [file] = state.controller.items.values();
    const count = state.runs.length;
    const ended = state.profile.run(new vscode.TestRunRequest([[...file.children.values()].at(-1)]));
    const run = await until("a run", () => state.runs[count]);
    type(users, "url: /anything/slow", "urll: /anything/slow");
    await reported(lineOf("urll"), /urll/);
    type(users, "urll: /anything/slow", "url: /anything/slow");
    const shown = state.shown.length;
    run.token.cancel();
    await ended;
    assert.deepStrictEqual([run.isEnded, outcomes(), state.shown.length], [true, {"is slow": "skipped"}, shown]);
  },

  async "flows are listed as their file changes, and fail if one of their rows does"() {
    const flows = create("flows.yaml", FLOWS);
    state.events.created.fire(flows.uri);
    const labels = (items) => [...items.values()].map(({label, children}) => [label, ...labels(children)]);
    const listed = (...expected) => until(`the tests ${expected}`, () =>
      JSON.stringify(labels(state.controller.items).at(-1)) === JSON.stringify(["flows.yaml", ...expected]));
    await listed(["rows", ["one"]], ["ann", ["one"], ["two"]]);
    const [rows, ann] = state.controller.items.get(flows.uri.toString()).children.values();
    await state.profile.run(new vscode.TestRunRequest([ann]));
    assert.deepStrictEqual(outcomes(), {one: "passed", two: "passed"});
    await state.profile.run(new vscode.TestRunRequest([rows]));
    assert.deepStrictEqual(outcomes(), {one: "failed"});
    write(flows, FLOWS.replace("two", "three"));
    await listed(["rows", ["one"]], ["ann", ["one"], ["three"]]);
    fs.rmSync(flows.file);
    state.events.deleted.fire(flows.uri);
    assert.deepStrictEqual([...state.controller.items.keys()], [uri]);
  },

  async "the environment is chosen in the status bar"() {
    await until("the default", () => state.status.text === "$(globe) local" && state.status.isShown);
    state.choice = "staging";
    const {asked} = state;
    await state.commands["reqrun.chooseEnvironment"]();
    assert.deepStrictEqual([state.status.text, state.asked], ["$(globe) staging", asked + 2]);
    const {contents} = await ask("Hover", behind(users, "place=${{ pl"));
    assert.match(contents.value, /`"there"`, environment staging/);
  },

  async "nothing is sent without trust"() {
    state.trusted = false;
    await state.commands["reqrun.restart"]();
    await until("diagnostics", () => problems()?.length === 0);
    const shown = state.shown.length;
    await lens("run", lineOf("name: passes"));
    assert.deepStrictEqual([state.shown.length, lastShown()[0], outcomes()], [shown + 1, "error", {}]);
    assert.match(lastShown()[1], /trust/);
    state.trusted = true;
    state.events.trust.fire();
    await lens("run", lineOf("name: passes"));
    assert.deepStrictEqual(outcomes(), {passes: "passed"});
  },

  async "a server that crashes is started again, unless it has just been started"() {
    now += 60_000;
    const count = started.length;
    state.diagnostics.clear();
    started.at(-1).kill("SIGKILL");
    await until("diagnostics", () => problems()?.length === 0);
    assert.strictEqual(started.length, count + 1);
    started.at(-1).kill("SIGKILL");
    await until("a report", () => /reqrun lsp: SIGKILL/.test(lastShown()[1]));
    assert.deepStrictEqual(state.providers, {});
    await state.commands["reqrun.restart"]();
    await until("diagnostics", () => problems()?.length === 0);
  },

  async "the server ends with the window"() {
    await extension.deactivate();
    assert.strictEqual(started.at(-1).exitCode, 0);
    state.subscriptions.forEach((subscription) => subscription.dispose());
    assert.deepStrictEqual([state.commands, state.providers], [{}, {}]);
  },
};

async function drive() {
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
    } catch (error) {
      console.log(`  FAILED: ${name}\n${error.stack}\nshown: ${JSON.stringify(state.shown.slice(-3))}`);
      process.exitCode = 1;
      break;
    }
    console.log(`  ok: ${name}`);
  }
  started.forEach((child) => child.kill());
  fs.rmSync(folder, {recursive: true});
  process.exit();
}

drive();
