import RequestSpecs
import Testing
import Values

/// What is said of words of other tools.
@Suite struct ForeignWordTests {
  static let inRequests: [(String, String)] = [
    ("check", "write `expect`"), ("assertions", "write `expect`"), ("match", "write `expect`"),
    ("bind", "write `capture`"), ("extract", "write `capture`"), ("register", "write `capture`"),
    ("sleep", "write `delay`"), ("if", "write `when`"), ("qs", "write `query`"), ("verb", "write `method`"),
    ("request", "write `method`, `url` and the others directly in the request"),
    ("http", "write `method`, `url` and the others directly in the request"),
    (
      "retries",
      "`retry: {attempts: 3}` tries again when the connection fails or the server says 429 or 5xx; to wait until `expect` holds write `poll: {attempts: 3}`"
    ),
    ("wait_until", "write `poll: {until: …}` in a request"),
    (
      "depends_on",
      "write `needs` in the file for files that run before it; requests run in their order, and read what earlier ones captured"
    ),
    ("assert", "write `expect`"), ("asserts", "write `expect`"), ("test", "write `expect`"),
    ("save", "write `capture`"),
    ("set", "write `capture`"), ("wait", "write `delay`"),
    ("flows", "it belongs to the file, in place of `requests`"),
    (
      "script",
      "nothing is executed: compute values in `variables`, and take them from responses by `capture: {name: {value: …}}`"
    ),
    (
      "pre_request",
      "nothing is executed: compute values in `variables`, and take them from responses by `capture: {name: {value: …}}`"
    ),
    ("before_all", "it is `setup` here, and belongs to the file or a flow"),
    ("statusCode", "write `expect: {status: 1}`"), ("POST", "write `method: POST` and `url: 1`"),
    ("get", "write `url: 1`"), ("base-url", "did you mean `base_url`?"),
    ("time_out", "did you mean `timeout`?"),
    (
      "zzz",
      "the usual keys here are name, method, url, headers, query, json, form, multipart; "
        + "`reqrun help key-index` has all"
    ),
  ]

  @Test("in a request", arguments: inRequests)
  func request(_ word: String, help: String) {
    DiagnosticCase(
      "", "requests:\n  - url: http://h\n    «\(word)»: 1\n", "unknown key `\(word)` in a request | \(help)"
    )
    .check()
  }

  @Test("code under `tests`, which is text")
  func script() {
    DiagnosticCase(
      "", "requests:\n  - url: http://h\n    «tests»: pm.test('ok')\n",
      "unknown key `tests` in a request | nothing is executed: compute values in `variables`, and take them from "
        + "responses by `capture: {name: {value: …}}`"
    ).check()
  }

  static let inFiles: [(String, String)] = [
    ("steps", "write `requests` in the file, or `flows` for several independent tests"),
    ("stages", "write `requests` in the file, or `flows` for several independent tests"),
    ("scenarios", "write `requests` in the file, or `flows` for several independent tests"),
    ("tests", "write `requests` in the file, or `flows` for several independent tests"),
    ("scenario_outline", "write `requests` in the file, or `flows` for several independent tests"),
    ("vars", "write `variables`"),
    (
      "env",
      "write `variables`; `environments` of them stand in the project file `reqrun.yaml`, and --env chooses one"
    ),
    (
      "environment",
      "write `variables`; `environments` of them stand in the project file `reqrun.yaml`, and --env chooses one"
    ),
    (
      "dependsOn",
      "write `needs` in the file for files that run before it; requests run in their order, and read what earlier ones captured"
    ),
    ("before", "write `setup`"), ("before_all", "write `setup`"), ("after", "write `teardown`"),
    ("after_all", "write `teardown`"),
    ("environments", "environments stand in the project file `reqrun.yaml`, and --env chooses one"),
    ("version", "remove it: a spec has no version"),
    ("check", "it is `expect` here, and belongs to a request, or under `defaults:`"),
    ("timeout", "write it under `defaults:` for all requests, or in a request"),
    ("method", "it belongs to a request, or under `defaults:`"),
  ]

  @Test("in a file", arguments: inFiles)
  func file(_ word: String, help: String) {
    DiagnosticCase(
      "", "requests:\n  - url: http://h\n«\(word)»: 1\n", "unknown key `\(word)` in a spec file | \(help)"
    ).check()
  }

