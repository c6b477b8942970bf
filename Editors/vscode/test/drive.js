"use strict";

/** Drives the extension as VS Code does: node drive.js SERVER, where SERVER is the program that gets `lsp`. */
const assert = require("assert");
const fs = require("fs");
const Module = require("module");
const os = require("os");
const path = require("path");
const {pathToFileURL} = require("url");
const {vscode, state, Token} = require("./vscode");

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(path.resolve(process.env.EXTENSION ?? path.join(__dirname, ".."), "extension.js"));
const manifest = require(path.resolve(process.env.EXTENSION ?? path.join(__dirname, ".."), "package.json"));

const LIMIT = 60_000;
const SPEC = `name: Users
requests:
  - name: log in
    url: \${{ demo }}/get?token=abc
    capture: {token: {json: $.args.token}}
  - name: passes
    url: \${{ demo }}/get?token=\${{ token }}
    expect: {status: 200}
  - name: fails
    url: \${{ demo }}/get
    expect: {status: 201}
  - name: is slow
    url: \${{ demo }}/delay/10
`;
const LINES = {passes: 6, fails: 9, slow: 12};

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

function document(file, text) {
  const uri = vscode.Uri.parse(pathToFileURL(file).toString());
  fs.writeFileSync(file, text);
  const result = {uri, languageId: "yaml", version: 1, text, isDirty: false, getText: () => result.text,
    async save() {
      fs.writeFileSync(file, result.text);
      result.isDirty = false;
      state.events.save.fire(result);
    }};
  return result;
}

/** Replaces the one place of a text, as typing does. */
function edit(document, old, text) {
  const at = document.text.indexOf(old);
  assert(at >= 0 && document.text.indexOf(old, at + 1) < 0, `${old} is there once`);
  const position = (offset) => {
    const before = document.text.slice(0, offset).split("\n");
    return new vscode.Position(before.length - 1, before.pop().length);
  };
  const range = new vscode.Range(position(at), position(at + old.length));
  document.text = document.text.slice(0, at) + text + document.text.slice(at + old.length);
  document.version += 1;
  document.isDirty = true;
  state.events.change.fire({document, contentChanges: [{range, rangeLength: old.length, text}]});
}

function place(document, text) {
  const line = document.text.split("\n").findIndex((line) => line.includes(text));
  return new vscode.Position(line, document.text.split("\n")[line].indexOf(text) + text.length);
}

