extension YAMLTrap {
  /// What is YAML, but not what a file of reqrun may hold.
  static let contract: [YAMLTrap] = [
    YAMLTrap(
      "an unknown tag near a known one", "a: !uuidd x\n",
      "1:4", "!uuidd", "unknown tag `!uuidd`",
      "did you mean `!uuid`?"),
    YAMLTrap(
      "a denied number as a tag", "a: !500\n",
      "1:4", "!500", "unknown tag `!500`",
      "write `{not_equals: 500}`"),
    YAMLTrap(
      "a local tag written as a standard one", "a: !!uuid x\n",
      "1:4", "!!uuid", "unknown tag `!!uuid`",
      "did you mean `!uuid`?"),
    YAMLTrap(
      "a tag of another tool", "a: !secret API\n",
      "1:4", "!secret", "unknown tag `!secret`",
      "quote the value if the `!` belongs to the text"),
    YAMLTrap(
      "a tag with an unknown handle", "a: !foo!bar x\n",
      "1:4", "!foo!bar", "unknown tag `!foo!bar`",
      "quote the value if the `!` belongs to the text"),
    YAMLTrap(
      "a global tag", "a: !<tag:x,2000:y> x\n",
      "1:4", "!<tag:x,2000:y>", "unknown tag `!<tag:x,2000:y>`",
      "quote the value if the `!` belongs to the text"),
    YAMLTrap(
      "two anchors", "a: &a &b x\n",
      "1:7", "&b", "a value has one anchor and one tag",
      "remove one of the two, or quote the value if it is text"),
    YAMLTrap(
      "an alias with an anchor", "a: &x 1\nb: &y *x\n",
      "2:7", "*x", "an alias takes no anchor and no tag",
      "remove one of the two, or quote the value if it is text"),
    YAMLTrap(
      "a directive for YAML 1.3", "%YAML 1.3\n---\na: 1\n",
      "1:1", "%YAML 1.3", "only YAML 1.1 and 1.2 can be read",
      "remove the line"),
    YAMLTrap(
      "an unknown directive", "%FOO\n---\na: 1\n",
      "1:1", "%FOO", "unknown directive",
      "remove the line"),
    YAMLTrap(
      "text after the end of the document", "a: 1\n...\nb\n",
      "3:1", "b", "something stands after the end of the document",
      "a file is one mapping, list or value; indent what belongs to it, or remove the rest"),
    YAMLTrap(
      "a key after a whole document in braces", "{a: 1}\nb: 2\n",
      "2:1", "b: 2", "something stands after the end of the document",
      "a file is one mapping, list or value; indent what belongs to it, or remove the rest"),
    YAMLTrap(
      "two documents", "a: 1\n---\nb: 2\n",
      "2:1", "---", "a second document begins here; a file holds one",
      "move it to a file of its own, or remove the `---`"),
    YAMLTrap(
      "an empty file", "",
      "1:1", "", "the file is empty",
      "write a request, at least `url: https://…`, or remove the file"),
    YAMLTrap(
      "a file of comments", "# c\n",
      "1:1", "", "the file is empty",
      "write a request, at least `url: https://…`, or remove the file"),
    YAMLTrap(
      "a document with nothing in it", "---\n",
      "1:1", "", "the file is empty",
      "write a request, at least `url: https://…`, or remove the file"),
    YAMLTrap(
      "a key without a value", "a:\nb: 1\n",
      "1:1", "a", "`a` has no value",
      "indent the lines below it if they belong to it, else write a value or remove the key"),
    YAMLTrap(
      "a key without a value at the end", "b: 1\na: # nothing\n",
      "2:1", "a", "`a` has no value",
      "write its value, or remove the key"),
    YAMLTrap(
      "a value that is a comment", "a: #number\nb: 1\n",
      "1:1", "a", "`a` has no value",
      "a `#` begins a comment: quote the value if this is one, else write a value or remove the key"),
    YAMLTrap(
      "a comma within a value in braces", "a: {any: x=1; Expires=Wed, 13 Jan, b: 1}\n",
      "1:10", "x=1; Expires=Wed, 13 Jan", "a `,` within `{ }` ends the value before it",
      "quote the whole value: `'x=1; Expires=Wed, 13 Jan'`"),
    YAMLTrap(
      "commas within a value in braces", "a: {b: x, y, z}\n",
      "1:8", "x, y, z", "a `,` within `{ }` ends the value before it",
      "quote the whole value: `'x, y, z'`"),
    YAMLTrap(
      "a word in braces", "a: {c}\n",
      "1:5", "c", "`c` has no value",
      "write `null` or `\"\"`, or quote the whole if the braces belong to the text"),
    YAMLTrap(
      "a key without a value in braces", "json: {\"a\": 1, \"b\": }\n",
      "1:16", "\"b\"", "`b` has no value",
      "write its value, or remove the key"),
    YAMLTrap(
      "an empty list item", "- a\n-\n",
      "2:1", "-", "this list item is empty",
      "write the item behind the `-`, or remove the `-`; `null` and `\"\"` are items, too"),
    YAMLTrap(
      "a colon without a space in braces", "expect: {status:201}\n",
      "1:10", "status:201", "`status:201` has no value",
      "write `status: 201`"),
    YAMLTrap(
      "a blank in place of a colon in braces", "headers: {Accept text/html, b: c}\n",
      "1:11", "Accept text/html", "`Accept text/html` has no value",
      "write `Accept: text/html`"),
    YAMLTrap(
      "a missing key", ": a\n",
      "1:1", ":", "a key is missing here",
      "write it before the `:`, or `\"\"` for an empty one"),
    YAMLTrap(
      "True", "a: True\n",
      "1:4", "True", "`True` is not spelled as YAML wants it",
      "write `true`, or `\"True\"` for text"),
    YAMLTrap(
      "NULL", "a: NULL\n",
      "1:4", "NULL", "`NULL` is not spelled as YAML wants it",
      "write `null`, or `\"NULL\"` for text"),
    YAMLTrap(
      "a leading plus", "a: +5\n",
      "1:4", "+5", "the number `+5` has a leading `+`",
      "quote it: `\"+5\"`, or leave out the `+`"),
    YAMLTrap(
      "leading zeros", "a: 007\n",
      "1:4", "007", "the number `007` has leading zeros",
      "quote it: `\"007\"`, or leave out the zeros"),
    YAMLTrap(
      "leading zeros of a fraction", "a: -00.5\n",
      "1:4", "-00.5", "the number `-00.5` has leading zeros",
      "quote it: `\"-00.5\"`, or leave out the zeros"),
    YAMLTrap(
      "a list as a key", "? [a, b]\n: 1\n",
      "1:3", "[a, b]", "a key must be text, not a list",
      "quote it if it is meant as text"),
    YAMLTrap(
      "a mapping as a key", "{x: 1}: 2\n",
      "1:1", "{x: 1}", "a key must be text, not a mapping",
      "quote it if it is meant as text"),
    YAMLTrap(
      "a key twice", "a: 1\nb: 2\n\"a\": 3\n",
      "3:1", "\"a\"", "the key `a` stands twice in this mapping",
      "keep one of the two"),
    YAMLTrap(
      "an alias without an anchor, near another", "a: &foo 1\nb: *fo\n",
      "2:4", "*fo", "the alias `*fo` has no anchor",
      "did you mean `*foo`?"),
    YAMLTrap(
      "an alias before its anchor", "c: *later\nd: &later 1\n",
      "1:4", "*later", "the alias `*later` has no anchor",
      "`&later` must stand before it"),
    YAMLTrap(
      "an alias inside its own node", "e: &r [*r]\n",
      "1:8", "*r", "the alias `*r` stands inside the node it names",
      "a node cannot contain itself"),
    YAMLTrap(
      "an alias without any anchor", "e: *wildcard\n",
      "1:4", "*wildcard", "the alias `*wildcard` has no anchor",
      "define `&wildcard` before it, or quote the value if the `*` belongs to the text"),
    YAMLTrap(
      "two merge keys", "a: &a {x: 1}\nb: {<<: *a, <<: *a}\n",
      "2:13", "<<", "the key `<<` stands twice in this mapping",
      "merge several with a list: `<<: [*a, *b]`"),
    YAMLTrap(
      "a merge of a number", "b: {<<: 5}\n",
      "1:9", "5", "`<<` merges mappings, not a number",
      "write an alias of a mapping, `<<: *name`, or a list of these; quote the key if it is meant as text"),
    YAMLTrap(
      "a merge of a list with text in it", "b: {<<: [x]}\n",
      "1:10", "x", "`<<` merges mappings, not text",
      "write an alias of a mapping, `<<: *name`, or a list of these; quote the key if it is meant as text"),
    YAMLTrap(
      "!!int on text", "a: !!int x\n",
      "1:10", "x", "`!!int` does not fit `x`",
      "write a whole number such as `42`, or remove the tag"),
    YAMLTrap(
      "!!float on text", "a: !!float x\n",
      "1:12", "x", "`!!float` does not fit `x`",
      "write a number such as `1.5`, or remove the tag"),
    YAMLTrap(
      "!!bool on text", "a: !!bool x\n",
      "1:11", "x", "`!!bool` does not fit `x`",
      "write `true` or `false`, or remove the tag"),
    YAMLTrap(
      "!!null on text", "a: !!null x\n",
      "1:11", "x", "`!!null` does not fit `x`",
      "write `null` or nothing, or remove the tag"),
    YAMLTrap(
      "!!binary on what is not base64", "a: !!binary '***'\n",
      "1:13", "'***'", "`!!binary` does not fit `***`",
      "write base64 such as `aGVsbG8=`, or remove the tag"),
    YAMLTrap(
      "!date on what is not a date", "a: !date soon\n",
      "1:10", "soon", "`soon` is not a date",
      "write one as RFC 3339 has them, `2024-05-01` or `2024-05-01T10:00:00Z`, or remove the tag"),
    YAMLTrap(
      "!!map on a number", "a: !!map 5\n",
      "1:10", "5", "`!!map` does not fit `5`",
      "write a mapping such as `{a: 1}`, or remove the tag"),
    YAMLTrap(
      "!!seq on a mapping", "a: !!seq {a: 1}\n",
      "1:4", "!!seq", "this tag does not fit a mapping",
      "remove the tag"),
    YAMLTrap(
      "!!str on a list", "a: !!str [1]\n",
      "1:4", "!!str", "this tag does not fit a list",
      "remove the tag"),
    YAMLTrap(
      "a local tag on a key", "!uuid a: 1\n",
      "1:1", "!uuid", "a key takes no tag",
      "tag the value"),
  ]
}
