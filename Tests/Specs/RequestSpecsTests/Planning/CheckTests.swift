import RequestSpecs
import Testing
import Values

/// What is found before anything is sent.
@Suite struct CheckTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let messages: [String]

    init(_ name: String, _ text: String, _ messages: String...) {
      self.name = name
      self.text = text
      self.messages = messages
    }

    var testDescription: String { name }
  }

  static let merged: [Case] = [
    Case(
      "no URL", "requests:\n  - «name: a»\n",
      "the request has no `url` | add `url:`; if `name` is about the request below it, leave out the `- ` before that one's keys"
    ),
    Case(
      "no URL but headers", "requests:\n  - url: http://h\n  - «headers: {a: b}»\n",
      "the request has no `url` | if `headers` is about the request before it, write it there: below `url:`, without `- `"
    ),
    Case(
      "no URL but a method", "requests:\n  - «method: PUT»\n",
      "the request has no `url` | add `url:`, at least `url: /`"),
    Case(
      "a content type that is none of multipart's",
      "requests:\n  - {url: http://h, headers: {Content-Type: «text/plain»}, multipart: {a: b}}\n",
      "the header Content-Type says \"text/plain\", and `multipart` makes another body | leave the header out, or take it away with `Content-Type: null`"
    ),
    Case(
      "a multipart type without its boundary is completed",
      "requests:\n  - {url: http://h, headers: {content-type: multipart/mixed}, multipart: {a: b}}\n"),
    Case(
      "a body of its own needs its boundary",
      "requests:\n  - {url: http://h, headers: {Content-Type: «multipart/form-data»}, body: b}\n",
      "warning: a multipart body needs the boundary between its parts in its Content-Type | write the parts under `multipart:`, or add `; boundary=…`"
    ),
    Case(
      "two codings", "requests:\n  - {url: http://h, headers: {«content-encoding»: br}, body: b, compress: gzip}\n",
      "the request has a Content-Encoding of its own, and `compress` would put another around it | leave out the header, or write `compress: none`"
    ),
    Case(
      "one coding, switched off",
      "requests:\n  - {url: http://h, headers: {content-encoding: br}, body: b, compress: none}\n"),
    Case(
      "an upload is not compressed", "requests:\n  - {url: http://h, upload: {file: a}, digest: «sha-256»}\n",
      "`compress` and `digest` are for bodies that go out whole, not for `upload` | leave it out, or send the file by `body: {file: …}`"
    ),
    Case(
      "a mistyped URL is not a missing one", "requests:\n  - «ulr»: /\n",
      "unknown key `ulr` in a request | did you mean `url`?"),
    Case(
      "no base", "requests:\n  - url: «/a»\n",
      "the URL has no scheme, and there is no `base_url` to put before it | write http:// or https:// and the host, or set `base_url` under `defaults`"
    ),
    Case(
      "a mistyped base is not a missing one", "defaults: {«base_ulr»: http://h}\nrequests:\n  - url: /a\n",
      "unknown key `base_ulr` in `defaults` | did you mean `base_url`?"),
    Case(
      "a place that nothing fills", "requests:\n  - url: http://h/«{id}»/{name}\n    path: {name: a}\n",
      "nothing fills `{id}` of the URL | add `path: {id: …}`"),
    Case(
      "a place in a URL with templates", "variables: {api: http://h}\nrequests:\n  - url: ${{ api }}/«{id}»\n",
      "nothing fills `{id}` of the URL | add `path: {id: …}`"),
    Case(
      "a value without a place", "requests:\n  - url: http://h/{id}\n    path: {id: 1, «nmae»: a}\n",
      "warning: the URL has no `{nmae}`"),
    Case("braces in a query are text", "requests:\n  - url: http://h/?a={id}\n"),
    Case(
      "GET with a body", "requests:\n  - url: http://h\n    method: «GET»\n    body: a\n",
      "a GET request with a body: its content has no defined meaning (RFC 9110, section 9.3.1) | write `method: POST`, or `query:` for parameters; `body_on_get: true` allows the body"
    ),
    Case(
      "a body under a GET of the defaults", "defaults: {method: HEAD}\nrequests:\n  - url: http://h\n    body: «a»\n",
      "a HEAD request with a body: its content has no defined meaning (RFC 9110, section 9.3.1) | write `method: POST`, or `query:` for parameters; `body_on_get: true` allows the body"
    ),
    Case(
      "GET with a body that is allowed", "requests:\n  - {url: http://h, method: GET, body: a, body_on_get: true}\n"),
    Case("GET with an empty body", "requests:\n  - {url: http://h, method: GET, body: ''}\n"),
    Case(
      "parameters in the body of a GET",
      "requests:\n  - {url: http://h, encoding: {destination: body}, parameters: {«a»: 1}}\n",
      "a GET request with a body: its content has no defined meaning (RFC 9110, section 9.3.1) | write `method: POST`, or `query:` for parameters; `body_on_get: true` allows the body"
    ),
    Case(
      "TRACE with a body", "requests:\n  - {url: http://h, method: «TRACE», body: a}\n",
      "a TRACE request can't have a body | remove the body, or use another method"),
    Case(
      "parameters beside a body", "requests:\n  - {url: http://h, body: a, parameters: {«b»: 1}}\n",
      "`parameters` go into the body here, and there is another body | write `query`, or `encoding: {destination: query}`"
    ),
    Case(
      "parameters in the query beside a body",
      "requests:\n  - {url: http://h, body: a, encoding: {destination: query}, parameters: {b: 1}}\n"),
    Case(
      "JSON parameters in the query",
      "requests:\n  - {url: http://h, method: POST, encoding: {format: json, destination: query}, parameters: {«b»: 1}}\n",
      "JSON parameters go into the body, and `destination` sends them to the query | write `format: form`, or leave out `destination: query`"
    ),
    Case(
      "an assertion that removes nothing", "requests:\n  - url: http://h\n    expect: {headers: {a: «null»}}\n",
      "there is nothing to remove here: no lower layer expects this | write {exists: false} for what must not be there"),
    Case(
      "CONNECT", "requests:\n  - {url: http://h, method: «CONNECT»}\n",
      "CONNECT opens a tunnel and can't be sent as a request | name the proxy with `proxy` instead"),
    Case(
      "a request target", "requests:\n  - {url: http://h, request_target: «a b»}\n",
      "the request target must be printable ASCII without spaces | percent-encode other characters"),
    Case(
      "a Host header", "requests:\n  - {url: http://h, headers: {Host: «http://a»}}\n",
      "the header Host must be a host, or host:port | leave out scheme and path"),
    Case(
      "a cookie's value", "requests:\n  - {url: http://h, cookies: {a: «b;c»}}\n",
      "the value of the cookie a contains a ; or a control character | percent-encode it, as in ${{ value | url_encode }}"
    ),
    Case(
      "a user name with a colon", "requests:\n  - {url: http://h, auth: {basic: {username: «'a:b'», password: c}}}\n",
      "a username of Basic credentials can't contain a colon"),
    Case(
      "a token with a space", "requests:\n  - {url: http://h, auth: {bearer: «a b»}}\n",
      "a bearer token must be printable ASCII without spaces | is there a line break at its end?"),
  ]

  static let names: [Case] = [
    Case(
      "an unknown variable", "variables: {limit: 1}\nrequests:\n  - url: http://h/${{ «limti» }}\n",
      "there is no variable `limti` | did you mean `limit`?"),
    Case(
      "in expectations and captures",
      "variables: {ok: 1}\nrequests:\n  - url: http://h\n    expect: {json: {$.a: \"${{ «okk» }}\"}, headers: {\"x-${{ «oka» }}\": 1}}\n    capture: {a: {json: $.a, default: \"${{ «okb» }}\"}}\n",
      "there is no variable `okk` | did you mean `ok`?",
      "there is no variable `oka` | did you mean `ok`?",
      "there is no variable `okb` | did you mean `ok`?"),
    Case(
      "in defaults that no request takes",
      "variables: {a: 1}\ndefaults: {base_url: \"${{ «b» }}\"}\nrequests:\n  - url: http://h\n",
      "there is no variable `b` | did you mean `a`?"),
    Case(
      "in variables that nothing reads", "variables: {one: 1, two: \"${{ «tree» }}\"}\nrequests:\n  - url: http://h\n",
      "there is no variable `tree` | known here: `env`, `one`, `two`"),
    Case(
      "a function without its call", "requests:\n  - url: http://h/${{ «random_int» }}\n",
      "there is no variable `random_int` | `random_int` is a function: write `random_int(from, to)`"),
    Case("the environment", "requests:\n  - url: http://h/${{ env.ANY }}\n"),
    Case(
      "a row where there is none", "requests:\n  - url: http://h/${{ «row».a }}\n",
      "there is no `row` here: only what runs for each row has it | write `each:` in the request, in its flow, or beside `requests:`"
    ),
    Case(
      "a capture that comes later",
      "requests:\n  - url: http://h/${{ «t» }}\n  - {name: login, url: http://h, capture: {t: $.t}}\n",
      "`t` is captured only later, by request \"login\" | move request \"login\" before this one, or write `${{ t | default(…) }}`"
    ),
    Case(
      "a capture of the request itself",
      "requests:\n  - url: http://h/${{ «t» }}\n    capture: {t: $.t}\n    expect: {json: {$.u: \"${{ t }}\"}}\n",
      "`t` is captured only from the response to this request | capture it by a request before this one, or declare its first value under `variables:`"
    ),
    Case(
      "a default covers what is not yet captured",
      "requests:\n  - url: http://h/${{ t | default('') }}\n    capture: {t: $.t}\n"),
    Case(
      "teardown reads all captures",
      "requests:\n  - {url: http://h, capture: {t: $.t}}\nteardown:\n  - url: http://h/${{ t }}\n"),
    Case(
      "a variable reads no capture",
      "variables: {v: \"${{ «t» }}\"}\nrequests:\n  - {name: login, url: http://h, capture: {t: $.t}}\n",
      "a variable cannot read `t`, which request \"login\" captures | variables are evaluated once, before the captures: write the template in the request"
    ),
    Case(
      "a circle",
      "variables: {«a»: \"${{ b }}\", b: \"${{ c }}\", c: \"${{ b }} ${{ a }}\"}\nrequests: []\n".replacing(
        "b: \"${{ c", with: "«b»: \"${{ c"),
      "these read each other in a circle: `b` → `c` → `b`",
      "these read each other in a circle: `a` → `b` → `c` → `a`"),
    Case(
      "a circle through a secret", "variables: {«a»: \"${{ S }}\"}\nsecrets: {S: \"${{ a }}\"}\nrequests: []\n",
      "these read each other in a circle: `a` → `S` → `a`"),
    Case(
      "a secret is not a variable, too", "variables: {«S»: 1}\nsecrets: [S]\nrequests: []\n",
      "`S` is declared as a secret, too | keep one of the two"),
    Case(
      "a mistyped `capture` makes no unknown names",
      "requests:\n  - {url: http://h, «captur»: {t: $.t}}\n  - url: http://h/${{ t }}\n",
      "unknown key `captur` in a request | did you mean `capture`?"),
    Case(
      "a bad capture makes no unknown name",
      "requests:\n  - {url: http://h, capture: {t: «staus»}}\n  - url: http://h/${{ t }}/${{ «u» }}\n",
      "`staus` is not something to capture | did you mean `status`?",
      "there is no variable `u` | did you mean `t`?"),
    Case(
      "three mistakes in one go",
      "requests:\n  - url: http://h/${{ «nope» }}\n    «metod»: GET\n    expect: {json: {\"$.a[«»\": 1}}\n",
      "unknown key `metod` in a request | did you mean `method`?",
      "invalid JSONPath: expected an index, a slice, a quoted name, `*` or a filter `?…`, found the end of the path"
        + " | write `[*]` for all items or members, `[0]` for the first",
      "there is no variable `nope` | declare it under `variables`, or capture it from a response"),
  ]

  @Test(arguments: merged + names)
  func diagnostics(_ test: Case) throws {
    let result = try Planning().plan(test.text)
    #expect(result.messages == test.messages)
    let places = result.diagnostics.compactMap { $0.range?.bytes }.sorted { $0.lowerBound < $1.lowerBound }
    #expect(places == result.marks.sorted { $0.lowerBound < $1.lowerBound })
    #expect((result.plan == nil) == result.diagnostics.contains { $0.severity == .error })
  }

  @Test func whatStandsInDefaultsNamesItsReader() throws {
    let result = try Planning().plan(
      "defaults: {auth: {bearer: \"${{ t }}\"}}\nrequests:\n  - url: http://h\n  - {url: http://h, capture: {t: $.t}}\n"
    )
    #expect(
      result.messages == [
        "`t` is captured only later, by request number 2 | "
          + "move request number 2 before this one, or write `${{ t | default(…) }}`"
      ])
    #expect(
      result.diagnostics.first?.notes.map { "\($0.range?.start.line ?? 0) \($0.message)" } == [
        "3 read by this request", "4 captured here",
      ])
  }

  @Test(
    "text of the command line is read as what it replaces, or an error",
    arguments: [
      ("n", "5", nil),
      (
        "n", "five",
        "`n` is declared as a number, and \"five\" is not | "
          + "give it as JSON to change its type: --var 'n:=…'"
      ),
      ("l", "[3]", "`l` is declared as a list, and \"[3]\" is text | give it as JSON: --var 'l:=[3]'"),
      ("m", "x", "`m` is declared as a mapping, and \"x\" is text | give it as JSON: --var 'm:=…'"),
      ("t", "[3]", nil), ("d", "2024-05-01T10:00:00Z", nil),
      (
        "d", "soon",
        "`d` is declared as a date, and \"soon\" is not | "
          + "give it as JSON to change its type: --var 'd:=…'"
      ),
    ] as [(String, String, String?)])
  func commandVariables(_ name: String, _ text: String, _ message: String?) throws {
    var planning = Planning()
    planning.options.variables = [CommandVariable(name: name, value: .text(text), isText: true)]
    let result = try planning.plan("url: http://h\nvariables: {n: 1, l: [1], m: {a: 1}, t: a, d: !date 2024-05-01}\n")
    #expect(result.messages == (message.map { [$0] } ?? []))
  }

  @Test func namesThatTheCommandMaySet() throws {
    var planning = Planning()
    planning.bases = ["variables: {base: \"${{ inBase }}\"}\n"]
    planning.project = "defaults: {headers: {A: \"${{ inProject }}\"}}\n"
    let names = try planning.settableNames(
      """
      variables: {own: 1}
      secrets: {secret: "${{ inSecret }}"}
      requests:
        - url: http://h/${{ inURL }}
          stream: {timeout: 5s, during: [{url: "http://h/${{ inNested }}"}]}
          expect: {body: "${{ inExpect }}"}
          capture: {captured: $.a}
      """)
    #expect(
      names == [
        "base", "inBase", "inProject", "own", "secret", "inSecret", "inURL", "inNested", "inExpect",
      ])
  }

  @Test func aProjectReadsItsOwnNamesOnly() throws {
    var planning = Planning()
    planning.project = "variables: {a: \"${{ b }}\"}\n"
    #expect(
      try planning.plan("variables: {b: 1}\nrequests: []\n").messages == [
        "there is no variable `b` | did you mean `a`?"
      ])
  }

  @Test func theDemoServersAddressIsKnownWhereItRuns() throws {
    var planning = Planning()
    #expect(
      try planning.plan("url: ${{ demo }}/get\n").messages == [
        "there is no variable `demo` | start the demo server with --demo, or write `demo: true` in the project file"
      ])
    planning.project = "demo: true\n"
    #expect(try planning.plan("url: ${{ demo }}/get\n").messages == [])
  }

  @Test func anEmptyMappingOfParametersIsThere() throws {
    let request = try Planning().request("{url: http://h, method: POST, parameters: {}}\n")
    #expect(request.settings.parameters.isGiven)
  }

  @Test func anErrorOfASharedLayerStopsEveryFile() throws {
    var bag = DiagnosticBag()
    var specs: [LoadedSpec] = []
    guard
      case .project(let project)? = LoadedFile.read(
        bytes: Array("defaults: {headers: {Host: a b}}\n".utf8), path: "reqrun.yaml", asProject: true, into: &bag)
    else { return }
    for _ in 1...2 {
      guard
        case .spec(let file)? = LoadedFile.read(
          bytes: Array("url: http://h\n".utf8), path: "a.yaml", asProject: false, into: &bag)
      else { return }
      specs.append(LoadedSpec(file: file, bases: [], project: project, lines: []))
    }
    let planner = Planner(options: PlanningOptions(), capabilities: [Platforms.curl])
    #expect(specs.map { planner.plan($0, into: &bag) == nil } == [true, true])
    #expect(bag.errorCount == 1)
  }

  static let overrides: [(declared: String, given: CommandVariable, expected: Value?)] = [
    ("5", CommandVariable(name: "v", value: .text("10"), isText: true), .integer(10)),
    ("5", CommandVariable(name: "v", value: .text("ten"), isText: true), nil),
    ("5", CommandVariable(name: "v", value: .text("ten"), isText: false), .text("ten")),
    ("true", CommandVariable(name: "v", value: .text("false"), isText: true), .bool(false)),
    ("true", CommandVariable(name: "v", value: .text("no"), isText: true), nil),
    ("null", CommandVariable(name: "v", value: .text("null"), isText: true), .null),
    ("null", CommandVariable(name: "v", value: .text("a"), isText: true), nil),
    ("a", CommandVariable(name: "v", value: .text("5"), isText: true), .text("5")),
  ]

  @Test(arguments: overrides)
  func textFromTheCommandTakesTheDeclaredType(declared: String, given: CommandVariable, expected: Value?) throws {
    var planning = Planning()
    planning.options.variables = [given]
    let result = try planning.plan("variables: {v: \(declared)}\nurl: http://h/${{ v }}\n")
    #expect(result.plan?.overrides["v"] == expected)
    #expect((result.plan == nil) == (expected == nil))
  }

  @Test func aSecretStaysSecretFromTheCommand() throws {
    var planning = Planning()
    planning.options.variables = [CommandVariable(name: "S", value: .text("x"), isText: true)]
    #expect(try planning.plan("secrets: [S]\nurl: http://h\n").plan?.overrides["S"]?.isSecret == true)
  }
}
