extension YAMLTrap {
  /// Brackets, indentation, keys and items.
  static let structure: [YAMLTrap] = [
    YAMLTrap(
      "an equals sign in place of a colon", "a: 1\nmethod = PUT\n",
      "2:1", "method = PUT", "`method = PUT` is neither `key: value` nor a list item",
      "write `method: PUT`, or indent it deeper if it goes on from the line above"),
    YAMLTrap(
      "the first key of an item without a colon", "- name get user\n  url: x\n",
      "1:3", "name get user", "`name get user` is not `key: value`",
      "write `name: get user`"),
    YAMLTrap(
      "a key without a colon above its members", "variables\n  a: 1\nurl: x\n",
      "1:1", "variables", "a `:` is missing after `variables`",
      "write `variables:`"),
    YAMLTrap(
      "a key and its value behind another key", "url: x\nexpect: status: 200\n",
      "2:15", ": ", "`: ` inside text begins a mapping in YAML",
      "write `{status: 200}` for a mapping; text is quoted: `'status: 200'`"),
    YAMLTrap(
      "a bracket is never closed", "a: [1, 2\nb: 1\n",
      "1:4", "[1, 2", "this `[` is never closed",
      "add a closing `]`, or quote the value if it is text"),
    YAMLTrap(
      "a brace is never closed", "a: {x: 1\nb: 2\n",
      "1:4", "{x: 1", "this `{` is never closed",
      "add a closing `}`, or quote the value if it is text"),
    YAMLTrap(
      "a brace is never closed up to the end", "a: {b: {c: 1}\n",
      "1:4", "{b: {c: 1}", "this `{` is never closed",
      "add a closing `}`, or quote the value if it is text"),
    YAMLTrap(
      "a bracket is closed by a brace", "a: [1, 2}\n",
      "1:9", "}", "`}` does not close `[`",
      "write `]`"),
    YAMLTrap(
      "a comma is missing in brackets", "a: [\"x\" \"y\"]\n",
      "1:9", "\"y\"]", "a `,` or the closing `]` is missing here",
      "quote text that holds `,`, `:`, quotes or brackets"),
    YAMLTrap(
      "a comma is missing in braces", "a: {x: \"1\" y: 2}\n",
      "1:12", "y:", "a `,` or the closing `}` is missing here",
      "quote text that holds `,`, `:`, quotes or brackets"),
    YAMLTrap(
      "a line is indented less than its neighbours", "a:\n  b: 1\n c: 2\n",
      "3:2", "c: 2", "the indentation of this line fits none of the levels above",
      "indent it by 2 spaces as `b`, or as the lines that it belongs to"),
    YAMLTrap(
      "a line is indented under a value", "headers: a\n  Accept: b\n",
      "2:3", "Accept: b", "this line is indented deeper than `headers`, which already has a value",
      "align it with `headers`, or leave out the value of `headers` to nest it there"),
    YAMLTrap(
      "a key of a list item is indented too deep", "b:\n- a: 1\n   c: 2\n",
      "3:4", "c: 2", "this line is indented deeper than `a`, which already has a value",
      "align it with `a`, or leave out the value of `a` to nest it there"),
    YAMLTrap(
      "a key of a list item is indented too little", "b:\n- a: 1\n c: 2\n",
      "3:2", "c: 2", "the indentation of this line fits none of the levels above",
      "indent it by 2 spaces as `a`, or as the lines that it belongs to"),
    YAMLTrap(
      "a line of a block is indented too little", "a: |\n  x\n y\nb: 1\n",
      "3:2", "y", "this line is indented less than the first line of the block above, or more than what follows it",
      "give all lines of the block at least the indentation of its first"),
    YAMLTrap(
      "a word alone among keys", "a: 1\nb\nc: 2\n",
      "2:1", "b", "`b` is neither `key: value` nor a list item",
      "write `b:`, or indent it deeper if it goes on from the line above"),
    YAMLTrap(
      "a space is missing after a first key", "key:value\nb: 1\n",
      "1:1", "key:value", "a space is missing after `key:`",
      "write `key: value`"),
    YAMLTrap(
      "a space is missing after a later key", "a: 1\nkey:value\nb: 1\n",
      "2:1", "key:value", "a space is missing after `key:`",
      "write `key: value`"),
    YAMLTrap(
      "a key among list items", "- a\nb: 1\n",
      "2:1", "b: 1", "a key stands among the items of a list",
      "begin it with `- `, or indent it into its item"),
    YAMLTrap(
      "a list item among keys", "a: 1\n- b\n",
      "2:1", "- b", "a list item stands among the keys of a mapping",
      "indent it under the key it belongs to, which has no other value"),
    YAMLTrap(
      "a list item on the line of its key", "a: - b\n",
      "1:4", "- b", "a list item cannot begin here",
      "put `- b` on a line of its own, write `[b]`, or quote it if it is text"),
    YAMLTrap(
      "a key with quotes that hold a colon", "json:\n  $[?@.a == \"x: y\"]: \"a: b\"\n",
      "2:15", ": ", "`: ` inside a key ends it in YAML",
      "quote the key: `'$[?@.a == \"x: y\"]'`"),
    YAMLTrap(
      "a key in a list with quotes that hold a colon", "- a 'b: c':\n  - 1\n",
      "1:7", ": ", "`: ` inside a key ends it in YAML",
      "quote the key: `\"a 'b: c'\"`"),
    YAMLTrap(
      "text after an alias", "a: *foo bar # c\n",
      "1:4", "*foo bar", "text cannot stand after an alias",
      "quote it: `'*foo bar'`, or remove the text after the alias"),
    YAMLTrap(
      "a colon after what looks like an alias", "a: *foo: bar\n",
      "1:8", ": ", "`: ` inside text begins a mapping in YAML",
      "quote it: `'*foo: bar'`"),
    YAMLTrap(
      "a key longer than 1024 characters", String(repeating: "a", count: 1030) + ": 1\n",
      "1:1", String(repeating: "a", count: 80), "a key is longer than 1024 characters",
      "write it after a `?` on a line of its own"),
  ]
}
