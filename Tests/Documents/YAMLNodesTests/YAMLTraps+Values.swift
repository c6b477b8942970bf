extension YAMLTrap {
  /// How a value begins, and its quotes.
  static let values: [YAMLTrap] = [
    YAMLTrap(
      "a tag with a sign behind it", "a: !uuid!\n",
      "1:4", "!uuid!", "a value that begins with `!` is a tag in YAML, and this is not the name of one",
      "write `!uuid`"),
    YAMLTrap(
      "a tag or null", "a: !string | null\n",
      "1:4", "!string | null", "after `|` the text begins on the next line",
      "write `{one_of: [!string, null]}`"),
    YAMLTrap(
      "a tab indents a line", "a:\n\tb: 2\n",
      "2:1", "\t", "a tab cannot indent a line in YAML",
      "use spaces"),
    YAMLTrap(
      "a tab indents a line below a value", "a: 1\n\tb: 2\n",
      "2:1", "\t", "a tab cannot indent a line in YAML",
      "use spaces"),
    YAMLTrap(
      "a tab indents the text of a block", "a: |\n\tx\n",
      "2:1", "\t", "a tab cannot indent a line in YAML",
      "use spaces"),
    YAMLTrap(
      "a double quote is never closed", "a: \"x\nb: 1\n",
      "1:4", "\"x", "this double quote is never closed",
      "add a closing `\"`"),
    YAMLTrap(
      "a single quote is never closed", "a: 'x\nb: 1\n",
      "1:4", "'x", "this single quote is never closed",
      "add a closing `'`; inside, a `'` is written `''`"),
    YAMLTrap(
      "a quote is closed by the quote of a later line", "a: \"x\nb: \"y\"\nc: 1\n",
      "1:4", "\"x", "this double quote is not closed on its line",
      "add a closing `\"`"),
    YAMLTrap(
      "typographic quotes", "a: “x y”\n",
      "1:4", "“x y”", "`“…”` are not YAML quotes: they would be part of the text",
      "write `\"x y\"`"),
    YAMLTrap(
      "typographic quotes around a colon", "a: ‘x: y’\n",
      "1:4", "‘x: y’", "`‘…’` are not YAML quotes",
      "write `'x: y'`"),
    YAMLTrap(
      "typographic quotes around a comma", "a: {b: “x, y”}\n",
      "1:8", "“x, y”", "`“…”` are not YAML quotes: they would be part of the text",
      "write `\"x, y\"`"),
    YAMLTrap(
      "a bullet for a dash", "a:\n  * b: c\n",
      "2:3", "* b: c", "a list item begins with `- `, not with `* `",
      "write `- b: c`"),
    YAMLTrap(
      "an en dash for a dash", "a:\n  - b: c\n  – b: d\n",
      "3:3", "–", "U+2013 (en dash) is not the `-` of a list item",
      "write `-` and a space"),
    YAMLTrap(
      "a full-width colon", "a: 1\nb： 2\n",
      "2:2", "：", "U+FF1A (fullwidth colon) is not the `:` after a key",
      "write `:` and a space"),
    YAMLTrap(
      "typographic quotes around a key", "“a”: 1\n",
      "1:1", "“a”", "`“…”` are not YAML quotes: they would be part of the text",
      "write `\"a\"`"),
    YAMLTrap(
      "an apostrophe within single quotes", "a: 'it's'\n",
      "1:8", "s'", "text cannot stand after the closing `'`",
      "inside single quotes a `'` is written `''`"),
    YAMLTrap(
      "text after a quoted value", "etag: \"abc\"x\nb: 1\n",
      "1:12", "x", "text cannot stand after the closing `\"`",
      "quote it: `'\"abc\"x'`"),
    YAMLTrap(
      "a value begins with %", "url: %20x # c\n",
      "1:6", "%20x", "a value cannot begin with `%`",
      "quote it: `'%20x'`"),
    YAMLTrap(
      "a value begins with @", "body: @file.json\n",
      "1:7", "@file.json", "a value cannot begin with `@`",
      "quote it: `'@file.json'`"),
    YAMLTrap(
      "a value begins with a backtick", "a: `date`\n",
      "1:4", "`date`", "a value cannot begin with a backtick",
      "quote it: `'`date`'`"),
    YAMLTrap(
      "a value begins with % in a list in brackets", "a: [%x, 1]\n",
      "1:5", "%x", "a value cannot begin with `%`",
      "quote it: `'%x'`"),
    YAMLTrap(
      "a value begins with @ on a later line of brackets", "a: [\n  @x,\n  1]\n",
      "2:3", "@x", "a value cannot begin with `@`",
      "quote it: `'@x'`"),
    YAMLTrap(
      "a value begins with > in braces", "expect: {status: >=200}\n",
      "1:18", ">=200", "a value cannot begin with `>`",
      "write `{at_least: 200}`; text is quoted: `'>=200'`"),
    YAMLTrap(
      "a value begins with *", "headers:\n  Accept: */*\n",
      "2:11", "*/*", "a value that begins with `*` is an alias in YAML, and this is not the name of one",
      "quote it: `'*/*'`"),
    YAMLTrap(
      "a value is *", "request_target: *\n",
      "1:17", "*", "a value that begins with `*` is an alias in YAML, and this is not the name of one",
      "quote it: `'*'`"),
    YAMLTrap(
      "a value begins with *.", "a: *.txt # all\n",
      "1:4", "*.txt", "a value that begins with `*` is an alias in YAML, and this is not the name of one",
      "quote it: `'*.txt'`"),
    YAMLTrap(
      "a value begins with &", "a: & b\n",
      "1:4", "& b", "a value that begins with `&` is an anchor in YAML, and this is not the name of one",
      "quote it: `'& b'`"),
    YAMLTrap(
      "a value begins with >=", "count: >=5\nb: 1\n",
      "1:8", ">=5", "a value that begins with `>` is a folded block in YAML",
      "quote it: `'>=5'`"),
    YAMLTrap(
      "a value begins with > and a number", "- > 5\n",
      "1:3", "> 5", "a value that begins with `>` is a folded block in YAML",
      "write `{greater_than: 5}`; text is quoted: `'> 5'`"),
    YAMLTrap(
      "text directly after |", "a: |x\n",
      "1:4", "|x", "after `|` the text begins on the next line",
      "begin a new, indented line, or quote it: `'|x'`"),
    YAMLTrap(
      "a value begins with !", "a: !ha{x}\n",
      "1:4", "!ha{x}", "a value that begins with `!` is a tag in YAML, and this is not the name of one",
      "quote it: `'!ha{x}'`"),
    YAMLTrap(
      "a value begins with ]", "a: ]\n",
      "1:4", "]", "a value cannot begin with `]`",
      "quote it: `']'`"),
    YAMLTrap(
      "a value begins with ::", "a: [::1, x]\n",
      "1:5", "::1", "a value cannot begin with `:`",
      "quote it: `'::1'`"),
    YAMLTrap(
      "a value begins with ?", "a: ? b\n",
      "1:4", "? b", "a `?` begins a mapping key and cannot stand here",
      "quote it: `'? b'`"),
  ]
}

