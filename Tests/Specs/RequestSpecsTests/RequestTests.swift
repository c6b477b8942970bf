import RequestSpecs
import Testing

@Suite struct RequestTests {
  @Test("a set of settings has a bit for each key") func settingSet() {
    #expect(RequestSettings.keyCount <= UInt64.bitWidth, "widen `SettingSet`")
  }

  /// Mistakes whose fix can be pasted.
  static let pasted: [DiagnosticCase] = [
    .request(
      "a condition in braces", "when: «'{{ n > 3 }}'»",
      "expected true or false, found the text \"{{ n > 3 }}\" | write '${{ n > 3 }}'"),
    .request(
      "a condition of a shell", "when: «$stage == prod»",
      "expected true or false, found the text \"$stage == prod\" | write '${{ stage == \"prod\" }}'"),
    .request(
      "a condition of two templates", "when: «${{ a > 1 }} and ${{ b or c }}»",
      "a condition is one template, and this is text with templates in it | write '${{ a > 1 and (b or c) }}'"),
    .request(
      "a name as a condition", "when: «stage»",
      "expected true or false, found the text \"stage\" | write '${{ stage }}' if it is true or false, or compare it: "
        + "'${{ stage == \"…\" }}'"),
    .request("a number as a condition", "when: «1»", "expected true or false, found the number 1 | write `true`"),
    .request(
      "a list as a condition", "when: «[a]»",
      "expected true or false, found a list | several conditions are one expression: '${{ … and … }}'"),
    .request(
      "a number in place of a reason", "skip: «1»",
      "expected true, false or a reason, found the number 1 | write `true`, or a reason in quotes"),
    .request(
      "`if` with a condition", "«if»: n > 3", "unknown key `if` in a request | write `when: '${{ n > 3 }}'`"),
    .request(
      "`unless`", "«unless»: ${{ n > 3 }}",
      "unknown key `unless` in a request | write `when: '${{ not (n > 3) }}'`"),
    .request(
      "`path` for the URL", "path: «/order»",
      "`path` is a mapping, found text | write `url: /order`; `path` has a value for each `{id}` of the URL"),
    .request(
      "a header without a colon", "headers:\n  «Accept text/plain»",
      "`headers` is a mapping, found text | write {Accept: text/plain}"),
    DiagnosticCase(
      "a request without a colon", "requests:\n  - «url http://h»\n",
      "a request is a mapping, found text | write `url: http://h`"),
    .expect(
      "an unknown tag with a list", "json: {$.a: «!any_of» [open, shut]}",
      "unknown tag `!any_of` | write `{one_of: [open, shut]}`"),
    DiagnosticCase(
      "a file of Tavern", "test_name: a\n«stages»:\n  - request: {url: x}\n",
      "this is a file of Tavern, and not a spec | write `requests:` in place of `stages:`, with `url`, `expect` and "
        + "`capture` in each"),
    DiagnosticCase(
      "a file of Artillery", "config: {target: x}\n«scenarios»:\n  - flow: []\n",
      "this is a file of Artillery, and not a spec | write `requests:` in place of `scenarios:`, with `url`, `expect` "
        + "and `capture` in each"),
    .request("`enabled`", "«enabled»: false", "unknown key `enabled` in a request | write `skip: true`"),
    .request(
      "`only`", "«only»: true",
      "unknown key `only` in a request | remove it: `reqrun FILE:LINE`, --name and --tags choose what runs"),
    .request(
      "`payload` with a mapping", "«payload»: {a: 1}", "unknown key `payload` in a request | write `json: {a: 1}`"),
    .request("`repeat`", "«repeat»: 3", "unknown key `repeat` in a request | write `each: {count: 3}`"),
    .request(
      "`paginate`", "«paginate»: {next: $.next}",
      "unknown key `paginate` in a request | write `each: {next: …}`, with the source of the next page"),
    .request(
      "a body with its kind", "body: «{type: json, value: {a: 1}}»",
      "the kind of a body is a key of the request | write `json: {a: 1}` in place of `body:`"),
    .request(
      "a capture with its source as a value", "capture: {x: «{from: header, name: ETag}»}",
      "the source of a capture is a key of its own | write {header: ETag}"),
    .request(
      "a capture of another tool", "capture: {id: «response.body.orderId»}",
      "`response.body.orderId` is not something to capture | write `$.orderId`"),
    DiagnosticCase(
      "`params` of a single request", "url: http://h\n«params»: {a: 1}\n",
      "unknown key `params` in a spec file with `url` at the top | write `query`"),
    DiagnosticCase(
      "`location` for the URL", "«location»: http://h\nexpect: {status: 200}\n",
      "unknown key `location` in a spec file | write `url: http://h`, or under `expect:` what it must be: "
        + "`headers: {Location: …}`"),
    DiagnosticCase(
      "a need with another key", "needs: [{«file»: a.yaml}]\nurl: http://h\n",
      "unknown key `file` in a need | write `use`"),
    .expect(
      "a status that is not expected", "status: «not 404»", "\"not 404\" is not a status | write {not_equals: 404}"),
    .expect(
      "a rounded number", "json: {$.a: {«approx»: 3}}",
      "unknown predicate `approx` | write `close_to: {value: 3, within: 0.01}`"),
    .expect(
      "quotes of two kinds in a path", "json:\n  '$[«\"»status'']': 1",
      "invalid JSONPath: the string that starts here has no closing `\"` | write `$['status']`"),
    .expect(
      "a key in braces that holds its value", "{«status 201»}",
      "`status 201` has no value | write `status: 201`"),
  ]

