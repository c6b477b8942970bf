"use strict";

/** The files of the workspace in which the drive works, and changes of their texts. */
const assert = require("assert");
const fs = require("fs");
const os = require("os");
const path = require("path");
const {pathToFileURL} = require("url");
const {vscode, state} = require("./stand-in");

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "reqrun vscode é-"));

const PROJECT = `demo: true
defaults: {base_url: "\${{ demo }}"}
environments:
  local: {variables: {place: here}}
  staging: {variables: {place: there}}
default_environment: local
`;
const USERS = `name: Users
extends: _shared.yaml
defaults: {continue_on_failure: true}
requests:
  - name: log in
    url: /get?token=abc
    capture: {token: $.args.token}
  - name: passes
    url: /get?token=\${{ token }}&place=\${{ place }}
    headers: {X-Greeting: "\${{ greeting }}"}
    expect: {status: 200}
  - name: fails
    url: /get
    expect: {status: 201}
  - name: city
    each: [Rome, Oslo]
    url: /get?city=\${{ row }}
    expect: {json: {$.args.city: Rome}}
  - name: is slow
    url: /anything/slow
    delay: 600s
`;
/** A flow whose first request fails in its first row only. */
const FLOWS = `flows:
  - name: rows
    each: [1, 2]
    requests:
      - name: one
        url: /get?row=\${{ row }}
        expect: {json: {$.args.row: "2"}}
  - name: ann
    requests:
      - {name: one, url: /get}
      - {name: two, url: /get}
`;

function create(name, text) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  const uri = vscode.Uri.parse(pathToFileURL(file).toString());
  return {uri, file, text, languageId: "yaml", version: 1, getText() { return this.text; }};
}
const project = create("reqrun.yaml", PROJECT);
const users = create("users.yaml", USERS);
const shared = create("_shared.yaml", "variables: {greeting: hello}\n");
const part = create("_part.yaml", "requests:\n  - {name: for others, url: /get}\n");
const others = create("deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\n");

/** Replaces one place of a text, as typing does. */
function type(document, old, text) {
  const at = document.text.indexOf(old);
  assert(at >= 0 && document.text.indexOf(old, at + 1) < 0, `${old} is there once`);
  const position = (offset) => {
    const before = document.text.slice(0, offset).split("\n");
    return new vscode.Position(before.length - 1, before.pop().length);
  };
  const range = new vscode.Range(position(at), position(at + old.length));
  document.text = document.text.slice(0, at) + text + document.text.slice(at + old.length);
  document.version += 1;
  state.events.change.fire({document, contentChanges: [{range, rangeLength: old.length, text}]});
}

/** Changes a file on disk, as another program does. */
function write({file, uri}, text) {
  fs.writeFileSync(file, text);
  state.events.changed.fire(uri);
}

/** The position behind a text that is there once. */
function behind(document, text) {
  const before = document.text.slice(0, document.text.indexOf(text) + text.length).split("\n");
  return new vscode.Position(before.length - 1, before.pop().length);
}

module.exports = {FLOWS, behind, create, folder, others, part, project, shared, type, users, write};
