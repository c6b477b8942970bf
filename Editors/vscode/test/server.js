#!/usr/bin/env node
"use strict";

/** A stand-in for `reqrun lsp`, for checks without it: it knows just enough of the specs of the checks. */
const fs = require("fs");
const {Connection} = require("../rpc");

const open = new Map();
const running = new Map();
let settings;
let folders = [];

const text = (uri) => open.get(uri)?.text ?? fs.readFileSync(new URL(uri), "utf8");
const lines = (uri) => text(uri).split("\n");
const range = (line, start, end) => ({start: {line, character: start}, end: {line, character: end}});
const failure = (code, message) => Object.assign(new Error(message), {code});

/** Places of a regular expression in the text, as ranges of its first group. */
const places = (uri, pattern) => lines(uri).flatMap((line, number) => [...line.matchAll(pattern)].map((match) => ({
  name: match[1], range: range(number, match.index + match[0].indexOf(match[1]), match.index + match[0].indexOf(match[1]) + match[1].length),
})));
const requests = (uri) => places(uri, /^ *- name: (.+)/g);
const captures = (uri) => places(uri, /capture: \{(\w+)/g);
const uses = (uri) => places(uri, /\$\{\{ (\w+)/g).filter(({name}) => name !== "demo");
const covers = (where, {line, character}) =>
  where.start.line === line && where.start.character <= character && character <= where.end.character;

function publish(uri) {
  const known = new Set(captures(uri).map(({name}) => name));
  const diagnostics = [
    ...places(uri, /^ *(urll):/g).map(({range}) => ({range, severity: 1, source: "reqrun", code: "unknown-key", message: "unknown key `urll`"})),
    ...uses(uri).filter(({name}) => !known.has(name)).map(({name, range}) => ({range, severity: 1, source: "reqrun", message: `unknown variable ${name}`})),
  ];
  connection.notify("textDocument/publishDiagnostics", {uri, version: open.get(uri).version, diagnostics});
}

function changed({textDocument: {uri, version}, contentChanges}) {
  const document = open.get(uri);
  for (const {range: {start, end}, text} of contentChanges) {
    const starts = [0];
    for (let at = 0; (at = document.text.indexOf("\n", at) + 1) > 0;) starts.push(at);
    const offset = ({line, character}) => starts[line] + character;
    document.text = document.text.slice(0, offset(start)) + text + document.text.slice(offset(end));
  }
  document.version = version;
  publish(uri);
}

/** Sends each request's result: it fails if its name has `fail`, and takes as long as it may if it has `slow`. */
async function run({uri, line}) {
  if (!settings.trusted) throw failure(-32803, "the workspace is not trusted");
  const counts = {exitCode: 0, passed: 0, failed: 0, skipped: 0};
  for (const {name, range: {start}} of requests(uri)) {
    if (line !== undefined && start.line + 1 !== line) continue;
    if (name.includes("slow")) {
      await new Promise((_, reject) => running.set("slow", () => reject(failure(-32800, "cancelled"))));
    }
    const fails = name.includes("fail");
    counts[fails ? "failed" : "passed"] += 1;
    if (fails) counts.exitCode = 1;
    connection.notify("reqrun/testResult", {uri, line: start.line + 1, name, outcome: fails ? "failed" : "passed", duration: 1,
      messages: fails ? [{message: "status", expected: "201", actual: "200"}] : []});
  }
  return counts;
}

const lens = (uri, line, title, command) => ({range: range(line, 0, 0), command: {title, command, arguments: [{uri, line: line + 1}]}});

const methods = {
  initialize(params) {
    settings = params.initializationOptions;
    folders = params.workspaceFolders ?? [];
    return {capabilities: {
      positionEncoding: "utf-16", textDocumentSync: {openClose: true, change: 2, save: true}, hoverProvider: true,
      completionProvider: {triggerCharacters: ["{", " ", "."]}, definitionProvider: true, referencesProvider: true,
      renameProvider: {prepareProvider: true}, documentSymbolProvider: true, codeActionProvider: true,
      codeLensProvider: {}, documentFormattingProvider: true,
      executeCommandProvider: {commands: ["reqrun.run", "reqrun.curl", "reqrun.response"]},
    }};
  },
  shutdown: () => null,
  "textDocument/completion": ({textDocument: {uri}, position: {line, character}}) => {
    const before = lines(uri)[line].slice(0, character);
    const prefix = /\w*$/.exec(before)[0];
    const labels = before.includes("${{") ? captures(uri).map(({name}) => name) : ["url", "method", "expect"];
    return {isIncomplete: false, items: labels.map((label) => ({label, kind: 6, detail: "a name",
      textEdit: {range: range(line, character - prefix.length, character), newText: label}}))};
  },
  "textDocument/hover": ({position: {line}}) => ({contents: {kind: "markdown", value: `line ${line + 1}`}}),
  "textDocument/definition": ({textDocument: {uri}, position}) => {
    const use = uses(uri).find(({range}) => covers(range, position));
    return captures(uri).filter(({name}) => name === use?.name).map(({range}) => ({uri, range}));
  },
  "textDocument/rename": ({textDocument: {uri}, position, newName}) => {
    const all = [...captures(uri), ...uses(uri)];
    const {name} = all.find(({range}) => covers(range, position));
    return {changes: {[uri]: all.filter((one) => one.name === name).map(({range}) => ({range, newText: newName}))}};
  },
  "textDocument/codeAction": ({textDocument: {uri}, context}) => context.diagnostics
    .filter(({code}) => code === "unknown-key").map((diagnostic) => ({title: "replace with `url`", kind: "quickfix",
      diagnostics: [diagnostic], edit: {changes: {[uri]: [{range: diagnostic.range, newText: "url"}]}}})),
  "textDocument/codeLens": ({textDocument: {uri}}) => requests(uri).flatMap(({range: {start: {line}}}) => [
    lens(uri, line, "run", "reqrun.run"), lens(uri, line, "copy as curl", "reqrun.curl"), lens(uri, line, "open response", "reqrun.response")]),
  "textDocument/documentSymbol": ({textDocument: {uri}}) =>
    requests(uri).map(({name, range}) => ({name, kind: 6, range, selectionRange: range})),
  "workspace/executeCommand": ({command, arguments: [target]}) => {
    if (command === "reqrun.run") return run(target);
    if (command === "reqrun.curl") return "curl http://127.0.0.1/";
    return {html: "<!doctype html>\n<html><head><title>response</title></head></html>"};
  },
  "reqrun/tests": () => folders.flatMap((folder) => fs.readdirSync(new URL(folder.uri)).filter((name) => name.endsWith(".yaml") && name !== "reqrun.yaml")
    .map((name) => `${folder.uri}/${name}`).map((uri) => ({uri, name: "Users",
      requests: requests(uri).map(({name, range}) => ({name, line: range.start.line + 1, tags: []}))}))),
  "reqrun/environments": () => ({names: ["local", "staging"], current: settings.environment}),
};
const notifications = {
  "textDocument/didOpen": ({textDocument}) => (open.set(textDocument.uri, textDocument), publish(textDocument.uri)),
  "textDocument/didChange": changed,
  "textDocument/didClose": ({textDocument}) => open.delete(textDocument.uri),
  "workspace/didChangeConfiguration": (params) => (settings = params.settings.reqrun),
  "$/cancelRequest": () => running.get("slow")?.(),
  exit: () => process.exit(0),
};
const connection = new Connection(process.stdin, process.stdout, {
  request(method, params) {
    if (!(method in methods)) throw failure(-32601, `unknown method ${method}`);
    return methods[method](params);
  },
  notification: (method, params) => notifications[method]?.(params),
  broken: (reason) => process.exit(console.error(reason) ?? 1),
});
process.stdin.on("end", () => process.exit(0));