  /// Words of other tools, with the words here, as authors of their specs know them.
  static let words: [(words: String, here: [String])] = [
    ("steps stages scenarios tests scenario_outline", ["requests", "flows"]),
    ("env environment", ["variables", "environments", "--env"]), ("vars", ["variables"]),
    ("check test assert asserts assertions", ["expect"]), ("bind save extract set", ["capture"]),
    ("include call import uses run", ["use"]), ("depends_on dependsOn", ["needs"]),
    ("loop for_each foreach with_items iteration parameterize examples repeat", ["each"]),
    ("max_retries retries", ["retry", "poll"]), ("retry_until wait_until", ["poll"]), ("wait sleep", ["delay"]),
    ("if", ["when"]), ("before before_all", ["setup"]), ("after after_all", ["teardown"]),
    ("script pre_request", ["nothing is executed", "variables", "capture"]),
  ]

  /// The places of such words, by what is around them.
  static let places: [(name: String, text: String)] = [
    ("a spec file", "requests:\n  - url: http://h\nWORD: 1\n"),
    ("a spec file with `url` at the top", "url: http://h\nWORD: 1\n"),
    ("a flow", "flows:\n  - requests: [{url: http://h}]\n    WORD: 1\n"),
    ("a request", "requests:\n  - url: http://h\n    WORD: 1\n"),
    ("a step with `use`", "requests:\n  - use: a.yaml\n    WORD: 1\n"),
    ("`defaults`", "defaults: {WORD: 1}\nrequests:\n  - url: http://h\n"),
  ]

  @Test("Every word at every place", arguments: places.map(\.name))
  func everywhere(_ place: String) throws {
    let text = try #require(Self.places.first { $0.name == place }).text
    for (words, here) in Self.words {
      for word in words.split(separator: " ").map(String.init) {
        var bag = DiagnosticBag()
        _ = LoadedFile.read(
          bytes: Array(text.replacing("WORD", with: word).utf8), path: "a.yaml", asProject: false, into: &bag)
        let problem = try #require(bag.diagnostics.first, "\(word)")
        #expect(bag.diagnostics.count == 1, "\(bag.diagnostics.map(\.line))")
        #expect(problem.message == "unknown key `\(word)` in \(place)")
        let help = problem.help ?? ""
        switch (place, word) {
        // What is expected and captured has another name, or other owners.
        case ("a request", "tests"), ("`defaults`", "tests"), ("a spec file with `url` at the top", "tests"):
          #expect(help.contains("`expect`") && help.contains("`flows`"), "\(word): \(help)")
        // Those of a flow are requests.
        case ("a flow", _) where here == ["requests", "flows"]: #expect(help == "write `requests`")
        case ("a step with `use`", "vars"): #expect(help == "write `with`")
        case ("a step with `use`", _) where here == ["capture"]: #expect(help == "write `take`")
        default:
          for name in here {
            let isWord = name.contains(" ") || name.hasPrefix("--")
            #expect(help.contains(isWord ? name : "`\(name)") || help.contains("`- \(name):"), "\(word): \(help)")
          }
        }
      }
    }
  }

  @Test("in `oauth2`", arguments: [("grant", "grant_type"), ("access_token_url", "token_url")])
  func oauth(_ word: String, name: String) {
    DiagnosticCase.request(
      "", "auth: {oauth2: {client_id: a, «\(word)»: client_credentials}}",
      "unknown key `\(word)` in `oauth2` | write `\(name)`"
    ).check()
  }

  static let inExpect: [(String, String)] = [
    ("statusCode", "write `status`"), ("latency", "write `duration`"),
    ("assert", "write its keys directly under `expect:`"),
    ("match", "write what is looked at first, such as `body: {matches: …}` or `json: {$.id: …}`"),
    ("capture", "it belongs to the request, beside `expect`"),
    ("save", "it is `capture` here, and belongs to the request, beside `expect`"),
    ("$.id", "write it under `json:`"), ("body.user.id", "write `json: {$.user.id: …}`"),
    ("header.Location", "write `headers: {Location: …}`"),
    (
      "zzz",
      "the usual keys here are status, headers, json, body, content_type, duration; `reqrun help expect` has all"
    ),
  ]

  @Test("in expectations", arguments: inExpect)
  func expect(_ word: String, help: String) {
    DiagnosticCase.expect("", "«\(word)»: 1", "unknown key `\(word)` in `expect` | \(help)").check()
  }

