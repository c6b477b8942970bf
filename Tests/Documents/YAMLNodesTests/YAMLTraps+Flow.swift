extension YAMLTrap {
  /// Values and keys within brackets and braces, where quotes are needed more often.
  static let flow: [YAMLTrap] = [
    YAMLTrap(
      "a closing brace too many", "expect: {status: 200}}\n",
      "1:22", "}", "this `}` closes nothing: what was opened is closed before it",
      "remove it"),
    YAMLTrap(
      "a sign as a key", "json: {$.total: {>: 5}}\n",
      "1:18", ">", "a value cannot begin with `>`",
      "write `greater_than`"),
    YAMLTrap(
      "a value is * in braces", "headers: {Accept: *}\n",
      "1:19", "*", "a value that begins with `*` is an alias in YAML, and this is not the name of one",
      "quote it: `'*'`"),
    YAMLTrap(
      "a value begins with * in braces", "headers: {Accept: */*, B: c} # d\n",
      "1:19", "*/*", "a value that begins with `*` is an alias in YAML, and this is not the name of one",
      "quote it: `'*/*'`"),
    YAMLTrap(
      "an item begins with &", "a: [& b, 1]\n",
      "1:5", "& b", "a value that begins with `&` is an anchor in YAML, and this is not the name of one",
      "quote it: `'& b'`"),
    YAMLTrap(
      "a value begins with ! in braces", "a: {b: !f^oo bar, c: 1}\n",
      "1:8", "!f^oo", "a value that begins with `!` is a tag in YAML, and this is not the name of one",
      "quote it: `'!f^oo bar'`"),
    YAMLTrap(
      "a value is missing between commas", "a: [1, , 2]\n",
      "1:8", ",", "a value is missing before this `,`",
      "remove the comma, or write `null` or `\"\"`"),
    YAMLTrap(
      "a value is missing before the first comma, a line below", "a: [\n  , 2]\n",
      "2:3", ",", "a value is missing before this `,`",
      "remove the comma, or write `null` or `\"\"`"),
    YAMLTrap(
      "a comma too much in braces", "a: {b: [1],, c: 2}\n",
      "1:12", ",", "a key is missing before this `,`",
      "remove the comma"),
    YAMLTrap(
      "a key is missing in brackets", "a: [1, : 3]\n",
      "1:8", ":", "a key is missing here",
      "write it before the `:`, or `\"\"` for an empty one"),
    YAMLTrap(
      "a - before an item in brackets", "a: [- 1, 2]\n",
      "1:5", "- 1", "within `[ ]` or `{ }` nothing begins with `- `",
      "remove the `-`; if it belongs to the text, quote it: `'- 1'`"),
    YAMLTrap(
      "a text that begins with a brace", "graphql: {query: { user { id } }}\n",
      "1:20", "user { id }", "a `{` inside text needs quotes here, within `[ ]` or `{ }`",
      "quote it: `'{ user { id } }'`"),
    YAMLTrap(
      "a JSONPath as a key in braces", "json: {$.a[0]: Bo Li, b: 2}\n",
      "1:8", "$.a[0]", "a `[` inside text needs quotes here, within `[ ]` or `{ }`",
      "write `json: {'$.a[0]': Bo Li, b: 2}`"),
    YAMLTrap(
      "a JSONPath with * as a key in braces", "expect: {json: {$.items[*].id: {none: {one_of: [1, 2]}}}}\n",
      "1:17", "$.items[*].id", "a `[` inside text needs quotes here, within `[ ]` or `{ }`",
      "write `expect: {json: {'$.items[*].id': {none: {one_of: [1, 2]}}}}`"),
    YAMLTrap(
      "a JSONPath with a filter as a key in braces", "json: {$[?@.a == \"x: y\"]: 1}\n",
      "1:8", "$[?@.a == \"x: y\"]", "a `[` inside text needs quotes here, within `[ ]` or `{ }`",
      "write `json: {'$[?@.a == \"x: y\"]': 1}`"),
    YAMLTrap(
      "a template as a key in braces", "json: {${{ x }}: 1}\n",
      "1:8", "${{ x }}", "a template inside `[ ]` or `{ }` needs quotes",
      "write `\"${{ x }}\"`"),
    YAMLTrap(
      "a comment takes the closing brace", "a: {b: x #y, c: 1}\n",
      "1:4", "{b: x ", "this `{` is never closed",
      "quote the value if the `#` belongs to it, or close the bracket before the comment"),
    YAMLTrap(
      "a comment in place of a value takes the closing brace", "a: {b: #x, c: 1}\nd: 1\n",
      "1:4", "{b: ", "this `{` is never closed",
      "quote the value if the `#` belongs to it, or close the bracket before the comment"),
    YAMLTrap(
      "a key begins with @ in braces", "a: {@x: 1}\n",
      "1:5", "@x", "a value cannot begin with `@`",
      "quote it: `'@x'`"),
    YAMLTrap(
      "a value with a colon begins with @ in braces", "a: {b: @x: 1}\n",
      "1:8", "@x: 1", "a value cannot begin with `@`",
      "quote it: `'@x: 1'`"),
  ]
}
