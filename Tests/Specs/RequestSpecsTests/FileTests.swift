import RequestSpecs
import Testing
import Values

@Suite struct FileTests {
  static let cases: [DiagnosticCase] = [
    DiagnosticCase(
      "an unknown key names the nearest", "requests: []\n«variabels»: {}\n",
      "unknown key `variabels` in a spec file | did you mean `variables`?"),
    DiagnosticCase(
      "`request` is a near miss of `requests`", "«request»:\n  - url: http://h\n",
      "unknown key `request` in a spec file | write `requests`"),
    DiagnosticCase(
      "a list is not a spec", "«- url: http://h»\n",
      "a spec file is a mapping with `requests` or `url`, found a list | write the list under `requests:`"),
    DiagnosticCase("x- keys are ignored", "x-anchors: {a: 1}\nrequests:\n  - url: http://h\n    x-note: 1\n"),
    DiagnosticCase("a file may be used", "requests: [{use: a.yaml, with: {a: 1}, take: {b: c}}]\n"),
    DiagnosticCase(
      "a used file takes no template", "requests: [{use: «\"${{ a }}\"»}]\n",
      "`use` takes no template | write the text itself"),
    DiagnosticCase(
      "keys of requests beside `use`", "requests: [{use: a.yaml, «url»: http://h}]\n",
      "unknown key `url` in a step with `use` | it belongs to a request: a step with `use` sends none of its own"),
    DiagnosticCase(
      "a condition on one response beside `use`", "requests: [{use: a.yaml, poll: {until: {status: «200»}}}]\n",
      "`status` looks at one response, and a used file has several | capture it in that file, and compare the capture: "
        + "`until: {values: {state: done}}`"),
    DiagnosticCase(
      "captures of `use`", "requests: [{use: a.yaml, «capture»: {a: $.b}}]\n",
      "unknown key `capture` in a step with `use` | write `take: {name: its capture}`"),
    DiagnosticCase(
      "`with` without `use`", "requests: [{url: http://h, «with»: {a: 1}}]\n",
      "unknown key `with` in a request | it belongs beside `use`, which names a file"),
    DiagnosticCase(
      "`take` is a mapping", "requests: [{use: a.yaml, take: «[a]»}]\n",
      "`take` is a mapping of new names to captures, found a list | write `take: {a: a}`; without `take` all captures come out under their own names"
    ),
    DiagnosticCase("a need is a path", "needs: login.yaml\nrequests: [{url: http://h}]\n"),
    DiagnosticCase("needs are paths or mappings", "needs: [a.yaml, {use: b.yaml}]\nrequests: [{url: http://h}]\n"),
    DiagnosticCase("needs have names", "needs: {a: a.yaml, b: {use: b.yaml}}\nrequests: [{url: http://h}]\n"),
    DiagnosticCase(
      "needs take no template", "needs: [«\"${{ a }}\"»]\nrequests: [{url: http://h}]\n",
      "`needs` takes no template | write the text itself"),
    DiagnosticCase(
      "a need has a file", "needs: [«{with: {a: 1}}»]\nrequests: [{url: http://h}]\n",
      "a need has no file | add `use: …` with the path of a spec file"),
    DiagnosticCase(
      "one need with values is a list", "needs: «{use: a.yaml}»\nrequests: [{url: http://h}]\n",
      "`needs` with `use` in it is a list | write `needs: [{use: …}]`, or give it a name: `needs: {login: {use: …}}`"),
    DiagnosticCase(
      "a request behind `#` has a name", "needs: [«\"a.yaml#\"»]\nrequests: [{url: http://h}]\n",
      "`needs` is the path of a spec file, found \"a.yaml#\" | write `needs: login.yaml`, or `needs: \"login.yaml#name of a request\"`"
    ),
    DiagnosticCase(
      "a name of a need is one that templates read", "needs: {«a-b»: a.yaml}\nrequests: [{url: http://h}]\n",
      "\"a-b\" is not a name that a template can read | use letters, digits and `_`, beginning with a letter"),
    DiagnosticCase(
      "keys of needs", "needs: [{use: a.yaml, «vars»: {}}]\nrequests: [{url: http://h}]\n",
      "unknown key `vars` in a need | write `with`"),
    DiagnosticCase(
      "`requests` and `url` exclude each other", "url: http://h\n«requests»: []\n",
      "a file has either `url` at the top or `requests`, not both | move `url` and what belongs to it into the list"),
    DiagnosticCase(
      "file keys stand beside `url`",
      "name: One\nurl: http://h\ntags: [a]\nvariables: {a: 1}\nteardown:\n  - url: http://h\n"),
    DiagnosticCase(
      "requests are a list", "requests: «{url: http://h}»\n",
      "`requests` is a list of requests, found a mapping | begin each request with `- `"),
    DiagnosticCase(
      "a request is a mapping", "requests: [«http://h»]\n", "a request is a mapping, found text | put `url: ` before it"
    ),
    DiagnosticCase(
      "tags are texts without templates", "requests: []\ntags: [«1», «\"${{ a }}\"»]\n",
      "`tags` is text or a list of texts, found a number | quote it: \"1\"",
      "`tags` takes no template | write the text itself"),
    DiagnosticCase(
      "extends takes no template", "requests: []\nextends: «${{ a }}»\n",
      "`extends` takes no template | write the text itself"),
    DiagnosticCase(
      "a variable has a name that templates can read",
      "requests: []\nvariables: {«a-b»: 1, «now»: 2, «row»: 3, «\"${{ a }}\"»: 4}\n",
      "\"a-b\" is not a name that a template can read | use letters, digits and `_`, beginning with a letter",
      "`now` cannot be the name of a variable: in templates it has a meaning of its own",
      "`row` cannot be the name of a variable: in templates it has a meaning of its own",
      "the name of a variable takes no template"),
    DiagnosticCase(
      "words of templates, and names that the run sets, are none of variables",
      "requests: []\nvariables: {«in»: 1, «if»: 2, «else»: 3, «row_count»: 4, «poll_round»: 5, «environment»: 6}\n",
      "`in` cannot be the name of a variable: in templates it has a meaning of its own",
      "`if` cannot be the name of a variable: in templates it has a meaning of its own",
      "`else` cannot be the name of a variable: in templates it has a meaning of its own",
      "`row_count` cannot be the name of a variable: in templates it has a meaning of its own",
      "`poll_round` cannot be the name of a variable: in templates it has a meaning of its own",
      "`environment` cannot be the name of a variable: in templates it has a meaning of its own"),
    DiagnosticCase(
      "secrets are names, each once", "requests: []\nsecrets: [A, «1a», «A»]\n",
      "\"***\" is not a name that a template can read | use letters, digits and `_`, beginning with a letter",
      "the secret `A` is declared twice"),
    DiagnosticCase(
      "a secret is text", "requests: []\nsecrets: {A: «[1]»}\n",
      "a secret is text, found a list | write the name alone, as in `secrets: [A]`, to take it from the environment"),
    DiagnosticCase(
      "defaults have no names", "requests: []\ndefaults: {«name»: a, «tags»: b}\n",
      "unknown key `name` in `defaults` | it belongs to the file or to a request",
      "unknown key `tags` in `defaults` | it belongs to the file or to a request"),
    DiagnosticCase(
      "what reads variables that are none is not told, too",
      "variables: «[a]»\nrequests:\n  - url: http://h/${{ a }}\n",
      "`variables` is a mapping, found a list | write {host: example.com}: a name and a value for each"),
    DiagnosticCase(
      "all unknown keys of a file without its requests are told",
      "«varibles»: {a: 1}\nname: a\n«default»: {}\nx-a: 1\n«request»: []\n",
      "unknown key `varibles` in a spec file | did you mean `variables`?",
      "unknown key `default` in a spec file | write `defaults`",
      "unknown key `request` in a spec file | write `requests`"),
    DiagnosticCase(
      "all unknown keys of a request without its URL are told", "«ulr»: http://h\nmethod: PUT\n«header»: {}\n",
      "unknown key `ulr` in a spec file | did you mean `url`?",
      "unknown key `header` in a spec file | write `headers`"),
    DiagnosticCase(
      "`.inf` is not JSON, but text in a query",
      "variables: {a: «.inf»}\nrequests:\n  - {url: http://h, query: {a: .inf}}\n",
      "`.inf` cannot be written as JSON | quote it to mean the text"),
    DiagnosticCase(
      "a kind of values is not a value", "variables: {a: «!uuid» b}\nrequests: []\n",
      "`!uuid` describes a value that is expected: it cannot stand here | such tags belong to values under `expect`; "
        + "what several share may be anchored under an `x-…` key"),
    DiagnosticCase(
      "` #` cuts a template", "requests:\n  - url: http://h\n    body: ${{ 'a «#b' }}»\n",
      "` #` begins a comment and cuts the template short | put the whole value in single quotes"),
    DiagnosticCase(
      "an error behind an alias names its use",
      "x-shared: &limit «fast»\nrequests:\n  - {url: http://h, timeout: *limit}\n",
      "expected a duration such as 250ms, 5s, 2m, 1h or 30d, found the text \"fast\""),
    DiagnosticCase(
      "what an alias repeats is told once",
      "x-shared: &r {url: http://h, «metod»: GET}\nrequests: [*r, *r]\n",
      "unknown key `metod` in a request | did you mean `method`?"),
  ]

