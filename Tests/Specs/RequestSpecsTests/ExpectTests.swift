import Matching
import RequestSpecs
import Testing

@Suite struct ExpectTests {
  static let cases: [DiagnosticCase] = [
    .expect("an unknown subject", "«sttaus»: 200", "unknown key `sttaus` in `expect` | did you mean `status`?"),
    .expect(
      "a node-set is a list",
      "xpath: {//a: «x», //b: [x], //c: {any: x}, //d: \"${{ x }}\", string(//e): x, count(//f): 1}",
      "warning: this expression yields the list of its nodes, however many it finds: a single value never equals it | write `string(//a)` for one text, or [x] or {any: x}"
    ),
    .expect(
      "what always yields something exists", "xpath: {string(//a): {«exists»: true}, 1 + 1: {«exists»: false}}",
      "this expression always yields a text: `exists` says nothing of it | write `//a: {exists: …}`",
      "this expression always yields a number: `exists` says nothing of it | write `exists` beside a path"),
    .expect(
      "an XPath's error stands inside of it", "xpath: {\"//größe[«cuont»(a)]\": {exists: true}}",
      "invalid XPath: unknown function `cuont()` | did you mean `count()`?"),
    .expect(
      "each status in its place", "status: [200, «20», 2xx, «2yx»]",
      "\"20\" is not a status | write a number from 100 to 999, 2xx, 200..<300 or a list of these",
      "\"2yx\" is not a status | write a number from 100 to 999, 2xx, 200..<300 or a list of these"),
    .expect("statuses with templates", "status: [200, \"${{ a }}\"]"),
    .expect(
      "a content type", "content_type: «json»",
      "\"json\" is not a media type | write both of its parts, such as application/json"),
    DiagnosticCase(
      "a number in place of expectations", "requests:\n  - url: http://h\n    expect: «404»\n",
      "`expect` is a mapping, found a number | write {status: 404}"),
    .expect(
      "comparisons by other names", "status: {«lt»: 300, «'>='»: 200}",
      "unknown predicate `lt` | write `less_than: 300`",
      "unknown predicate `>=` | write `at_least: 200`"),
    .expect(
      "predicates by other names", "json: {$.a: {«regex»: a}, $.b: {«length»: 3}, $.c: {«type»: !string}}",
      "nothing is expected of what `regex` takes | write `matches: a` instead, or a predicate beside it: {regex: a, equals: …}",
      "unknown predicate `length` | write `count: 3`",
      "a mapping under `expect` is read as predicates, and `type` is not one | write {includes: {type: !string}} (other members may be there), or `equals`"
    ),
    .expect(
      "types by other names", "json: {$.a: {is: «int»}, $.b: {is: «text»}, $.c: {is: «not null»}, $.d: {is: «obj»}}",
      "unknown value \"int\" | write `integer`",
      "unknown value \"text\" | write `string`",
      "`is` has no \"not null\" | write `is_not: null`",
      "unknown value \"obj\" | did you mean `object`?"),
    .expect(
      "a flag in YAML 1.1", "json: {$.a: {exists: «yes»}}",
      "`exists` takes true or false, found the text \"yes\" | YAML 1.2 knows only `true` and `false`: write `true`"),
    .expect(
      "the whole document", "json: «[1]»",
      "`json` under `expect` is a mapping, found a list | write {$: [1]}: `$` is the whole document"),
    .expect(
      "a name right behind the root", "json: {$«n»ame: 1}",
      "invalid JSONPath: expected `.`, `[` or the end of the path, found `n` | write `$.name`"),
    .expect(
      "a schema as text", "schema: «'{\"type\": \"object\"}'»",
      "a text is read as the path of a schema, and this is a schema itself | write it as a mapping, without quotes"),
    .expect(
      "a path where a URL is", "url: «/home»",
      "warning: the URL of a response is absolute: this never equals it | write {ends_with: /home}"),
    .expect(
      "paths into events that lack their brackets", "events: {«0.data»: a, «data»: b, «'*.id'»: c, «-1»: d}",
      "`0.data` is neither a predicate nor a path below the list of events | write `\"[0].data\"`",
      "`data` is neither a predicate nor a path below the list of events | write `\"[0].data\"` for the first event, or `any: {includes: {data: …}}`",
      "`*.id` is neither a predicate nor a path below the list of events | write `\"[*].id\"`",
      "`-1` is neither a predicate nor a path below the list of events | write `\"[-1]\"`"),
    .expect(
      "an unknown predicate", "json: {$.a: {«contians»: 1}}", "unknown predicate `contians` | did you mean `contains`?"),
    .expect(
      "a mapping is predicates", "json: {$.a: {«name»: Ann}}",
      "a mapping under `expect` is read as predicates, and `name` is not one | write {includes: {name: Ann}} (other members may be there), or `equals`"
    ),
    .expect(
      "what describes a value is not a predicate", "json: {$.a: {«id»: !uuid, name: !string}}",
      "a mapping under `expect` is read as predicates, and `id`, `name` are not | "
        + "write {includes: {id: !uuid, name: !string}} (other members may be there), or `equals`"),
    .expect(
      "predicates below names in `every`", "json: {$.a: {every: {«id»: {less_than: 4}}}}",
      "a mapping under `expect` is read as predicates, and `id` is not one | write {includes: {id: !is {less_than: 4}}} (other members may be there), or `equals`"
    ),
    .expect(
      "a path below `any`", "json: {$.a: {any: {«$.id»: 4}}}",
      "a mapping under `expect` is read as predicates, and `$.id` is not one | write {includes: {id: 4}} (other members may be there), or `equals`"
    ),
    .expect(
      "a misspelt predicate in what is denied", "json: {$.a: {not: {includes: {b: {«lessthan»: 4}}}}}",
      "inside an expected value `lessthan` is the name of a member, not a predicate | write `!is {less_than: …}` for the predicate, `!!map {lessthan: …}` for the member"
    ),
    .expect("a name that only resembles a predicate's", "json: {$.a: {includes: {b: {lessthan: 4}}}}"),
    .expect(
      "paths under `body`", "body: {«json»: {$.id: 1}}",
      "`json` stands under `body`, where predicates are | write `json:` beside `body:`, or instead of it"),
    .expect(
      "words of other tools below names", "json: {$.a: {«b»: {c: {gt: 3}}}}",
      "a mapping under `expect` is read as predicates, and `b` is not one | write {includes: {b: {c: !is {greater_than: 3}}}} (other members may be there), or `equals`"
    ),
    .expect(
      "a longer path below `every`", "json: {$.a: {every: {«$.b.c»: 3}}}",
      "a mapping under `expect` is read as predicates, and `$.b.c` is not one | write {includes: {b: {c: 3}}} (other members may be there), or `equals`"
    ),
    .expect(
      "members under `body`", "body: {«a»: 1}",
      "`body` is text, and `a` is not a predicate | write `json: {$.a: …}` instead of `body:`"),
    .expect(
      "paths in a list", "json: «[{$.id: 1}]»",
      "`json` under `expect` is a mapping, found a list | write the paths without `- `"),
    .expect(
      "paths under a key of their own", "json: «[{path: $.id, equals: 1}]»",
      "`json` under `expect` is a mapping, found a list | write the path as the key: {$.id: …}"),
    .expect(
      "no paths", "json: «{}»", "an empty mapping checks nothing | write what is expected, or remove `json`"),
    .expect(
      "a predicate in a key", "«body contains»: a",
      "unknown key `body contains` in `expect` | write `body: {contains: …}`"),
    .expect("kinds for values", "json: {$.a: !uuid, $.b: {equals: {c: !any?, d: [!each {e: !is {at_least: 1}}]}}}"),
    .expect("kinds with templates", "json: {$.a: {includes: {b: !uuid, c: \"${{ a }}\", d: !regex \"${{ a }}\"}}}"),
    .expect(
      "kinds beside templates that are unknown",
      "json: {$.a: {equals: {b: !uuid, c: !is {at_least: \"x\"}}}}".replacing(
        "\"x\"", with: "«x»"), "`at_least` takes a number or a date, found the text \"x\""),
    .expect(
      "an empty mapping checks nothing", "json: {$.a: «{}»}",
      "an empty mapping checks nothing | write `{equals: {}}` or `{exists: true}`"),
    .expect(
      "nothing nested may be empty", "json: {$.a: {every: «{}»}, $.b: {not: «{}»}, $.c: {count: «{}»}}",
      "an empty mapping checks nothing | write `{equals: {}}` or `{exists: true}`",
      "an empty mapping checks nothing | write `{equals: {}}` or `{exists: true}`",
      "an empty mapping checks nothing | write `{equals: {}}` or `{exists: true}`"),
    .expect(
      "not takes predicates", "json: {$.a: {not: «1»}}",
      "`not` takes a mapping of predicates, found a number | write `not_equals: 1`"),
    .expect(
      "an inclusion of nothing", "json: {$.a: {includes: {b: «[]»}}}",
      "every list includes the empty one: this checks nothing | write `equals` or `{count: 0}` for what must be empty"),
    .expect(
      "an inclusion of a scalar", "json: {$.a: {includes: «b»}}",
      "`includes` takes a mapping or a list, found the text \"b\" | write `contains` for one item or a part of a text"),
    .expect(
      "between has its lower border first", "json: {$.a: {between: «[3, 1]»}, $.b: {between: [1, 1.0]}}",
      "nothing lies between these: the first is greater than the second | write the lower one first"),
    .expect(
      "between takes two of a kind", "json: {$.a: {between: «[1, 2024-05-01]»}}",
      "`between` takes two numbers or two dates, found one of each"),
    .expect(
      "a comparison takes a number", "json: {$.a: {at_least: «\"3\"»}}",
      "`at_least` takes a number or a date, found the text \"3\" | remove the quotes"),
    .expect(
      "close_to", "json: {$.a: {close_to: «{value: 1, with: 2}»}, $.b: {close_to: «{value: 1, within: -1}»}}",
      "`close_to` takes a mapping of two numbers, `{value: …, within: …}`, found a mapping",
      "`within` is a distance, and never negative"),
    .expect(
      "divisible_by takes a number other than zero",
      "json: {$.a: {divisible_by: «0»}, $.b: {divisible_by: «\"3\"»}, $.c: {«multipleOf»: 3}}",
      "nothing is divisible by zero | write another number",
      "`divisible_by` takes a number, found the text \"3\"",
      "unknown predicate `multipleOf` | write `divisible_by: 3`"),
    .expect(
      "empty texts check nothing", "body: {contains: «\"\"», starts_with: «\"\"», matches: «\"\"»}",
      "`contains` with an empty text checks nothing | write `{is: empty}` for a text that must be empty",
      "`starts_with` with an empty text checks nothing | write `{is: empty}` for a text that must be empty",
      "`matches` with an empty text checks nothing | write `{is: empty}` for a text that must be empty"),
    .expect(
      "count is a number", "json: {$.a: {count: «\"2\"»}}",
      "`count` takes a number or a mapping of predicates, found the text \"2\""),
    .expect(
      "a kind names the nearest", "json: {$.a: {is: «integr»}}",
      "unknown value \"integr\" | did you mean `integer`?"
    ),
    .expect("kinds that YAML resolves", "json: {$.a: {is: null}}"),
    .expect(
      "a list of no values", "json: {$.a: {one_of: «[]»}}", "`one_of` takes a list of values, found an empty list"),
    .expect("sorted", "json: {$.a: {sorted: «up»}}", "unknown value \"up\": expected one of ascending, descending"),
    .expect(
      "a date", "json: {$.a: {before: «soon»}}",
      "`before` takes a date, such as 2024-05-01T10:00:00Z, found the text \"soon\""),
    .expect(
      "a pattern's error stands inside the pattern", "body: {matches: 'é«(»b'}",
      "invalid regular expression: missing closing parenthesis | close it by `)`, or write `\\(` for the character"),
    .expect(
      "a path's error stands inside the path", "json: {\"$.a[«»\": 1}",
      "invalid JSONPath: expected an index, a slice, a quoted name, `*` or a filter `?…`, found the end of the path"
        + " | write `[*]` for all items or members, `[0]` for the first"),
    .expect(
      "a path around a template is checked",
      "json: {«\"$.a[${{ i }}].b[\"»: 1, \"$.c[${{ i }}]\": 1, \"$[?@.n == ${{ n }}]\": []}",
      "invalid JSONPath: expected an index, a slice, a quoted name, `*` or a filter `?…`, found the end of the path"
        + " | write `[*]` for all items or members, `[0]` for the first"),
    .expect(
      "a list never equals a single value", "json: {\"$.a[*]\": «3»}",
      "warning: this path yields a list, however many values it finds: a single value never equals it | write [3] or {any: 3}"
    ),
    .expect(
      "a header's name stands once", "headers: {A: 1, «a»: 2}",
      "the header a stands twice: names match without case | write one, with a list of values"),
    .expect(
      "an entity tag", "headers: {ETag: «\"abc\"»}",
      "warning: YAML takes these quotes away; an entity tag has its own | write '\"abc\"'"),
    .expect(
      "a cookie's attributes", "cookies: {s: {secure: true, «htp_only»: true}}",
      "unknown cookie attribute `htp_only` | did you mean `http_only`?"),
    .expect(
      "a cookie's same_site", "cookies: {s: {same_site: «laxx»}, t: {same_site: Lax}}",
      "unknown value \"laxx\": expected one of strict, lax, none | did you mean `lax`?"),
    .expect(
      "bytes", "bytes: {«contains»: a, sha256: «ABC», md5: {not: {one_of: [«ABC»]}}}",
      "`bytes` has no `contains` | write {count: …}, {wire_count: …}, {sha256: …} or {md5: …}; `body` looks at the text",
      "a hash of this kind is 64 lower-case hexadecimal digits",
      "a hash of this kind is 32 lower-case hexadecimal digits"),
    .expect("bytes with sizes", "bytes: {count: {less_than: 1MiB, at_least: 300KB}}"),
    .expect(
      "an exact duration", "duration: «500ms»",
      "warning: no exchange takes exactly this long | write {less_than: 500ms}"),
    .expect(
      "a duration's operand has a unit", "duration: {less_than: «500»}",
      "the duration 500 has no unit | write 500ms, or 500s for seconds"),
    .expect(
      "a timing's phase", "timing: {«first_bite»: {less_than: 1s}}",
      "unknown value \"first_bite\": expected one of name_lookup, connect, tls, first_byte, total | did you mean `first_byte`?"
    ),
    .expect(
      "redirects are a list", "redirects: «1»", "`redirects` is the list of those that were followed | write {count: 1}"
    ),
    .expect(
      "parts of a subject",
      "body: {«regex»: a}\nhttp_version: {«as»: number}\nduration: {as: string, equals: a}\n"
        + "headers: {a: {regex: x, group: «3», equals: 1}, b: {as: «integr», equals: 1}, c: {as: integer, «starts_with»: a}}\n"
        + "status: «{regex: a, equals: 1}»\njson: {$.a: {every: {«as»: integer, equals: 1}}, $.b: {«group»: a, name: b}}",
      "nothing is expected of what `regex` takes | write `matches: a` instead, or a predicate beside it: {regex: a, equals: …}",
      "nothing is expected of what `as` takes | write `is: number` instead, or a predicate beside it: {as: number, equals: …}",
      "the pattern has no groups, and no group 3 | put parentheses around the part to take",
      "unknown value \"integr\": expected one of integer, number, boolean, string, date, url, json, first | did you mean `integer`?",
      "`starts_with` is for texts, and header c as integer is a number",
      "`status` is a number, of which no part is taken | write 200, 2xx, 200..<300, a list of these, or predicates without `regex` and `as`",
      "unknown predicate `as` | it stands beside the predicates of the subject itself: `body: {as: integer, at_least: 1}`",
      "a mapping under `expect` is read as predicates, and `group`, `name` are not | write {includes: {group: a, name: b}} (other members may be there), or `equals`"
    ),
    .expect(
      "several predicates on one subject",
      "body: {all: [{contains: a}, {regex: 'b(.)', as: integer, at_least: 1}]}\n"
        + "json: {$.a: {all: «[]»}, $.b: {every: {all: [«1»]}}, $.c: {«all»: {contains: a}}, $.d: {not: {all: [{contains: 1}]}}}\n"
        + "url: {all: [{contains: a}, {«sorted»: true}]}",
      "an empty list checks nothing | write mappings of predicates: `all: [{contains: a}, {contains: b}]`",
      "`all` takes a list of mappings of predicates, found a number | write {equals: 1}, or `includes` for items that a list has",
      "unknown predicate `all` | write `every: {contains: a}`",
      "`sorted` is for lists, and url is text"
    ),
    .expect(
      "parts of a text",
      "body: {contains: «[a, b]», not_contains: «[c]», includes: «{a: 1}»}\nurl: {includes: [a, 1]}",
      "body is text, and `contains` takes one part of it, found a list | write `includes: [a, b]` for several parts",
      "body is text, and `not_contains` takes one part of it, found a list | write `all: [{not_contains: …}, {not_contains: …}]` for several parts",
      "body is text, which has no members to include | write a list of parts of the text, or `json: {$: {includes: …}}` for a body that is JSON"
    ),
    .expect(
      "an address has no port", "remote_address: «127.0.0.1:80»\nlocal_address: ::1\nremote_port: 80",
      "warning: the address has no port: this never equals it | write the port under `remote_port` or `local_port`: 80"),
    .expect(
      "a cookie's attributes as in RFC 6265", "cookies: {s: {«Max-Age»: 1h, «HttpOnly»: true}}",
      "unknown cookie attribute `Max-Age` | write `max_age`", "unknown cookie attribute `HttpOnly` | write `http_only`"
    ),
    .expect(
      "an error's word", "error: «timeot»",
      "unknown value \"timeot\": expected one of dns, connection, tls, timeout, redirects | did you mean `timeout`?"),
    .expect(
      "an error stands alone", "error: «timeout»\nstatus: 200",
      "`error` stands alone under `expect`: a failed exchange has no response to check"),
  ]

  @Test(arguments: cases)
  func diagnostics(_ test: DiagnosticCase) { test.check() }

  @Test(arguments: ["headers: {content-length: 12}", "http_version: 1.1", "headers: {x: {equals: 12}}"])
  func numbersBesideATextAreText(_ expectation: String) throws {
    let file = try readSpec("url: http://h\nexpect: {\(expectation)}\n")
    let assertion = try #require(file.requests[0].settings.expect.assertions.first)
    guard case .predicates(let specs) = assertion.check, case .fixed(let predicate)? = specs.first,
      case .text? = predicate.value(of: .equals)
    else {
      Issue.record("not a text: \(assertion.check)")
      return
    }
  }
}
