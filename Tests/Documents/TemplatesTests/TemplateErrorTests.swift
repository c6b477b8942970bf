import Foundation
import Templates
import Testing
import Values

struct ErrorCase: Sendable, CustomTestStringConvertible {
  /// The place of the error stands between `«` and `»`.
  let template: String
  let message: String
  let help: String?

  init(_ template: String, _ message: String, help: String? = nil) {
    self.template = template
    self.message = message
    self.help = help
  }

  var testDescription: String { template }
}

private let syntaxErrors: [ErrorCase] = [
  ErrorCase(
    "ü «${{» text", "this `${{` is never closed",
    help: "end the template with `}}`, or write `$${{` for a literal `${{`"),
  ErrorCase("«${{»", "this `${{` is never closed"),
  ErrorCase("«${{» text ${{ text }}", "this `${{` is never closed"),
  ErrorCase("${{ text«}» }}", "a template ends with `}}`, not with one `}`"),
  ErrorCase(
    "a «${{  }}»", "this template is empty", help: "write `$${{` for the characters themselves"),
  ErrorCase("${{ text «user» }}", "`user` is left over after the expression"),
  ErrorCase("${{ text «)» }}", "`)` is left over after the expression"),
  ErrorCase("${{ «|» upper }}", "a value is expected here, not `|`"),
  ErrorCase("${{ 1 + «}}»", "a value is expected here, not `}}`"),
  ErrorCase("${{ text | «}}»", "the name of a function is expected after `|`, not `}}`"),
  ErrorCase("${{ text | «'a'» }}", "the name of a function is expected after `|`, not this text"),
  ErrorCase("${{ «(»1 + 2 }}", "`(` is never closed"),
  ErrorCase("${{ rows«[»0 }}", "`[` is never closed"),
  ErrorCase("${{ rows[0 «1»] }}", "`]` is expected here, not `1`"),
  ErrorCase("${{ upper(text «user») }}", "`)` is expected here, not `user`"),
  ErrorCase("${{ replace(text, «)» }}", "an argument is expected after `,`, not `)`"),
  ErrorCase("${{ «'»open }}", "this quote is never closed"),
  ErrorCase("${{ «\"»open\\", "this quote is never closed"),
  ErrorCase(
    #"${{ "a«\d»" }}"#, #"`\d` is not an escape"#,
    help: #"write `\\` for a backslash, or put the text in '…', where a backslash is itself"#),
  ErrorCase(#"${{ "a«\u»12" }}"#, #"`\u` wants four hexadecimal digits"#),
  ErrorCase(#"${{ "«\ud83d» " }}"#, "half of a surrogate pair is not a character"),
  ErrorCase(
    "${{ «007» }}", "`007` is not a number", help: "write it without leading zeros, or in quotes as a text"),
  ErrorCase("${{ «12abc» }}", "`12abc` is not a number", help: "put texts in quotes: '12abc'"),
  ErrorCase("${{ «1.» }}", "`1.` is not a number"),
  ErrorCase("${{ «0xe»+1 }}", "`0xe` is not a number"),
  ErrorCase("${{ rows.«0» }}", "a member's name is expected after `.`", help: "write `[0]`"),
  ErrorCase("${{ «text.toUpperCase()» }}", "a member can't be called", help: "write `text | upper`"),
  ErrorCase(
    "${{ «text.replace('a', 'b')» }}", "a member can't be called", help: "write `text | replace('a', 'b')`"),
  ErrorCase(
    "${{ «base64.decode(text)» }}", "a member can't be called", help: "write `base64_decode(text)`"),
  ErrorCase("${{ «faker.name()» }}", "a member can't be called", help: "write `fake('name')`"),
  ErrorCase("${{ «$guid» }}", "`$guid` has no meaning in an expression", help: "write `uuid`"),
  ErrorCase("${{ 1 +«+» }}", "a value is expected here, not `+`", help: "nothing is changed: write `+ 1`"),
  ErrorCase(
    "${{ text[0«:»2] }}", "`]` is expected here, not `:`",
    help: "a part of a text is `match(text, \"^.{2}\")`, an item of a list `[0]`"),
  ErrorCase("${{ user.«roles»() }}", "a member can't be called", help: "functions are filters: `value | roles`"),
  ErrorCase(
    "${{ «env» }}", "`env` is the environment as a whole, which is not a value", help: "write `env.NAME`"),
  ErrorCase("${{ 1 < 2 «<» 3 }}", "comparisons don't chain", help: "join two of them with `and`"),
  ErrorCase("${{ 1 + «not» yes }}", "`not` binds looser than what stands before it", help: "write `(not …)`"),
  ErrorCase("${{ yes «&&» yes }}", "`&&` is not an operator here", help: "write `and`"),
  ErrorCase("${{ yes «||» yes }}", "`||` is not an operator here", help: "write `or`"),
  ErrorCase("${{ text «===» 'a' }}", "`===` is not an operator here", help: "write `==`"),
  ErrorCase("${{ text «=» 'a' }}", "`=` has no meaning in an expression", help: "write `==`"),
  ErrorCase("${{ «!»yes }}", "`!` has no meaning in an expression", help: "write `not`, or `!=`"),
  ErrorCase(
    "${{ text «~» 'a' }}", "`~` has no meaning in an expression",
    help: "texts are joined by writing templates side by side"),
  ErrorCase(
    "${{ text «if» yes }}", "this `if` has no `else`", help: "write `a if condition else b`; `b` may be `null`"),
  ErrorCase("${{ «if» yes else 1 }}", "a value is expected here, not `if`", help: "write `a if condition else b`"),
  ErrorCase("${{ 1 if yes else «}}»", "a value is expected here, not `}}`"),
  ErrorCase("${{ 1 «else» 2 }}", "`else` is left over after the expression"),
  ErrorCase("${{ 1 «?» 2 : 3 }}", "`?` is not an operator here"),
  ErrorCase("${{ text «not» in rows }}", "`not` is left over after the expression", help: "write `not x in y`"),
  ErrorCase("${{ 1 in rows «in» rows }}", "comparisons don't chain"),
  ErrorCase("${{ 4 «//» 2 }}", "`//` is not an operator here", help: "write `floor(a / b)`"),
  ErrorCase("${{ «[»1, 2 }}", "`[` is never closed"),
  ErrorCase("${{ [1, «]» }}", "an item is expected after `,`, not `]`"),
  ErrorCase("${{ [1 «2»] }}", "`]` is expected here, not `2`"),
  ErrorCase("${{ {a: 1, «}» }}", "a member's name is expected after `,`, not `}`"),
  ErrorCase("${{ {a «1»} }}", "`:` is expected after a member's name, not `1`"),
  ErrorCase("${{ {«1»: 2} }}", "a member's name is expected here, not `1`"),
  ErrorCase("${{ {a: 1, «a»: 2} }}", "the mapping has this member twice"),
  ErrorCase("${{ {a: 1 }«}» ", "a template ends with `}}`, not with one `}`"),
  ErrorCase(
    "${{ env.get«(»'HOME') }}", "`(` is left over after the expression",
    help: "functions are called by their names alone; `env.NAME` reads the environment"),
  ErrorCase("${{ 'ü' «ß»", "`ß` is left over after the expression"),
  ErrorCase("${{ text | «uper» }}", "there is no function `uper`", help: "did you mean `upper`?"),
  ErrorCase("${{ «lenght»(text) }}", "there is no function `lenght`", help: "did you mean `length`?"),
  ErrorCase(
    "${{ text | «replace('a')» }}", "`replace(text, from, to)` takes 3 arguments, here are 2",
    help: "what stands before `|` is the first"),
  ErrorCase(
    "${{ «upper()» }}", "`upper(text)` takes 1 argument, here are 0", help: "or write it as a filter: `value | upper`"),
  ErrorCase("${{ «join(a, b, c)» }}", "`join(list, separator?)` takes 1 or 2 arguments, here are 3"),
  ErrorCase("${{ «uuid(1)» }}", "`uuid` takes no arguments"),
  ErrorCase("${{ none | «default» }}", "`default(value, fallback)` takes 2 arguments, here is 1"),
  ErrorCase(
    "${{ now | format('yyyy-«Q»') }}", "the letter \"Q\" is not one of yMdEHmsSZX; put text in single quotes",
    help: "also `unix`, `unix_ms`, `http` and `iso8601`"),
  ErrorCase(
    "${{ now | format('HH:mm', «'Europe/Berlinn'») }}",
    "there is no time zone \"Europe/Berlinn\": it is \"UTC\", an offset such as \"+02:00\", or a name of the system's "
      + "database such as \"Europe/Paris\""),
  ErrorCase("${{ now | format('http', «'+01:00'») }}", "`http` is the same in every time zone"),
  ErrorCase(
    "${{ now | plus(«'1 day'») }}", "this is not a duration",
    help: #"write a whole number and a unit: "250ms", "90s", "5m", "-2h", "30d", "1mo", "1y""#),
  ErrorCase("${{ now | plus(«'1M'») }}", "this is not a duration"),
  ErrorCase("${{ jsonpath(user, '$.na«!»me') }}", "expected `.`, `[` or the end of the path, found `!`"),
  ErrorCase("${{ map(rows, '«n»ame') }}", "a JSONPath starts with `$`", help: "write `$.name`"),
  ErrorCase("${{ xpath(text, '//a[«]»') }}", "expected a step: a name, `*`, `@…`, `.` or `..`, found `]`"),
  ErrorCase("${{ match(text, '(«'») }}", "this is not a regular expression: missing closing parenthesis"),
  ErrorCase("${{ fake(«'emial'») }}", "`fake` makes no `emial`", help: "did you mean `email`?"),
  ErrorCase("${{ jwt_verify(text, text, «'none'») }}", "`none` is not a signature"),
  ErrorCase(
    "${{ jwt_verify(text, text, «'rs256'») }}", "there is no signature algorithm `rs256`", help: "write `RS256`"),
  ErrorCase("${{ «concat()» }}", "`concat(values…)` takes at least 1 argument, here are 0"),
  ErrorCase("${{ «range(1, 2, 3, 4)» }}", "`range(from, to?, step?)` takes 1 to 3 arguments, here are 4"),
  ErrorCase("${{ text | «toUpperCase» }}", "there is no function `toUpperCase`", help: "write `upper`"),
  ErrorCase("${{ text | split(«''») }}", "`split` can't cut at an empty text"),
  ErrorCase("${{ text | replace(«''», 'x') }}", "`replace` can't look for an empty text"),
]

private let evaluationErrors: [ErrorCase] = [
  ErrorCase("id: ${{ «usr».id }}", "there is no variable `usr`", help: "did you mean `user`?"),
  ErrorCase("${{ «usr» | default(1) }}", "there is no variable `usr`", help: "did you mean `user`?"),
  ErrorCase("${{ «length» }}", "there is no variable `length`", help: "`length` is a function: write `length(value)`"),
  ErrorCase("${{ «nwo» }}", "there is no variable `nwo`", help: "did you mean the function `now`?"),
  ErrorCase(
    "${{ now | format(«yyyy»-MM-dd) }}", "there is no variable `yyyy`",
    help: "the pattern of a date stands in quotes: `format(\"yyyy-MM-dd\")`"),
  ErrorCase("${{ «today» }}", "there is no variable `today`", help: "write `now | format('yyyy-MM-dd')`"),
  ErrorCase("${{ «True» }}", "there is no variable `True`", help: "write `true`"),
  ErrorCase("${{ «None» }}", "there is no variable `None`", help: "write `null`"),
  ErrorCase("${{ «later» }}", "`later` has no value yet", help: "`later | default(…)` covers that"),
  ErrorCase("${{ «later» | upper | default('x') }}", "`later` has no value yet"),
  ErrorCase(
    "${{ «env.NOPE» }}", "the environment variable `NOPE` is not set", help: "set it, or write `env.NOPE | default(…)`"),
  ErrorCase("${{ «env.NOPE» < 'x' }}", "the environment variable `NOPE` is not set"),
  ErrorCase("${{ upper(«env.NOPE») == 'x' }}", "the environment variable `NOPE` is not set"),
  ErrorCase("${{ «broken» }}", "the variable `broken` refers to itself", help: "break the circle"),
  ErrorCase("${{ user.«nmae» }}", "there is no member `nmae`", help: "did you mean `name`?"),
  ErrorCase("${{ user.«first»-name }}", "there is no member `first`", help: "did you mean `[\"first-name\"]`?"),
  ErrorCase("${{ rows[0].«zzz» }}", "there is no member `zzz`", help: "it has `name`"),
  ErrorCase("${{ rows[0][«'zzz'»] }}", "there is no member `zzz`", help: "it has `name`"),
  ErrorCase(
    "${{ rows[«2»] }}", "the list has 2 items: there is no `[2]`", help: "the first is `[0]`, the last is `[-1]`"),
  ErrorCase("${{ empty[«0»] }}", "the list has 0 items: there is no `[0]`"),
  ErrorCase("${{ rows[«0.5»] }}", "an item of a list is looked up by a whole number"),
  ErrorCase("${{ rows[«'a'»] }}", "an item of a list is looked up by a number, not by a text"),
  ErrorCase("${{ user[«0»] }}", "a member of a mapping is looked up by a text, not by a number"),
  ErrorCase(
    "${{ rows.«name» }}", "a list has no members: `name` can't be looked up in it",
    help: "an item of a list is looked up by its number: `[0]`"),
  ErrorCase("${{ text.«size» }}", "a text has no members: `size` can't be looked up in it"),
  ErrorCase("${{ text[«0»] }}", "a text has no items or members"),
  ErrorCase("${{ user.nick.«a» }}", "null has no members: `a` can't be looked up in it"),
  ErrorCase("${{ text.«size» | default(1) }}", "a text has no members: `size` can't be looked up in it"),
  ErrorCase(
    "${{ «text» + text }}", "`+` takes numbers, not a text",
    help: "texts are joined by writing them side by side: `${{ a }}${{ b }}`; `to_number` reads a text as a number"),
  ErrorCase("${{ 1 - «'1'» }}", "`-` takes numbers, not a text", help: "`to_number` reads a text as a number"),
  ErrorCase(
    "${{ «now» + '1d' }}", "`+` takes numbers, not a date", help: "a date is moved with `plus`: `now | plus(\"-1d\")`"),
  ErrorCase("${{ 1 * «none» }}", "`*` takes numbers, not null"),
  ErrorCase("${{ -«text» }}", "`-` takes a number, not a text"),
  ErrorCase("${{ 2 * («huge * huge») }}", "the result has more than 10,000 digits"),
  ErrorCase("${{ «text» and yes }}", "`and` takes booleans, not a text", help: "compare it: `… == 'true'`"),
  ErrorCase("${{ not «none» }}", "`not` takes booleans, not null", help: "compare it: `… != null`"),
  ErrorCase(
    "${{ yes and «1 < '2'» }}", "`<` compares two numbers, two texts or two dates, not a number with a text",
    help: "`to_number` reads a text as a number"),
  ErrorCase("${{ «rows» | upper }}", "`upper` takes a text, not a list", help: "`json` writes it as text"),
  ErrorCase("${{ upper(«none») }}", "`upper` takes a text, not null", help: "`default` gives null another value"),
  ErrorCase("${{ «text» | first }}", "`first` takes a list, not a text"),
  ErrorCase("${{ empty | «first» }}", "the list is empty", help: "`default` gives it a value"),
  ErrorCase("${{ «yes» | length }}", "`length` takes a text, data, a list or a mapping, not a boolean"),
  ErrorCase(
    "${{ «nested» | join(',') }}", "`join` joins texts, and item 0 is a list",
    help: "`flatten` joins the lists of a list"),
  ErrorCase("${{ «'x'» | to_integer }}", "this text is not a whole number"),
  ErrorCase("${{ «1.5» | to_integer }}", "this number has a fraction"),
  ErrorCase(
    "${{ «'1,5'» | to_number }}", "this text is not a number", help: "numbers are written as in JSON: `-1.5e3`"),
  ErrorCase("${{ «yes» | to_number }}", "`to_number` takes a number or a text, not a boolean"),
  ErrorCase("${{ «'%%%'» | base64_decode }}", "this text is not base64"),
  ErrorCase("${{ «'%zz'» | url_decode }}", "this text has a `%` without two hexadecimal digits"),
  ErrorCase("${{ «'%'» | url_decode }}", "this text has a `%` without two hexadecimal digits"),
  ErrorCase("${{ «'%ff'» | url_decode }}", "what this text encodes is not UTF-8"),
  ErrorCase(
    "${{ «text» | plus('1d') }}", "this text is not a date", help: "dates are written as `2024-05-01T10:00:00Z`"),
  ErrorCase("${{ «yes» | format('unix') }}", "`format` takes a date, not a boolean"),
  ErrorCase("${{ now | «plus('7000000d')» }}", "the date would lie outside the years 0 to 9999"),
  ErrorCase("${{ now | plus(«text») }}", "this is not a duration"),
  ErrorCase("${{ random_int(«'1'», 2) }}", "`random_int` takes a whole number, not a text"),
  ErrorCase("${{ random_int(1, «1.5») }}", "`random_int` takes a whole number of at most 64 bits"),
  ErrorCase(
    "${{ «random_int(2, 1)» }}", "`random_int` takes the smaller number first", help: "write `random_int(1, 2)`"),
  ErrorCase(
    "${{ random_string(«-1») }}", "`random_string` makes at most 1,000,000 characters, and not fewer than none"),
  ErrorCase("${{ 1 / «0» }}", "`/` cannot divide by zero"),
  ErrorCase("${{ 1 % («1 - 1») }}", "`%` cannot divide by zero"),
  ErrorCase("${{ 1 / «text» }}", "`/` takes numbers, not a text"),
  ErrorCase("${{ 1 if «text» else 2 }}", "`if` takes booleans, not a text"),
  ErrorCase("${{ «1» in text }}", "`in` looks for a text in a text, not for a number"),
  ErrorCase("${{ «1» in user }}", "`in` looks for a member's name in a mapping, not for a number"),
  ErrorCase("${{ 1 in «none» }}", "`in` looks in a text, a list or a mapping, not in null"),
  ErrorCase("${{ 1 in «5» }}", "`in` looks in a text, a list or a mapping, not in a number"),
  ErrorCase("${{ [1, «later»] }}", "`later` has no value yet"),
  ErrorCase("${{ [1][«1»] }}", "the list has 1 item: there is no `[1]`"),
  ErrorCase("${{ first(«later» | upper) | default(1) }}", "`later` has no value yet"),
  ErrorCase("${{ jsonpath(user, «later») | default(1) }}", "`later` has no value yet"),
  ErrorCase("${{ rows[«later»] | default(1) }}", "`later` has no value yet"),
  ErrorCase("${{ {a: «later»}.b | default(1) }}", "`later` has no value yet"),
  ErrorCase("${{ upper(«later»).b | default(1) }}", "`later` has no value yet"),
  ErrorCase(
    "${{ «'9999-12-31T23:00:00Z'» | format('yyyy', '+02:00') }}",
    "the date lies outside the years 0 to 9999 in that time zone"),
  ErrorCase(
    "${{ «'0000-01-01T00:00:00Z'» | format('yyyy', '-00:01') }}",
    "the date lies outside the years 0 to 9999 in that time zone"),
  ErrorCase("${{ date(«'9999-12-31T23:59:59-00:01'») }}", "this text is not a date"),
  ErrorCase(
    "${{ date(«'0000 +01:00'», 'yyyy XXX') }}",
    "this text does not match the pattern: a year from 0 to 9999 is expected at character 1"),
  ErrorCase("${{ «jsonpath(user, '$.x')» }}", "the path finds nothing", help: "`default` gives it a value"),
  ErrorCase("${{ jsonpath(user, «text») }}", "this is not a JSONPath: a JSONPath starts with `$`"),
  ErrorCase("${{ «xpath('<a/>', 'string(//b)')» }}", "the XPath finds nothing"),
  ErrorCase("${{ xpath(«'<a>'», '//a') }}", "this text cannot be read as XML: premature end of data in tag a line 1"),
  ErrorCase("${{ map(«text», '$.a') }}", "`map` takes a list, not a text"),
  ErrorCase("${{ concat([1], «2») }}", "`concat` takes a list, not a number"),
  ErrorCase("${{ concat('a', «[1]») }}", "`concat` joins lists or texts, not a text with a list"),
  ErrorCase("${{ concat(«none») }}", "`concat` takes a text, not null"),
  ErrorCase("${{ sort(«[1, 'a']») }}", "`sort` compares items of one kind: item 0 is a number, item 1 a text"),
  ErrorCase(
    "${{ max(«rows») }}", "`max` compares numbers, texts or dates, and item 0 is a mapping",
    help: "`map(list, \"$.name\")` takes a member of each"),
  ErrorCase("${{ «min(empty)» }}", "the list is empty", help: "`default` gives it a value"),
  ErrorCase("${{ sum(«['1']») }}", "`sum` adds numbers, and item 0 is a text"),
  ErrorCase("${{ keys(«rows») }}", "`keys` takes a mapping, not a list"),
  ErrorCase("${{ merge(user, «none») }}", "`merge` takes a mapping, not null"),
  ErrorCase("${{ range(1, 5, «0») }}", "the step is zero"),
  ErrorCase("${{ «range(1000000000)» }}", "`range` makes at most 1,000,000 numbers, not 1000000000"),
  ErrorCase("${{ round(1, «1001») }}", "`round` keeps at most 1,000 digits"),
  ErrorCase("${{ round(«'1'») }}", "`round` takes a number, not a text"),
  ErrorCase("${{ «random_item(empty)» }}", "the list is empty"),
  ErrorCase("${{ «match(text, 'x')» }}", "the pattern matches nowhere in the text"),
  ErrorCase("${{ match(text, '(l)', «2») }}", "the pattern has 1 group: there is no such group"),
  ErrorCase("${{ match(text, '(l)', «'a'») }}", "the pattern has no group of that name"),
  ErrorCase("${{ «match(text, '(x)?l')» }}", "the group has no match"),
  ErrorCase("${{ replace_regex(text, 'l', «'$1'») }}", "the pattern has 0 groups, fewer than the replacement names"),
  ErrorCase("${{ replace_regex(text, 'l', «'$'») }}", "a `$` in the replacement stands before a group"),
  ErrorCase("${{ from_hex(«'abc'») }}", "this text has half a byte: an odd number of digits"),
  ErrorCase("${{ from_hex(«'zz'») }}", "this text has other characters than hexadecimal digits"),
  ErrorCase("${{ date(«'yesterday'») }}", "this text is not a date"),
  ErrorCase("${{ date(«1») }}", "`date` takes a number with its unit"),
  ErrorCase(
    "${{ date(«'2024-13-01'», 'yyyy-MM-dd') }}",
    "this text does not match the pattern: a month is expected at character 6"),
  ErrorCase(
    "${{ date(«'2023-02-29'», 'yyyy-MM-dd') }}",
    "this text does not match the pattern: a day of that month is expected at character 9"),
  ErrorCase(
    "${{ date(«'Mon, 02 May 2024'», 'EEE, dd MMM yyyy') }}",
    "this text does not match the pattern: the weekday of that date is expected at character 1"),
  ErrorCase("${{ difference(now, «1») }}", "`difference` takes a date, not a number"),
  ErrorCase("${{ now | «plus('-3000y')» }}", "the date would lie outside the years 0 to 9999"),
  ErrorCase("${{ url(«'a b'») }}", "a URL has no blanks", help: "`trim` removes those around it"),
  ErrorCase("${{ url(«'http://a:99999'») }}", "the port of this URL is not a number up to 65535"),
  ErrorCase("${{ totp(«'0189'») }}", "this secret is not base32"),
  ErrorCase("${{ jwt(«'a.b'») }}", "this text is not a token"),
  ErrorCase("${{ jwt_sign(«5», 'k') }}", "`jwt_sign` takes a mapping, a text or data, not a number"),
  ErrorCase(
    "${{ jwt_sign({}, 'k', «'HS512'») }}", "the options of `jwt_sign` are a mapping, not a text",
    help: "write `{algorithm: \"HS512\"}`"),
  ErrorCase(
    "${{ jwt_sign({}, 'k', «'HS255'») }}", "there is no signature algorithm `HS255`", help: "did you mean `HS256`?"),
  ErrorCase("${{ jwt_sign({}, 'k', «{typ: 'x'}») }}", "`jwt_sign` has no option `typ`"),
  ErrorCase("${{ jwt_sign({}, 'k', «{algorithm: 'none'}») }}", "`none` is not a signature"),
  ErrorCase(
    "${{ jwt_sign({}, 'k', «{algorithm: 'RS256'}») }}", "the key is a shared secret, which is not for RS256"),
  ErrorCase("${{ jwt_verify(«jwt_sign({}, 'k')», 'other') }}", "the signature of this token is not that of the key"),
  ErrorCase("${{ jwt_verify(«'eyJhbGciOiJub25lIn0.e30.'», 'k') }}", "this token is not signed: its `alg` is `none`"),
  ErrorCase("${{ file(«'nope'») }}", "there is no file nope"),
]

@Suite("Errors of templates")
struct TemplateErrorTests {
  @Test("What can't be read is refused at its place, before anything runs", arguments: syntaxErrors)
  func syntax(_ example: ErrorCase) throws {
    let (text, range) = marked(example.template)
    let (template, diagnostics) = parse(text)
    #expect(template == nil)
    let diagnostic = try #require(diagnostics.first)
    #expect(diagnostics.count == 1)
    #expect(diagnostic.message == example.message)
    #expect(diagnostic.range?.text == range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) })
    #expect(diagnostic.range?.bytes == range)
    if let help = example.help { #expect(diagnostic.help == help) }
  }

  @Test("What fails while it is evaluated names its place", arguments: evaluationErrors)
  func evaluation(_ example: ErrorCase) throws {
    let (text, range) = marked(example.template)
    let (template, diagnostics) = parse(text)
    #expect(diagnostics.isEmpty)
    let error = try #require(throws: TemplateError.self) { try template?.evaluate(in: TestScope()) }
    #expect(error.message == example.message)
    #expect(error.range?.text == range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) })
    #expect(error.range?.bytes == range)
    if let help = example.help { #expect(error.help == help) }
  }

  @Test("All templates of a text tell their problems")
  func several() {
    let (template, diagnostics) = parse("${{ a b }} ${{ text | uper | lowr }} ${{ user }} ${{ 'x }}")
    #expect(template == nil)
    #expect(diagnostics.map { $0.range?.start.column } == [7, 23, 30, 54])
  }

  @Test("A name without a value yet is told apart")
  func unset() throws {
    let template = try #require(parse("x${{ 1 + later }}").template)
    let error = try #require(throws: TemplateError.self) { try template.evaluate(in: TestScope()) }
    #expect(error.unsetName == "later")
    let other = try #require(parse("${{ nope }}").template)
    #expect(throws: TemplateError.self) { try other.evaluate(in: TestScope()) }
    #expect((try? #require(throws: TemplateError.self) { try other.evaluate(in: TestScope()) })?.unsetName == nil)
  }

  @Test("An error in a variable's own template keeps its place and tells who looked it up")
  func nested() throws {
    let template = try #require(parse("x ${{ misplaced }}").template)
    let error = try #require(throws: TemplateError.self) { try template.evaluate(in: TestScope()) }
    #expect(error.range?.source.name == "vars.yaml")
    #expect(error.diagnostic.notes.map(\.message) == ["`misplaced` is looked up here"])
    #expect(error.diagnostic.notes.first?.range?.start.column == 7)
  }

  @Test(
    "Depth and length have limits and exhaust no stack",
    arguments: [
      String(repeating: "(", count: 100_000),
      String(repeating: "not ", count: 100_000),
      String(repeating: "- ", count: 100_000),
      String(repeating: "upper(", count: 100_000),
      "rows" + String(repeating: "[rows", count: 100_000),
      "1" + String(repeating: "+1", count: 100_000),
      "text" + String(repeating: "|upper", count: 100_000),
      "user" + String(repeating: ".a", count: 100_000),
      "a" + String(repeating: " or a", count: 100_000),
      String(repeating: "[", count: 100_000),
      String(repeating: "{a: ", count: 100_000),
      String(repeating: "1 if true else ", count: 100_000),
    ])
  func depth(_ expression: String) throws {
    let (template, diagnostics) = parse("${{ \(expression) }}")
    #expect(template == nil)
    #expect(["the expression is nested too deeply", "the expression is too long"].contains(diagnostics.first?.message))
    #expect(diagnostics.count == 1)
  }

  @Test("The deepest expressions there may be fit the smallest stack there is")
  func smallStack() async throws {
    let expressions = [
      String(repeating: "[", count: 31) + "1" + String(repeating: "]", count: 31),
      String(repeating: "{a: ", count: 31) + "1" + String(repeating: "}", count: 31),
      String(repeating: "1 if true else ", count: 31) + "1",
      String(repeating: "(", count: 31) + "1" + String(repeating: ")", count: 31),
      String(repeating: "(1 + ", count: 15) + "1" + String(repeating: ")", count: 15),
      String(repeating: "trim(", count: 31) + "text" + String(repeating: ")", count: 31),
      "text" + String(repeating: " | trim", count: 49), "1" + String(repeating: " + 1", count: 49),
    ]
    for expression in expressions {
      let value: Value? = await withCheckedContinuation { continuation in
        // Threads other than the first have 512 KiB on macOS.
        let thread = Thread { continuation.resume(returning: try? evaluate("${{ \(expression) }}")) }
        thread.stackSize = 512 * 1024
        thread.start()
      }
      #expect(value != nil, "\(expression)")
    }
  }

  @Test("A default does not hide what is wrong in a variable's own template")
  func hidden() throws {
    let template = try #require(parse("${{ misplaced | default(1) }}").template)
    #expect(throws: TemplateError.self) { try template.evaluate(in: TestScope()) }
  }

  @Test("Any cut of a template is read without a crash")
  func cuts() {
    let text =
      #"a ${{ user["x\u00e9"] | default('ü''') + -1.5e3 >= (rows[0].name | split(",")) and not env.HOME }} b$${{ {a: [1 / 2, {b: 3}], "c": 1 if x in y else z} }}"#
    for count in 0...text.count {
      _ = parse(String(text.prefix(count)))
      _ = parse(String(text.suffix(count)))
      let middle = String(text.prefix(count / 2)) + String(text.suffix(count / 3))
      _ = parse(middle)
    }
  }
}