  @Test("fixes that can be pasted", arguments: pasted)
  func paste(_ testCase: DiagnosticCase) { testCase.check() }

  static let cases: [DiagnosticCase] = [
    .request("a synonym", "«captures»: {}", "unknown key `captures` in a request | write `capture`"),
    .request(
      "advice where the key belongs elsewhere", "«status»: 200",
      "unknown key `status` in a request | write `expect: {status: 200}`"),
    .request(
      "a method is a token", "method: «PO ST»",
      "\"PO ST\" is not a method | a method is one word of letters, such as GET"),
    .request(
      "a method in lower case is most likely a slip", "method: «get»",
      "warning: methods are case-sensitive: `get` is not GET | write GET"),
    DiagnosticCase(
      "a URL's problem stands at its place", "requests:\n  - url: https://example.com:«99999»/\n",
      "a port is a number from 0 to 65535"),
    DiagnosticCase(
      "` #` cuts a URL", "requests:\n  - url: http://h/a «#top»\n",
      "warning: ` #` begins a comment: the URL ends before it | put the URL in quotes"),
    DiagnosticCase("a comment after a URL is a comment", "requests:\n  - url: http://h/a # the home page\n"),
    DiagnosticCase(
      "a template without its `$`", "requests:\n  - url: http://h/«{{ id }}»\n",
      "`{{ … }}` is not a template: a template has a `$` before it | write `${{ id }}`"),
    DiagnosticCase("a URL in a query is not a scheme", "requests:\n  - {url: /to?x=http://a, base_url: http://h}\n"),
    .request(
      "a base is absolute", "base_url: «h»", "the URL has no scheme | write http:// or https:// before the host"),
    .request(
      "a duration has a unit", "timeout: «5»\ndelay: «\"3\"»",
      "the duration 5 has no unit | write 5s, or 5ms for milliseconds",
      "the duration 3 has no unit | write 3s, or 3ms for milliseconds"),
    .request(
      "a duration that no clock holds", "delay: «999999999d»",
      "expected a duration such as 250ms, 5s, 2m, 1h or 30d, found the text \"999999999d\""),
    .request("a timeout is longer than 0", "timeout: «0»", "a timeout is longer than 0 | leave it out for the default"),
    .request(
      "two bodies", "json: {}\n«form»: {a: 1}",
      "`form` and `json` are both bodies: a request has one | put the fields of `form:` into `json:`, or those of `json:` into `form:`; `query:` goes beside either"
    ),
    .request(
      "JSON in a text", "json: «'{\"a\": 1}'»",
      "warning: this is sent as one JSON string, not as the structure that it shows | write `json: {\"a\": 1}`, without quotes around it"
    ),
    .request(
      "base64 is checked", "body: {base64: «a*b»}",
      "this is not base64 | it has letters, digits, `+` and `/`, in groups of four filled up with `=`"),
    .request("an empty body mapping", "body: «{}»", "`body` is text, {file: …} or {base64: …}, found neither of them"),
    .request(
      "a block body and its hash", "headers: {Content-MD5: abc}\nbody: «|»\n  text",
      "warning: this body ends with a line break, which belongs to what is hashed | write `|-` to leave it out"),
    .request(
      "an open brace in a query", "graphql: {query: '«{» order { id }'}",
      "this `{` of the query is never closed | add a closing `}`"),
    .request("braces in texts of a query", "graphql: {query: '{ order(note: \"{\") { id } } # {'}"),
    .request(
      "an operation that the query lacks", "graphql: {query: 'query orders { a }', operation: «order»}",
      "the query has no operation `order` | did you mean `orders`?"),
    .request(
      "two operations", "graphql: {query: «'query a { x } mutation b { y }'»}",
      "the query has 2 operations, and nothing says which one runs | add `operation: a`"),
    .request(
      "a variable that the query doesn't declare",
      "graphql: {query: 'query q($id: ID!) { a(id: $id) }', variables: {«ID»: 1}}",
      "warning: the query declares no variable `ID`, which is ignored | did you mean `id`?"),
    .request(
      "a query with fragments and variables",
      "graphql: {query: 'query q($a: Int = 1) { x(a: $a) { ...F } } fragment F on T { y }', variables: {a: 2}, operation: q}"
    ),
    .request(
      "variables as text", "graphql: {query: '{ a }', variables: «'{\"a\": 1}'»}",
      "`variables` of a query is a mapping, found the text \"{\\\"a\\\": 1}\" | leave out the quotes around it"),
    .request("graphql needs a query", "graphql: «{operation: a}»", "`graphql` needs `query`"),
    .request(
      "graphql variables are a mapping", "graphql: {query: a, variables: «[1]»}",
      "`variables` of a query is a mapping, found a list"),
    .request(
      "a header's name is a token", "headers: {«\"a b\"»: 1}",
      "\"a b\" is not a header name | header names are letters, digits and hyphens, without spaces or colons"),
    .request(
      "a header's name stands once, whatever its case", "headers: {A: 1, «a»: 2}",
      "the header a stands twice: names match without case | write one, with a list of values"),
    .request(
      "a header's value is one line", "headers: {a: «\"b\\nc\"»}", "a header's value cannot hold a line break or NUL"),
    .request(
      "a header's value is text", "headers: {a: [b, «{c: 1}»]}",
      "a header's value is text or a list of texts, found a mapping"),
    .request(
      "an entity tag that lost its quotes", "headers: {If-None-Match: «\"abc\"»}",
      "warning: YAML takes these quotes away; an entity tag has its own | write '\"abc\"'"),
    .request(
      "a cookie is a scalar", "cookies: {a: «{b: 1}»}", "`cookies` takes text, numbers, true and false, found a mapping"
    ),
    .request(
      "one kind of credentials", "auth: {bearer: a, «basic»: {username: a, password: b}}",
      "`basic` and `bearer` are both credentials: a request has one kind"),
    .request(
      "an API key", "auth: {«api_key»: abc}",
      "an API key is a header, or a parameter of the query | write it under `headers:`, with the name that the server expects"
    ),
    .request(
      "an API key by its kind", "auth: {«type»: apikey, key: X-Key, value: abc}",
      "an API key is a header, or a parameter of the query | write it under `headers:`, with the name that the server expects"
    ),
    .request("basic needs both", "auth: {basic: «{username: a}»}", "`basic` needs `username` and `password`"),
    .request(
      "oauth2 by other words", "auth: {oauth2: {«grant»: password, «access_token_url»: \"http://h\"}}",
      "unknown key `grant` in `oauth2` | write `grant_type`",
      "unknown key `access_token_url` in `oauth2` | write `token_url`"),
    .request("digest needs both", "auth: {digest: «{password: a}»}", "`digest` needs `username` and `password`"),
    .request("ntlm needs both", "auth: {ntlm: «{password: a}»}", "`ntlm` needs `username` and `password`"),
    .request(
      "a password alone", "auth: {digest: «x»}", "`digest` is a mapping, found text | write {username: …, password: …}"),
    .request(
      "a user by another word", "auth: {basic: {«user»: a, «pass»: b}}",
      "unknown key `user` in `basic` | write `username`",
      "unknown key `pass` in `basic` | write `password`"),
    .request(
      "a token in a mapping", "auth: {bearer: «{token: x}»}",
      "`bearer` is the token itself, found a mapping | write {bearer: \"${{ token }}\"}"),
    .request(
      "a kind of credentials as a value", "auth: {«type»: bearer, token: x}",
      "the kind of credentials is a key of its own, not `type` | write {bearer: …}"),
    .request(
      "a kind of credentials with a password", "auth: {username: a, password: b, «type»: digest}",
      "the kind of credentials is a key of its own, not `type` | write {digest: {username: …, password: …}}"),
    .request(
      "a slip in a method", "method: «POTS»", "warning: `POTS` is sent as it stands | did you mean POST?"),
    .request("a method of WebDAV", "method: PROPFIND"),
    .request(
      "a unit that is written out", "delay: «5 seconds»",
      "expected a duration such as 250ms, 5s, 2m, 1h or 30d, found the text \"5 seconds\" | write 5s"),
    .request(
      "a template of another tool as a token", "auth: {bearer: \"«{{ token }}»\"}",
      "`{{ … }}` is not a template: a template has a `$` before it | write `${{ token }}`"),
    .request(
      "redirects as a flag", "redirects: «true»", "expected one of follow, none, found true | write `follow`"),
    .request(
      "redirects as a number", "redirects: «5»",
      "expected one of follow, none, found the number 5 | write {max: 5}"),
    .request(
      "compression as a flag", "compress: «true»", "expected one of gzip, deflate, none, found true | write `gzip`"),
    .request(
      "headers as text", "headers: «'A: b'»",
      "`headers` is a mapping, found text | write {A: b}"),
    .request(
      "a query as text", "query: «a=1»",
      "`query` is a mapping, found text | write {a: 1}"),
    .request(
      "a session's word", "session: «none»",
      "`session` is a mapping, found text | write {cookies: none}, {cache: protocol} or both"),
    .request(
      "an encoding's word", "encoding: «json»",
      "`encoding` is a mapping or `alamofire`, found text | write {format: json}"),
    .request(
      "the words of others", "«payload»: a\n«verify»: false\n«extract»: {}\n«query_params»: {}\n«frobnicate»: 1",
      "unknown key `payload` in a request | write `body`",
      "unknown key `verify` in a request | write it under `tls:`",
      "unknown key `extract` in a request | write `capture`",
      "unknown key `query_params` in a request | write `query`",
      "unknown key `frobnicate` in a request | the usual keys here are name, method, url, headers, query, json, form, multipart; `reqrun help key-index` has all"
    ),
    .request(
      "the templates of others",
      "headers: {X-A: '«${name}»', X-B: 'a ${ b', X-C: '${b c}'}\nquery: {a: '«{{ name }}»'}",
      "warning: `${…}` is sent as it stands: a template has two braces | write `${{ name }}`",
      "warning: `{{ … }}` is sent as it stands: a template has a `$` before it | write `${{ name }}`"),
    .request(
      "a stream as a flag", "stream: «true»",
      "expected one of sse, ndjson, text, websocket, found true | write `sse`, `ndjson`, `text` or `websocket`, or {format: sse} with what ends it"
    ),
    .request(
      "a stream of JSON", "stream: «json»",
      "unknown value \"json\": expected one of sse, ndjson, text, websocket | write `ndjson` for JSON in each line"),
    .request(
      "a path beside the parts of an event", "stream: {until: {«$.state»: done}}",
      "unknown key `$.state` in `until` | write {json: {$.json.state: …}}"),
    .request(
      "a path into an event without its root", "stream: {until: {json: {«state»: done}}}",
      "invalid JSONPath: a JSONPath starts with `$` | write `$.json.state`"),
    .request(
      "what an event's JSON meets, alone", "stream: {until: {json: «done»}}",
      "`json` under `until` is a mapping of JSONPaths, found text | write {$.json.state: done}: a path into the event, and what is expected there"
    ),
    .request(
      "a variant by its height", "hls: {to: a, variant: «720p»}",
      "unknown value \"720p\": expected one of highest, lowest | write `highest`, `lowest`, {resolution: 1280x720} or {bandwidth: {at_most: 3000000}}"
    ),
    .request(
      "a variant by its size", "hls: {to: a, variant: «640x360»}",
      "unknown value \"640x360\": expected one of highest, lowest | write {resolution: 640x360}"),
    .request(
      "a variant's word misspelt", "hls: {to: a, variant: «higest»}",
      "unknown value \"higest\": expected one of highest, lowest | did you mean `highest`?"),
    .request(
      "an unknown key of digest", "auth: {digest: {«usename»: a, password: b}}",
      "unknown key `usename` in `digest` | did you mean `username`?"),
    .request(
      "aws_sigv4 needs its keys", "auth: {aws_sigv4: «{access_key: a, region: b}»}",
      "`aws_sigv4` needs `access_key` and `secret_key`"),
    .request(
      "an unknown key of aws_sigv4", "auth: {aws_sigv4: {access_key: a, secret_key: b, «regoin»: c}}",
      "unknown key `regoin` in `aws_sigv4` | did you mean `region`?"),
    .request(
      "netrc is a word", "auth: {«netrc»: true}", "unknown key `netrc` in `auth` | write `auth: netrc`"),
    .request(
      "a username without its kind", "auth: {«username»: a, password: b}",
      "these credentials lack the key that says their kind | write {basic: {username: …, password: …}}"),
    .request(
      "an unknown word of auth", "auth: «netrcc»",
      "`auth` is a mapping, `netrc`, `negotiate` or `none`, found text | "
        + "write {basic: {username: …, password: …}}, {bearer: …} or another kind of credentials"),
    .request(
      "auth is a mapping", "auth: «{}»",
      "`auth` is a mapping, `netrc`, `negotiate` or `none`, found an empty mapping | "
        + "write {basic: {username: …, password: …}}, {bearer: …} or another kind of credentials"
    ),
    .request(
      "an enumeration names the nearest", "redirects: «folow»",
      "unknown value \"folow\": expected one of follow, none | did you mean `follow`?"),
    .request("an integer has its bounds", "redirects: {max: «-1»}", "expected an integer from 0 to 1000, found -1"),
    .request(
      "a cache by its policy", "session: {cache: «protocoll»}",
      "unknown value \"protocoll\": expected one of protocol, ignore, reload, only | did you mean `protocol`?"),
    .request("a directory is text", "session: {cache_directory: «{a: b}»}", "expected text, found a mapping"),
    .request(
      "what the cache did", "expect: {cache: «hitt»}",
      "unknown value \"hitt\": expected one of hit, revalidated, miss, bypass | did you mean `hit`?"),
    .request(
      "transport takes no template", "transport: «${{ a }}»", "`transport` takes no template | write the value itself"),
    .request(
      "skip: no", "skip: «no»",
      "\"no\" is text in YAML 1.2, and would be the reason to skip | write `true`, `false` or a sentence"),
    .request(
      "when: yes", "when: «yes»",
      "expected true or false, found the text \"yes\" | YAML 1.2 knows only `true` and `false`: write `true`"),
    .request(
      "when: quoted", "when: «\"true\"»", "expected true or false, found the text \"true\" | leave out the quotes"),
    .request(
      "validate checks something", "validate: «{}»",
      "an empty mapping validates nothing | write `none`, or `status` or `content_type`"),
    .request(
      "validate's media types", "validate: {content_type: [«json»]}",
      "\"json\" is not a media type | write both of its parts, such as application/json"),
    .request(
      "an encoding", "encoding: {array: «bracket», date: {format: yyyy-«Q»Q}}",
      "unknown value \"bracket\": expected one of no_brackets, brackets, index_in_brackets | did you mean `brackets`?",
      "the letter \"Q\" is not one of yMdEHmsSZX; put text in single quotes"),
    .request(
      "an encoding's time zone", "encoding: {date: {format: yyyy, time_zone: «Mars»}}",
      "there is no time zone \"Mars\": it is \"UTC\", an offset such as \"+02:00\", or a name of the system's database such "
        + "as \"Europe/Paris\""),
    .request(
      "an encoding's preset", "encoding: «alamofir»",
      "`encoding` is a mapping or `alamofire`, found text | did you mean `alamofire`?"),
    .request("a mapping where text is wanted", "request_target: «{a: \"${{ b }}\"}»", "expected text, found a mapping"),
    .request(
      "a number where text is wanted", "request_target: «5»", "expected text, found the number 5 | quote it: \"5\""),
  ]