extension YAMLTrap {
  /// Text that is not text to YAML.
  static let text: [YAMLTrap] = [
    YAMLTrap(
      "{{ }} is a whole value", "id: {{ id }}\nb: 1\n",
      "1:5", "{{ id }}", "`{{ … }}` is two nested mappings in YAML, not a template",
      "write `${{ id }}`"),
    YAMLTrap(
      "{{ }} begins a value", "url: {{host}}/users\nb: 1\n",
      "1:6", "{{host}}/users", "`{{ … }}` is two nested mappings in YAML, not a template",
      "write `${{host}}/users`"),
    YAMLTrap(
      "{{ }} is a key", "{{k}}: 1\n",
      "1:1", "{{k}}", "`{{ … }}` is two nested mappings in YAML, not a template",
      "write `${{k}}`"),
    YAMLTrap(
      "{{ }} around something that looks like an alias", "a: {{ *x }}\n",
      "1:4", "{{ *x }}", "`{{ … }}` is two nested mappings in YAML, not a template",
      "write `${{ *x }}`"),
    YAMLTrap(
      "a colon inside plain text", "x:\n  a: foo bar: c\n  b: 1\n",
      "2:13", ": ", "`: ` inside text begins a mapping in YAML",
      "quote it: `'foo bar: c'`"),
    YAMLTrap(
      "a colon inside the text of a list item", "- a: b: c\n",
      "1:7", ": ", "`: ` inside text begins a mapping in YAML",
      "write `{b: c}` for a mapping; text is quoted: `'b: c'`"),
    YAMLTrap(
      "a colon inside a template", "a: ${{ x == \"a: b\" }}\n",
      "1:15", ": ", "`: ` inside a template begins a mapping in YAML",
      "quote it: `'${{ x == \"a: b\" }}'`"),
    YAMLTrap(
      "a mapping inside a template", "a: ${{ {a: 1} }}\n",
      "1:10", ": ", "`: ` inside a template begins a mapping in YAML",
      "quote it: `'${{ {a: 1} }}'`"),
    YAMLTrap(
      "a colon after a quoted value", "a: \"x\": 1\n",
      "1:7", ": ", "a `:` cannot stand after a quoted value",
      "quote it: `'\"x\": 1'`"),
    YAMLTrap(
      "a value goes on after a comment", "a: http://x #y\n  z: 1\n",
      "2:3", "z: 1", "a value cannot go on after a comment",
      "quote the value if the `#` belongs to it"),
    YAMLTrap(
      "a regex in double quotes", #"a: "\d+""#,
      "1:5", #"\d"#, #"`\d` is not an escape in double quotes"#,
      #"use single quotes: `'\d+'`"#),
    YAMLTrap(
      "a regex with single quotes in double quotes", #"a: "a\.'b'""#,
      "1:6", #"\."#, #"`\.` is not an escape in double quotes"#,
      #"use single quotes: `'a\.''b'''`"#),
    YAMLTrap(
      "a Windows path in double quotes", #"a: "C:\Users\x""#,
      "1:7", #"\Users\x""#, #"`\U` needs 8 hexadecimal digits"#,
      #"write `\\U` for a backslash, or use single quotes"#),
    YAMLTrap(
      "too few hexadecimal digits", #"a: "\xZZ""#,
      "1:5", #"\xZZ"#, #"`\x` needs 2 hexadecimal digits"#,
      #"write `\\x` for a backslash, or use single quotes"#),
    YAMLTrap(
      "a surrogate pair, as JSON has them", #"a: "\uD83D\uDE00""#,
      "1:5", #"\uD83D\uDE00"#, "YAML has no surrogate pairs",
      #"write `\U0001F600`, or the character itself"#),
    YAMLTrap(
      "half a surrogate pair", #"a: "\uD83D""#,
      "1:5", #"\uD83D"#, "this escape names no character",
      "write the character itself"),
    YAMLTrap(
      "a quantifier in braces", "expect: {matches: \\d{3}}\nb: 1\n",
      "1:19", #"\d{3}"#, "a `{` inside text needs quotes here, within `[ ]` or `{ }`",
      #"quote it: `'\d{3}'`"#),
    YAMLTrap(
      "a path parameter in braces", "{url: /users/{id}}\n",
      "1:7", "/users/{id}", "a `{` inside text needs quotes here, within `[ ]` or `{ }`",
      "quote it: `'/users/{id}'`"),
    YAMLTrap(
      "a JSONPath in brackets", "a: [x, $.a[0], 1]\n",
      "1:8", "$.a[0]", "a `[` inside text needs quotes here, within `[ ]` or `{ }`",
      "write `a: [x, '$.a[0]', 1]`"),
    YAMLTrap(
      "a path parameter in braces over several lines", "a: {\n  url: /users/{id},\n  b: 1\n}\n",
      "2:8", "/users/{id}", "a `{` inside text needs quotes here, within `[ ]` or `{ }`",
      "quote it: `'/users/{id}'`"),
    YAMLTrap(
      "a template in brackets", "a: [${{ x }}, 1]\n",
      "1:5", "${{ x }}", "a template inside `[ ]` or `{ }` needs quotes",
      "write `\"${{ x }}\"`"),
    YAMLTrap(
      "a template in braces", "a: {b: ${{ x }}}\n",
      "1:8", "${{ x }}", "a template inside `[ ]` or `{ }` needs quotes",
      "write `\"${{ x }}\"`"),
    YAMLTrap(
      "a template with quotes in braces", "a: {b: ${{ x[\"a\"] }}}\n",
      "1:8", "${{ x[\"a\"] }}", "a template inside `[ ]` or `{ }` needs quotes",
      "write `'${{ x[\"a\"] }}'`"),
    YAMLTrap(
      "text after a closing bracket", "re: [a-z]+\nb: 1\n",
      "1:5", "[a-z]+", "text cannot stand after the closing `]`",
      "quote it: `'[a-z]+'`"),
    YAMLTrap(
      "text after a closing brace", "a: {id}/x\nb: 1\n",
      "1:4", "{id}/x", "text cannot stand after the closing `}`",
      "quote it: `'{id}/x'`"),
  ]
}