  static let predicates: [(String, String)] = [
    ("isInteger: true", "write `is: integer`"), ("isInteger: false", "write `is_not: integer`"),
    ("is_string: true", "write `is: string`"), ("isIsoDate: true", "write `is: datetime`"),
    ("notEmpty: true", "write `is_not: empty`"), ("not_null: true", "write `is_not: null`"),
    ("nonEmpty: true", "write `is_not: empty`"), ("\"null\": true", "write `is: null`"),
    ("not_exists: true", "write `exists: false`"), ("absent: false", "write `exists: true`"),
    ("toBe: 1", "write `equals: 1`"), ("deepEquals: 1", "write `equals: 1`"), ("toMatch: a", "write `matches: a`"),
    ("isCollection: true", "write `one_of: [!array, !object]`"), ("hasLength: 2", "write `count: 2`"),
    ("uppercase: true", "write a pattern: `matches: '^[^a-z]*$'`"), ("startsWith: a", "did you mean `starts_with`?"),
    ("equаls: 1", "write `equals` anew: it has U+0430 (cyrillic small letter a)"),
  ]

  @Test("for predicates", arguments: predicates)
  func predicate(_ member: String, help: String) {
    let key = member.split(separator: ":").first.map { $0.filter { $0 != "\"" } } ?? ""
    let (name, value) = (member.prefix { $0 != ":" }, member.drop { $0 != ":" })
    DiagnosticCase.expect("", "json: {$.a: {«\(name)»\(value)}}", "unknown predicate `\(key)` | \(help)").check()
  }

  static let characters: [(String, String)] = [
    (
      "url\u{200B}",
      "`url\u{200B}` is not `url`: it has U+200B (zero width space), which is not seen | write `url` anew"
    ),
    (
      "hеaders",
      "`hеaders` is not `headers`: it has U+0435 (cyrillic small letter ie), which only looks like `e` | write `headers` anew"
    ),
  ]

  @Test("a key with a character that misleads", arguments: characters)
  func character(_ key: String, message: String) {
    let url = key.hasPrefix("url") ? "" : "    url: http://h\n"
    DiagnosticCase("", "requests:\n  - «\(key)»: {}\n\(url)", message).check()
  }

  static let mistakes: [DiagnosticCase] = [
    .request(
      "what is not indented is told once", "method: POST\n«json»:\na: 1\nb: 2",
      "`json` has no value | indent the lines below it if they belong to it, else write a value or remove the key"),
    DiagnosticCase(
      "a dash without a space", "requests:\n  «-url»: http://h\n", "a space is missing after `-` | write `- url: …`"),
    .expect(
      "what is not indented under a path", "json:\n  «$.a»:\n  id: 1\n  $.b: 2",
      "`$.a` has no value | indent the lines below it if they belong to it, else write a value or remove the key"),
    DiagnosticCase(
      "a dash that is none", "requests:\n  «– url»: http://h\n",
      "U+2013 (en dash) is not the `-` of a list item | write `-` and a space"),
    DiagnosticCase(
      "no space after a key", "requests:\n  - «url:http://h»\n",
      "a space is missing after `url:` | write `url: http://h`"),
    DiagnosticCase(
      "no space after the only key", "«url:http://h»\n", "a space is missing after `url:` | write `url: http://h`"),
    DiagnosticCase(
      "a full-width colon", "requests:\n  - «url： http://h»\n",
      "U+FF1A (fullwidth colon) is not the `:` after a key | write `:` and a space"),
    DiagnosticCase(
      "requests by their names", "requests:\n  «first: {url: http://h}»\n",
      "`requests` is a list of requests, found a mapping | "
        + "write `- name: first`, and below it the keys of the request"),
    .request(
      "expectations under credentials", "auth: {bearer: x, «expect»: {status: 200}}",
      "unknown key `expect` in `auth` | it belongs to the request: indent it as `auth`"),
    .request(
      "expectations under headers", "headers:\n  Accept: a/b\n  «expect»: {status: 200}",
      "`expect` stands under `headers`, where it is the name of a header | "
        + "indent `expect:` and what is below it as `headers:`"),
    .request(
      "expectations in a body", "method: POST\njson:\n  a: 1\n  «expect»: {status: 200}",
      "warning: `expect` is sent as a part of `json` here | indent it only as far as `json:` if it belongs to the request"
    ),
    .request("data named expect in a body", "method: POST\njson: {expect: {good: 1}}"),
    DiagnosticCase(
      "a request line", "requests:\n  - «POST http://h/a»\n",
      "a request is a mapping, found text | write `method: POST` and `url: http://h/a`"),
    .expect(
      "a comparison", "json: «$.id == 1»",
      "`json` under `expect` is a mapping, found text | write `json: {$.id: 1}`"),
    .request(
      "comparisons in a list", "expect: «[status == 200, '$.n >= 3']»",
      "`expect` is a mapping, found a list | write {status: 200, json: {$.n: {at_least: 3}}}"),
    .request(
      "keys in a list", "expect: «[status: 200, body: a]»",
      "`expect` is a mapping, found a list | write the keys without `- `: {status: …, json: {…}}"),
    .request(
      "a quantifier that is none", "expect: {body: {matches: \"a«{2»\"}}",
      "warning: `{2` is not a quantifier here, but text | write `{2}` for a quantifier, or `\\{` for the character"),
    .request("braces that are meant", "expect: {body: {matches: 'a{2}\\{3 [{4] \\x{41} {\"a\":1}'}}"),
    .request(
      "a pattern between slashes", "expect: {body: {matches: «/^a$/i»}}",
      "warning: the slashes are part of the pattern | write '(?i)^a$'"),
    .request("a path as a pattern", "expect: {body: {matches: /users/}}"),
    .request(
      "captures without their JSONPath", "capture: {a: «json.id», b: «response.x.y», c: «headers.Location»}",
      "`json.id` is not something to capture | write `$.id`",
      "`response.x.y` is not something to capture | write `$.x.y`",
      "`headers.Location` is not something to capture | write {header: Location}"),
  ]