async function drive(server) {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "reqrun-vscode-"));
  process.on("exit", () => fs.rmSync(folder, {recursive: true, force: true}));
  fs.writeFileSync(path.join(folder, "reqrun.yaml"), "environments:\n  local: {}\n  staging: {}\n");
  const users = document(path.join(folder, "users.yaml"), SPEC);
  const uri = users.uri.toString();
  const token = new Token();
  const diagnostics = () => state.diagnostics.get(uri)?.map(({message, range}) => `${range.start.line + 1}: ${message}`);
  const ask = (name, method, ...values) => state.providers[name][`provide${method}`](users, ...values);
  state.folders.push({uri: vscode.Uri.parse(pathToFileURL(folder).toString()), name: "specs"});
  state.documents.push(users);

  state.settings["reqrun.path"] = path.join(folder, "nowhere");
  const {server: client} = await extension.activate({subscriptions: []});
  const [, missing] = await until("an error without reqrun", () => state.shown.find(([kind]) => kind === "error"));
  assert.match(missing, /nowhere can't be started \(ENOENT\)\. Install reqrun, or set reqrun\.path/);
  assert.deepStrictEqual(Object.keys(state.commands).sort(), manifest.contributes.commands.map(({command}) => command).sort());

  await vscode.workspace.getConfiguration("reqrun").update("path", path.resolve(server));
  await until("no diagnostics of a right spec", () => diagnostics()?.length === 0);
  console.log("  ok: starts, without reqrun too");

  edit(users, "url: ${{ demo }}/delay/10", "urll: ä𝄞\n    url: ${{ demo }}/delay/10");
  edit(users, "ä𝄞", "${{ tokn }}");
  await until("an unknown key", () => diagnostics()?.some((text) => /^13: .*urll/.test(text)));
  const [wrong] = state.diagnostics.get(uri).filter(({message}) => message.includes("urll"));
  assert.deepStrictEqual([wrong.range.start.character, wrong.range.end.character, wrong.severity], [4, 8, 0]);
  const actions = await ask("CodeActions", "CodeActions", wrong.range, {diagnostics: [wrong], triggerKind: 1}, token);
  const fix = actions.map((action) => action.edit?.edits[0]).find((edits) => edits?.[1][0].newText === "url");
  assert.strictEqual(fix?.[0], uri);
  edit(users, "    urll: ${{ tokn }}\n", "");
  await until("the error is gone", () => diagnostics()?.length === 0);
  console.log("  ok: diagnostics follow incremental edits, and have fixes");

  edit(users, "token=${{ token }}", "token=${{ to }}");
  const items = await ask("CompletionItem", "CompletionItems", place(users, "${{ to"), token, {triggerKind: 0});
  const item = items.items.find(({label}) => (label.label ?? label) === "token");
  assert(item, `token is offered, not only ${JSON.stringify(items.items.map(({label}) => label)).slice(0, 200)}`);
  edit(users, "token=${{ to }}", "token=${{ token }}");
  const [definition] = await ask("Definition", "Definition", place(users, "?token=${{ to"), token);
  assert.deepStrictEqual([definition.uri.toString(), definition.range.start.line], [uri, 4]);
  const renamed = await ask("Rename", "RenameEdits", place(users, "?token=${{ to"), "bearer", token);
  assert.deepStrictEqual(renamed.edits.map(([where, edits]) => [where, edits.length]), [[uri, 2]]);
  assert((await ask("DocumentSymbol", "DocumentSymbols", token)).length > 0);
  console.log("  ok: completion, definition, rename, symbols");

  const lenses = await ask("CodeLens", "CodeLenses", token);
  const lens = (title, line) => lenses.map(({command}) => command)
    .find((command) => command?.title === title && command.arguments[0].line === line);
  const call = ({command, arguments: values}) => state.commands[command](...values);
  await call(lens("copy as curl", LINES.passes));
  assert.match(state.clipboard, /^curl /);
  await call(lens("run", LINES.fails));
  const run = state.runs.at(-1);
  const failed = run.results.find(({name}) => name === "fails");
  assert.strictEqual(failed?.outcome, "failed", JSON.stringify(run));
  assert.match(failed.messages[0].expectedOutput, /201/);
  assert.match(failed.messages[0].actualOutput, /200/);
  assert(run.ended && !users.isDirty, "the run has ended, of the saved file");
  await call(lens("open response", LINES.fails));
  assert.match(state.panel.webview.html, /Content-Security-Policy" content="default-src 'none';/);
  console.log("  ok: lenses run, copy and open");

  const file = [...state.controller.items.map.values()].find(({label}) => label === "users.yaml");
  assert.deepStrictEqual([...file.children.map.values()].map(({label}) => label), ["log in", "passes", "fails", "is slow"]);
  const named = (...names) => [...file.children.map.values()].filter(({label}) => names.includes(label));
  await state.runTests(new vscode.TestRunRequest([file], named("is slow", "fails")), token);
  assert.deepStrictEqual([...new Set(state.runs.at(-1).results.map(({name, outcome}) => `${name} ${outcome}`))].sort(),
    ["log in passed", "passes passed"]);
  const runs = state.runs.length;
  const slow = state.runTests(new vscode.TestRunRequest(named("is slow"), []), token);
  (await until("a run that is cancelled", () => state.runs[runs])).token.cancel();
  await slow;
  assert(state.runs[runs].ended && !state.runs[runs].results.some(({outcome}) => outcome === "passed"), "it is cancelled");
  console.log("  ok: tests run and are cancelled");

  state.choice = "staging";
  await state.commands["reqrun.chooseEnvironment"]();
  assert.match(state.status.text, /staging/);
  state.trusted = false;
  client.configure();
  const asked = state.runs.length;
  await call(lens("run", LINES.passes));
  assert.deepStrictEqual([state.shown.at(-1)[0], state.runs.length], ["warning", asked]);
  await assert.rejects(client.request("workspace/executeCommand", {command: "reqrun.run", arguments: [{uri, line: LINES.passes}]}));
  state.trusted = true;
  state.events.trust.fire();
  await call(lens("run", LINES.passes));
  assert(state.runs.at(-1).results.some(({name, outcome}) => name === "passes" && outcome === "passed"));
  console.log("  ok: environments; nothing is sent without trust");

  for (let ends = 1; ends <= 4; ends += 1) {
    state.shown.length = 0;
    const {child} = client;
    const started = new Promise((resolve) => client.started.event(resolve));
    child.kill("SIGKILL");
    if (ends < 4) await started;
  }
  const [, message] = await until("the server is given up", () => state.shown.find(([kind]) => kind === "error"));
  assert.match(message, /ended 4 times/);
  await state.commands["reqrun.restart"]();
  edit(users, "    expect: {status: 201}", "    urll: x");
  await until("diagnostics after a restart", () => diagnostics()?.some((text) => text.includes("urll")));
  const {child} = client;
  const closed = new Promise((resolve) => child.once("close", (code) => resolve(code)));
  await extension.deactivate();
  assert.strictEqual(await closed, 0, "the server ends by itself");
  console.log("  ok: crashes, restarts, ends");
}

drive(process.argv[2]).then(() => process.exit(0), (error) => {
  console.error(`  FAILED: ${error.stack}`);
  process.exit(1);
});