  @Test(arguments: cases)
  func diagnostics(_ test: DiagnosticCase) { test.check() }

  static let captures: [DiagnosticCase] = [
    .request(
      "every source",
      """
      capture:
        a: $.id
        b: {header: Location, regex: '/(\\d+)', as: integer, default: 0, secret: true}
        c: {cookie: s}
        d: {regex: 'a(b)'}
        e: {link: next}
        f: {timing: first_byte}
        g: status
        h: {body: true, as: json}
        i: [] 
      """.replacing("  i: [] ", with: "  i: remote_address")),
    .request(
      "a name that templates can read", "capture: {«uuid»: $.a, «a.b»: $.a}",
      "`uuid` cannot be the name of a capture: in templates it has a meaning of its own",
      "\"a.b\" is not a name that a template can read | use letters, digits and `_`, beginning with a letter"),
    .request(
      "an unknown source", "capture: {a: «staus»}", "`staus` is not something to capture | did you mean `status`?"),
    .request(
      "a source that takes a name", "capture: {a: «header»}",
      "`header` needs what to take | write {header: …}"),
    .request(
      "two sources", "capture: {a: {header: b, «cookie»: c}}",
      "a capture has one source | give each a name of its own, or write {first: […]} for the first that is found"),
    .request(
      "no source", "capture: {a: «{as: integer}»}",
      "a capture needs a source | one of status, header, trailer, cookie, link, json, xpath, csv, body, bytes, duration, timing, redirects, url, http_version, remote_address, remote_port, local_address, local_port, certificate, events, calls, value, file, regex"
    ),
    .request(
      "attributes of cookies",
      "capture: {a: {cookie: s, attribute: expires}, b: {cookie: s, attribute: «Max-Age»}, c: {header: s, «attribute»: path}}",
      "unknown value \"Max-Age\": expected one of value, domain, path, expires, max_age, secure, http_only, same_site | write `max_age`",
      "`attribute` belongs to a `cookie`, and there is none | write it beside {cookie: …}"
    ),
    .request(
      "groups",
      """
      namespaces: {x: urn:x}
      capture:
        a: {regex: '(?<y>a)(b)', group: 2}
        b: {regex: '(?<y>a)(b)', group: y}
        c: {regex: '(?<y>a)(?<z>b)', group: [y, z]}
        d: {xpath: string(//x:a), regex: "${{ r }}", group: 0}
        e: {xpath: "//a[@id=${{ d }}]", as: first}
      """),
    .request(
      "groups that are not there", "capture: {a: {regex: 'a', group: «1»}, b: {regex: '(?<x>a)', group: «[yy]»}}",
      "the pattern has no groups, and no group 1 | put parentheses around the part to take",
      "the pattern has no group named `yy` | its groups are x"),
    .request(
      "a bad XPath", "capture: {a: {xpath: '//b[«»'}}",
      "invalid XPath: expected a step: a name, `*`, `@…`, `.` or `..`, found the end of the expression"),
    .request(
      "quotes around a template in an XPath", "capture: {a: {xpath: «\"//b[@c='${{ x }}']\"»}}",
      "invalid XPath: expected an operator or `]`, found `x` | leave out the quotes around a template: its value becomes a literal"
    ),
    .request(
      "a bad XPath around a template", "capture: {a: {xpath: «'//b[${{ x }}'»}}",
      "invalid XPath: the `[` that starts here has no closing `]`"),
    .request(
      "a bad conversion", "capture: {a: {json: $.a, as: «int»}}",
      "unknown value \"int\": expected one of integer, number, boolean, string, date, url, json, first | write `integer`"
    ),
    .request(
      "a bad path", "capture: {a: '$.a[«»'}",
      "invalid JSONPath: expected an index, a slice, a quoted name, `*` or a filter `?…`, found the end of the path"
        + " | write `[*]` for all items or members, `[0]` for the first"),
    .request(
      "a bad pattern", "capture: {a: {regex: 'a«(»b'}}",
      "invalid regular expression: missing closing parenthesis | close it by `)`, or write `\\(` for the character"),
    .request(
      "secret takes no template", "capture: {a: {json: $.a, secret: «\"${{ b }}\"»}}",
      "`secret` takes no template | write the value itself"),
    .request(
      "an error leaves nothing to capture", "expect: {error: timeout}\ncapture: {«a»: $.a}",
      "a request that expects an error has no response to capture from"),
  ]

  @Test(arguments: captures)
  func captureDiagnostics(_ test: DiagnosticCase) { test.check() }
}