  @Test("mistakes of other kinds", arguments: mistakes)
  func mistake(_ test: DiagnosticCase) { test.check() }

  static let statuses: [(String, String)] = [
    ("200-299", "200..<300"), ("200..204", "200...204"), ("\"200,201\"", "[200, 201]"), ("200 OK", "200"),
    ("\">= 400\"", "400...999"), ("\"< 400\"", "100..<400"), ("not found", "404"), ("success", "2xx"), ("4**", "4xx"),
  ]

  @Test("a status in another notation", arguments: statuses)
  func status(_ text: String, instead: String) {
    let shown = text.filter { $0 != "\"" }
    DiagnosticCase.expect("", "status: «\(text)»", "\"\(shown)\" is not a status | write \(instead)").check()
  }
}

/// What a YAML file is taken for.
@Suite struct FileKindTests {
  static let foreign: [(String, String)] = [
    ("version: 3\nservices: {}\n", "it has neither `url` nor `requests`, but `version`, `services`"),
    (
      "name: CI\non: push\njobs: {}\nenv2: 1\nx: 1\n", "it has neither `url` nor `requests`, but `on`, `jobs`, `env2` …"
    ),
    ("kind: A\n---\nkind: B\n", "it has neither `url` nor `requests`, but `kind`"),
    ("a: !Ref b\n", "it has neither `url` nor `requests`, but `a`"),
    ("- a\n", "it is a list, not a mapping with `url` or `requests`"),
    ("name: a\n", "it has neither `url` nor `requests`"),
  ]

  @Test("something else, however it is written", arguments: foreign)
  func other(_ text: String, what: String) {
    var bag = DiagnosticBag()
    let file = LoadedFile.read(bytes: Array(text.utf8), path: "a.yaml", asProject: false, into: &bag)
    guard case .other(let found, _)? = file else {
      Issue.record("taken for a spec: \(bag.diagnostics.map(\.line))")
      return
    }
    #expect(found == what)
    #expect(bag.diagnostics.isEmpty)
  }

  @Test(
    "meant as a spec, and wrong",
    arguments: [
      "steps: []\n", "steps:\n  - url: http://h\n", "name: a\nstages: [{name: b}]\n", "setup:\n  - url: http://h\n",
      "teardown:\n  - url: http://h\n", "tests: {}\n", "requets: []\n", "GET: http://h\n", "method: GET\nfoo: 1\n",
      "variables: {a: 1}\nfoo: 1\n", "suite:\n  - request: {url: http://h}\n", "- url: http://h\n",
      "rеquests: []\n",
    ])
  func meantAsSpec(_ text: String) {
    var bag = DiagnosticBag()
    let file = LoadedFile.read(bytes: Array(text.utf8), path: "a.yaml", asProject: false, into: &bag)
    if case .other? = file { Issue.record("passed over") }
    #expect(bag.hasErrors)
  }

  @Test func anEmptyProjectFileMarksTheRoot() {
    var bag = DiagnosticBag()
    let file = LoadedFile.read(bytes: [], path: "reqrun.yaml", asProject: true, into: &bag)
    guard case .project? = file else {
      Issue.record("no project")
      return
    }
    #expect(bag.diagnostics.isEmpty)
  }
}