  @Test(arguments: cases)
  func diagnostics(_ test: DiagnosticCase) { test.check() }

  static let projectCases: [DiagnosticCase] = [
    DiagnosticCase("a project", "variables: {a: 1}\nsecrets: [B]\ndefaults: {timeout: 1s}\ndemo: true\n"),
    DiagnosticCase(
      "a project has no requests", "«requests»: []\n",
      "unknown key `requests` in the project file | a project file has no requests of its own: write them in a spec file beside it"
    ),
    DiagnosticCase(
      "demo is known before anything runs", "demo: «${{ a }}»\n", "`demo` takes no template | write the value itself"),
    DiagnosticCase(
      "environments in place and in files",
      "environments:\n  a: {}\n  b: {description: x, variables: {a: 1}, secrets: [B], defaults: {timeout: 1s}}\n"
        + "  c: env/c.yaml\n  with blanks: {x-note: 1}\ndefault_environment: c\n"),
    DiagnosticCase(
      "environments are a mapping", "environments: «[local]»\ndefault_environment: local\n",
      "`environments` is a mapping, found a list | write {local: {variables: {…}}, production: env/production.yaml}"),
    DiagnosticCase(
      "an environment is a mapping or a path", "environments: {a: «1», b: «\"${{ x }}\"»}\n",
      "an environment is a mapping, found a number | write {variables: {host: example.com}}",
      "`environments` takes no template | write the text itself"),
    DiagnosticCase(
      "the default environment is one of them", "environments: {local: {}}\ndefault_environment: «remote»\n",
      "there is no environment `remote` | there are local"),
    DiagnosticCase(
      "a default environment without any", "default_environment: «local»\n",
      "there is no environment `local` | name it under `environments:`"),
    DiagnosticCase(
      "values of an environment stand under `variables`", "environments: {a: {«api»: x, key: y}, b: {«url»: x}}\n",
      "unknown key `api` in an environment | its values stand under `variables:`",
      "unknown key `url` in an environment | an environment has no requests of its own"),
    DiagnosticCase(
      "other tools' words for environments", "«envs»: {}\n«profiles»: {}\n",
      "unknown key `envs` in the project file | write `environments`",
      "unknown key `profiles` in the project file | write `environments`"),
  ]

  @Test(arguments: projectCases)
  func projectDiagnostics(_ test: DiagnosticCase) { test.check(asProject: true) }

  @Test func aFileWithNeitherIsNoSpec() {
    var bag = DiagnosticBag()
    let loaded = LoadedFile.read(bytes: Array("services: {}\n".utf8), path: "a.yaml", asProject: false, into: &bag)
    guard case .other? = loaded else {
      Issue.record("read as \(String(describing: loaded))")
      return
    }
    #expect(bag.diagnostics.isEmpty)
  }

  @Test func aFileOfOneRequestHasItsRows() throws {
    let file = try readSpec("url: http://h\neach: [1, 2]\n")
    #expect(file.requests[0].rows != nil)
    #expect(file.rows == nil)
  }

  @Test func theNoteOfAnAliasStandsAtItsUse() {
    var bag = DiagnosticBag()
    let text = "x-a: &a fast\nrequests:\n  - url: http://h\n    timeout: *a\n"
    _ = LoadedFile.read(bytes: Array(text.utf8), path: "a.yaml", asProject: false, into: &bag)
    #expect(
      bag.diagnostics.first?.notes.map { "\($0.message) \($0.range?.location ?? "")" } == ["used here a.yaml:4:14"])
  }
}
